"""The agent turns that could come next: which tells before which question, and what in them can be cut."""

from collections.abc import Iterator
from functools import lru_cache
from random import Random

from factory.corpus.coverage import Kind, Seen
from factory.corpus.state import State, Turn
from factory.records.blueprint import ActUse
from factory.records.enums import Form
from factory.records.rubric import SHORT_WORDS
from factory.workflow.carry import HINTS
from factory.workflow.lookup import HINT, STOP, question_of
from factory.workflow.walk import Path

STEER = "steer"
"""Reference of the way back to the subject after a side request."""

HINT_WORDS = 22
"""Words of a usual hint."""
LONG_TURN = 60
"""Words of an agent turn beyond which another is planned, if there is one."""
USUAL_WORDS = {"answer": 24, "accept": 10, "steer": 6, "stop": 30}
"""Words of acts that stand on no path; those that do are counted."""
LEAD_WORDS = 8
"""Words of a reaction to a hurried caller's answer."""
USUAL_TELLS = 2
"""Acts before the question of a turn that nobody cuts, as far as it may be chosen: two remarks are listened to."""
SPARE_TELLS = 2
"""Tells that may be left out of which one, the last or the last but one, is heard before an act that is cut."""


@lru_cache(maxsize=8192)
def use(ref: str, form: Form = Form.SAY) -> ActUse:
    """An act in a wording; equal ones are one object, for a search makes thousands."""
    return ActUse(ref=ref, form=form)


