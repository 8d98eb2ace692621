"""Charts as geometry: what the templates draw as inline SVG, in numbers that never depend on the machine."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

PLOT_HEIGHT = 96
"""Height of a histogram's columns in SVG units."""
PLOT_WIDTH = 320
"""Width of a histogram's plot in SVG units."""

CHARACTER_WIDTH = 6
"""Width of a digit in a histogram's lettering, in SVG units."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One count to be drawn.

    Attributes:
        label: What it counts.
        built: How many there are.
        ordered: How many were ordered, where that was said.
        style: Name of the style class that colours it; empty for the neutral colour.
    """

    label: str
    built: int
    ordered: int | None = None
    style: str = ""


@dataclass(frozen=True, slots=True)
class Bar:
    """An entry with its drawing, in per cent of the chart's width.

    Attributes:
        width: Length of the bar.
        mark: Where the order stands; None where nothing was ordered.
    """

    entry: Entry
    width: str
    mark: str | None


@dataclass(frozen=True, slots=True)
class Column:
    """One column of a histogram, in SVG units with the origin at the top left.

    Attributes:
        value: What the column stands for.
        count: How many there are.
        labelled: Whether the value is written below it.
        counted: Whether there is room to write the count above it.
    """

    value: int
    count: int
    x: str
    y: str
    width: str
    height: str
    middle: str
    labelled: bool
    counted: bool


def bars(entries: Sequence[Entry]) -> tuple[Bar, ...]:
    """Horizontal bars on one scale, the longest as long as the chart is wide."""
    most = max((max(e.built, e.ordered or 0) for e in entries), default=0) or 1
    return tuple(
        Bar(e, _number(100 * e.built / most), None if e.ordered is None else _number(100 * e.ordered / most))
        for e in entries
    )


def histogram(counts: Mapping[int, int]) -> tuple[Column, ...]:
    """One column for every whole number from the least to the greatest; empty where nothing was counted."""
    if not counts:
        return ()
    low, high = min(counts), max(counts)
    most, step = max(counts.values()), PLOT_WIDTH / (high - low + 1)
    width = min(step * 0.8, 24)
    labels = _labelled(low, high)
    roomy = step >= CHARACTER_WIDTH * (len(f"{most:,}") + 1)
    columns = []
    for value in range(low, high + 1):
        count = counts.get(value, 0)
        height = PLOT_HEIGHT * count / most
        middle = (value - low + 0.5) * step
        columns.append(
            Column(
                value=value,
                count=count,
                x=_number(middle - width / 2),
                y=_number(PLOT_HEIGHT - height),
                width=_number(width),
                height=_number(height),
                middle=_number(middle),
                labelled=value in labels,
                counted=roomy and count > 0,
            )
        )
    return tuple(columns)


def _labelled(low: int, high: int) -> frozenset[int]:
    """The ends of the scale, and every fifth value that stands clear of them."""
    return frozenset({low, high} | {v for v in range(low, high) if v % 5 == 0 and v - low > 1 and high - v > 1})


def _number(value: float) -> str:
    """A coordinate with two decimals at the most."""
    return f"{value:.2f}".rstrip("0").rstrip(".")
