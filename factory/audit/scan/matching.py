"""How much speaks for it that a caller's words come from a passage that they had not heard."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from factory.audit.scan.background import NAME_BITS, Background
from factory.audit.scan.sources import Known, Unheard
from factory.audit.scan.values import NUMBER_WORDS, Value, values_in
from factory.audit.scan.words import said_words, stem, stems_of

_OF_NUMBERS = frozenset(stem(word) for word in NUMBER_WORDS)

PHRASE_WORDS = 4
"""Words in a row that make a phrase; three are English."""
FEW_WORDS = 3
"""Words beside those of numbers that make a run more than a value."""
EVERYDAY_WORDS = 2
"""Everyday words in a row that anybody says; more of them are a phrase of somebody's."""
PAIR_BITS = 1.6
"""What two words tell that stand in a row here and there, and that the caller had not heard in a row."""


@dataclass(frozen=True)
class Match:
    """A caller's words beside an unheard passage.

    Attributes:
        bits: How much speaks for it.
        run: The longest run of stems that both have and that was not heard.
        words: Stems that both have and that were not heard at all.
        values: Values that both have and that were not heard.
    """

    unheard: Unheard
    bits: float
    run: tuple[str, ...]
    words: frozenset[str]
    values: frozenset[Value]

    @property
    def words_in_run(self) -> int:
        """Words of the run, those of numbers left out."""
        return sum(word not in _OF_NUMBERS for word in self.run)

    @property
    def is_phrase(self) -> bool:
        """Whether the run is long enough to be somebody's phrase; a number in it counts among other words."""
        return len(self.run) >= PHRASE_WORDS and self.words_in_run >= FEW_WORDS


class Said:
    """A caller's words, prepared for comparing with many passages."""

    def __init__(self, text: str, known: Known, background: Background, topic: str) -> None:
        """Takes the words with all that their speaker knew."""
        self._background = background
        self._topic = topic
        self._known = known
        self.text = text
        self.stems = stems_of(text)
        self._set = frozenset(self.stems)
        self._new = frozenset(s for s in self._set if s not in known.stems and not background.is_everyday(s))
        self._values = values_in(text) - known.values
        self._pairs = frozenset(
            pair
            for pair in pairwise(self.stems)
            if pair not in known.pairs and not background.is_common_pair(pair, topic)
        )
        self._line = f" {' '.join(self.stems)} "

    @property
    def is_new(self) -> bool:
        """Whether there is anything in it that its speaker had not heard just so."""
        return bool(self._new or self._values or self._pairs)

    def beside(self, unheard: Unheard) -> Match | None:
        """What both have; None if that is nothing new."""
        words = self._new.intersection(unheard.stems)
        values = self._values & unheard.values
        pairs = self._pairs.intersection(pairwise(unheard.stems))
        if not words and not values and not pairs:
            return None
        bits = sum(self._bits(word, unheard) for word in words) + sum(value.weight for value in values)
        run = self._longest_run(unheard.stems) if pairs else ()
        bits += PAIR_BITS * sum(map(self._background.is_phrase, pairs))
        return Match(unheard, bits, run, words, frozenset(values))

    @property
    def new_words(self) -> frozenset[str]:
        """Stems that tell something and that its speaker had not heard at all."""
        return self._new

    def names(self, stage: str) -> bool:
        """Whether a stage's name stands in it, in whatever endings, and neither it nor the name was heard just so."""
        stems = stems_of(stage)
        if len(stage.split()) < 2 or f" {' '.join(stems)} " not in self._line or self._known.holds_words(stage):
            return False
        start = next(i for i in range(len(self.stems)) if self.stems[i : i + len(stems)] == stems)
        return not self._known.holds_words(" ".join(said_words(self.text)[start : start + len(stems)]))

    def is_everyday(self, text: str) -> bool:
        """Whether a text is a word or two of any call."""
        stems = stems_of(text)
        return len(stems) <= EVERYDAY_WORDS and all(map(self._background.is_everyday, stems))

    def gives(self, fact: Unheard) -> bool:
        """Whether a value of the caller's own stands in it whole, and tells enough not to be chance."""
        telling = bool(fact.values) or len(fact.stems) > 2 or not all(map(self._background.is_everyday, fact.stems))
        return telling and len(fact.stems) > 1 and f" {' '.join(fact.stems)} " in self._line

    def _bits(self, word: str, unheard: Unheard) -> float:
        bits = self._background.bits(word, self._topic)
        return NAME_BITS if bits >= 4 and word in unheard.names else bits

    def _longest_run(self, other: tuple[str, ...]) -> tuple[str, ...]:
        """The longest run of stems in both that does not stand in what was heard."""
        best: tuple[str, ...] = ()
        for run in _common_runs(self.stems, other):
            if len(run) > len(best) and not self._known.holds(run):
                best = run
        return best


def _common_runs(one: tuple[str, ...], other: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """The runs of stems that two texts share, each as long as it goes."""
    places: dict[str, list[int]] = {}
    for index, word in enumerate(other):
        places.setdefault(word, []).append(index)
    for start, word in enumerate(one):
        for place in places.get(word, ()):
            if start and place and one[start - 1] == other[place - 1]:
                continue
            length = 1
            while (
                start + length < len(one)
                and place + length < len(other)
                and (one[start + length] == other[place + length])
            ):
                length += 1
            if length > 1:
                yield one[start : start + length]
