"""The workflow as a state machine: stages, ends, and every way from one to the next."""

import json
from collections.abc import Iterator
from enum import StrEnum

import networkx as nx  # type: ignore[import-untyped]
from pydantic import JsonValue

from factory.errors import WorkflowError
from factory.records.base import Record, canonical_json
from factory.records.blueprint import SUCCESS
from factory.records.workflow import Stage, Workflow
from factory.workflow.facts import AnyCondition


class NodeKind(StrEnum):
    """What a node stands for."""

    STAGE = "stage"
    VERIFICATION = "verification"
    SUCCESS = "success"
    HARD_STOP = "hard_stop"


class EdgeKind(StrEnum):
    """Why a call goes from one node to another."""

    NEXT = "next"
    SKIP = "skip"
    RETRY = "retry"
    FAILURE = "failure"
    TERMINATE = "terminate"


class Requirement(Record):
    """A condition of an edge: the slot has the value."""

    slot: str
    equals: str
    says: str


class Transition(Record):
    """One way from a node to another.

    Attributes:
        conditions: All of them hold when this way is taken; several where stages in a row are skipped.
        retries: How often the question is asked again, for retry and failure; else None.
        says: The rule in the author's words; empty for `next`.
    """

    source: str
    target: str
    kind: EdgeKind
    conditions: tuple[Requirement, ...] = ()
    retries: int | None = None
    says: str = ""


def hard_stop(name: str) -> str:
    """The node of a hard stop."""
    return f"hard_stop.{name}"


def build_graph(workflow: Workflow) -> nx.DiGraph:
    """The state machine of a workflow.

    Returns:
        A graph whose nodes are stage ids, `success` and `hard_stop.<id>`. Nodes have `kind`, `name`,
        `description` and `order`; stages also `acts`, `questions` and `fills`. An edge has the `kind` of
        its first transition and all its `transitions` (a failure and a termination may lead from one stage
        to one hard stop). The graph has `workflow`, `title` and `entry`. All attributes are plain JSON.

    Raises:
        WorkflowError: A rule leads to a hard stop that the workflow does not have.
    """
    graph = nx.DiGraph(workflow=workflow.id, title=workflow.title, entry=workflow.stages[0].id)
    for order, stage in enumerate(workflow.stages):
        graph.add_node(stage.id, **_stage_attributes(stage), order=order)
    end = len(workflow.stages)
    goal = workflow.goal.success
    graph.add_node(SUCCESS, kind=NodeKind.SUCCESS.value, name="Success", description=goal, order=end)
    for order, (name, stop) in enumerate(workflow.hard_stops.items(), start=end + 1):
        attributes = {"kind": NodeKind.HARD_STOP.value, "name": name.replace("_", " ").capitalize()}
        graph.add_node(hard_stop(name), **attributes, description=stop.does, order=order)
    for transition in _transitions(workflow):
        if transition.target not in graph:
            raise WorkflowError(
                f"{workflow.id}: stage `{transition.source}` leads to `{transition.target}`, which does not exist; "
                "write it under `hard_stops`"
            )
        plain = transition.model_dump(mode="json")
        if graph.has_edge(transition.source, transition.target):
            graph.edges[transition.source, transition.target]["transitions"].append(plain)
        else:
            graph.add_edge(transition.source, transition.target, kind=transition.kind.value, transitions=[plain])
    return graph


def transitions(graph: nx.DiGraph) -> tuple[Transition, ...]:
    """Every way of a graph from `build_graph`, in order of its nodes."""
    order = {node: data["order"] for node, data in graph.nodes(data=True)}
    found = [Transition(**plain) for _, _, data in graph.edges(data=True) for plain in data["transitions"]]
    return tuple(sorted(found, key=lambda t: (order[t.source], order[t.target])))


def to_node_link(graph: nx.DiGraph) -> str:
    """Canonical node-link JSON: equal graphs give equal text, whatever the order they were built in."""
    data = nx.node_link_data(graph, edges="edges")
    data["nodes"] = sorted(data["nodes"], key=lambda node: (node.get("order", 0), node["id"]))
    data["edges"] = sorted(data["edges"], key=lambda edge: (edge["source"], edge["target"]))
    return canonical_json(data)


def from_node_link(text: str) -> nx.DiGraph:
    """A graph from its node-link JSON.

    Raises:
        WorkflowError: The text is not node-link JSON of a directed graph.
    """
    try:
        data: JsonValue = json.loads(text)
        graph = nx.node_link_graph(data, edges="edges")
    except (ValueError, KeyError, TypeError, AttributeError, nx.NetworkXError) as exc:
        raise WorkflowError(
            f'not node-link JSON of a graph ({type(exc).__name__}); write it with `to_node_link`, edges under "edges"'
        ) from None
    if not isinstance(graph, nx.DiGraph) or graph.is_multigraph():
        raise WorkflowError("the graph is not a plain directed one; a state machine is: write it with `to_node_link`")
    return graph


def _stage_attributes(stage: Stage) -> dict[str, JsonValue]:
    kind = NodeKind.VERIFICATION if stage.verification else NodeKind.STAGE
    return {
        "kind": kind.value,
        "name": stage.name,
        "description": stage.description,
        "acts": [act.id for act in stage.acts],
        "questions": [act.id for act in stage.acts if act.is_question],
        "fills": [act.fills for act in stage.acts if act.fills],
    }


def _transitions(workflow: Workflow) -> Iterator[Transition]:
    for index, stage in enumerate(workflow.stages):
        yield from _onward(workflow, index)
        rule = stage.on_failure
        if rule:
            for kind, target in ((EdgeKind.RETRY, stage.id), (EdgeKind.FAILURE, hard_stop(rule.then))):
                yield Transition(source=stage.id, target=target, kind=kind, retries=rule.retries, says=rule.says)
        for end in stage.terminate_when:
            yield Transition(
                source=stage.id,
                target=hard_stop(end.then),
                kind=EdgeKind.TERMINATE,
                conditions=(_requirement(end),),
                says=end.says,
            )


def _onward(workflow: Workflow, index: int) -> Iterator[Transition]:
    """From a stage to the next one, and past each run of stages that may be skipped."""
    source = workflow.stages[index].id
    skipped: list[Requirement] = []
    for target in workflow.stages[index + 1 :]:
        yield _forward(source, target.id, skipped)
        if target.skip_when is None:
            return
        skipped.append(_requirement(target.skip_when))
    yield _forward(source, SUCCESS, skipped)


def _forward(source: str, target: str, skipped: list[Requirement]) -> Transition:
    kind = EdgeKind.SKIP if skipped else EdgeKind.NEXT
    says = " ".join(requirement.says for requirement in skipped)
    return Transition(source=source, target=target, kind=kind, conditions=tuple(skipped), says=says)


def _requirement(rule: AnyCondition) -> Requirement:
    return Requirement(slot=rule.slot, equals=rule.equals, says=getattr(rule, "says", ""))
