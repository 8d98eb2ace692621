"""Where the nodes of a flow graph stand in its picture: lanes by role, and rounds from left to right.

A call opens a block of columns or stands in the open one; what it reads for the first time stands before it, what it
writes below it. Inside of a block a node stands one column behind the last one that leads to it.
"""

from collections import Counter
from collections.abc import Iterator, Set

import networkx as nx  # type: ignore[import-untyped]

from factory.audit.graph.nodes import CallNode, ItemNode, Node, PartNode, RuleNode, SourceNode, Way, node_of
from factory.records.base import Record
from factory.records.ledger import USER_SIDE, Label, Role

AT_HAND, CUT, RULES, BEHIND = "at_hand", "cut", "rules", "behind_the_call"
LANES = (AT_HAND, Role.PLANNER, Role.ASSISTANT, CUT, RULES, Role.REACTION_PLANNER, Role.USER, BEHIND)
"""From top to bottom; a lane in which nothing stands is left out."""
_OPENS = {
    Role.SYSTEM_WRITER: "Opening", Role.PLANNER: "Round {round}", Role.VERIFIER: "Reading",
    Role.RUBRIC_WRITER: "Rubric of round {round}",
}  # fmt: skip
"""The roles whose calls open a block, and what it is called."""


class Block(Record):
    """Some columns that belong together."""

    name: str
    start: int
    columns: int


class Lane(Record):
    """Some rows that belong together; `side` is `caller` for those of the caller's side."""

    name: str
    side: str
    start: int
    rows: int


class Places:
    """Where the nodes of a graph stand.

    Attributes:
        nodes: Those that are drawn, in the order in which they came about.
        before: What leads to each of them, and how.
        block: The place of its block.
        column: Its column in its block.
        lane: The name of its lane.
        depth: Its row in its lane.
    """

    def __init__(self, graph: nx.DiGraph, bad: Set[str]) -> None:
        """Places the nodes of a graph; of `bad` ones none is left out."""
        hidden = {name for name in graph if name not in bad and _is_seed(graph, name)}
        self.before: dict[str, dict[str, Way]] = {name: {} for name in graph if name not in hidden}
        self._after: dict[str, list[str]] = {name: [] for name in self.before}
        self._writer: dict[str, str] = {}
        for one, other, way in graph.edges(data="way"):
            if one in hidden or other in hidden:
                continue
            self.before[other][one] = way
            self._after[one].append(other)
            if way is Way.WROTE:
                self._writer[other] = one
        joined = (name for name in self.before if self.before[name] or self._after[name])
        self.nodes: dict[str, Node] = {name: node_of(graph, name) for name in joined}
        self._titles: list[str] = []
        self.block: dict[str, int] = {}
        self.column: dict[str, int] = {}
        self.lane: dict[str, str] = {}
        self.depth: dict[str, int] = {}
        self._choose_blocks()
        self._choose_columns()
        self._choose_lanes()
        self._stacked = self._stack()

    def blocks(self) -> Iterator[Block]:
        """The blocks, from left to right."""
        columns = [0] * len(self._titles)
        for name, block in self.block.items():
            columns[block] = max(columns[block], self.column[name] + 1)
        start = 0
        for title, number in zip(self._titles, columns, strict=True):
            yield Block(name=title, start=start, columns=number)
            start += number

    def lanes(self) -> Iterator[Lane]:
        """The lanes in which something stands, from top to bottom."""
        start = 0
        for lane in LANES:
            rows = max((rows for (name, _, _), rows in self._stacked.items() if name == lane), default=0)
            if rows:
                yield Lane(name=lane, side="caller" if lane in USER_SIDE else "other", start=start, rows=rows)
            start += rows

    def _choose_blocks(self) -> None:
        """What is at hand from the first is in a block of its own; what a call reads is in that call's block."""
        waiting: list[str] = []
        for name, node in self.nodes.items():
            before = self.before[name]
            if isinstance(node, CallNode):
                if node.role in _OPENS or not self._titles:
                    self._open(node)
                self.block |= dict.fromkeys((*waiting, name), len(self._titles) - 1)
                waiting.clear()
            elif name in self._writer:
                self.block[name] = self.block[self._writer[name]]
            elif isinstance(node, PartNode) and all(one in self.block for one in before):
                self.block[name] = max(self.block[one] for one in before)
            elif _is_at_hand(node):
                self._titles = self._titles or ["At hand"]
                self.block[name] = 0
            else:
                waiting.append(name)
        self.block |= dict.fromkeys(waiting, max(0, len(self._titles) - 1))

    def _open(self, call: CallNode) -> None:
        again = f", attempt {call.attempt}" if call.attempt else ""
        title = _OPENS.get(call.role, "Round {round}").format(round=call.round)
        self._titles.append(title + again + ("" if call.stands else " (given up)"))

    def _choose_columns(self) -> None:
        """As far to the left as what leads to a node permits; what nothing leads to stands right before its reader."""
        first = set()
        for name in self.nodes:
            block = self.block[name]
            before = [
                self.column[one] + (way not in (Way.WROTE, Way.PART))  # what a call wrote stands below it
                for one, way in self.before[name].items()
                if self.block[one] == block
            ]
            self.column[name] = max(before, default=0)
            if not before:
                first.add(name)
        for name in first:
            readers = [self.column[one] for one in self._after[name] if self.block[one] == self.block[name]]
            self.column[name] = max(0, min(readers, default=1) - 1)
        sources = [name for name, node in self.nodes.items() if isinstance(node, SourceNode)]
        self.column |= {name: number // 2 for number, name in enumerate(sources)}
        for name, node in self.nodes.items():
            if isinstance(node, ItemNode) and _is_at_hand(node) and name not in self._writer:
                self.column[name] = (len(sources) + 1) // 2

    def _choose_lanes(self) -> None:
        """A call and what it wrote are in its lane, what code makes in that of the first who gets it."""
        for name in reversed(self.nodes):
            node = self.nodes[self._writer.get(name, name)]
            if isinstance(node, CallNode):
                self.lane[name] = _lane_of(node.role)
            elif isinstance(node, PartNode):
                self.lane[name] = CUT
            elif _is_at_hand(node):
                self.lane[name] = AT_HAND
            elif isinstance(node, RuleNode):
                self.lane[name] = RULES
            else:
                self.lane[name] = self.lane[self._after[name][0]] if self._after[name] else RULES

    def _stack(self) -> Counter[tuple[str, int, int]]:
        """What would stand in one place stands below each other."""
        stacked: Counter[tuple[str, int, int]] = Counter()
        for name in self.nodes:
            spot = self.lane[name], self.block[name], self.column[name]
            self.depth[name] = stacked[spot]
            stacked[spot] += 1
        return stacked


def _is_at_hand(node: Node) -> bool:
    """Whether it was there before the first round."""
    return isinstance(node, SourceNode) or (isinstance(node, ItemNode) and node.round is None)


def _lane_of(role: Role) -> str:
    return CUT if role is Role.CUTTER else role if role in LANES else BEHIND


def _is_seed(graph: nx.DiGraph, name: str) -> bool:
    """Whether a node is but a number that code drew; the picture is easier to read without."""
    node = node_of(graph, name)
    if not isinstance(node, ItemNode) or node.label is not Label.SEED:
        return False
    return all(isinstance(node_of(graph, before), SourceNode) for before in graph.pred[name])
