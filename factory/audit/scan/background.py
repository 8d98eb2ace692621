"""What people say anyway: the words that tell nothing, from a list of our own and from the corpus' own callers.

A word or a pair of words that callers use in calls about other subjects is nobody's secret. Calls about the same
subject do not count: they share their material, so that a leak in all of them would hide itself.
"""

from collections.abc import Hashable, Iterable
from itertools import pairwise
from typing import TypeVar

from factory.audit.scan.call import ScannedCall
from factory.audit.scan.everyday import EVERYDAY, FUNCTION
from factory.audit.scan.values import NUMBER_WORDS
from factory.audit.scan.words import stem, stems_of

MOST_CALLS = 2_000
"""Calls that a background is made of; more would only grow it."""
RARE_BITS = (6.0, 4.5, 3.0, 2.0, 2.0, 1.0)
"""What a word tells that the callers of no, one, two … other subjects use; beyond, nothing."""
NAME_BITS = 9.0
"""What a name tells that callers of no other subject use."""
_FEW = 6
"""Subjects of a word that are remembered; one that more have is everyday's."""

_NONE: frozenset[str] = frozenset()
K = TypeVar("K", bound=Hashable)

_EVERYDAY = frozenset(stem(word) for word in (*EVERYDAY.split(), *NUMBER_WORDS))
_FUNCTION = frozenset(stem(word) for word in FUNCTION.split())


class Background:
    """Words, pairs of words and hidden information of a corpus."""

    def __init__(self, calls: Iterable[ScannedCall] = ()) -> None:
        """Reads the calls once; none of them need be kept."""
        self._words: dict[str, frozenset[str]] = {}
        self._pairs: dict[tuple[str, str], frozenset[str]] = {}
        self._hidden: dict[str, set[str]] = {}
        self._calls = 0
        for call in calls:
            self.add(call)

    def add(self, call: ScannedCall) -> None:
        """Adds one call; past the first 2,000 only what its caller hides is taken in."""
        self._hidden.setdefault(call.topic, set()).update(call.hidden)
        self._calls += 1
        if self._calls > MOST_CALLS:
            return
        for turn in call.turns:
            if turn.caller:
                stems = stems_of(turn.caller)
                _note(self._words, stems, call.topic)
                _note(self._pairs, pairwise(stems), call.topic)

    def bits(self, word: str, topic: str) -> float:
        """How much a stem tells in a call about `topic`."""
        if word in _EVERYDAY or len(word) < 3:
            return 0.0
        others = len(self._words.get(word, _NONE) - {topic})
        return RARE_BITS[others] if others < len(RARE_BITS) else 0.0

    def is_everyday(self, word: str) -> bool:
        """Whether a stem tells nothing wherever it is said."""
        return word in _EVERYDAY or len(word) < 3

    def is_phrase(self, pair: tuple[str, str]) -> bool:
        """Whether two stems in a row are more than a word with its article or the like."""
        return _FUNCTION.isdisjoint(pair)

    def is_common_pair(self, pair: tuple[str, str], topic: str) -> bool:
        """Whether callers about another subject say these two stems in a row."""
        return bool(self._pairs.get(pair, _NONE) - {topic})

    def hidden_of_others(self, call: ScannedCall) -> tuple[str, ...]:
        """What other callers about the same subject keep to themselves."""
        return tuple(sorted(self._hidden.get(call.topic, set()) - set(call.hidden)))


def _note(seen: dict[K, frozenset[str]], entries: Iterable[K], topic: str) -> None:
    for entry in entries:
        topics = seen.get(entry, _NONE)
        if topic not in topics and len(topics) <= _FEW:
            seen[entry] = topics | {topic}
