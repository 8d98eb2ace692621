"""A flow graph under way: nodes and edges, and what each item's id stands for at the moment."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

import networkx as nx  # type: ignore[import-untyped]

from factory.audit.graph.itemid import parse
from factory.audit.graph.nodes import ItemNode, Node, SourceNode, Way
from factory.audit.policy import Source
from factory.records.base import sha256
from factory.records.ledger import NOTHING, Label

Origin = tuple[str | None, Way]
"""A node that another comes from, and how; None where there is no such node."""

_EMPTY = frozenset({"", NOTHING, *(sha256(empty) for empty in ("[]", "{}", '""'))})
"""Contents that say nothing, so that having one of them in common means nothing."""

_KEPT_FROM_CALLERS = frozenset(
    {
        "workflow", "findings", "entry", "meant", "plan", "rest", "edit", "utterance", "cut_utterance",
        "edited_utterance", "cut", "rubric", "controls", "rerun",
    }
)  # fmt: skip
"""Items that must not reach a caller's side, under whatever id."""


@dataclass
class Sheet:
    """What has grown so far.

    Attributes:
        graph: The graph.
        now: By id, the item that it stands for.
        withdrawn: Items of attempts that a rewind took back.
    """

    graph: nx.DiGraph = field(default_factory=nx.DiGraph)
    now: dict[str, str] = field(default_factory=dict)
    withdrawn: set[str] = field(default_factory=set)
    _taken: dict[str, int] = field(default_factory=dict)
    _alike: dict[str, str] = field(default_factory=dict)

    def put(self, name: str, node: Node, origins: Iterable[Origin] = ()) -> str:
        """Adds a node behind those that it comes from; returns the name that it got."""
        again = self._taken.get(name, 0)
        self._taken[name] = again + 1
        name = f"{name}~{again}" if again else name
        self.graph.add_node(name, node=node)
        self.graph.add_edges_from((origin, name, {"way": way}) for origin, way in origins if origin is not None)
        return name

    def source(self, source: Source) -> str:
        """The node of a source that no call of the conversation made."""
        name = f"source:{source.name}"
        return name if name in self.graph else self.put(name, SourceNode(source))

    def item(self, node: ItemNode, origins: Iterable[Origin] = (), current: bool = True) -> str:
        """Adds an item; from now on its id stands for it, if it is to be current."""
        name = self.put(node.item if node.means is not None else "unknown", node, origins)
        if current:
            self.now[node.item] = name
        if node.means is not None and node.means.name in _KEPT_FROM_CALLERS:
            self.withhold(node.content, name)
        return name

    def saw(self, name: str, label: Label, content: str) -> None:
        """Takes what a call says of an item that code had made and nobody had read before."""
        node = self.at(name)
        self.graph.nodes[name]["node"] = replace(node, label=label, content=content)
        if node.means is not None and node.means.name in _KEPT_FROM_CALLERS:
            self.withhold(content, name)

    def at(self, name: str) -> ItemNode:
        """An item."""
        node: ItemNode = self.graph.nodes[name]["node"]
        return node

    def withhold(self, content: str, name: str) -> None:
        """Remembers whose content something is that must not reach a caller's side."""
        if content not in _EMPTY:
            self._alike.setdefault(content, name)

    def alike(self, content: str) -> str | None:
        """What is withheld from the caller's side and has this content."""
        return self._alike.get(content)


def item_node(item: str, label: Label | None, content: str, stands: bool, known: bool) -> ItemNode:
    """The node of an item with this id."""
    means = parse(item)
    plan = Source.PLAN if means is not None and means.name == "plan" else None
    return ItemNode(item, means, label, content, stands, known, plan)
