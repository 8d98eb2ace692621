"""A state machine as SVG or PNG: stages from top to bottom, skips on their left, ends on their right."""

from pathlib import Path
from typing import TYPE_CHECKING, Final

import networkx as nx  # type: ignore[import-untyped]

from factory.workflow.graph import EdgeKind, NodeKind, Transition, transitions
from factory.workflow.layout import ROW, STAGE_WIDTH, STOP_WIDTH, STOP_X, Box, layout, right_exits, skip_lanes, wrap
from factory.workflow.mermaid import label

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_LANE: Final = 0.55
_INCHES: Final = 0.62
_LEGEND_COLUMN: Final = 3.1
_LABEL_HEIGHT: Final = 1.1

_FILL = {
    NodeKind.STAGE: ("#eaf1fb", "#3b6fb6", "Stage"),
    NodeKind.VERIFICATION: ("#fdf3dc", "#b98412", "Verification stage"),
    NodeKind.SUCCESS: ("#e2f4e6", "#2f8f4e", "Success"),
    NodeKind.HARD_STOP: ("#fbe6e4", "#b8433a", "Hard stop"),
}
_LINE = {
    EdgeKind.NEXT: ("#4a5568", "-", "Next stage"),
    EdgeKind.SKIP: ("#7c5cbf", (0, (5, 3)), "Skips"),
    EdgeKind.RETRY: ("#b98412", (0, (2, 2)), "Asks again"),
    EdgeKind.FAILURE: ("#b8433a", "-", "Fails for good"),
    EdgeKind.TERMINATE: ("#a04a86", (0, (6, 2, 1, 2)), "Ends the call"),
}
_INK: Final = "#1f2937"
_SOFT: Final = "#5b6676"


def save_picture(graph: nx.DiGraph, out: Path) -> None:
    """Draws a graph from `build_graph` into an SVG or PNG file, without a date, so that equal is equal.

    Raises:
        OSError: The file cannot be written.
    """
    import matplotlib
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    ways = transitions(graph)
    boxes = layout(graph, ways)
    lanes = skip_lanes(graph, ways)
    left = -STAGE_WIDTH / 2 - 1.0 - (max(lanes.values(), default=-1) + 1) * _LANE - (3.6 if lanes else 0)
    columns = max(len({data["kind"] for _, data in graph.nodes(data=True)}), len({way.kind for way in ways}))
    right = max(STOP_X + STOP_WIDTH / 2 + 0.5, left + 0.5 + columns * _LEGEND_COLUMN)
    top = max(box.top for box in boxes.values()) + 1.5
    bottom = min(box.bottom for box in boxes.values()) - 2.0
    with matplotlib.rc_context(
        {
            "svg.hashsalt": "factory",
            "svg.fonttype": "none",
            "font.family": "DejaVu Sans",
            "text.parse_math": False,
        }
    ):
        figure = Figure(figsize=((right - left) * _INCHES, (top - bottom) * _INCHES), facecolor="white")
        FigureCanvasAgg(figure)
        axes = figure.add_axes((0.0, 0.0, 1.0, 1.0))
        axes.set(xlim=(left, right), ylim=(bottom, top))
        axes.axis("off")
        _draw_edges(axes, graph, ways, boxes, lanes)
        for box in boxes.values():
            _draw_box(axes, graph, box)
        axes.text(left + 0.5, top - 0.45, graph.graph["title"], fontsize=15, weight="bold", color=_INK, va="center")
        axes.text(left + 0.5, top - 1.0, graph.graph["workflow"], fontsize=9, color=_SOFT, va="center")
        _draw_legend(axes, graph, ways, left + 0.5, bottom + 0.5)
        metadata = {"Date": None} if out.suffix.lower() == ".svg" else {"Software": None}
        figure.savefig(out, dpi=144, metadata=metadata)


def _draw_edges(
    axes: "Axes",
    graph: nx.DiGraph,
    ways: tuple[Transition, ...],
    boxes: dict[str, Box],
    lanes: dict[tuple[str, str], int],
) -> None:
    labelled: list[float] = []
    for way in ways:
        source, target = boxes[way.source], boxes[way.target]
        if way.kind is EdgeKind.NEXT:
            _curve(axes, way.kind, [(0, source.bottom), (0, target.top)], ["M", "L"])
        elif way.kind is EdgeKind.SKIP:
            _draw_skip(axes, way, source, target, lanes, labelled)
    for node in boxes:
        exits = right_exits(ways, node)
        y = boxes[node].y + (sum(2 if w.kind is EdgeKind.RETRY else 1 for w in exits) * ROW) / 2
        for way in exits:
            rows = 2 if way.kind is EdgeKind.RETRY else 1
            _draw_exit(axes, way, boxes, ways, y - rows * ROW / 2)
            y -= rows * ROW


