"""A state machine as Mermaid text, which GitHub and many editors draw."""

import json

import networkx as nx  # type: ignore[import-untyped]

from factory.workflow.graph import EdgeKind, NodeKind, Transition, transitions

_PLAIN = frozenset(" .,'?!:-")

_SHAPES = {
    NodeKind.STAGE: ('["', '"]'),
    NodeKind.VERIFICATION: ('[["', '"]]'),
    NodeKind.SUCCESS: ('(["', '"])'),
    NodeKind.HARD_STOP: ('(["', '"])'),
}

_CLASSES = """\
classDef stage fill:#eaf1fb,stroke:#3b6fb6,color:#16263d
classDef verification fill:#fdf3dc,stroke:#b98412,color:#3d2c05
classDef success fill:#e2f4e6,stroke:#2f8f4e,color:#0f3a1d
classDef hard_stop fill:#fbe6e4,stroke:#b8433a,color:#431310"""


def mermaid(graph: nx.DiGraph) -> str:
    """The flowchart of a graph from `build_graph`; no text in it can act as Mermaid or HTML."""
    lines = ["---", f"title: {json.dumps(_one_line(graph.graph['title']))}", "---", "flowchart TD"]
    nodes = sorted(graph.nodes(data=True), key=lambda node: node[1]["order"])
    names = {node: f"n{index}" for index, (node, _) in enumerate(nodes)}
    for node, data in nodes:
        opening, closing = _SHAPES[NodeKind(data["kind"])]
        lines.append(f"    {names[node]}{opening}{escape(data['name'])}{closing}:::{data['kind']}")
    for way in transitions(graph):
        lines.append(f"    {names[way.source]} {_arrow(way)} {names[way.target]}")
    lines += [f"    {line}" for line in _CLASSES.splitlines()]
    return "\n".join(lines) + "\n"


def label(way: Transition) -> str:
    """What stands beside an edge: its condition or bound; empty for the next stage."""
    told = ", ".join(f"{c.slot.replace('_', ' ')}: {c.equals}" for c in way.conditions)
    if way.kind is EdgeKind.RETRY:
        return f"asks again, {way.retries}x at most"
    if way.kind is EdgeKind.FAILURE:
        return "fails once more"
    if way.kind is EdgeKind.SKIP:
        return f"skip if {told}"
    return f"ends if {told}" if way.kind is EdgeKind.TERMINATE else ""


def escape(text: str) -> str:
    """A text for a quoted Mermaid label: everything but letters, digits and plain marks by its number."""
    return "".join(c if c.isalnum() or c in _PLAIN else f"#{ord(c)};" for c in _one_line(text))


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _arrow(way: Transition) -> str:
    if way.kind is EdgeKind.NEXT:
        return "-->"
    line = "-.->" if way.kind in (EdgeKind.SKIP, EdgeKind.RETRY) else "==>"
    return f'{line}|"{escape(label(way))}"|'
