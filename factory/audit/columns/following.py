"""The agent's next turn: behind a filler the undelivered rest from the very word of the cut on, else a fresh start.

Compared are words, in small letters and without the marks around them. Where the delivered text does not begin the
original nobody can say what was left, and nothing is checked.
"""

from collections.abc import Iterator

from factory.audit.columns.call import Call, Turn
from factory.audit.columns.cuts import bare_of, place_of
from factory.audit.columns.rules import Certainty, ColumnRule, Outcome, broken, held, looks_broken
from factory.audit.findings import shown
from factory.records.enums import InterruptionType
from factory.workflow.phrases import PHRASE_WORDS

FRESH_WORDS = 4
"""First words of the rest that make a completion of the cut sentence."""
REPEATED_WORDS = 3
"""First words of a turn, heard in a row before, that look like starting anew; from `PHRASE_WORDS` on it is certain."""
_SAME_PLACE = 2
"""First words of the rest by which it is known again in a turn."""
ACKNOWLEDGES = frozenset(
    (
        *("okay", "ok", "alright", "right", "great", "good", "perfect", "sure", "yes", "yeah", "yep", "exactly"),
        *("mm-hm", "mhm", "uh-huh", "absolutely", "certainly", "wonderful", "thanks", "thank", "got", "understood"),
        *("correct", "glad", "anyway", "so", "well", "sorry", "as"),
    )
)
"""First words of a turn that reacts or comes back to its subject; they count where the rest begins otherwise."""
_NEAR = 200
"""Words before and behind a cut that are compared; nobody repeats more in a breath."""

_OF_FILLERS = (ColumnRule.FILLER_ACKNOWLEDGED, ColumnRule.FILLER_REPEATS, ColumnRule.FILLER_NOT_CONTINUED)


def following_outcomes(call: Call) -> Iterator[Outcome]:
    """Every check of the turns behind a call's interruptions."""
    for turn, behind in call.followed():
        place = place_of(turn) if turn.type is not None and turn.meant else None
        if place is None or behind is None:
            continue
        rest, said = bare_of(" ".join(place.rest)), bare_of(behind.whole)
        if not rest or not place.whole:
            continue
        heard = bare_of(turn.delivered or "")
        if turn.type is InterruptionType.FILLER:
            yield from _continuation(turn, behind, heard, rest, said)
        else:
            yield from _fresh(turn, behind, heard, rest, said)


def _continuation(
    turn: Turn, behind: Turn, heard: tuple[str, ...], rest: tuple[str, ...], said: tuple[str, ...]
) -> Iterator[Outcome]:
    if said[: len(rest)] == rest:
        yield from (held(rule, turn) for rule in _OF_FILLERS)
        return
    opening = shown(" ".join(behind.whole.split()[:8]))
    begins = bool(said) and said == rest[: len(said)]
    reaction = None if begins else _reaction(said, rest)
    repeat = None if begins else _repeat(said, heard, rest)
    for rule, certainty, what in (
        (ColumnRule.FILLER_ACKNOWLEDGED, reaction, "which reacts to the filler"),
        (ColumnRule.FILLER_REPEATS, repeat, "which was said before"),
    ):
        if certainty is None:
            yield held(rule, turn)
        else:
            found = broken if certainty is Certainty.CERTAIN else looks_broken
            yield found(rule, f"the next turn begins “{opening}”, {what}", turn)
    wanted = shown(" ".join(_rest_words(turn)[:8]))
    if begins:
        yield looks_broken(
            ColumnRule.FILLER_NOT_CONTINUED, f"the next turn says {len(said)} of the {len(rest)} words left", turn
        )
    elif reaction is None and repeat is None and said[:1] == rest[:1]:
        yield looks_broken(
            ColumnRule.FILLER_NOT_CONTINUED,
            f"left was “{wanted}”; the next turn goes on “{opening}”, in other words",
            turn,
        )
    else:
        yield broken(ColumnRule.FILLER_NOT_CONTINUED, f"left was “{wanted}”; the next turn begins “{opening}”", turn)


def _reaction(said: tuple[str, ...], rest: tuple[str, ...]) -> Certainty | None:
    """How surely a turn begins with a reaction; for certain where the rest follows on it."""
    if not said or said[0] not in ACKNOWLEDGES or said[0] == rest[0]:
        return None
    follows = any(said[n : n + _SAME_PLACE] == rest[:_SAME_PLACE] for n in range(1, 8))
    return Certainty.CERTAIN if follows else Certainty.LOOKS_SO


def _repeat(said: tuple[str, ...], heard: tuple[str, ...], rest: tuple[str, ...]) -> Certainty | None:
    """How surely a turn begins with words that were heard.

    For certain where they are the last ones before the cut and the rest follows on them, or a phrase.
    """
    for start in {0, *(n for n in range(1, min(len(said), 4)) if said[0] in ACKNOWLEDGES)}:
        words = said[start:]
        for count in range(1, min(len(heard), _NEAR) + 1):
            if words[:count] == heard[-count:] and words[count : count + _SAME_PLACE] == rest[:_SAME_PLACE]:
                return Certainty.CERTAIN
        longest = _longest_at_start(words, heard)
        if longest >= REPEATED_WORDS:
            return Certainty.CERTAIN if longest >= PHRASE_WORDS else Certainty.LOOKS_SO
    return None


def _longest_at_start(words: tuple[str, ...], heard: tuple[str, ...]) -> int:
    """How many first words stand in a row in what was heard; counted up to a phrase."""
    return max((n for n in range(1, PHRASE_WORDS + 1) if words[:n] in _runs(heard, n)), default=0)


def _rest_words(turn: Turn) -> tuple[str, ...]:
    place = place_of(turn)
    return () if place is None else place.rest


def _fresh(
    turn: Turn, behind: Turn, heard: tuple[str, ...], rest: tuple[str, ...], said: tuple[str, ...]
) -> Iterator[Outcome]:
    first = rest[:FRESH_WORDS]
    if len(first) == FRESH_WORDS and said[:FRESH_WORDS] == first:
        yield broken(
            ColumnRule.NO_FRESH_START, f"the next turn completes the cut sentence: “{shown(' '.join(first))} …”", turn
        )
    else:
        yield held(ColumnRule.NO_FRESH_START, turn)
    again = _runs(said) & _runs(heard)
    if again:
        words = next(run for run in _in_order(said) if run in again)
        yield looks_broken(ColumnRule.REPEATS_HEARD, f"the next turn says “{shown(' '.join(words))}” again", turn)
    else:
        yield held(ColumnRule.REPEATS_HEARD, turn)


def _in_order(words: tuple[str, ...], length: int = PHRASE_WORDS) -> Iterator[tuple[str, ...]]:
    return (words[i : i + length] for i in range(len(words) - length + 1))


def _runs(words: tuple[str, ...], length: int = PHRASE_WORDS) -> frozenset[tuple[str, ...]]:
    return frozenset(_in_order(words, length))