class Turns:
    """The turns along one path."""

    def __init__(self, path: Path, rng: Random, seen: Seen) -> None:
        """Takes the path, what decides between turns of equal merit, and what the corpus has visited so far."""
        self.acts = path.acts
        self._seen = seen[Kind.ACT]
        self._rng = rng
        self._places = {act.ref: i for i, act in enumerate(path.acts)}

    def calm(self, state: State) -> list[Turn]:
        """Turns that the caller may let the agent finish, those to be tried first in front."""
        if state.rest:
            return [self._rest_turn(state)]
        options = []
        for question in self._next_questions(state):
            end = question if question is not None else len(self.acts)
            tells = self._tells(state, end)
            must = [i for i in tells if self._needed(state, i)]
            may = [i for i in tells if not self._needed(state, i)]
            room = USUAL_TELLS - len(state.opening) - len(must)
            if room > 0:
                self._rng.shuffle(may)
                may.sort(key=lambda i: self._seen.get(self.acts[i].ref, 0) > 0)
                must += may[:room]
            options.append(self._turn(state, sorted(must), question))
        # Chance decides whether an optional question is asked, among those that lead to something new or that do
        # not: how many are asked follows from the sum of turns anyway.
        self._rng.shuffle(options)
        options = [option for option in options if not state.hurried or self._is_short(option)]
        return sorted(options, key=lambda option: (self.words(option) > LONG_TURN, not self.new_acts(option)))

    def cuttable(self, state: State) -> Iterator[tuple[Turn, int]]:
        """Turns that the caller may cut, each with the index of an act in it that can be cut."""
        if state.rest:
            rest = self._rest_turn(state)
            for index in range(1, len(rest.uses)):
                place = rest.places[index]
                if place >= 0 and self._can_cut(place, rest.uses[index].form, index + 1 < len(rest.uses)):
                    yield rest, index
            return
        for question in self._next_questions(state):
            end = question if question is not None else len(self.acts)
            tells = self._tells(state, end, to_cut=True)
            found = [*self._cut_in_a_tell(state, question, tells)]
            if question is not None:
                found += self._cut_in_the_hint(state, question, tells)
            yield from (turn for turn in found if not state.hurried or self._is_short(turn[0]))

    def words(self, option: Turn) -> int:
        """About how many words a turn has."""
        total = 0
        for said, place in zip(option.uses, option.places, strict=True):
            if place < 0:
                total += USUAL_WORDS[said.ref.split(":")[0]]
            else:
                total += HINT_WORDS if said.ref.endswith(HINT) else self.acts[place].words
        return total

    def _is_short(self, option: Turn) -> bool:
        """Whether a turn is short enough for a caller in a hurry, whatever wordings are chosen."""
        total = LEAD_WORDS
        for said, place in zip(option.uses, option.places, strict=True):
            if place < 0:
                total += USUAL_WORDS[said.ref.split(":")[0]]
                continue
            full, brief, hint = self.acts[place].longest
            total += hint if said.ref.endswith(HINT) else brief if said.form is Form.BRIEF and brief else full
        return total <= SHORT_WORDS

    def stage_at(self, option: Turn, cut: int) -> str | None:
        """The stage of an act in a turn; None for what stands on no path."""
        place = option.places[cut]
        return self.acts[place].stage if place >= 0 else None

    def share_of_way(self, option: Turn, cut: int) -> float:
        """How much of the path lies behind an act of a turn; what stands on no path counts as its beginning."""
        return max(0, option.places[cut]) / len(self.acts)

    def new_acts(self, option: Turn, end: int | None = None) -> int:
        """How many of a turn's acts, up to an index, no call of the corpus has come to; a fresh start is none."""
        placed = zip(option.uses[:end], option.places[:end], strict=True)
        return sum(u.form is not Form.RESUME and not self._seen.get(u.ref) for u, place in placed if place >= 0)

    def _cut_in_a_tell(self, state: State, question: int | None, tells: list[int]) -> Iterator[tuple[Turn, int]]:
        must = [i for i in tells if self._needed(state, i)]
        for place in tells:
            behind = question is not None or any(i > place for i in must)
            if not self._can_cut(place, self._form(state, place, cut=True), behind):
                continue
            before = [i for i in tells if i < place]
            kept = [i for i in before if self._needed(state, i)]
            spare = [i for i in before if not self._needed(state, i)]
            choices = [kept] if state.opening or kept or not spare else []
            choices += [sorted([*kept, i]) for i in spare[-SPARE_TELLS:]]
            for chosen in choices:
                kept_tells = sorted({*chosen, place, *(i for i in must if i > place)})
                turn = self._turn(state, kept_tells, question, cut=place)
                yield turn, turn.places.index(place)

    def _cut_in_the_hint(self, state: State, question: int, tells: list[int]) -> Iterator[tuple[Turn, int]]:
        act = self.acts[question]
        if not act.hint or state.hinted.count(question_of(act.ref)) >= HINTS:
            return
        must = [i for i in tells if self._needed(state, i)]
        spare = [i for i in tells if not self._needed(state, i)]
        extra = [spare[-1]] if spare and not must and not state.opening else []
        turn = self._turn(state, sorted(must + extra), question, hint=act.hint)
        yield turn, len(turn.uses) - 1

    def _can_cut(self, place: int, form: Form, followed: bool) -> bool:
        act = self.acts[place]
        return act.cuttable and form is not Form.BRIEF and (followed or act.two_sentences)

    def _next_questions(self, state: State) -> list[int | None]:
        """Questions that the turn may lead to: any optional one before the next that must be asked."""
        if state.aim >= state.place:
            return [state.aim]
        found: list[int | None] = []
        for index in range(state.place, len(self.acts)):
            if self.acts[index].question:
                if self.acts[index].ref in state.again:
                    return [index]  # it was asked and left open: it is asked again
                found.append(index)
                if not self.acts[index].optional:
                    return found
        return [*found, None]

    def _tells(self, state: State, end: int, to_cut: bool = False) -> list[int]:
        """Tells before the question; a hurried caller hears only what has to be said, and one more to cut."""
        tells = [i for i in range(state.place, end) if self._belongs(i, end)]
        if not state.hurried:
            return tells
        needed = [i for i in tells if self.acts[i].required or self.acts[i].ref.startswith(STOP)]
        tail = [i for i in tells if end == len(self.acts) and i == end - 1]
        spare = [i for i in tells if i not in needed and i not in tail]
        return sorted({*needed, *tail, *(spare[:1] if to_cut else ())})

    def _belongs(self, place: int, end: int) -> bool:
        """Whether a tell may be said before the act at `end`: not if it leads to a question left out."""
        act = self.acts[place]
        if act.question or act.leads_to is None:
            return not act.question
        return self._places.get(act.leads_to, -1) >= end

    def _needed(self, state: State, place: int) -> bool:
        """Whether a tell has to be said now: it is not optional, or it was begun and cut off."""
        return not self.acts[place].optional or self.acts[place].ref in state.again

    def _form(self, state: State, place: int, cut: bool = False) -> Form:
        """A hurried caller hears the brief form wherever there is one; it is too short to be cut."""
        act = self.acts[place]
        if state.hurried and (act.question or act.required or (act.brief and not cut)):
            return Form.BRIEF
        return Form.RESUME if act.ref in state.again else Form.SAY

    def _turn(
        self, state: State, tells: list[int], question: int | None, hint: str | None = None, cut: int = -1
    ) -> Turn:
        # Nobody is led back to a subject that is about to be closed.
        uses = [opening for opening in state.opening if opening.ref != STEER or question is not None]
        places = [-1] * len(uses)
        for place in [*tells, *([] if question is None else [question])]:
            uses.append(use(self.acts[place].ref, self._form(state, place, cut=place == cut)))
            places.append(place)
        if hint is not None and question is not None:
            uses.append(use(hint))
            places.append(question)
        return Turn(tuple(uses), tuple(places), question)

    def _rest_turn(self, state: State) -> Turn:
        """The rest of a turn; a hint in it stands alone, behind the question at which the call stands."""
        places = tuple(state.place if u.ref.endswith(HINT) else self._places.get(u.ref, -1) for u in state.rest)
        asked = [p for p in places if p >= 0 and self.acts[p].question]
        return Turn(state.rest, places, asked[-1] if asked else None)
