"""Where the parts of a state machine's picture stand."""

import textwrap
from typing import Final

import networkx as nx  # type: ignore[import-untyped]

from factory.records.base import Record
from factory.workflow.graph import EdgeKind, NodeKind, Transition

STAGE_WIDTH: Final = 4.4
"""Width of a stage's box; lengths are in units of 0.62 inches."""

STOP_WIDTH: Final = 3.4
STOP_X: Final = 8.4
ROW: Final = 0.62
GAP: Final = 0.95


class Box(Record):
    """Where a node stands; y grows upwards."""

    node: str
    x: float
    y: float
    width: float
    height: float
    title: tuple[str, ...]
    detail: tuple[str, ...]

    @property
    def left(self) -> float:
        """Its left edge."""
        return self.x - self.width / 2

    @property
    def right(self) -> float:
        """Its right edge."""
        return self.x + self.width / 2

    @property
    def top(self) -> float:
        """Its upper edge."""
        return self.y + self.height / 2

    @property
    def bottom(self) -> float:
        """Its lower edge."""
        return self.y - self.height / 2


def layout(graph: nx.DiGraph, ways: tuple[Transition, ...]) -> dict[str, Box]:
    """A place for every node: no two boxes overlap, stages stand in their order."""
    boxes: dict[str, Box] = {}
    y = 0.0
    nodes = sorted(graph.nodes(data=True), key=lambda node: node[1]["order"])
    for node, data in nodes:
        if data["kind"] == NodeKind.HARD_STOP:
            continue
        title = wrap(data["name"], 30)
        detail = _detail(data)
        exits = right_exits(ways, node)
        rows = sum(2 if way.kind is EdgeKind.RETRY else 1 for way in exits)
        height = max(0.42 * len(title) + 0.34 * len(detail) + 0.42, rows * ROW + 0.2)
        boxes[node] = Box(
            node=node, x=0, y=y - height / 2, width=STAGE_WIDTH, height=height, title=title, detail=detail
        )
        y -= height + GAP
    floor = float("inf")
    stops = [(node, data) for node, data in nodes if data["kind"] == NodeKind.HARD_STOP]
    wanted = {node: _mean([boxes[way.source].y for way in ways if way.target == node]) for node, _ in stops}
    for node, data in sorted(stops, key=lambda stop: (-wanted[stop[0]], stop[1]["order"])):
        title, detail = wrap(data["name"], 24), wrap(data["description"], 31, lines=4)
        height = 0.42 * len(title) + 0.34 * len(detail) + 0.36
        center = min(wanted[node], floor - height / 2)
        boxes[node] = Box(node=node, x=STOP_X, y=center, width=STOP_WIDTH, height=height, title=title, detail=detail)
        floor = center - height / 2 - 0.4
    return boxes


def skip_lanes(graph: nx.DiGraph, ways: tuple[Transition, ...]) -> dict[tuple[str, str], int]:
    """A lane for every skip: those that overlap run in different ones, the shortest next to the stages."""
    order = {node: data["order"] for node, data in graph.nodes(data=True)}
    spans = sorted(
        ((order[w.source], order[w.target], w) for w in ways if w.kind is EdgeKind.SKIP),
        key=lambda span: (span[1] - span[0], span[0]),
    )
    lanes: dict[tuple[str, str], int] = {}
    taken: list[list[tuple[int, int]]] = []
    for start, end, way in spans:
        lane = next((i for i, used in enumerate(taken) if all(end <= a or b <= start for a, b in used)), len(taken))
        if lane == len(taken):
            taken.append([])
        taken[lane].append((start, end))
        lanes[way.source, way.target] = lane
    return lanes


def right_exits(ways: tuple[Transition, ...], node: str) -> list[Transition]:
    """What leaves a stage on its right, from top to bottom."""
    order = (EdgeKind.RETRY, EdgeKind.FAILURE, EdgeKind.TERMINATE)
    return sorted((w for w in ways if w.source == node and w.kind in order), key=lambda w: order.index(w.kind))


def _detail(data: dict[str, object]) -> tuple[str, ...]:
    """What stands under a stage's name: how much is asked and told."""
    acts, questions = data.get("acts"), data.get("questions")
    if not isinstance(acts, list) or not isinstance(questions, list):
        return wrap(str(data["description"]), 42, lines=4)
    asked, told = len(questions), len(acts) - len(questions)
    counts = [f"{n} {what}{'s' * (n != 1)}" for n, what in ((asked, "question"), (told, "tell")) if n]
    return (", ".join(counts),)


def _mean(values: list[float]) -> float:
    return sum(values) / len(values) if values else 0.0


def wrap(text: str, width: int, lines: int | None = None) -> tuple[str, ...]:
    """A text in lines of at most so many characters; with `lines`, the rest is an ellipsis."""
    return tuple(textwrap.wrap(text, width, max_lines=lines, placeholder=" …")) or ("",)
