"""How much of a call is scanned, so that no hostile one takes more than its share of time.

Every caller turn is compared with all that its speaker had not heard, so time grows with the square of a call.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace

from factory.audit.scan.call import AgentPart, Passage, ScannedCall, ScannedTurn

MOST_TEXT = 10_000
"""Characters of one text that are scanned; who speaks without a pause for ten minutes says no more."""
MOST_CALL = 200_000
"""Characters of all texts of a call; the longest of ours have an eighth."""
MOST_WORK = 8_000_000
"""Characters of all texts times turns: a call of 80 turns may have half of those of a shorter one."""


def bounded(call: ScannedCall) -> tuple[ScannedCall, bool]:
    """A call as it is scanned, and whether that is less than the whole.

    Texts are cut at their ends: at 10,000 characters, or earlier where a call has so many that together they would be
    too long.
    """
    lengths = list(map(len, _texts(call)))
    most = MOST_TEXT
    together = min(MOST_CALL, MOST_WORK // max(len(call.turns), 1))
    if sum(min(length, most) for length in lengths) > together:
        most = together // len(lengths)
    if max(lengths, default=0) <= most:
        return call, False
    return _cut(call, lambda text: text[:most]), True


def _texts(call: ScannedCall) -> Iterator[str]:
    yield from (*call.stages, *call.own, *call.hidden)
    yield from (passage.text for passage in (*call.stage_texts, *call.guidelines, *call.known_user))
    for turn in call.turns:
        yield from (turn.heard, turn.talked_over, turn.undelivered, turn.caller or "", turn.plan)
        yield from (*turn.released, *turn.answers, *turn.facts, *(part.text for part in turn.parts))


def _cut(call: ScannedCall, cut: Callable[[str], str]) -> ScannedCall:
    def texts(each: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(map(cut, each))

    def passages(each: tuple[Passage, ...]) -> tuple[Passage, ...]:
        return tuple(replace(passage, text=cut(passage.text)) for passage in each)

    def turn_of(turn: ScannedTurn) -> ScannedTurn:
        return replace(
            turn,
            heard=cut(turn.heard),
            talked_over=cut(turn.talked_over),
            undelivered=cut(turn.undelivered),
            parts=tuple(AgentPart(cut(part.text), part.planned) for part in turn.parts),
            caller=None if turn.caller is None else cut(turn.caller),
            released=texts(turn.released),
            answers=texts(turn.answers),
            facts=texts(turn.facts),
            plan=cut(turn.plan),
        )

    return replace(
        call,
        turns=tuple(map(turn_of, call.turns)),
        stages=texts(call.stages),
        stage_texts=passages(call.stage_texts),
        guidelines=passages(call.guidelines),
        known_user=passages(call.known_user),
        own=texts(call.own),
        hidden=texts(call.hidden),
    )
