"""A state machine as SVG, plain or with how often calls come to each part of it."""

from collections.abc import Iterator, Mapping
from typing import Final
from xml.etree.ElementTree import Element, SubElement, tostring

import networkx as nx  # type: ignore[import-untyped]

from factory.workflow.graph import EdgeKind, NodeKind
from factory.workflow.layout import Box
from factory.workflow.palette import FILL, INK, LINE, SOFT
from factory.workflow.routes import LEGEND_COLUMN, Drawing, Label, Point, Route, drawing
from factory.workflow.visits import Visits, way_name

_UNIT: Final = 60
"""Pixels of one unit of length."""
_LINE_HEIGHT: Final = 15
_ROUND = (NodeKind.SUCCESS, NodeKind.HARD_STOP)
_NEVER: Final = "never"

_STYLE: Final = f"""
text {{ font: 11.5px system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; fill: {INK}; }}
.page {{ fill: #ffffff; }}
.heading {{ font-size: 20px; font-weight: 650; }}
.name {{ font-size: 14px; font-weight: 650; }}
.soft {{ fill: {SOFT}; }}
.beside {{ stroke: #ffffff; stroke-width: 4px; stroke-linejoin: round; paint-order: stroke; }}
.box {{ stroke-width: 1.6px; }}
.way {{ fill: none; stroke-width: 1.8px; }}
.count {{ fill: #ffffff; stroke: {INK}; stroke-width: 1px; }}
.number {{ font-weight: 650; text-anchor: middle; }}
.sample {{ stroke: {SOFT}; }}
.never.box {{ fill: #ffffff; stroke-dasharray: 4 4; }}
.never.way {{ stroke-width: 0.9px; }}
.never.head {{ fill: #ffffff; stroke-width: 0.9px; }}
text.never {{ font-style: italic; }}
"""
_DARK: Final = """
text { fill: #e5e9ee; }
.page, .count, .never.box, .never.head { fill: #191d24; }
.soft { fill: #a0aab7; }
.beside { stroke: #191d24; }
.count, .sample { stroke: #e5e9ee; }
"""


def to_svg(graph: nx.DiGraph, visits: Visits | None = None) -> str:
    """Draws a graph from `build_graph`; equal graphs and visits give equal text, and no text in it is markup.

    Args:
        graph: The state machine.
        visits: How many calls came to each part. What is never visited is drawn hollow, dashed or thin, and says so.
    """
    return _Picture(graph, drawing(graph), visits).text()


class _Picture:
    def __init__(self, graph: nx.DiGraph, shown: Drawing, visits: Visits | None) -> None:
        self._graph = graph
        self._shown = shown
        self._visits = visits
        self._width = (shown.right - shown.left) * _UNIT
        self._height = (shown.top - shown.bottom) * _UNIT + (0 if visits is None else 0.6 * _UNIT)

    def text(self) -> str:
        """The whole file."""
        width, height = _number(self._width), _number(self._height)
        title, frame = _plain(self._graph.graph["title"]), f"0 0 {width} {height}"
        attributes = {"width": width, "height": height, "viewBox": frame, "role": "img", "aria-label": title}
        root = Element("svg", {"xmlns": "http://www.w3.org/2000/svg", **attributes})
        SubElement(root, "style").text = "".join(_style_sheet())
        SubElement(root, "rect", {"class": "page", "width": width, "height": height})
        for route in self._shown.routes:
            self._draw_route(root, route)
        for box in self._shown.boxes.values():
            self._draw_box(root, box)
        _write(root, (30, 34), title, "heading")
        _write(root, (30, 58), self._graph.graph["workflow"], "soft")
        self._draw_legend(root)
        return f'<?xml version="1.0" encoding="UTF-8"?>\n{tostring(root, encoding="unicode")}\n'

    def _at(self, x: float, y: float) -> Point:
        """A place of the drawing in pixels, y growing downwards."""
        return (x - self._shown.left) * _UNIT, (self._shown.top - y) * _UNIT

    def _draw_route(self, root: Element, route: Route) -> None:
        number = None if self._visits is None else self._visits.ways.get(way_name(route.way), 0)
        points = [self._at(*point) for point in route.points]
        _draw_line(root, points, route.steps, route.way.kind, never=number == 0)
        told = route.label
        if told is None and number is not None:
            (x, start), (_, end) = route.points[0], route.points[-1]
            told = Label(text=("",), x=x + 0.12, y=(start + end) / 2, align="left")
        if told is None:
            return
        lines = list(told.text)
        if number is not None:
            lines[-1] = " · ".join(filter(None, (lines[-1], _times(number))))
        x, y = self._at(told.x, told.y)
        y -= 5 if told.above else (len(lines) - 1) * _LINE_HEIGHT / 2 - 4
        style = f"beside {route.way.kind.value}" + (" never" if number == 0 else "")
        for line in lines:
            _write(root, (x, y), line, style, anchor="end" if told.align == "right" else "start")
            y += _LINE_HEIGHT

    def _draw_box(self, root: Element, box: Box) -> None:
        number = None if self._visits is None else self._visits.nodes.get(box.node, 0)
        kind = NodeKind(self._graph.nodes[box.node]["kind"])
        (x, y), size = self._at(box.left, box.top), (box.width * _UNIT, box.height * _UNIT)
        style = f"box {kind.value}" + (" never" if number == 0 else "")
        _draw_rect(root, (x, y), size, style, radius=16 if kind in _ROUND else 6)
        middle, y = self._at(box.x, box.y + (0.42 * len(box.title) + 0.34 * len(box.detail)) / 2)
        for text in box.title:
            _write(root, (middle, y + 17), text, "name", anchor="middle")
            y += 0.42 * _UNIT
        for text in box.detail:
            _write(root, (middle, y + 14), text, "soft", anchor="middle")
            y += 0.34 * _UNIT
        if number is not None:
            self._draw_count(root, box, number)

    def _draw_count(self, root: Element, box: Box, number: int) -> None:
        """A small plate on the box's upper edge."""
        right, top = self._at(box.right, box.top)
        text = _times(number)
        width = 7.5 * len(text) + 12
        _draw_rect(root, (right - width - 10, top - 9), (width, 18), "count", radius=9)
        _write(root, (right - width / 2 - 10, top + 4), text, "number" + (" never" if number == 0 else ""))

    def _draw_legend(self, root: Element) -> None:
        """What the colours and lines mean, of those that occur."""
        step, y = LEGEND_COLUMN * _UNIT, (self._shown.top - self._shown.bottom - 1.12) * _UNIT
        kinds = {NodeKind(data["kind"]) for _, data in self._graph.nodes(data=True)}
        for column, kind in enumerate(kind for kind in NodeKind if kind in kinds):
            x = 30 + column * step
            _draw_rect(root, (x, y - 9), (42, 18), f"box {kind.value}", radius=8 if kind in _ROUND else 4)
            _write(root, (x + 54, y + 4), FILL[kind].name)
        y += 0.62 * _UNIT
        drawn = {route.way.kind for route in self._shown.routes}
        for column, way in enumerate(way for way in EdgeKind if way in drawn):
            x = 30 + column * step
            _draw_line(root, [(x, y), (x + 42, y)], "ML", way, never=False)
            _write(root, (x + 54, y + 4), LINE[way].name)
        if self._visits is not None:
            y += 0.62 * _UNIT
            _draw_rect(root, (30, y - 9), (42, 18), "box sample never", radius=4)
            _write(root, (84, y + 4), f"{_NEVER}: no call comes here")
            _draw_line(root, [(30 + 1.5 * step, y), (72 + 1.5 * step, y)], "ML", EdgeKind.NEXT, never=True)
            _write(root, (84 + 1.5 * step, y + 4), f"{_NEVER}: no call goes this way")
            _write(root, (30 + 3 * step, y + 4), "12×: so many calls come here")