def _draw_skip(
    axes: "Axes",
    way: Transition,
    source: Box,
    target: Box,
    lanes: dict[tuple[str, str], int],
    labelled: list[float],
) -> None:
    """A skip in its lane; its label goes where none of the `labelled` heights is near."""
    lane = lanes[way.source, way.target]
    x = source.left - 0.9 - lane * _LANE
    start = source.y - 0.2 - min(lane, 2) * 0.1
    end = target.y + 0.2 + min(lane, 2) * 0.1
    turn = min(0.7, (start - end) / 3)
    points = [(source.left, start), (x, start), (x, start), (x, start - turn)]
    points += [(x, end + turn), (x, end), (x, end), (target.left, end)]
    _curve(axes, way.kind, points, ["M", "C", "C", "C", "L", "C", "C", "C"])
    text = "\n".join(wrap(label(way), 22))
    middle = (start + end) / 2
    while any(abs(middle - other) < _LABEL_HEIGHT for other in labelled):
        middle -= _LABEL_HEIGHT / 4
    labelled.append(middle)
    _label(axes, way.kind, x - 0.15, middle, text, align="right")


def _draw_exit(axes: "Axes", way: Transition, boxes: dict[str, Box], ways: tuple[Transition, ...], y: float) -> None:
    source, target = boxes[way.source], boxes[way.target]
    x = source.right
    if way.kind is EdgeKind.RETRY:
        high, low, out = y + ROW * 0.42, y - ROW * 0.42, x + 0.85
        _curve(axes, way.kind, [(x, high), (out, high), (out, low), (x, low)], ["M", "C", "C", "C"])
        _label(axes, way.kind, x + 0.75, y, label(way), align="left")
        return
    bend = x + 2.5
    into = [w for w in ways if w.target == way.target and w.kind in (EdgeKind.FAILURE, EdgeKind.TERMINATE)]
    share = (into.index(way) + 1) / (len(into) + 1)
    end = target.top - share * target.height
    half = (bend + target.left) / 2
    points = [(x, y), (bend - 0.6, y), (half, y), (half, end), (target.left, end)]
    _curve(axes, way.kind, points, ["M", "L", "C", "C", "C"])
    _label(axes, way.kind, x + 0.2, y + 0.05, label(way), align="left", above=True)


def _curve(axes: "Axes", kind: EdgeKind, points: list[tuple[float, float]], codes: list[str]) -> None:
    from matplotlib.patches import FancyArrowPatch
    from matplotlib.path import Path as Line

    numbers = {"M": Line.MOVETO, "L": Line.LINETO, "C": Line.CURVE4}
    color, dash, _ = _LINE[kind]
    axes.add_patch(
        FancyArrowPatch(
            path=Line(points, [numbers[code] for code in codes]),
            arrowstyle="-|>",
            mutation_scale=11,
            linewidth=1.4,
            linestyle=dash,
            color=color,
            zorder=1,
        )
    )


def _label(axes: "Axes", kind: EdgeKind, x: float, y: float, text: str, *, align: str, above: bool = False) -> None:
    axes.text(
        x,
        y,
        text,
        fontsize=8,
        color=_LINE[kind][0],
        ha="left" if align == "left" else "right",
        va="bottom" if above else "center",
        bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.8, "alpha": 0.9},
        zorder=2,
    )


def _draw_box(axes: "Axes", graph: nx.DiGraph, box: Box) -> None:
    from matplotlib.patches import FancyBboxPatch

    kind = NodeKind(graph.nodes[box.node]["kind"])
    fill, edge, _ = _FILL[kind]
    radius = 0.3 if kind in (NodeKind.SUCCESS, NodeKind.HARD_STOP) else 0.12
    axes.add_patch(
        FancyBboxPatch(
            (box.left, box.bottom),
            box.width,
            box.height,
            boxstyle=f"round,pad=0,rounding_size={radius}",
            facecolor=fill,
            edgecolor=edge,
            linewidth=1.5,
            zorder=3,
        )
    )
    y = box.y + (0.42 * len(box.title) + 0.34 * len(box.detail)) / 2
    for text in box.title:
        axes.text(box.x, y - 0.21, text, fontsize=10.5, weight="bold", color=_INK, ha="center", va="center", zorder=4)
        y -= 0.42
    for text in box.detail:
        axes.text(box.x, y - 0.17, text, fontsize=8, color=_SOFT, ha="center", va="center", zorder=4)
        y -= 0.34


def _draw_legend(axes: "Axes", graph: nx.DiGraph, ways: tuple[Transition, ...], x: float, y: float) -> None:
    """What the colours and lines mean, of those that occur."""
    from matplotlib.patches import FancyBboxPatch

    kinds = {NodeKind(data["kind"]) for _, data in graph.nodes(data=True)}
    for column, kind in enumerate(kind for kind in NodeKind if kind in kinds):
        fill, edge, name = _FILL[kind]
        start = x + column * _LEGEND_COLUMN
        shape = "round,pad=0,rounding_size=0.06"
        patch = FancyBboxPatch((start, y + 0.47), 0.7, 0.3, boxstyle=shape, facecolor=fill, edgecolor=edge)
        axes.add_patch(patch)
        axes.text(start + 0.9, y + 0.62, name, fontsize=8, color=_INK, va="center")
    drawn = {way.kind for way in ways}
    for column, edge_kind in enumerate(kind for kind in EdgeKind if kind in drawn):
        color, dash, name = _LINE[edge_kind]
        start = x + column * _LEGEND_COLUMN
        axes.plot([start, start + 0.7], [y, y], color=color, linestyle=dash, linewidth=1.6)
        axes.text(start + 0.9, y, name, fontsize=8, color=_INK, va="center")
