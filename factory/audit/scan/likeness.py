"""Paraphrases: a caller's sentence that is nearer in meaning to something unheard than to anything they knew."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from factory.audit.scan.findings import Where
from factory.audit.scan.matching import Said
from factory.audit.scan.meaning import Embedder, Vector
from factory.audit.scan.sources import Unheard
from factory.audit.scan.words import said_words, sentences_of

NEAR = 0.50
"""Nearness to something unheard from which it may be a paraphrase."""
NEARER = 0.08
"""How much nearer it has to be to that than to all that the caller knew."""
LEAST_WORDS = 4
"""Words of a sentence that have a meaning to compare."""


@dataclass(frozen=True)
class Paraphrase:
    """A caller's sentence beside the unheard one; nearness is the cosine of their vectors."""

    said: str
    unheard: Unheard
    nearness: float
    margin: float


class Likeness:
    """The sentences that a caller knew, as vectors."""

    def __init__(self, embed: Embedder, own: Sequence[str]) -> None:
        """Begins with what they knew from the beginning."""
        self._embed = embed
        self._seen: set[str] = set()
        self._known: list[Vector] = []
        self.hear(own)

    def hear(self, texts: Sequence[str]) -> None:
        """Takes in what reached the caller."""
        for text in texts:
            for sentence in sentences_of(text):
                if sentence not in self._seen:
                    self._seen.add(sentence)
                    self._known.append(self._embed.vector(sentence))

    def of(self, text: str, passages: Sequence[Unheard], said: Said) -> Iterator[Paraphrase]:
        """The sentences of a text that come from a passage rather than from what was known."""
        sentences = [s for s in sentences_of(text) if s not in self._seen and len(said_words(s)) >= LEAST_WORDS]
        fitting = [p for p in passages if len(p.stems) >= LEAST_WORDS and p.where is not Where.KNOWN_USER]
        if not sentences or not fitting:
            return
        unheard = np.stack([self._embed.vector(p.text) for p in fitting])
        known = np.stack(self._known)
        for sentence in sentences:
            vector = self._embed.vector(sentence)
            near = unheard @ vector
            best = int(near.argmax())
            margin = float(near[best]) - float((known @ vector).max())
            if near[best] >= NEAR and margin >= NEARER:
                yield Paraphrase(sentence, fitting[best], float(near[best]), margin)
