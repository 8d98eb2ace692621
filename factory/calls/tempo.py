"""Turns that take longer or shorter than their side's others are said once more: a wrong rate shows in the tempo."""

import math
from collections.abc import Callable, Sequence, Set
from dataclasses import dataclass, replace
from statistics import median

from factory.calls.layout import VoicedRound
from factory.calls.takes import ANOTHER_ENGINE, Take, Takes
from factory.records.enums import Speaker
from factory.speech import EngineFailure

_EVEN = (0.8, 1.25)
"""Against the median of a side; of hibari's and espeak-ng's turns, 2 in 100 lie outside."""
_ALIKE = 1.15
"""Two sayings of a text are alike up to this; what is played at a wrong rate differs by more, but for 22,050 Hz."""
_MANY_ODD = 1 / 4
"""Of a side's turns: with more outside, the median may be the wrong one's, and all are said once more."""
_PASSES = 2
"""After a first in which some turns were unlike, a second looks at those that were alike by chance."""
_MOST_UNLIKE = 1 / 3
"""Of a side's turns, or two: with more, no median tells any more which of them are right."""


@dataclass(frozen=True, slots=True)
class _Side:
    """The turns of one side.

    Attributes:
        takes: By round.
        texts: By round.
        retake: Says the turn of a round anew.
    """

    speaker: Speaker
    takes: dict[int, Take]
    texts: dict[int, str]
    retake: Callable[[int, int], Take]


def evened(takes: Takes, voiced: Sequence[VoicedRound], among: Set[int]) -> list[VoicedRound]:
    """The rounds of a call, with what was said at a wrong tempo replaced.

    A turn whose tempo is far from the median of its side is said once more. Where both sayings have the same, the text
    is just said so, and the first stays; else the one nearer to the median, and the other is a failed attempt.

    Args:
        takes: Says them.
        voiced: The rounds, in order.
        among: The rounds that may be said anew.

    Raises:
        EngineFailure: The engine gives no speech, or too often another tempo when it is asked again.
    """
    rounds = {one.round.index: one.round for one in voiced}
    agents = {one.round.index: one.agent for one in voiced}
    callers = {one.round.index: one.caller for one in voiced if one.caller is not None}
    said = {turn: done.caller.text for turn, done in rounds.items() if done.caller is not None}

    def agent_again(turn: int, saying: int) -> Take:
        caller = rounds[turn].caller
        return takes.agent(turn, rounds[turn].agent, caller.type if caller else None, saying)

    def caller_again(turn: int, saying: int) -> Take:
        return takes.caller(turn, said[turn], callers[turn].tried.number, saying)

    spoken = {turn: done.agent.text for turn, done in rounds.items()}
    even_agents = _evened(takes, _Side(Speaker.AGENT, agents, spoken, agent_again), among)
    even_callers = _evened(takes, _Side(Speaker.CALLER, callers, said, caller_again), among)
    return [
        replace(one, agent=even_agents[one.round.index], caller=even_callers.get(one.round.index)) for one in voiced
    ]


def _evened(takes: Takes, side: _Side, among: Set[int]) -> dict[int, Take]:
    kept, unlike = dict(side.takes), set[int]()
    for saying in range(1, _PASSES + 1):
        usual = median(take.tempo for take in kept.values()) if kept else 1.0
        odd = {turn for turn, take in kept.items() if not _EVEN[0] <= take.tempo / usual <= _EVEN[1]}
        doubted = kept.keys() if len(odd) > _MANY_ODD * len(kept) else odd
        for turn in sorted(doubted & among):
            take = kept[turn]
            again = takes.tempo_again(side.speaker, turn, side.texts[turn], take, saying)
            if _apart(again, take.tempo) <= math.log(_ALIKE):
                continue
            unlike.add(turn)
            other = side.retake(turn, saying)
            nearest = min(take, other, key=lambda one: _apart(one.tempo, usual))
            failed = take.tried.failed + other.tried.failed + 1
            kept[turn] = replace(nearest, tried=replace(nearest.tried, failed=failed))
        if not unlike:
            break
    if len(unlike) > max(2, _MOST_UNLIKE * len(kept)):
        raise EngineFailure(
            f"{len(unlike)} of {len(kept)} turns of the {side.speaker.value} had another tempo when they were said "
            f"again, as if their rate were wrong now and then; {ANOTHER_ENGINE}"
        )
    return kept


def _apart(one: float, other: float) -> float:
    return abs(math.log(one / other))
