"""The colours and strokes of a state machine's picture, with what they stand for."""

from typing import Final, NamedTuple

from factory.workflow.graph import EdgeKind, NodeKind


class BoxStyle(NamedTuple):
    """How a kind of node is drawn: its fill and edge, the same on a dark page, and its name in the legend."""

    fill: str
    edge: str
    dark_fill: str
    dark_edge: str
    name: str


class LineStyle(NamedTuple):
    """How a kind of transition is drawn: colour, colour on a dark page, dashes and gaps in points, and its name."""

    color: str
    dark: str
    dash: tuple[float, ...]
    name: str


FILL: Final = {
    NodeKind.STAGE: BoxStyle("#eaf1fb", "#3b6fb6", "#1b2b42", "#7aa7e6", "Stage"),
    NodeKind.VERIFICATION: BoxStyle("#fdf3dc", "#b98412", "#352b14", "#d9a93f", "Verification stage"),
    NodeKind.SUCCESS: BoxStyle("#e2f4e6", "#2f8f4e", "#16301f", "#62b97e", "Success"),
    NodeKind.HARD_STOP: BoxStyle("#fbe6e4", "#b8433a", "#3a1d1b", "#e08379", "Hard stop"),
}
LINE: Final = {
    EdgeKind.NEXT: LineStyle("#4a5568", "#a3adbb", (), "Next stage"),
    EdgeKind.SKIP: LineStyle("#7c5cbf", "#b39ae8", (5, 3), "Skips"),
    EdgeKind.RETRY: LineStyle("#8a620c", "#d9a93f", (2, 2), "Asks again"),
    EdgeKind.FAILURE: LineStyle("#b8433a", "#e08379", (), "Fails for good"),
    EdgeKind.TERMINATE: LineStyle("#a04a86", "#d78cc0", (6, 2, 1, 2), "Ends the call"),
}
INK: Final = "#1f2937"
SOFT: Final = "#5b6676"
