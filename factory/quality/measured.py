"""A number with what explains it, on its way to becoming a figure."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final, TypeVar

from factory.records.quality import Place

FEWEST_CALLS: Final = 10
"""Calls below which no figure is judged: what a few of them share says little about the next."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Measured:
    """What was measured on some calls.

    Attributes:
        place: Where it is at its worst.
        enough: Whether there was enough to measure; else the value is only an indication.
    """

    value: float
    place: Place | None = None
    enough: bool = True


def groups(items: Sequence[T], size: int) -> tuple[Sequence[T], ...]:
    """Full groups of a size in order; where not even one is full, all items as one group."""
    full = tuple(items[i : i + size] for i in range(0, len(items) - size + 1, size))
    return full or (tuple(islice(items, size)),)
