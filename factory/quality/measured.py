"""A number with what explains it, on its way to becoming a figure."""

from dataclasses import dataclass

from factory.records.quality import Place


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
