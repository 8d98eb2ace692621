"""Flow graphs of real runs, for tests of what is made from them."""

from collections.abc import Sequence

import networkx as nx

from factory.audit.conversation import Rules, read_course
from factory.audit.expected import expected_rounds
from factory.audit.findings import Findings
from factory.audit.graph import conversation_graph
from factory.audit.paths import Carried
from factory.audit.tally import Tally
from factory.dataset.read import read_conversations, read_turns
from factory.dataset.write import CONVERSATIONS, TURNS
from factory.run.folder import RunFolder


def flow_of(run: RunFolder) -> tuple[nx.DiGraph, Carried]:
    """The flow graph of a run's first call, and what its nodes carry along."""
    conversation = next(read_conversations(run.dataset / CONVERSATIONS))
    rows = next(read_turns(run.dataset / TURNS))
    identity, name = run.identity(), conversation.conversation_id
    rules = Rules(modelled=identity.models is not None, planted=identity.canaries)
    head = run.ledger_root().heads[name]
    course = read_course(run.ledger_file(name), name, head, rules, Tally(), Findings())
    assert course is not None
    graph = conversation_graph(course, list(expected_rounds(conversation, rows, None)))
    return graph, Carried(graph)


def paths_of(carried: Carried) -> list[Sequence[str]]:
    """The paths that are not allowed."""
    return [(*carried.path(source, origin), name) for origin, name, source, _ in carried.leaks]
