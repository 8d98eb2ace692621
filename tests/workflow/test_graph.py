import json

import networkx as nx
import pytest

from factory.errors import WorkflowError
from factory.workflow.graph import EdgeKind, build_graph, from_node_link, to_node_link, transitions

from .base import Edit, tell


def _ways(edit: Edit) -> set[tuple[str, str, EdgeKind]]:
    return {(way.source, way.target, way.kind) for way in transitions(build_graph(edit.workflow()))}


def test_stages_lead_to_success_and_rules_to_hard_stops() -> None:
    assert _ways(Edit()) == {
        ("open_call", "verify", EdgeKind.NEXT),
        ("verify", "verify", EdgeKind.RETRY),
        ("verify", "hard_stop.unverified", EdgeKind.FAILURE),
        ("verify", "arrange", EdgeKind.NEXT),
        ("arrange", "hard_stop.withdrawn", EdgeKind.TERMINATE),
        ("arrange", "texting", EdgeKind.NEXT),
        ("arrange", "close_call", EdgeKind.SKIP),
        ("texting", "close_call", EdgeKind.NEXT),
        ("close_call", "success", EdgeKind.NEXT),
    }


def test_a_chain_of_skippable_stages_is_passed_from_every_stage_before_and_within_it() -> None:
    edit = Edit()
    for stage_id, value in (("second", "yes"), ("third", "no")):
        rule = {"says": f"Skip {stage_id}.", "slot": "wants_text", "is": value}
        stage = {"id": stage_id, "name": stage_id, "description": "x", "acts": [tell("x", "it")], "skip_when": rule}
        edit.insert("stages", 4 if stage_id == "second" else 5, stage)
    graph = build_graph(edit.workflow())
    skips = {(w.source, w.target): w for w in transitions(graph) if w.kind is EdgeKind.SKIP}
    assert set(skips) == {
        ("arrange", "second"),
        ("arrange", "third"),
        ("arrange", "close_call"),
        ("texting", "third"),
        ("texting", "close_call"),
        ("second", "close_call"),
    }
    assert [c.equals for c in skips["arrange", "close_call"].conditions] == ["no", "yes", "no"]
    assert graph.edges["arrange", "second"]["kind"] == "skip"


def test_a_failure_and_an_end_may_lead_to_one_hard_stop() -> None:
    edit = Edit().put("stages.arrange.on_failure", {"says": "x", "retries": "2", "then": "withdrawn"})
    graph = build_graph(edit.workflow())
    both = graph.edges["arrange", "hard_stop.withdrawn"]["transitions"]
    assert [way["kind"] for way in both] == ["failure", "terminate"]
    assert graph.edges["arrange", "arrange"]["transitions"][0]["retries"] == 2


def test_nodes_say_what_they_are() -> None:
    graph = build_graph(Edit().workflow())
    assert graph.nodes["verify"]["kind"] == "verification"
    assert graph.nodes["verify"]["fills"] == ["account_number"]
    assert graph.nodes["success"]["kind"] == "success"
    assert graph.nodes["hard_stop.withdrawn"]["kind"] == "hard_stop"
    assert graph.graph["entry"] == "open_call"


def test_the_node_link_form_comes_back_and_does_not_depend_on_the_order_of_building() -> None:
    graph = build_graph(Edit().workflow())
    text = to_node_link(graph)
    back = from_node_link(text)
    assert nx.utils.graphs_equal(graph, back)
    assert to_node_link(back) == text
    turned = nx.DiGraph(**graph.graph)
    turned.add_nodes_from(reversed(list(graph.nodes(data=True))))
    turned.add_edges_from(reversed(list(graph.edges(data=True))))
    assert to_node_link(turned) == text
    assert set(json.loads(text)) == {"directed", "edges", "graph", "multigraph", "nodes"}


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"nodes": 3}', '{"directed": false, "nodes": [], "edges": []}'])
def test_what_is_no_graph_is_refused(text: str) -> None:
    with pytest.raises(WorkflowError, match="to_node_link"):
        from_node_link(text)


def test_a_rule_that_leads_nowhere_is_refused() -> None:
    with pytest.raises(WorkflowError, match=r"`verify` leads to `hard_stop\.unverified`, which does not exist"):
        build_graph(Edit().drop("hard_stops.unverified").workflow())
