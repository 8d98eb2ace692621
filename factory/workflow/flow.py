"""The act-level graph behind the state machine, and what is certain at each place of it.

A call's way depends on conditions, which the caller's first values settle once for the whole call, and on
what the planner leaves out. For each assignment of the condition slots that some caller can have there is
one graph; there a node is certain at another when it dominates it. What holds at a node is what holds in
every such graph that has it.
"""

from collections import defaultdict
from collections.abc import Mapping
from itertools import product

import networkx as nx  # type: ignore[import-untyped]

from factory.records.acts import Act
from factory.records.workflow import Stage, Workflow
from factory.workflow.facts import AnyCondition, agent_conditions, facts_of, values_of

MAX_ASSIGNMENTS = 512
"""With more combinations of condition values every condition counts as open, which proves less."""
MAX_ACTS = 20_000
"""Acts of the graphs of all combinations together, beyond which it is the same."""

Node = tuple[str, ...]
Assignment = Mapping[str, str]

START: Node = ("start",)
SUCCESS: Node = ("success",)


def enter_node(stage: str) -> Node:
    """Where a stage has begun and none of its acts was said."""
    return ("enter", stage)


def verified_node(stage: str) -> Node:
    """Where a verification stage is over."""
    return ("verified", stage)


def act_node(stage: str, act: str) -> Node:
    """Where an act is being said; a question's slot is not filled yet."""
    return ("act", stage, act)


def answered_node(stage: str, act: str) -> Node:
    """Where a question has been answered."""
    return ("answered", stage, act)


def hard_stop_node(hard_stop: str) -> Node:
    """Where a call ends without success."""
    return ("hard_stop", hard_stop)


