"""The picture of a flow graph, as compact data that a script draws."""

from collections.abc import Iterable, Sequence, Set
from itertools import pairwise
from typing import NamedTuple

import networkx as nx  # type: ignore[import-untyped]

from factory.audit.findings import shown
from factory.audit.graph.nodes import CallNode, ItemNode, Node, PartNode, RuleNode, SourceNode, node_of
from factory.audit.page.marks import NO_MARKS, NodeMarks
from factory.audit.page.origins import Origin, origins
from factory.audit.page.places import Block, Lane, Places
from factory.records.base import Record

_DIGITS = 16
"""Of a digest, as many as are shown; enough to find it in a ledger."""


class Drawn(NamedTuple):
    """One node of the picture.

    Attributes:
        kind: What it is, as the style knows it.
        name: Place of its name among the picture's names.
        id: How the graph or the ledger names it.
        block: Place of its block.
        column: In its block, from 0.
        row: Over all lanes, from 0.
        digest: The first digits of its content's.
        flags: 1 where it is of an attempt that does not stand, 2 where it lies on a path that is not allowed or is a
            role call that read or wrote what it may not, 4 where it is not what is published.
        origin: Place of what it goes back to among the picture's origins.
    """

    kind: str
    name: int
    id: str
    block: int
    column: int
    row: int
    digest: str
    flags: int
    origin: int


class Picture(Record):
    """A flow graph, ready to be drawn.

    Attributes:
        names: What nodes are called.
        origins: What nodes go back to.
        edges: From and to, by place among the nodes, and 1 where it lies on a path that is not allowed.
    """

    names: tuple[str, ...]
    lanes: tuple[Lane, ...]
    blocks: tuple[Block, ...]
    nodes: tuple[Drawn, ...]
    origins: tuple[Origin, ...]
    edges: tuple[tuple[int, int] | tuple[int, int, int], ...]


def draw(graph: nx.DiGraph, leaks: Iterable[Sequence[str]] = (), marks: NodeMarks = NO_MARKS) -> Picture:
    """The picture of a flow graph.

    Args:
        graph: As `factory.audit.graph.graph` makes it.
        leaks: Paths in it that are not allowed, each by the names of its nodes.
        marks: What in it is not as it has to be.
    """
    paths = tuple(leaks)
    bad_edges = {edge for path in paths for edge in pairwise(path)}
    bad = {name for path in paths for name in path}
    bad |= {name for name in graph if _is_of(node_of(graph, name), marks.not_allowed)}
    at = Places(graph, bad)
    lanes = tuple(at.lanes())
    starts = {lane.name: lane.start for lane in lanes}
    place = {name: number for number, name in enumerate(at.nodes)}
    called = {name: _name(node) for name, node in at.nodes.items()}
    words = {word: number for number, word in enumerate(dict.fromkeys(called.values()))}
    came_from = origins(graph)
    known = {origin: number for number, origin in enumerate(dict.fromkeys(came_from[name] for name in at.nodes))}
    return Picture(
        names=tuple(words),
        lanes=lanes,
        blocks=tuple(at.blocks()),
        nodes=tuple(
            Drawn(
                kind=_KINDS[type(node)],
                name=words[called[name]],
                id=_id(name, node),
                block=at.block[name],
                column=at.column[name],
                row=starts[at.lane[name]] + at.depth[name],
                digest=shown(node.content[:_DIGITS]) if isinstance(node, ItemNode) else "",
                flags=(not _stands(node)) + 2 * (name in bad) + 4 * _differs(node, marks),
                origin=known[came_from[name]],
            )
            for name, node in at.nodes.items()
        ),
        origins=tuple(known),
        edges=tuple(
            (place[one], place[other], 1) if (one, other) in bad_edges else (place[one], place[other])
            for other in at.nodes
            for one in at.before[other]
        ),
    )


_KINDS: dict[type[Node], str] = {
    SourceNode: "source", CallNode: "call", ItemNode: "item", PartNode: "part", RuleNode: "rule"
}  # fmt: skip


def _name(node: Node) -> str:
    match node:
        case CallNode():
            return node.role.value
        case ItemNode():
            return node.label.value if node.label is not None else "not in the ledger"
        case PartNode():
            return node.part.value
        case RuleNode():
            return node.channel.value
        case _:
            return node.source.value


def _id(name: str, node: Node) -> str:
    """What the ledger calls it: an item by its id, a call by its line."""
    if isinstance(node, CallNode):
        return f"line {node.sequence + 1}"
    return shown(node.item) if isinstance(node, ItemNode) else shown(name)


def _differs(node: Node, marks: NodeMarks) -> bool:
    """Whether a node is not what follows from the published rows."""
    if isinstance(node, ItemNode):
        return (node.item, node.content) in marks.items
    return _is_of(node, marks.differing)


def _is_of(node: Node, lines: Set[int]) -> bool:
    return isinstance(node, CallNode) and node.sequence in lines


def _stands(node: Node) -> bool:
    return isinstance(node, SourceNode) or node.stands
