"""The verdict of a flow graph, which is a statement about paths.

No path leads from what is withheld to a call that must not get it, unless it goes through a rule that lowers it. All
sources are followed through the graph at once: each node carries those from which such a path leads to it.
"""

from collections import Counter, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence

import networkx as nx  # type: ignore[import-untyped]

from factory.audit.findings import AddIn, Kind, shown
from factory.audit.graph.nodes import CallNode, ItemNode, Node, RuleNode, node_of, source_of
from factory.audit.policy import LOWERS, WITHHELD, Channel, Source
from factory.records.ledger import USER_SIDE

MOST_STEPS = 7
"""Nodes of a path that a message names; of a longer one the middle is left out."""
MOST_PATHS = 20
"""Paths of one conversation that are searched; of others a message names the ends alone."""

Lowers = Mapping[Channel, frozenset[Source]]


class Carried:
    """What each node of a flow graph carries along from where.

    Attributes:
        sources: The nodes at which something begins that is withheld from somebody, in the order of the graph.
        uses: By channel, how many rules of it the graph has.
        lowered: By channel, how often one of its rules took a source off what went through it.
        calls: Calls from which something in the graph is withheld.
        leaks: Edges on which such a call got something that is withheld from it, with a source and how many there are.
            The source is where the edge begins or else the last one of the gravest kind. What a call got so is not
            followed behind it.
    """

    def __init__(self, graph: nx.DiGraph, lowers: Lowers = LOWERS) -> None:
        """Follows every source through a graph.

        Args:
            graph: As `conversation_graph` makes it: its nodes stand behind those from which edges lead to them.
            lowers: What the channels lower.
        """
        self.sources: list[str] = []
        self.uses: Counter[Channel] = Counter()
        self.lowered: Counter[Channel] = Counter()
        self.calls = 0
        self.leaks: list[tuple[str, str, str, int]] = []
        self._graph = graph
        self._lowers = lowers
        self._bits: dict[str, int] = {}
        self._of: Counter[Source] = Counter()
        self._masks: dict[str, int] = {}
        for name, node in graph.nodes(data="node"):
            carried = 0
            for origin in graph.pred[name]:
                carried |= self._masks[origin]
            self._masks[name] = self._behind(name, node, carried)

    def by(self, name: str) -> tuple[str, ...]:
        """The sources that a node carries; a source carries itself."""
        mask = self._masks[name]
        return tuple(source for source in self.sources if mask & self._bits[source])

    def kinds(self, name: str) -> frozenset[Source]:
        """The kinds of the sources that a node carries."""
        return frozenset(source for source, together in self._of.items() if self._masks[name] & together)

    def taken(self, name: str) -> frozenset[Source]:
        """The kinds of which something came to a node that it does not carry on."""
        gone = self._together(self._masks[origin] for origin in self._graph.pred[name]) & ~self._masks[name]
        return frozenset(source for source, together in self._of.items() if gone & together)

    def path(self, source: str, end: str) -> tuple[str, ...]:
        """The shortest path from a source to a node on which no rule lowers it."""
        bit, behind, waiting = self._bits[source], {end: end}, deque([end])
        while waiting and source not in behind:
            name = waiting.popleft()
            for origin in self._graph.pred[name]:
                if origin not in behind and self._masks[origin] & bit:
                    behind[origin] = name
                    waiting.append(origin)
        path = [source]
        while path[-1] != end:
            path.append(behind[path[-1]])
        return tuple(path)

    def leak_paths(self, most: int) -> tuple[tuple[str, ...], ...]:
        """For the first leaks, the path of each: from the source that is told to the call."""
        return tuple((*self.path(source, origin), call) for origin, call, source, _ in self.leaks[:most])

    def _behind(self, name: str, node: Node, carried: int) -> int:
        """What a node carries of what came to it."""
        if isinstance(node, RuleNode):
            taken = carried & self._taken(node)
            self.uses[node.channel] += 1
            self.lowered[node.channel] += taken.bit_count()
            return carried & ~taken
        if isinstance(node, CallNode):
            return carried & ~self._held(name, node, carried)
        source = source_of(node)
        if source not in WITHHELD:
            return carried
        self._bits[name] = 1 << len(self.sources)
        self._of[source] |= self._bits[name]
        self.sources.append(name)
        return carried | self._bits[name]

    def _taken(self, rule: RuleNode) -> int:
        """The sources that a rule lowers."""
        taken = self._together(self._of[source] for source in self._lowers[rule.channel])
        if rule.lowers is not None:
            taken &= self._together(self._bits[name] for name in rule.lowers)
        return taken & ~self._together(self._bits[name] for name in rule.leaves)

    def _held(self, name: str, call: CallNode, carried: int) -> int:
        """The sources that a call must not get, and got."""
        withheld = [source for source, roles in WITHHELD.items() if call.role in roles]
        self.calls += any(self._of[source] for source in withheld)
        leaked = carried & self._together(self._of[source] for source in withheld)
        if leaked:
            for origin in self._graph.pred[name]:
                if got := self._masks[origin] & leaked:
                    self.leaks.append((origin, name, self._telling(origin, got), got.bit_count()))
        return leaked

    def _telling(self, origin: str, got: int) -> str:
        """Of the sources that came on an edge, the one to tell of."""
        if got & self._bits.get(origin, 0):
            return origin
        gravest = next(together for source in WITHHELD if (together := got & self._of[source]))
        return self.sources[gravest.bit_length() - 1]

    @staticmethod
    def _together(masks: Iterable[int]) -> int:
        together = 0
        for mask in masks:
            together |= mask
        return together


