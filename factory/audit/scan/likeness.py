"""Paraphrases: a caller's sentence that is nearer in meaning to something unheard than to anything they knew."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from factory.audit.scan.findings import Where
from factory.audit.scan.matching import Said
from factory.audit.scan.meaning import Embedder
from factory.audit.scan.sources import Unheard
from factory.audit.scan.words import said_words, sentences_of, stems_of

LEAST_WORDS = 4
"""Words of a sentence that have a meaning to compare."""


@dataclass(frozen=True)
class Bar:
    """What a sentence has to reach, in cosines.

    Attributes:
        near: How near it is to something unheard.
        nearer: How much nearer it is to that than to all that was known.
    """

    near: float
    nearer: float


WITH_NEW_WORDS = (Bar(0.50, 0.01), Bar(0.42, 0.10))
"""For a sentence with a word that tells something and that the caller had not heard; one of them is enough."""
OF_THIS_TURN = Bar(0.40, -0.08)
"""For such a sentence beside the undelivered rest of this very turn. A leak comes from there most readily, and what was
heard just before is about the same, so that it may even be a little nearer."""
WITHOUT_NEW_WORDS = (Bar(0.58, 0.15),)
"""For a sentence that is made of everyday words and heard ones."""

_OF_THIS_TURN = (Where.UNDELIVERED, Where.TALKED_OVER)


@dataclass(frozen=True)
class Paraphrase:
    """A caller's sentence beside the unheard one; nearness is the cosine of their vectors."""

    said: str
    unheard: Unheard
    nearness: float


class Likeness:
    """The sentences that a caller knew; vectors are made when they are needed."""

    def __init__(self, embed: Embedder, own: Sequence[str]) -> None:
        """Begins with what they knew from the beginning."""
        self._embed = embed
        self._known: dict[str, None] = {}
        self.hear(own)

    def hear(self, texts: Sequence[str]) -> None:
        """Takes in what reached the caller."""
        for text in texts:
            self._known.update(dict.fromkeys(sentences_of(text)))

    def of(self, text: str, passages: Sequence[Unheard], said: Said) -> Iterator[Paraphrase]:
        """The sentences of a text that come from a passage rather than from what was known."""
        fitting = [p for p in passages if _is_comparable(p)]
        for sentence in sentences_of(text):
            if sentence not in self._known and len(said_words(sentence)) >= LEAST_WORDS:
                is_new = not said.new_words.isdisjoint(stems_of(sentence))
                paraphrase = self._beside(sentence, fitting, is_new)
                if paraphrase is not None:
                    yield paraphrase

    def _beside(self, sentence: str, passages: Sequence[Unheard], is_new: bool) -> Paraphrase | None:
        vector = self._embed.vector(sentence)
        near = sorted(
            ((float(self._embed.vector(p.whole or p.text) @ vector), p) for p in passages), key=lambda n: -n[0]
        )
        here = next((n for n in near if n[1].where in _OF_THIS_TURN), None)
        bars = WITH_NEW_WORDS if is_new else WITHOUT_NEW_WORDS
        tried = [(near[0], bar) for bar in bars if near]
        tried += [(here, OF_THIS_TURN)] if here is not None and is_new else []
        reached = [((nearness, p), bar) for (nearness, p), bar in tried if nearness >= bar.near]
        if not reached:
            return None
        known = max((float(self._embed.vector(text) @ vector) for text in self._known), default=0.0)
        for (nearness, passage), bar in reached:
            if nearness - known >= bar.nearer:
                return Paraphrase(sentence, passage, nearness)
        return None


def _is_comparable(passage: Unheard) -> bool:
    return len(passage.stems) >= LEAST_WORDS and passage.where is not Where.KNOWN_USER
