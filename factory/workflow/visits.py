"""How often calls come to the parts of a state machine, to be shown on its picture."""

from factory.records.base import Record
from factory.workflow.graph import Transition
from factory.workflow.mermaid import label


class Visits(Record):
    """Calls that come to each part; a part that is not named is never visited.

    Attributes:
        nodes: By node: a stage, `success` or a hard stop.
        ways: By the name of a transition.
    """

    nodes: dict[str, int]
    ways: dict[str, int]


def way_name(way: Transition) -> str:
    """A transition as people read it, with what tells it from others between the same two nodes.

    A condition is an author's text: what a terminal would obey in it is written out.
    """
    told = "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in label(way))
    return f"{way.source} → {way.target}" + (f" ({told})" if told else "")
