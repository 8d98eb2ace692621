"""The whole picture of a state machine as geometry: where its boxes stand, how its lines run, what is beside them."""

from typing import Final, Literal

import networkx as nx  # type: ignore[import-untyped]

from factory.records.base import Record
from factory.workflow.graph import EdgeKind, Transition, transitions
from factory.workflow.layout import ROW, STAGE_WIDTH, STOP_WIDTH, STOP_X, Box, layout, right_exits, skip_lanes, wrap
from factory.workflow.mermaid import label

LEGEND_COLUMN: Final = 3.1
"""Width of an entry of the legend, in the unit of `Box`."""
LEGEND_HEIGHT: Final = 2.0
TITLE_HEIGHT: Final = 1.5

_LANE: Final = 0.55
_LABEL_HEIGHT: Final = 1.1

Point = tuple[float, float]


class Label(Record):
    """A text beside a line: its lines of text, and the point that it is aligned to."""

    text: tuple[str, ...]
    x: float
    y: float
    align: Literal["left", "right"]
    above: bool = False


class Route(Record):
    """The line of one transition.

    Attributes:
        points: Where it runs; y grows upwards.
        steps: For each point what leads to it: M (move), L (line) or C (one of three points of a cubic curve).
        label: The condition or bound beside it, if it has one.
    """

    way: Transition
    points: tuple[Point, ...]
    steps: str
    label: Label | None = None


class Drawing(Record):
    """Everything to be drawn, and the frame around it."""

    boxes: dict[str, Box]
    routes: tuple[Route, ...]
    left: float
    right: float
    top: float
    bottom: float


def drawing(graph: nx.DiGraph) -> Drawing:
    """The picture of a graph from `build_graph`."""
    ways = transitions(graph)
    boxes = layout(graph, ways)
    lanes = skip_lanes(graph, ways)
    left = -STAGE_WIDTH / 2 - 1.0 - (max(lanes.values(), default=-1) + 1) * _LANE - (3.6 if lanes else 0)
    columns = max(len({data["kind"] for _, data in graph.nodes(data=True)}), len({way.kind for way in ways}))
    return Drawing(
        boxes=boxes,
        routes=(*_onward(ways, boxes, lanes), *_exits(ways, boxes)),
        left=left,
        right=max(STOP_X + STOP_WIDTH / 2 + 0.5, left + 0.5 + columns * LEGEND_COLUMN),
        top=max(box.top for box in boxes.values()) + TITLE_HEIGHT,
        bottom=min(box.bottom for box in boxes.values()) - LEGEND_HEIGHT,
    )


def _onward(ways: tuple[Transition, ...], boxes: dict[str, Box], lanes: dict[tuple[str, str], int]) -> list[Route]:
    """The lines to the next stage, and past stages."""
    routes: list[Route] = []
    labelled: list[float] = []
    for way in ways:
        source, target = boxes[way.source], boxes[way.target]
        if way.kind is EdgeKind.NEXT:
            routes.append(Route(way=way, points=((0, source.bottom), (0, target.top)), steps="ML"))
        elif way.kind is EdgeKind.SKIP:
            routes.append(_skip(way, source, target, lanes[way.source, way.target], labelled))
    return routes


def _skip(way: Transition, source: Box, target: Box, lane: int, labelled: list[float]) -> Route:
    """A skip in its lane; its label goes where none of the `labelled` heights is near."""
    x = source.left - 0.9 - lane * _LANE
    start = source.y - 0.2 - min(lane, 2) * 0.1
    end = target.y + 0.2 + min(lane, 2) * 0.1
    turn = min(0.7, (start - end) / 3)
    down = ((source.left, start), (x, start), (x, start), (x, start - turn))
    back = ((x, end + turn), (x, end), (x, end), (target.left, end))
    middle = (start + end) / 2
    while any(abs(middle - other) < _LABEL_HEIGHT for other in labelled):
        middle -= _LABEL_HEIGHT / 4
    labelled.append(middle)
    told = Label(text=wrap(label(way), 22), x=x - 0.15, y=middle, align="right")
    return Route(way=way, points=(*down, *back), steps="MCCCLCCC", label=told)


def _exits(ways: tuple[Transition, ...], boxes: dict[str, Box]) -> list[Route]:
    """What leaves each stage on its right, from top to bottom."""
    routes: list[Route] = []
    for node, box in boxes.items():
        exits = right_exits(ways, node)
        rows = [2 if way.kind is EdgeKind.RETRY else 1 for way in exits]
        y = box.y + sum(rows) * ROW / 2
        for way, height in zip(exits, rows, strict=True):
            routes.append(_exit(way, boxes, ways, y - height * ROW / 2))
            y -= height * ROW
    return routes


def _exit(way: Transition, boxes: dict[str, Box], ways: tuple[Transition, ...], y: float) -> Route:
    source, target = boxes[way.source], boxes[way.target]
    x = source.right
    if way.kind is EdgeKind.RETRY:
        high, low, out = y + ROW * 0.42, y - ROW * 0.42, x + 0.85
        told = Label(text=(label(way),), x=x + 0.75, y=y, align="left")
        return Route(way=way, points=((x, high), (out, high), (out, low), (x, low)), steps="MCCC", label=told)
    bend = x + 2.5
    into = [w for w in ways if w.target == way.target and w.kind in (EdgeKind.FAILURE, EdgeKind.TERMINATE)]
    share = (into.index(way) + 1) / (len(into) + 1)
    end = target.top - share * target.height
    half = (bend + target.left) / 2
    points = ((x, y), (bend - 0.6, y), (half, y), (half, end), (target.left, end))
    told = Label(text=(label(way),), x=x + 0.2, y=y + 0.05, align="left", above=True)
    return Route(way=way, points=points, steps="MLCCC", label=told)