def hold_paths(graph: nx.DiGraph, carried: Carried, paths: Sequence[Sequence[str]], add: AddIn) -> int:
    """Makes a finding of every leak, and of every item that nobody can say of where it comes from.

    Args:
        graph: The flow graph.
        carried: What its nodes carry.
        paths: The first leaks as paths, which are told whole; of others the ends alone.
        add: Gets what does not hold.

    Returns:
        How many items came from nowhere.
    """
    for number, (origin, name, source, sources) in enumerate(carried.leaks):
        path = paths[number] if number < len(paths) else (source, origin, name)
        add(Kind.PATH_LEAKS, _told(graph, path, sources), _round(graph, name))
    told = {(origin, name) for origin, name, _, _ in carried.leaks}
    unknown = [(item, call) for item, call in _unexplained(graph) if (item, call) not in told]
    for item, call in unknown:
        add(Kind.ORIGIN_UNKNOWN, _strange(graph.nodes[item]["node"], graph.nodes[call]["node"]), _round(graph, call))
    return len(unknown)


def _unexplained(graph: nx.DiGraph) -> Iterator[tuple[str, str]]:
    """Items of an unknown form with the calls that read or wrote them, and what the caller's side got from nowhere."""
    for name, node in graph.nodes(data="node"):
        if not isinstance(node, ItemNode) or (node.known and node.means is not None):
            continue
        for call in (*graph.pred[name], *graph.succ[name]):
            other = graph.nodes[call]["node"]
            if isinstance(other, CallNode) and (node.means is None or other.role in USER_SIDE):
                yield name, call


def _strange(item: ItemNode, call: CallNode) -> str:
    if item.means is None:
        return f"the {call.role.value} has to do with {shown(item.item)}, which is no id of an item"
    return f"the {call.role.value} read {item.title} ({shown(item.item)}), as no call wrote it and no rule makes it"


def _told(graph: nx.DiGraph, path: Sequence[str], sources: int) -> str:
    """A path in words."""
    steps = [_step(node_of(graph, name)) for name in path]
    if len(steps) > MOST_STEPS:
        steps[3 : len(steps) - 3] = ["…"]
    more = f" ({sources - 1} more came the same way)" if sources > 1 else ""
    return " → ".join(steps) + more


def _step(node: Node) -> str:
    return f"{node.title} ({shown(node.item)})" if isinstance(node, ItemNode) else node.title


def _round(graph: nx.DiGraph, call: str) -> int:
    node: CallNode = graph.nodes[call]["node"]
    return node.round
