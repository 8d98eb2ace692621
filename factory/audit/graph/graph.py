"""The flow graph of one conversation: every call, every data item, and how data got from one to the next.

From the ledger come the calls with what each read and wrote, of all attempts; from the published rows, which contents
are what they say to be. What code makes in between (histories, values, what is released) follows from an item's id.

An item is what its id says. So a call that read `r2.0/plan` has read the plan of round 2, whatever it calls it. And an
item that turns out to have another content than its id says, is what has that content.
"""

from collections.abc import Sequence

import networkx as nx  # type: ignore[import-untyped]

from factory.audit.course.course import Course
from factory.audit.expected import ExpectedRound
from factory.audit.graph.growth import Growth
from factory.audit.graph.outside import NOTHING_OUTSIDE, Outside


def conversation_graph(
    course: Course, rounds: Sequence[ExpectedRound], outside: Outside = NOTHING_OUTSIDE
) -> nx.DiGraph:
    """The flow graph of one conversation.

    A node's name is a text: an item's id (`r2.0/plan`, `workflow`), `call:7` with the place of the line in the ledger,
    `r2.0/utterance:undelivered` for a part, `cut:r2.0` for a rule, `source:STAGES` for a source. Where a name comes
    again, because a round behind a rewind has the attempt that it had before, `~1`, `~2` … stand behind it. Each node
    has one attribute, `node`, which is one of the records of `factory.audit.graph.nodes` (read it with `node_of`); each
    edge has one, `way`, which is a `Way`. Edges run the way that the data went. Nodes stand in the order in which they
    came about, so that every edge leads to a later one.

    Args:
        course: The conversation's calls, followed to the end.
        rounds: Its published rounds; content that is published is held against what the calls read.
        outside: What is known of the rest of the run.
    """
    growth = Growth(course, rounds, outside)
    for place, line in enumerate(course.lines):
        growth.add(place, line)
    return growth.graph