def assignments(workflow: Workflow) -> tuple[Assignment, ...]:
    """Every combination of values that some caller has in the slots on which the way depends.

    Returns:
        Distinct assignments; one empty assignment where there are too many.
    """
    most = min(MAX_ASSIGNMENTS, MAX_ACTS // sum(len(stage.acts) for stage in workflow.stages))
    decisive = {condition.slot for condition in agent_conditions(workflow)}
    slots = sorted(slot for slot in decisive if values_of(workflow, slot))
    found: dict[tuple[str, ...], None] = {}
    for intent in workflow.intents:
        facts = facts_of(workflow, intent)
        options: list[list[str]] = []
        for slot in slots:
            known = workflow.known_user_information.get(slot)
            fallback = [known] if isinstance(known, str) else [""]
            options.append([fact.value for fact in facts[slot]] if slot in facts else fallback)
        size = 1
        for option in options:
            size *= len(option)
        if size > most:
            return ({},)
        found.update(dict.fromkeys(product(*options)))
    if len(found) > most:
        return ({},)
    return tuple(dict(zip(slots, values, strict=True)) for values in found)


def verdict(condition: AnyCondition | None, assignment: Assignment) -> bool | None:
    """Whether a condition holds; None where the assignment leaves it open."""
    if condition is None or condition.slot not in assignment:
        return None
    return assignment[condition.slot] == condition.equals


class Flow:
    """What is certain in a workflow, whatever way a call takes.

    The workflow's ids must be unique; references that lead nowhere are passed over.
    """

    def __init__(self, workflow: Workflow) -> None:
        self._workflow = workflow
        self._fills = {
            answered_node(stage.id, act.id): act.fills for stage in workflow.stages for act in stage.acts if act.fills
        }
        self._known: dict[Node, frozenset[str]] = {}
        self._passed: dict[Node, frozenset[Node]] = {}
        self._successful: set[Node] = set()
        self._next: dict[Node, set[Node]] = defaultdict(set)
        self._tells: dict[Node, int] = {}
        for assignment in assignments(workflow):
            self._add(_graph(workflow, assignment))

    def reached(self, node: Node) -> bool:
        """Whether some call comes to a node."""
        return node in self._known

    def succeeds(self, node: Node) -> bool:
        """Whether some call that comes to a node goes on to success."""
        return node in self._successful

    def filled(self, node: Node) -> frozenset[str]:
        """The slots that are filled in every call that comes to a node."""
        return self._known.get(node, frozenset())

    def passed(self, node: Node) -> frozenset[Node]:
        """The nodes through which every call comes that comes to a node."""
        return self._passed.get(node, frozenset())

    def tells_before(self, node: Node) -> int:
        """The longest run of tells that may not be left out, up to and including an act."""
        return self._tells.get(node, 0)

    def behind(self, node: Node) -> frozenset[Node]:
        """The acts that may follow an act in the same agent turn, a question being the last."""
        found: set[Node] = set()
        stack = [n for n in self._next[node] if n[0] != "answered"]
        while stack:
            current = stack.pop()
            if current not in found and current[0] != "hard_stop":
                found.add(current)
                stack.extend(n for n in self._next[current] if n[0] != "answered")
        return frozenset(n for n in found if n[0] == "act")

    def _add(self, graph: nx.DiGraph) -> None:
        for source, target in graph.edges:
            self._next[source].add(target)
        if SUCCESS in graph:
            self._successful |= {SUCCESS, *nx.ancestors(graph, SUCCESS)}
        dominators: Mapping[Node, Node] = nx.immediate_dominators(graph, START)
        passed: dict[Node, frozenset[Node]] = {START: frozenset({START})}
        runs: dict[Node, int] = {}
        for node in nx.topological_sort(graph):
            if node != START:
                passed[node] = passed[dominators[node]] | {node}
            filled = frozenset(self._fills[n] for n in passed[node] if n in self._fills)
            self._known[node] = self._known.get(node, filled) & filled
            self._passed[node] = self._passed.get(node, passed[node]) & passed[node]
            runs[node] = _run_of_tells(self._workflow, graph, node, runs)
            self._tells[node] = max(self._tells.get(node, 0), runs[node])


def _run_of_tells(workflow: Workflow, graph: nx.DiGraph, node: Node, runs: Mapping[Node, int]) -> int:
    if node[0] == "answered":
        return 0
    run = max((runs[source] for source in graph.predecessors(node)), default=0)
    if node[0] == "act":
        act = workflow.stage(node[1]).act(node[2])
        return run + (not act.is_question and not act.optional)
    return run


def _graph(workflow: Workflow, assignment: Assignment) -> nx.DiGraph:
    """The graph of acts for callers with one assignment."""
    way = _Way()
    for stage in workflow.stages:
        skipped = verdict(stage.skip_when, assignment)
        if skipped is True or not way.ends:
            continue
        before = set(way.ends)
        _add_stage(stage, assignment, way)
        if stage.skip_when is not None and skipped is None:
            way.ends |= before
    if way.ends:
        way.go(SUCCESS)
    return way.graph


class _Way:
    """A graph under construction: `ends` are the nodes from which the call goes on."""

    def __init__(self) -> None:
        self.graph = nx.DiGraph()
        self.graph.add_node(START)
        self.ends: set[Node] = {START}

    def go(self, node: Node) -> None:
        """Leads every open end to a node."""
        self.graph.add_edges_from((end, node) for end in self.ends)
        self.ends = {node} if self.ends else set()


def _add_stage(stage: Stage, assignment: Assignment, way: _Way) -> None:
    way.go(enter_node(stage.id))
    ending = max((i for i, act in enumerate(stage.acts) if act.is_question), default=len(stage.acts) - 1)
    group, before = "", set(way.ends)
    for index, act in enumerate(stage.acts):
        name = act.leads_to or act.id
        if name != group:
            group, before = name, set(way.ends)
        _add_act(stage, act, assignment, way, before)
        if index == ending:
            for rule in stage.terminate_when:
                holds = verdict(rule, assignment)
                if holds is not False:
                    way.graph.add_edges_from((end, hard_stop_node(rule.then)) for end in way.ends)
                if holds is True:
                    way.ends = set()
    if stage.verification:
        way.go(verified_node(stage.id))


def _add_act(stage: Stage, act: Act, assignment: Assignment, way: _Way, before: set[Node]) -> None:
    """Leads the way through an act; `before` are the ends before the tells that lead to it, if any do."""
    if not way.ends or any(verdict(a.when, assignment) is False for a in stage.acts if a.id in (act.id, act.leads_to)):
        return
    here = set(way.ends)
    way.go(act_node(stage.id, act.id))
    if act.is_question:
        if act.failure and stage.on_failure:
            way.graph.add_edge(act_node(stage.id, act.id), hard_stop_node(stage.on_failure.then))
        way.go(answered_node(stage.id, act.id))
    if act.optional or (act.when is not None and verdict(act.when, assignment) is None):
        way.ends |= here if act.leads_to else before
