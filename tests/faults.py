"""Faults that a test forces on a build."""

from collections.abc import Callable, Sequence
from random import Random

from factory.records.conversation import Cut, RerunReason, Segment
from factory.records.enums import InterruptionType
from factory.simulate.cut import CutNotPossible, choose_cut
from factory.verify.checks import Case, CheckId, Issue


def faulty(faults: Sequence[tuple[int, RerunReason]]) -> Callable[[Case], tuple[Issue, ...]]:
    """A check that finds one fault, a round and a reason, each time it looks at a conversation; then none.

    Takes the place of `factory.build.conversations.check_conversation`.
    """
    looks: dict[str, int] = {}

    def check(case: Case) -> tuple[Issue, ...]:
        name = case.blueprint.conversation_id
        number = looks[name] = looks.get(name, -1) + 1
        if number >= len(faults):
            return ()
        where, reason = faults[number]
        return (Issue(check=CheckId.NATURAL, round=where, message="for the test", reason=reason),)

    return check


def uncut(*which: int) -> Callable[[Sequence[Segment], int, InterruptionType, Random], Cut]:
    """A cutter that finds no place at some of its calls, counted from 0; takes that of `factory.simulate.loop`."""
    calls = iter(range(1_000_000))

    def choose(segments: Sequence[Segment], act: int, kind: InterruptionType, rng: Random) -> Cut:
        if next(calls) in which:
            raise CutNotPossible("for the test")
        return choose_cut(segments, act, kind, rng)

    return choose
