"""Where each node of a flow graph goes back to, and which rules stand on the way of what is withheld."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

import networkx as nx  # type: ignore[import-untyped]

from factory.audit.graph.nodes import RuleNode, node_of, source_of
from factory.audit.graph.paths import Carried
from factory.audit.policy import Channel, Source


class Origin(NamedTuple):
    """What leads to a node.

    Attributes:
        free: Kinds of sources from which a way leads on which no rule lowers them.
        lowered: Channels, and the kinds of sources that reach the node only through one of them.
    """

    free: tuple[str, ...]
    lowered: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]


_SOURCES, _CHANNELS = tuple(Source), tuple(Channel)


def origins(graph: nx.DiGraph) -> Mapping[str, Origin]:
    """The origins of every node; a source is one of its own.

    They are carried from node to node as bits: one for each kind of source that is free, and one for each kind of
    source with each channel that took it off. Whatever reached a call that must not get it stays free behind it.
    """
    carried = Carried(graph)
    free: dict[str, int] = {}
    through: dict[str, int] = {}
    made: dict[tuple[int, int], Origin] = {}
    found: dict[str, Origin] = {}
    for name in graph:
        node, came, ways = node_of(graph, name), 0, 0
        for one in graph.pred[name]:
            came |= free[one]
            ways |= through[one]
        if isinstance(node, RuleNode):
            taken = carried.taken(name)
            came = came & ~_bits(taken) | _bits(carried.kinds(name))
            for source in taken:
                ways |= 1 << _SOURCES.index(source) * len(_CHANNELS) + _CHANNELS.index(node.channel)
        elif (own := source_of(node)) is not None:
            came |= _bits((own,))
        free[name], through[name] = came, ways
        if (came, ways) not in made:
            made[came, ways] = _origin(came, ways)
        found[name] = made[came, ways]
    return found


def _bits(sources: Iterable[Source]) -> int:
    return sum(1 << _SOURCES.index(source) for source in sources)


def _origin(free: int, through: int) -> Origin:
    lowered: dict[tuple[str, ...], list[str]] = {}
    for place, source in enumerate(_SOURCES):
        ways = through >> place * len(_CHANNELS)
        channels = tuple(channel.value for bit, channel in enumerate(_CHANNELS) if ways >> bit & 1)
        if channels and not free >> place & 1:
            lowered.setdefault(channels, []).append(source.value)
    return Origin(
        tuple(source.value for place, source in enumerate(_SOURCES) if free >> place & 1),
        tuple((channels, tuple(sources)) for channels, sources in lowered.items()),
    )
