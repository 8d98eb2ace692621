"""A sample of calls of bounded size, the same for equal runs in whatever order they come."""

from bisect import insort
from typing import Final

from factory.quality.turns import Turns
from factory.records.base import sha256

MOST_CALLS: Final = 450
"""Calls of a corpus that figures of repetition are measured on."""
MOST_OF_WORKFLOW: Final = 20
"""Calls of one workflow that its own figures of repetition are measured on."""


def draw(*parts: object) -> str:
    """What puts things into a seeded order: a digest of what each is called."""
    return sha256("/".join(map(str, ("quality", *parts))))


class Sample:
    """The calls with the lowest draws, so that memory does not grow with the corpus."""

    def __init__(self, most: int) -> None:
        """Keeps so many calls at the most."""
        self._most = most
        self._kept: list[tuple[str, Turns]] = []

    def add(self, conversation_id: str, turns: Turns) -> None:
        """Keeps a call, if its draw is low enough."""
        insort(self._kept, (draw(conversation_id), turns), key=lambda kept: kept[0])
        del self._kept[self._most :]

    @property
    def calls(self) -> tuple[Turns, ...]:
        """The calls by their draws."""
        return tuple(turns for _, turns in self._kept)
