"""Text that is rewritten rule by rule and never forgets from which written word a character came."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

Origin: TypeAlias = tuple[int, int]
"""First and last written word that a character stands for."""

NOWHERE: Origin = (sys.maxsize, -1)
"""The origin of a space: it belongs to no word, so the origin of a stretch is that of its other characters."""


class Part(NamedTuple):
    """A piece of what a match becomes, and the stretch of the text, as it was, that it stands for."""

    text: str
    start: int
    stop: int


Replace: TypeAlias = Callable[[re.Match[str]], "str | list[Part]"]
"""What a match becomes: one text that stands for the whole match, or its parts in the order in which they are said."""

Rule: TypeAlias = tuple[re.Pattern[str], "str | Replace"]
"""A pattern, and what is said for it; a constant text has no references to groups."""


def rule(pattern: str, said: str | Replace, flags: int = 0) -> Rule:
    """Return a rule from the source of its pattern."""
    return re.compile(pattern, flags), said


def part(match: re.Match[str], group: int | str, said: str | None = None) -> Part:
    """Return what is said for one group of a match; without `said`, the group as it stands (nothing, if it is not)."""
    if match[group] is None:
        return Part("", match.start(), match.start())
    return Part(match[group] if said is None else said, *match.span(group))


def between(match: re.Match[str], before: int | str, after: int | str, said: str) -> Part:
    """Return what is said for whatever stands between two groups of a match."""
    return Part(said, match.end(before), match.start(after))


@dataclass(frozen=True, slots=True)
class Traced:
    """A text and, for each of its characters, the written words that it stands for.

    Attributes:
        text: The text as rewritten so far.
        origins: One for each character of `text`.
    """

    text: str
    origins: Sequence[Origin]

    @classmethod
    def of(cls, written: str) -> Traced:
        """Return a text as written; its words are what single spaces part (`written.split(" ")`)."""
        origins: list[Origin] = []
        for index, word in enumerate(written.split(" ")):
            if index:
                origins.append(NOWHERE)
            origins += [NOWHERE if character.isspace() else (index, index) for character in word]
        return cls(written, origins)

    def rewrite(self, rules: Iterable[Rule]) -> Traced:
        """Return the text after all rules, one after the other."""
        traced = self
        for pattern, said in rules:
            traced = traced.sub(pattern, said)
        return traced

    def sub(self, pattern: re.Pattern[str], said: str | Replace) -> Traced:
        """Return the text with every match replaced, as `re.sub` does it.

        What is said for a stretch stands for all the words of that stretch; where it is the stretch itself, each
        character keeps its own origin.
        """
        texts: list[str] = []
        origins: list[Origin] = []
        done = 0
        for match in pattern.finditer(self.text):
            new = said if isinstance(said, str) else said(match)
            parts = [Part(new, *match.span())] if isinstance(new, str) else new
            for text, start, stop in (Part(self.text[done : match.start()], done, match.start()), *parts):
                texts.append(text)
                origins += self._origins_of(text, start, stop)
            done = match.end()
        if not texts:
            return self
        return Traced("".join(texts) + self.text[done:], [*origins, *self.origins[done:]])

    def _origins_of(self, said: str, start: int, stop: int) -> Sequence[Origin]:
        stretch = self.origins[start:stop]
        if said == self.text[start:stop]:
            return stretch
        whole = self.origin(start, stop)
        return [NOWHERE if character.isspace() else whole for character in said]

    def origin(self, start: int, stop: int) -> Origin:
        """Return the first and the last written word that a stretch of the text stands for."""
        stretch = self.origins[start:stop] or (NOWHERE,)
        return min(first for first, _ in stretch), max(last for _, last in stretch)