def _style_sheet() -> Iterator[str]:
    yield "".join(f".{kind.value} {{ fill: {box.fill}; stroke: {box.edge}; }}\n" for kind, box in FILL.items())
    yield "".join(_rules({kind: way.color for kind, way in LINE.items()}))
    yield from (
        f".way.{k.value} {{ stroke-dasharray: {' '.join(map(str, w.dash))}; }}\n" for k, w in LINE.items() if w.dash
    )
    yield f"{_STYLE}@media (prefers-color-scheme: dark) {{"
    yield "".join(
        f".{kind.value} {{ fill: {box.dark_fill}; stroke: {box.dark_edge}; }}\n" for kind, box in FILL.items()
    )
    yield "".join(_rules({kind: way.dark for kind, way in LINE.items()}))
    yield f"{_DARK}}}\n"


def _rules(colours: Mapping[EdgeKind, str]) -> Iterator[str]:
    for kind, colour in colours.items():
        yield f".way.{kind.value}, .head.{kind.value} {{ stroke: {colour}; }}\n"
        yield f".head.{kind.value}, text.{kind.value} {{ fill: {colour}; }}\n"


def _draw_line(root: Element, points: list[Point], steps: str, kind: EdgeKind, *, never: bool) -> None:
    """A line with a head at its end, hollow where nobody goes that way."""
    line = " ".join(
        f"{step if step != 'C' or steps[i - 1] != 'C' else ''}{_number(x)} {_number(y)}"
        for i, (step, (x, y)) in enumerate(zip(steps, points, strict=True))
    )
    style = f"{kind.value} never" if never else kind.value
    SubElement(root, "path", {"class": f"way {style}", "d": line})
    (x, y), (from_x, from_y) = points[-1], next(p for p in reversed(points) if p != points[-1])
    length = ((x - from_x) ** 2 + (y - from_y) ** 2) ** 0.5
    along, across = ((x - from_x) / length, (y - from_y) / length), ((from_y - y) / length, (x - from_x) / length)
    corners = [(x - 10 * along[0] + s * across[0], y - 10 * along[1] + s * across[1]) for s in (-4, 4)]
    head = " L".join(f"{_number(px)} {_number(py)}" for px, py in [(x, y), *corners])
    SubElement(root, "path", {"class": f"head {style}", "d": f"M{head}Z"})


def _draw_rect(root: Element, corner: Point, size: Point, style: str, radius: int) -> None:
    place = {"x": _number(corner[0]), "y": _number(corner[1]), "width": _number(size[0]), "height": _number(size[1])}
    SubElement(root, "rect", {"class": style, **place, "rx": str(radius)})


def _write(root: Element, at: Point, text: str, style: str = "", anchor: str = "start") -> None:
    attributes = {"x": _number(at[0]), "y": _number(at[1])}
    if anchor != "start":
        attributes["text-anchor"] = anchor
    if style:
        attributes["class"] = style
    SubElement(root, "text", attributes).text = _plain(text)


def _plain(text: str) -> str:
    """A text without the characters that XML cannot hold."""
    return "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text)


def _times(number: int) -> str:
    return f"{number:,}×" if number else _NEVER


def _number(value: float) -> str:
    """A coordinate with one decimal at the most."""
    return f"{value:.1f}".removesuffix(".0")
