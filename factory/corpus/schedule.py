"""One conversation's rounds: a path's acts laid out over turns, with every interruption in its place.

A call's agent turns are the questions it asks, one closing, and one more for each interruption that does
not carry an answer; the search keeps that sum right at every turn and so ends exactly where it should.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import NamedTuple

from factory.records.blueprint import ActUse, CalmReply, Interruption, ReplyKind, RoundPlan
from factory.records.enums import Form, InterruptionType
from factory.workflow.lookup import HINT, MOVE_TYPES, Move, question_of, stage_of
from factory.workflow.walk import Path

MAX_NODES = 200
"""Turns tried before one search gives up; almost all searches end within fifty."""
HINTS = 2
"""How often a question's hint may be begun: the first time it was cut short."""
HINT_WORDS = 22
"""Words of a usual hint."""
LONG_TURN = 60
"""Words of an agent turn beyond which another is planned, if there is one."""
_USUAL_WORDS = {"answer": 24, "accept": 10, "steer": 6, "stop": 30}
"""Words of acts that stand on no path; those that do are counted."""


STEER = "steer"
"""Reference of the way back to the subject after a side request."""
MAY_ANSWER = (InterruptionType.IMPATIENT, InterruptionType.NORMAL, InterruptionType.TOPIC_SWITCH)
"""Types that may carry the answer to a question just heard; the others leave it open."""


@dataclass(frozen=True)
class Order:
    """What one conversation has to come to.

    Attributes:
        agent_turns: Number of agent turns.
        caller_opens: Whether the caller called, and so says first what it is about.
        caller_closes: Whether the caller has the last word.
        interrupted: User turn indices (from 0) at which the caller cuts in.
        types: How many interruptions of each type; adds up to `len(interrupted)`.
    """

    agent_turns: int
    caller_opens: bool
    caller_closes: bool
    interrupted: frozenset[int]
    types: Mapping[InterruptionType, int]


class _State(NamedTuple):
    """Where a call stands before a turn.

    Attributes:
        place: Index into the path of the first act not yet dealt with.
        opening: Acts that the turn has to begin with, in answer to the last interruption.
        rest: The undelivered acts of the turn before, where a filler cut it.
        again: Acts that were cut or left unanswered: they come as a fresh start, and are not left out.
        aim: Index of the question that the cut turn was to end with; the next one ends with it too.
        hurried: The caller has just asked to speed up.
        hinted: Questions behind which a hint was begun, once for each time.
        heard: Acts heard whole in this and the last turn.
        met: Stages of which an act was heard whole.
        given: Slots that the caller has filled, with the turn.
        spent: Moves and corrected slots (`slot:x`) already used.
        left: Types still to be placed.
        after_filler: The last interruption was a filler.
        carries: How many more interruptions have to carry an answer.
    """

    place: int
    left: tuple[tuple[InterruptionType, int], ...]
    carries: int
    opening: tuple[ActUse, ...] = ()
    rest: tuple[ActUse, ...] = ()
    again: frozenset[str] = frozenset()
    aim: int = -1
    hurried: bool = False
    hinted: tuple[str, ...] = ()
    heard: tuple[str, ...] = ()
    met: frozenset[str] = frozenset()
    given: tuple[tuple[str, int], ...] = ()
    spent: frozenset[str] = frozenset()
    after_filler: bool = False


@dataclass(frozen=True)
class _Turn:
    """The acts of one possible agent turn: their uses, and where each stands on the path (-1: nowhere)."""

    uses: tuple[ActUse, ...]
    places: tuple[int, ...]
    question: int | None

    @property
    def refs(self) -> tuple[str, ...]:
        return tuple(use.ref for use in self.uses)


