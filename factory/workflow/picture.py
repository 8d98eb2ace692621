"""A state machine as PNG: stages from top to bottom, skips on their left, ends on their right."""

from pathlib import Path
from typing import TYPE_CHECKING

import networkx as nx  # type: ignore[import-untyped]

from factory.workflow.graph import EdgeKind, NodeKind
from factory.workflow.layout import Box
from factory.workflow.palette import FILL, INK, LINE, SOFT
from factory.workflow.routes import LEGEND_COLUMN, Drawing, Route, drawing

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_INCHES = 0.62
"""Inches of one unit of length."""


def save_picture(graph: nx.DiGraph, out: Path) -> None:
    """Draws a graph from `build_graph` into a PNG file, without a date, so that equal is equal.

    Raises:
        OSError: The file cannot be written.
    """
    import matplotlib
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    shown = drawing(graph)
    left, right, top, bottom = shown.left, shown.right, shown.top, shown.bottom
    with matplotlib.rc_context({"font.family": "DejaVu Sans", "text.parse_math": False}):
        figure = Figure(figsize=((right - left) * _INCHES, (top - bottom) * _INCHES), facecolor="white")
        FigureCanvasAgg(figure)
        axes = figure.add_axes((0.0, 0.0, 1.0, 1.0))
        axes.set(xlim=(left, right), ylim=(bottom, top))
        axes.axis("off")
        for route in shown.routes:
            _draw_route(axes, route)
        for box in shown.boxes.values():
            _draw_box(axes, graph, box)
        axes.text(left + 0.5, top - 0.45, graph.graph["title"], fontsize=15, weight="bold", color=INK, va="center")
        axes.text(left + 0.5, top - 1.0, graph.graph["workflow"], fontsize=9, color=SOFT, va="center")
        _draw_legend(axes, graph, shown)
        figure.savefig(out, dpi=144, metadata={"Software": None})


def _draw_route(axes: "Axes", route: Route) -> None:
    from matplotlib.patches import FancyArrowPatch
    from matplotlib.path import Path as Line

    numbers = {"M": Line.MOVETO, "L": Line.LINETO, "C": Line.CURVE4}
    style = LINE[route.way.kind]
    axes.add_patch(
        FancyArrowPatch(
            path=Line(route.points, [numbers[step] for step in route.steps]),
            arrowstyle="-|>",
            mutation_scale=11,
            linewidth=1.4,
            linestyle=(0, style.dash) if style.dash else "-",
            color=style.color,
            zorder=1,
        )
    )
    if route.label is not None:
        axes.text(
            route.label.x,
            route.label.y,
            "\n".join(route.label.text),
            fontsize=8,
            color=style.color,
            ha=route.label.align,
            va="bottom" if route.label.above else "center",
            bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.8, "alpha": 0.9},
            zorder=2,
        )


def _draw_box(axes: "Axes", graph: nx.DiGraph, box: Box) -> None:
    from matplotlib.patches import FancyBboxPatch

    kind = NodeKind(graph.nodes[box.node]["kind"])
    style = FILL[kind]
    radius = 0.3 if kind in (NodeKind.SUCCESS, NodeKind.HARD_STOP) else 0.12
    axes.add_patch(
        FancyBboxPatch(
            (box.left, box.bottom),
            box.width,
            box.height,
            boxstyle=f"round,pad=0,rounding_size={radius}",
            facecolor=style.fill,
            edgecolor=style.edge,
            linewidth=1.5,
            zorder=3,
        )
    )
    y = box.y + (0.42 * len(box.title) + 0.34 * len(box.detail)) / 2
    for text in box.title:
        axes.text(box.x, y - 0.21, text, fontsize=10.5, weight="bold", color=INK, ha="center", va="center", zorder=4)
        y -= 0.42
    for text in box.detail:
        axes.text(box.x, y - 0.17, text, fontsize=8, color=SOFT, ha="center", va="center", zorder=4)
        y -= 0.34


def _draw_legend(axes: "Axes", graph: nx.DiGraph, shown: Drawing) -> None:
    """What the colours and lines mean, of those that occur."""
    from matplotlib.patches import FancyBboxPatch

    x, y = shown.left + 0.5, shown.bottom + 0.5
    kinds = {NodeKind(data["kind"]) for _, data in graph.nodes(data=True)}
    for column, kind in enumerate(kind for kind in NodeKind if kind in kinds):
        box = FILL[kind]
        start = x + column * LEGEND_COLUMN
        shape = "round,pad=0,rounding_size=0.06"
        patch = FancyBboxPatch((start, y + 0.47), 0.7, 0.3, boxstyle=shape, facecolor=box.fill, edgecolor=box.edge)
        axes.add_patch(patch)
        axes.text(start + 0.9, y + 0.62, box.name, fontsize=8, color=INK, va="center")
    drawn = {route.way.kind for route in shown.routes}
    for column, edge_kind in enumerate(kind for kind in EdgeKind if kind in drawn):
        line = LINE[edge_kind]
        start = x + column * LEGEND_COLUMN
        dash = (0, line.dash) if line.dash else "-"
        axes.plot([start, start + 0.7], [y, y], color=line.color, linestyle=dash, linewidth=1.6)
        axes.text(start + 0.9, y, line.name, fontsize=8, color=INK, va="center")
