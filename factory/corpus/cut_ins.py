"""How a caller can cut in at one act of a turn: with what, and where the call stands then."""

from collections.abc import Iterator, Sequence

from factory.corpus.state import MAY_ANSWER, State, Turn, stages_of, without
from factory.corpus.turns import STEER, Turns, use
from factory.records.blueprint import Interruption
from factory.records.enums import InterruptionType
from factory.workflow.lookup import HINT, STOP, Move, question_of
from factory.workflow.walk import Path

CutIn = tuple[Interruption, State]
"""An interruption, and the state before the turn behind it."""


class CutIns:
    """The interruptions open to one caller along one path."""

    def __init__(self, path: Path, moves: Sequence[Move], turns: Turns, caller_opens: bool) -> None:
        """Takes the path with its turns, the caller's moves, and whether the caller called."""
        self._acts = path.acts
        self._moves = moves
        self._turns = turns
        self._caller_opens = caller_opens
        self._stage_rank = {stage: i for i, stage in enumerate(path.stages)}
        self._revisable_slots = {act.fills for act in path.acts if act.revisable}

    def at(self, turn: int, state: State, option: Turn, cut: int, kind: InterruptionType) -> Iterator[CutIn]:
        """Every interruption of a type.

        Args:
            turn: Index of the turn.
            state: Where the call stands before it.
            option: The turn as the agent means it.
            cut: Index into its acts of the one that gets cut.
            kind: The type.
        """
        hint = option.uses[cut].ref.endswith(HINT)
        place = option.places[cut]
        base = state._replace(
            place=place,
            left=without(state.left, kind),
            opening=(),
            rest=(),
            hurried=False,
            aim=-1 if option.question is None else option.question,
            heard=option.refs[:cut],
            met=state.met | stages_of(option.refs[:cut]),
            hinted=(*state.hinted, question_of(option.uses[cut].ref)) if hint else state.hinted,
            again=state.again | {self._acts[place].ref},
            after_filler=False,
        )
        if kind is InterruptionType.FILLER:
            if not state.after_filler:
                following = base._replace(rest=option.uses[cut:], again=state.again, after_filler=True)
                yield Interruption(type=kind, cut=cut), following
        elif kind is InterruptionType.IMPATIENT:
            yield from self._hurry(turn, state, base, cut, hint)
        elif kind is InterruptionType.CORRECTION:
            yield from self._corrections(turn, state, base, cut)
        else:
            stage = self._turns.stage_at(option, cut)
            heard = (*state.heard, *option.refs[:cut])  # in the turn before, and in this one so far
            for move in self._open_moves(turn, kind, base, heard, stage):
                yield from self._move(turn, state, base, cut, hint, move)

    def open_corrections(self, state: State) -> int:
        """How many more corrections the call can hold: slots given by now or asked for later, each once."""
        given = sum(1 for slot, _ in state.given if self._revisable(state, slot))
        return given + sum(act.revisable for act in self._acts[state.place :])

    def _move(self, turn: int, state: State, base: State, cut: int, hint: bool, move: Move) -> Iterator[CutIn]:
        """An authored move: alone, and behind a question just heard with its answer too."""
        act = self._acts[base.place]
        answer = use(f"answer:{move.ref}")
        opening = (answer, use(STEER)) if move.type is InterruptionType.TOPIC_SWITCH else (answer,)
        spent = state.spent | {move.ref}
        yield (
            Interruption(type=move.type, cut=cut, move=move.ref),
            base._replace(opening=opening, spent=spent),
        )
        asks_about_it = move.after == act.ref
        if hint and not asks_about_it and self._can_answer(state, base.place, move.type):
            answered = base.answered(base.place, act, turn)
            yield (
                Interruption(type=move.type, cut=cut, move=move.ref, answers=act.ref),
                answered._replace(opening=opening, spent=spent, carries=state.carries - 1, again=state.again),
            )

    def _hurry(self, turn: int, state: State, base: State, cut: int, hint: bool) -> Iterator[CutIn]:
        """An impatient caller: with the answer to a question just heard, or before one was asked."""
        if turn == 0 and self._caller_opens:
            return  # nobody hurries before saying why they call
        kind, place = InterruptionType.IMPATIENT, base.place
        act = self._acts[place]
        if not hint:
            needed = act.required or place == len(self._acts) - 1  # a call never ends without its last words
            following = base if needed else base._replace(place=place + 1, again=state.again)
            yield Interruption(type=kind, cut=cut), following._replace(hurried=True)
        elif self._can_answer(state, place, kind):
            answered = base.answered(place, act, turn)
            yield (
                Interruption(type=kind, cut=cut, answers=act.ref),
                answered._replace(hurried=True, carries=state.carries - 1, again=state.again),
            )

    def _corrections(self, turn: int, state: State, base: State, cut: int) -> Iterator[CutIn]:
        """A value given in an earlier turn is revised."""
        for slot, when in state.given:
            if when < turn and self._revisable(state, slot):
                yield (
                    Interruption(type=InterruptionType.CORRECTION, cut=cut, slot=slot),
                    base._replace(opening=(use(f"accept:{slot}"),), spent=state.spent | {f"slot:{slot}"}),
                )

    def _revisable(self, state: State, slot: str) -> bool:
        return slot in self._revisable_slots and f"slot:{slot}" not in state.spent

    def _can_answer(self, state: State, place: int, kind: InterruptionType) -> bool:
        """Whether the caller may answer the question that was just heard while cutting in.

        An answer that ends the call is given without anything else: nobody answers a side request then.
        """
        ends = place + 1 < len(self._acts) and self._acts[place + 1].ref.startswith(STOP)
        return kind in MAY_ANSWER and state.carries > 0 and not self._acts[place].fails and not ends

    def _open_moves(
        self, turn: int, kind: InterruptionType, base: State, heard: tuple[str, ...], stage: str | None
    ) -> list[Move]:
        rank = self._stage_rank.get(stage or "", 0)
        found = []
        for move in self._moves:
            if move.type is not kind or move.ref in base.spent:
                continue
            if move.after is not None:
                if move.after in heard and move.stage == stage:
                    found.append(move)
            elif turn == 0:
                continue  # before anything was asked, only what was just heard can be taken up
            elif move.stage is None:
                if rank > 0:
                    found.append(move)
            elif move.stage in base.met:
                found.append(move)
        return found