class Scheduler:
    """Searches the layout of one conversation; deterministic for its random generator."""

    def __init__(
        self,
        path: Path,
        moves: Sequence[Move],
        order: Order,
        rng: Random,
        used: Mapping[str, int] | None = None,
    ) -> None:
        """Prepares a search.

        Args:
            path: The path to lay out.
            moves: The moves open to this caller.
            order: What has to come out.
            rng: Decides between layouts of equal merit.
            used: How often each move was used in the corpus so far; rarer ones are preferred.
        """
        self._path = path.acts
        self._moves = moves
        self._order = order
        self._rng = rng
        self._used = used or {}
        self._nodes = 0
        self._questions_from = self._count_questions()
        self._revisable_slots = {a.fills for a in path.acts if a.revisable}
        self._places = {act.ref: i for i, act in enumerate(path.acts)}
        self._stage_rank = {stage: i for i, stage in enumerate(path.stages)}

    def search(self, carries: int) -> tuple[RoundPlan, ...] | None:
        """A layout in which that many interruptions carry an answer; None if none was found."""
        self._nodes = 0
        left = tuple((kind, n) for kind, n in sorted(self._order.types.items()) if n)
        rounds = self._from(0, _State(place=0, left=left, carries=carries))
        return tuple(reversed(rounds)) if rounds is not None else None

    @property
    def nodes(self) -> int:
        """Turns tried in the last search."""
        return self._nodes

    def _count_questions(self) -> list[tuple[int, int]]:
        counts = [(0, 0)]
        for act in reversed(self._path):
            least, most = counts[-1]
            counts.append((least + (act.question and not act.optional), most + act.question))
        return counts[::-1]

    def _possible(self, turn: int, state: _State) -> bool:
        """Whether the questions ahead can still add up to the turns ahead."""
        cuts = sum(1 for t in self._order.interrupted if t >= turn) - state.carries
        needed = self._order.agent_turns - turn - 1 - cuts
        least, most = self._questions_from[state.place]
        may_answer = sum(n for kind, n in state.left if kind in MAY_ANSWER)
        return least <= needed <= most and state.carries <= may_answer and self._corrections_possible(state)

    def _corrections_possible(self, state: _State) -> bool:
        """Whether enough slots that can be revised are given by now or asked for later."""
        wanted = dict(state.left).get(InterruptionType.CORRECTION, 0)
        if not wanted:
            return True
        given = sum(1 for slot, _ in state.given if slot in self._revisable_slots and f"slot:{slot}" not in state.spent)
        return wanted <= given + sum(a.revisable for a in self._path[state.place :])

    def _from(self, turn: int, state: _State) -> list[RoundPlan] | None:
        """The rounds from `turn` on, last first; None if there is no way."""
        if turn == self._order.agent_turns:
            return [] if not state.left and state.place == len(self._path) else None
        self._nodes += 1
        if self._nodes > MAX_NODES or not self._possible(turn, state):
            return None
        for plan, following in self._options(turn, state):
            if turn + 1 in self._order.interrupted and next(self._cuttable_turns(following), None) is None:
                continue  # the next turn has to be cut, and nothing in it could be
            rounds = self._from(turn + 1, following)
            if rounds is not None:
                rounds.append(plan)
                return rounds
        return None

    def _options(self, turn: int, state: _State) -> Iterator[tuple[RoundPlan, _State]]:
        if turn in self._order.interrupted:
            yield from self._interrupted(turn, state)
        else:
            yield from self._calm(turn, state)

    # --- turns that the caller lets the agent finish -------------------------------------------------

    def _calm(self, turn: int, state: _State) -> Iterator[tuple[RoundPlan, _State]]:
        last = turn == self._order.agent_turns - 1
        for option in self._calm_turns(state):
            if last != (option.question is None):
                continue
            heard = tuple(
                ref for ref in option.refs if option.question is None or ref != self._path[option.question].ref
            )
            met = state.met | _stages(option.refs)
            if option.question is None:
                reply = CalmReply(kind=ReplyKind.CLOSING) if self._order.caller_closes else None
                done = state._replace(place=len(self._path), opening=(), rest=(), heard=heard)
                yield RoundPlan(acts=option.uses, continues=bool(state.rest), reply=reply), done
                continue
            act = self._path[option.question]
            reply = CalmReply(kind=ReplyKind.FAIL if act.fails else ReplyKind.ANSWER, question=act.ref)
            answered = self._answered(state, option.question, turn)
            yield (
                RoundPlan(acts=option.uses, continues=bool(state.rest), reply=reply),
                answered._replace(opening=(), rest=(), hurried=False, heard=heard, met=met, after_filler=False),
            )

    def _answered(self, state: _State, place: int, turn: int) -> _State:
        act = self._path[place]
        given = state.given
        if act.fills and not act.fails:
            given = (*given, (act.fills, turn))
        return state._replace(place=place + 1, given=given, aim=-1)

    def _calm_turns(self, state: _State) -> list[_Turn]:
        if state.rest:
            return [self._rest_turn(state)]
        options = []
        for question in self._next_questions(state):
            end = question if question is not None else len(self._path)
            tells = self._tells(state, end)
            must = [i for i in tells if self._needed(state, i)]
            may = [i for i in tells if not self._needed(state, i)]
            room = 2 - len(state.opening) - len(must)
            extra = self._rng.sample(may, min(len(may), max(0, room))) if room > 0 else []
            options.append(self._turn(state, sorted(must + extra), question))
        # A mandatory question first now and then, an optional one mostly: the sum of turns decides anyway.
        self._rng.shuffle(options)
        return sorted(options, key=lambda option: self._words(option) > LONG_TURN)

    # --- turns that the caller cuts ------------------------------------------------------------------

    def _interrupted(self, turn: int, state: _State) -> Iterator[tuple[RoundPlan, _State]]:
        options = []
        for option, cut in self._cuttable_turns(state):
            for kind, _ in state.left:
                for interruption, following in self._cut_in(turn, state, option, cut, kind):
                    merit = self._merit(turn, option, cut, interruption, state)
                    options.append((merit + self._rng.random(), option, interruption, following))
        options.sort(key=lambda o: o[0])
        for _, option, interruption, following in options:
            yield (
                RoundPlan(acts=option.uses, continues=bool(state.rest), interruption=interruption),
                following,
            )

    def _merit(self, turn: int, option: _Turn, cut: int, interruption: Interruption, state: _State) -> float:
        """Lower is better: short turns, something heard before the cut, grounds just heard, rare moves."""
        cost = 0.3 * abs(len(option.uses) - 3) + (1.5 if cut == 0 else 0.0)
        cost += 0.12 * max(0, self._words(option) - LONG_TURN)
        if interruption.move is not None:
            cost += 0.5 * self._used.get(interruption.move, 0)
            move = next(m for m in self._moves if m.ref == interruption.move)
            if move.after is not None and move.after not in option.refs[:cut]:
                cost += 1.5
            if move.after is None and move.stage not in (None, self._stage_at(option, cut)):
                cost += 1.0
        if interruption.type in (InterruptionType.PUSHBACK, InterruptionType.CORRECTION):
            cost -= 0.8  # the two with the most conditions: placed where they can be
        if interruption.type is InterruptionType.IMPATIENT and interruption.answers is None:
            cost -= 0.5  # only before a question is asked, while most others may come behind it too
        left = dict(state.left)
        if option.question is None:
            cost += 2.5  # a goodbye is seldom cut into
        if state.hurried and interruption.type is InterruptionType.IMPATIENT:
            cost += 1.5  # who has just been hurried along seldom hurries again at once
        if interruption.type is InterruptionType.IMPATIENT and turn + 1 in self._order.interrupted:
            cost += 1.0  # the answer to a hurried caller should be short, so not one that has to be cut again
        cost -= 1.2 * left[interruption.type] / sum(left.values())
        return cost

    def _cuttable_turns(self, state: _State) -> Iterator[tuple[_Turn, int]]:
        """Possible turns with the index of an act in them that can be cut."""
        if state.rest:
            rest = self._rest_turn(state)
            for index in range(1, len(rest.uses)):
                place = rest.places[index]
                if place >= 0 and self._can_cut(place, rest.uses[index].form, index + 1 < len(rest.uses)):
                    yield rest, index
            return
        for question in self._next_questions(state):
            end = question if question is not None else len(self._path)
            tells = self._tells(state, end, to_cut=True)
            must = [i for i in tells if self._needed(state, i)]
            for place in tells:
                behind = question is not None or any(i > place for i in must)
                if not self._can_cut(place, self._form(state, place, cut=True), behind):
                    continue
                before = [i for i in tells if i < place]
                kept = [i for i in before if self._needed(state, i)]
                spare = [i for i in before if not self._needed(state, i)]
                choices = [kept] if state.opening or kept or not spare else []
                choices += [sorted([*kept, i]) for i in spare[-2:]]
                for chosen in choices:
                    kept_tells = sorted({*chosen, place, *(i for i in must if i > place)})
                    turn = self._turn(state, kept_tells, question, cut=place)
                    yield turn, turn.places.index(place)
            if (
                question is not None
                and self._path[question].hint
                and state.hinted.count(question_of(self._path[question].ref)) < HINTS
            ):
                spare = [i for i in tells if not self._needed(state, i)]
                extra = [spare[-1]] if spare and len(must) + len(state.opening) < 1 else []
                turn = self._turn(state, sorted(must + extra), question, hint=True)
                yield turn, len(turn.uses) - 1

    def _can_cut(self, place: int, form: Form, followed: bool) -> bool:
        act = self._path[place]
        return act.cuttable and form is not Form.BRIEF and (followed or act.two_sentences)

    def _cut_in(
        self, turn: int, state: _State, option: _Turn, cut: int, kind: InterruptionType
    ) -> Iterator[tuple[Interruption, _State]]:
        hint = option.uses[cut].ref.endswith(HINT)
        heard = self._heard_then(state, option.refs[:cut])
        place = option.places[cut]
        base = state._replace(
            place=place,
            left=_without(state.left, kind),
            opening=(),
            rest=(),
            hurried=False,
            aim=-1 if option.question is None else option.question,
            heard=heard,
            met=state.met | _stages(option.refs[:cut]),
            hinted=(*state.hinted, question_of(option.uses[cut].ref)) if hint else state.hinted,
            again=state.again | {self._path[place].ref},
            after_filler=False,
        )
        if kind is InterruptionType.FILLER:
            if not state.after_filler:
                yield (
                    Interruption(type=kind, cut=cut),
                    base._replace(rest=option.uses[cut:], again=state.again, after_filler=True),
                )
        elif kind is InterruptionType.IMPATIENT:
            yield from self._hurry(turn, state, base, option, cut, hint)
        elif kind is InterruptionType.CORRECTION:
            for slot in self._revisable(state, turn):
                opening = (_use(f"accept:{slot}"),)
                yield (
                    Interruption(type=kind, cut=cut, slot=slot),
                    base._replace(opening=opening, spent=state.spent | {f"slot:{slot}"}),
                )
        else:
            for move in self._open_moves(turn, kind, base.met, state, heard, self._stage_at(option, cut)):
                answer = _use(f"answer:{move.ref}")
                back = (_use(STEER),) if kind is InterruptionType.TOPIC_SWITCH else ()
                spent = state.spent | {move.ref}
                yield (
                    Interruption(type=kind, cut=cut, move=move.ref),
                    base._replace(opening=(answer, *back), spent=spent),
                )
                asks_about_it = move.after == self._path[place].ref
                if hint and not asks_about_it and self._can_answer(state, place, kind):
                    answered = self._answered(base, place, turn)
                    yield (
                        Interruption(type=kind, cut=cut, move=move.ref, answers=self._path[place].ref),
                        answered._replace(
                            opening=(answer, *back),
                            spent=spent,
                            carries=state.carries - 1,
                            again=state.again,
                        ),
                    )

    def _hurry(
        self, turn: int, state: _State, base: _State, option: _Turn, cut: int, hint: bool
    ) -> Iterator[tuple[Interruption, _State]]:
        """An impatient caller: with the answer to a question just heard, or before one was asked."""
        if turn == 0 and self._order.caller_opens:
            return  # nobody hurries before saying why they call
        place = option.places[cut]
        act = self._path[place]
        if hint:
            if self._can_answer(state, place, InterruptionType.IMPATIENT):
                answered = self._answered(base, place, turn)
                yield (
                    Interruption(type=InterruptionType.IMPATIENT, cut=cut, answers=act.ref),
                    answered._replace(hurried=True, carries=state.carries - 1, again=state.again),
                )
        else:
            needed = act.required or place == len(self._path) - 1  # a call never ends without its last words
            following = base if needed else base._replace(place=place + 1, again=state.again)
            yield (
                Interruption(type=InterruptionType.IMPATIENT, cut=cut),
                following._replace(hurried=True),
            )

    def _can_answer(self, state: _State, place: int, kind: InterruptionType) -> bool:
        """Whether the caller may answer the question that was just heard while cutting in."""
        return kind in MAY_ANSWER and state.carries > 0 and not self._path[place].fails

    def _revisable(self, state: _State, turn: int) -> list[str]:
        return [
            slot
            for slot, when in state.given
            if slot in self._revisable_slots and when < turn and f"slot:{slot}" not in state.spent
        ]

    def _open_moves(
        self,
        turn: int,
        kind: InterruptionType,
        met: frozenset[str],
        state: _State,
        heard: tuple[str, ...],
        stage: str | None,
    ) -> list[Move]:
        assert kind in MOVE_TYPES
        rank = self._stage_rank.get(stage or "", 0)
        found = []
        for move in self._moves:
            if move.type is not kind or move.ref in state.spent:
                continue
            if move.after is not None:
                if move.after in heard and move.stage == stage:
                    found.append(move)
            elif turn == 0:
                continue  # before anything was asked, only what was just heard can be taken up
            elif move.stage is None:
                if rank > 0:
                    found.append(move)
            elif move.stage in met:
                found.append(move)
        return found

    # --- shared --------------------------------------------------------------------------------------

    def _next_questions(self, state: _State) -> list[int | None]:
        """Questions that the turn may lead to: any optional one before the next that must be asked."""
        if state.aim >= state.place:
            return [state.aim]
        found: list[int | None] = []
        for index in range(state.place, len(self._path)):
            if self._path[index].question:
                if self._path[index].ref in state.again:
                    return [index]  # it was asked and left open: it is asked again
                found.append(index)
                if not self._path[index].optional:
                    return found
        return [*found, None]

    def _tells(self, state: _State, end: int, to_cut: bool = False) -> list[int]:
        """Tells before the question; a hurried caller hears only what has to be said, and one more to cut."""
        tells = [i for i in range(state.place, end) if self._belongs(i, end)]
        if not state.hurried:
            return tells
        needed = [i for i in tells if self._path[i].required or self._path[i].ref.startswith("stop:")]
        tail = [i for i in tells if end == len(self._path) and i == end - 1]
        spare = [i for i in tells if i not in needed and i not in tail]
        return sorted({*needed, *tail, *(spare[:1] if to_cut else ())})

    def _belongs(self, place: int, end: int) -> bool:
        """Whether a tell may be said before the act at `end`: not if it leads to a question left out."""
        act = self._path[place]
        if act.question or act.leads_to is None:
            return not act.question
        asked = self._places.get(act.leads_to, -1)
        return asked >= end

    def _needed(self, state: _State, place: int) -> bool:
        """Whether a tell has to be said now: it is not optional, or it was begun and cut off."""
        return not self._path[place].optional or self._path[place].ref in state.again

    def _form(self, state: _State, place: int, cut: bool = False) -> Form:
        """A hurried caller hears the brief form wherever there is one; it is too short to be cut."""
        act = self._path[place]
        if state.hurried and (act.question or act.required or (act.brief and not cut)):
            return Form.BRIEF
        return Form.RESUME if act.ref in state.again else Form.SAY

    def _turn(self, state: _State, tells: list[int], question: int | None, hint: bool = False, cut: int = -1) -> _Turn:
        # Nobody is led back to a subject that is about to be closed.
        uses = [use for use in state.opening if use.ref != STEER or question is not None]
        places = [-1] * len(uses)
        for place in [*tells, *([] if question is None else [question])]:
            uses.append(_use(self._path[place].ref, self._form(state, place, cut=place == cut)))
            places.append(place)
        if hint and question is not None:
            ref = self._path[question].hint
            assert ref is not None
            uses.append(_use(ref))
            places.append(question)
        return _Turn(tuple(uses), tuple(places), question)

    def _rest_turn(self, state: _State) -> _Turn:
        """The rest of a turn; a hint in it stands alone, behind the question at which the call stands."""
        places = tuple(state.place if u.ref.endswith(HINT) else self._places.get(u.ref, -1) for u in state.rest)
        asked = [p for p in places if p >= 0 and self._path[p].question]
        return _Turn(state.rest, places, asked[-1] if asked else None)

    def _heard_then(self, state: _State, refs: tuple[str, ...]) -> tuple[str, ...]:
        """Acts that count as heard whole: this turn's, and those of the turn before."""
        return (*state.heard[-6:], *refs)

    def _words(self, option: _Turn) -> int:
        """About how many words a turn has."""
        total = 0
        for use, place in zip(option.uses, option.places, strict=True):
            if place < 0:
                total += _USUAL_WORDS[use.ref.split(":")[0]]
            else:
                total += HINT_WORDS if use.ref.endswith(HINT) else self._path[place].words
        return total

    def _stage_at(self, option: _Turn, cut: int) -> str | None:
        place = option.places[cut]
        return self._path[place].stage if place >= 0 else None


def _stages(refs: tuple[str, ...]) -> frozenset[str]:
    """The stages of the authored acts among some references."""
    return frozenset(stage for ref in refs if (stage := stage_of(ref)) is not None)


def _without(
    left: tuple[tuple[InterruptionType, int], ...], kind: InterruptionType
) -> tuple[tuple[InterruptionType, int], ...]:
    counts = Counter(dict(left))
    counts[kind] -= 1
    return tuple((k, n) for k, n in sorted(counts.items()) if n > 0)


@lru_cache(maxsize=8192)
def _use(ref: str, form: Form = Form.SAY) -> ActUse:
    return ActUse(ref=ref, form=form)
