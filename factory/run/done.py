"""How far a check of a run is, told to whoever shows it."""

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

T = TypeVar("T")
ShowDone = Callable[[int, int], None]
"""Told how many of how many equal parts of the work are done."""


def show_nothing(done: int, total: int) -> None:
    """Shows nothing."""


class Done:
    """Counts what is done."""

    def __init__(self, show: ShowDone = show_nothing, total: int = 0) -> None:
        """Begins with nothing done of so many parts."""
        self._show = show
        self._total = total
        self._done = 0

    def counting(self, parts: Iterable[T]) -> Iterator[T]:
        """The parts as they come; each is done when the next is asked for."""
        for part in parts:
            yield part
            self._done += 1
            self._show(self._done, self._total)
