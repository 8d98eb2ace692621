"""What a call has to come to, where it stands before a turn, and a turn that could come next."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from factory.records.blueprint import ActUse
from factory.records.enums import InterruptionType
from factory.workflow.lookup import stage_of
from factory.workflow.walk import PathAct

MAY_ANSWER = (InterruptionType.IMPATIENT, InterruptionType.NORMAL, InterruptionType.TOPIC_SWITCH)
"""Types that may carry the answer to a question just heard; the others leave it open."""

TypesLeft = tuple[tuple[InterruptionType, int], ...]
"""Types with how often each is still to come, in order; none with zero."""


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


class State(NamedTuple):
    """Where a call stands before a turn.

    Attributes:
        place: Index into the path of the first act not yet dealt with.
        left: Types still to be placed.
        carries: How many more interruptions have to carry an answer.
        opening: Acts that the turn has to begin with, in answer to the last interruption.
        rest: The undelivered acts of the turn before, where a filler cut it.
        again: Acts that were cut or left unanswered: they come as a fresh start, and are not left out.
        aim: Index of the question that the cut turn was to end with; the next one ends with it too.
        hurried: The caller has just asked to speed up.
        hinted: Questions behind which a hint was begun, once for each time.
        heard: Acts heard whole in the last turn.
        met: Stages of which an act was heard whole.
        given: Slots that the caller has filled, with the turn.
        spent: Moves and corrected slots (`slot:x`) already used.
        after_filler: The last interruption was a filler.
    """

    place: int
    left: TypesLeft
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

    def answered(self, place: int, act: PathAct, turn: int) -> "State":
        """The state behind a question at a place of the path, once the caller has said something to it."""
        given = self.given
        if act.fills and not act.fails:
            given = (*given, (act.fills, turn))
        return self._replace(place=place + 1, given=given, aim=-1)


@dataclass(frozen=True)
class Turn:
    """The acts of one possible agent turn.

    Attributes:
        uses: The acts, in order.
        places: Where each of them stands on the path; -1 for what stands nowhere.
        question: Place of the question that it ends with; None for a closing.
    """

    uses: tuple[ActUse, ...]
    places: tuple[int, ...]
    question: int | None

    @property
    def refs(self) -> tuple[str, ...]:
        """References of the acts."""
        return tuple(use.ref for use in self.uses)


def without(left: TypesLeft, kind: InterruptionType) -> TypesLeft:
    """What is left once one of a type is placed."""
    return tuple((k, n - (k is kind)) for k, n in left if n > (k is kind))


def stages_of(refs: tuple[str, ...]) -> frozenset[str]:
    """The stages of the authored acts among some references."""
    return frozenset(stage for ref in refs if (stage := stage_of(ref)) is not None)
