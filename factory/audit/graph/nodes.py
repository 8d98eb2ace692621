"""The nodes of a flow graph: where confidential data comes from, items, parts of utterances, rules, and calls."""

from dataclasses import dataclass
from enum import StrEnum

import networkx as nx  # type: ignore[import-untyped]

from factory.audit.graph.itemid import ItemId
from factory.audit.policy import Channel, Source
from factory.records.ledger import Label, Role


class Part(StrEnum):
    """What an utterance that a caller cut into consists of; each word is in just one part.

    The words that were spoken over lie between onset and cut: they were delivered, but the caller had not heard them
    when they began to speak.
    """

    HEARD = "heard"
    SPOKEN_OVER = "spoken_over"
    UNDELIVERED = "undelivered"


class Way(StrEnum):
    """How data got from one node of the graph to the next.

    `read` leads from an item to a call and `wrote` from a call to an item; `made` leads to what code made, without
    lowering anything; `part` joins an utterance and its parts; `rule` leads into and out of a rule that lowers;
    `same` leads to an item that a call read under the same id with another content, or under another id with the same
    content; `run_again` leads to the calls of the caller's side behind a rewind, who know nothing of it.
    """

    READ = "read"
    WROTE = "wrote"
    MADE = "made"
    PART = "part"
    RULE = "rule"
    SAME = "same"
    RUN_AGAIN = "run_again"


@dataclass(frozen=True, slots=True)
class SourceNode:
    """Where data comes from that no call of this conversation made."""

    source: Source

    @property
    def title(self) -> str:
        """What it is, in words."""
        return self.source.value


@dataclass(frozen=True, slots=True)
class CallNode:
    """One line of the ledger.

    Attributes:
        sequence: Its place in the ledger, from 0.
        branch: Which of the role's ways was taken.
        stands: Whether it is of an attempt that stands; those behind the rounds always are.
    """

    role: Role
    sequence: int
    round: int
    attempt: int
    branch: str
    stands: bool

    @property
    def title(self) -> str:
        """What it is, in words."""
        return f"the {self.role.value} in round {self.round}{_again(self.attempt)}"


@dataclass(frozen=True, slots=True)
class ItemNode:
    """A data item, as the ledger names it.

    Attributes:
        item: Its id; a text out of the ledger.
        means: What the id names; None where it is of no form that an id has.
        label: What its first line calls it; None where no call read or wrote it.
        content: Digest of its content, as first seen; empty where no call read or wrote it.
        source: What it is where it is confidential in itself and not only by what it was made from.
        known: Whether a call wrote it, or a rule says what code made it from.
    """

    item: str
    means: ItemId | None
    label: Label | None
    content: str
    stands: bool
    known: bool
    source: Source | None = None

    @property
    def round(self) -> int | None:
        """The round that its id names; None where it names none."""
        return None if self.means is None else self.means.round

    @property
    def attempt(self) -> int | None:
        """The attempt that its id names; None where it names none."""
        return None if self.means is None else self.means.attempt

    @property
    def title(self) -> str:
        """What it is, in words."""
        if self.means is None:
            return "an item of an unknown form"
        what = f"the {self.means.words}"
        return what if self.round is None else f"{what} of round {self.round}{_again(self.attempt)}"


@dataclass(frozen=True, slots=True)
class PartNode:
    """A part of an utterance that a caller cut into.

    Attributes:
        source: What it is where it is confidential.
    """

    part: Part
    source: Source | None
    round: int
    attempt: int
    stands: bool

    @property
    def title(self) -> str:
        """What it is, in words."""
        words = {
            Part.HEARD: "the heard words",
            Part.SPOKEN_OVER: "the words that were spoken over",
            Part.UNDELIVERED: "the undelivered words",
        }[self.part]
        return f"{words} of round {self.round}{_again(self.attempt)}"


@dataclass(frozen=True, slots=True)
class RuleNode:
    """A use of a declared channel: what code lets through, and what it lowers by that.

    Attributes:
        lowers: Names of the only nodes that it lowers; None where it lowers all of its channel's kinds.
        leaves: Names of nodes that it does not lower whatever they are.
    """

    channel: Channel
    round: int
    attempt: int
    stands: bool
    lowers: frozenset[str] | None = None
    leaves: frozenset[str] = frozenset()

    @property
    def title(self) -> str:
        """What it is, in words."""
        return f"the rule `{self.channel.value}` in round {self.round}{_again(self.attempt)}"


Node = SourceNode | CallNode | ItemNode | PartNode | RuleNode


def node_of(graph: nx.DiGraph, name: str) -> Node:
    """What stands at a node."""
    node: Node = graph.nodes[name]["node"]
    return node


def source_of(node: Node) -> Source | None:
    """What confidential data begins at a node; None where none does."""
    return None if isinstance(node, CallNode | RuleNode) else node.source


def _again(attempt: int | None) -> str:
    return f", attempt {attempt}" if attempt else ""
