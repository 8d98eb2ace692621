"""The longest phrase that too many calls share."""

from collections import Counter
from collections.abc import Sequence
from typing import Final

from factory.quality.measured import Measured
from factory.quality.turns import Turn, Turns, Words

CORPUS_SHARE: Final = 0.2
"""A corpus repeats a phrase where more than this share of its calls says it."""
WORKFLOW_SHARE: Final = 0.5
"""The same for the calls of one workflow: with four wordings of an act, each is said in a quarter of them."""
FEWEST_CALLS: Final = 20
"""Calls below which chance alone brings one wording of an act into too many of them."""

Starts = list[tuple[Turn, Words, int]]
"""Where a phrase that is still repeated begins: the turn, the stretch of its words, the index in it."""


def longest_repeat(calls: Sequence[Turns], share: float) -> Measured | None:
    """The length in words of the longest phrase that too many calls say, outside fixed disclosures.

    A phrase of n words can be repeated only if its first n - 1 words are, so phrases grow word by word
    from where they are repeated so far.

    Args:
        calls: The calls.
        share: A phrase is repeated where more than this share of the calls says it.

    Returns:
        The length, 0 where no word is repeated, with the phrase and the first turn that says it; None without calls.
    """
    if not calls:
        return None
    length, starts = 0, [_all_starts(call) for call in calls]
    counts: dict[Words, int] = {}
    while longer := _repeated(starts, length + 1, share * len(calls)):
        length, counts = length + 1, longer
        starts = [[start for start in of_call if _phrase(start, length) in counts] for of_call in starts]
    enough = len(calls) >= FEWEST_CALLS
    if not counts:
        return Measured(0, enough=enough)
    phrase = max(counts, key=lambda words: (counts[words], words))
    turn = next(start[0] for of_call in starts for start in of_call if _phrase(start, length) == phrase)
    place = turn.place(f"“{' '.join(phrase)}” is said in {counts[phrase]} of {len(calls)} calls")
    return Measured(length, place, enough=enough)


def _all_starts(call: Turns) -> Starts:
    return [(turn, stretch, i) for turn in call for stretch in turn.own for i in range(len(stretch))]


def _repeated(starts: Sequence[Starts], length: int, most: float) -> dict[Words, int]:
    """The phrases of a length that more calls say than may, with how many do."""
    counts: Counter[Words] = Counter()
    for of_call in starts:
        counts.update({p for s in of_call if len(p := _phrase(s, length)) == length})
    return {phrase: count for phrase, count in counts.items() if count > most}


def _phrase(start: tuple[Turn, Words, int], length: int) -> Words:
    _, stretch, index = start
    return stretch[index : index + length]
