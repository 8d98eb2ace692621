"""How the two sides speak: words per turn, and the caller's mild imperfections."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final

from factory.quality.measured import Measured
from factory.quality.turns import Turn, Words
from factory.quality.variety import runs_of
from factory.records.enums import Speaker

FEWEST_TURNS: Final = 100
"""Turns of a side below which their words per turn, or the share of imperfect ones, are only an indication."""

SOUNDS: Final = frozenset({"uh", "um", "er", "erm", "hm", "hmm", "mm", "ah", "huh"})
"""Sounds of hesitation, as words of their own."""
PHRASES: Final = tuple(map(str.split, ("i mean", "you know", "kind of", "sort of", "let me see")))
"""Words that win time, wherever they stand."""
REPAIRS: Final = tuple(map(str.split, ("no wait", "wait no", "actually no", "no sorry", "i meant", "or rather")))
"""Words that take back what was begun."""
SAID_TWICE: Final = frozenset(
    {"okay", "yeah", "yes", "yep", "no", "nope", "right", "sure", "bye", "very", "really", "had", "that", "all"}
)
"""Words that people double on purpose; any other word that is said twice in a row is a restart."""

_LIKE = re.compile(r"(?:^|[,.?!] )like\b|\blike,", re.IGNORECASE)
_BROKEN_OFF = re.compile(r"\.\.\.|…|\w-(?=[\s,.?!]|$)")


def is_imperfect(turn: Turn) -> bool:
    """Whether a turn holds a hesitation, a filler word, a restart, a self-repair or something broken off."""
    words = turn.words
    return (
        not SOUNDS.isdisjoint(words)
        or any(_holds(words, phrase) for phrase in (*PHRASES, *REPAIRS))
        or any(one == two and one not in SAID_TWICE for one, two in pairwise(words))
        or bool(_LIKE.search(turn.text) or _BROKEN_OFF.search(turn.text))
    )


@dataclass
class Manner:
    """Counts over some calls, taken turn by turn.

    Attributes:
        lengths: Turns of a side by their number of words.
        longest: The longest turn of a side.
        plain: The longest caller turn without an imperfection.
        imperfect: Caller turns with one; backchannels do not count.
        sentences: Caller turns other than backchannels.
    """

    lengths: dict[Speaker, Counter[int]] = field(default_factory=lambda: {side: Counter() for side in Speaker})
    longest: dict[Speaker, Turn] = field(default_factory=dict)
    plain: Turn | None = None
    imperfect: int = 0
    sentences: int = 0

    def add(self, turn: Turn) -> None:
        """Counts one more turn."""
        self.lengths[turn.speaker][len(turn.words)] += 1
        self.longest[turn.speaker] = _longer(self.longest.get(turn.speaker), turn)
        if turn.speaker is Speaker.CALLER and not turn.backchannel:
            self.sentences += 1
            if is_imperfect(turn):
                self.imperfect += 1
            else:
                self.plain = _longer(self.plain, turn)

    def mean(self, side: Speaker) -> Measured | None:
        """Mean number of words of a side's turns."""
        lengths = self.lengths[side]
        if not lengths:
            return None
        return self._of(side, sum(words * turns for words, turns in lengths.items()) / lengths.total())

    def percentile(self, side: Speaker, percent: int) -> Measured | None:
        """The least number of words that so many percent of a side's turns do not exceed."""
        lengths = self.lengths[side]
        left = lengths.total() * percent
        for words in sorted(lengths):
            left -= lengths[words] * 100
            if left <= 0:
                return self._of(side, words)
        return None

    def imperfections(self) -> Measured | None:
        """Share of the caller's turns, other than backchannels, that have an imperfection."""
        if not self.sentences:
            return None
        place = self.plain.place("the longest turn without an imperfection") if self.plain else None
        return Measured(self.imperfect / self.sentences, place, enough=self.sentences >= FEWEST_TURNS)

    def _of(self, side: Speaker, value: float) -> Measured:
        longest = self.longest[side]
        place = longest.place(f"the longest turn: {len(longest.words)} words")
        return Measured(value, place, enough=self.lengths[side].total() >= FEWEST_TURNS)


def _longer(one: Turn | None, other: Turn) -> Turn:
    return other if one is None or len(other.words) > len(one.words) else one


def _holds(words: Words, phrase: Sequence[str]) -> bool:
    return tuple(phrase) in runs_of(words, len(phrase))
