"""Which stages, transitions, acts and reactions a corpus visits, of those that its workflows have.

Counted are calls. An act is visited where the agent begins it: what lies behind a cut is not. A reaction is what an
author wrote for a caller: a move, a piece of hidden information, a correction, the reply of a profile to a question.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from itertools import pairwise
from typing import NamedTuple

from factory.records.base import Record
from factory.records.blueprint import SUCCESS, Blueprint, ReplyKind, RoundPlan
from factory.records.callers import FactValue
from factory.records.enums import Profile
from factory.workflow.facts import acts_of
from factory.workflow.graph import EdgeKind, Transition, build_graph, hard_stop, transitions
from factory.workflow.library import Library
from factory.workflow.lookup import HINT, RETRY, Script, act_ref, question_of, stage_of
from factory.workflow.visits import Visits, way_name
from factory.workflow.walk import Path


class Kind(StrEnum):
    """What can be visited."""

    STAGE = "stage"
    TRANSITION = "transition"
    ACT = "act"
    REACTION = "reaction"


class Part(NamedTuple):
    """One thing to visit; its name is unique in its kind and workflow."""

    kind: Kind
    name: str


Seen = Mapping[Kind, Mapping[str, int]]
"""How often each part of a workflow was visited, by kind and name; what is missing never was."""


class WorkflowCoverage(Record):
    """What a corpus visits of one workflow.

    Attributes:
        calls: How many calls there are.
        counts: Calls by kind and name, in the order of the file; what is never visited stands with 0.
        visits: The same for the picture of the state machine, its ends included.
    """

    workflow: str
    title: str
    calls: int
    counts: dict[Kind, dict[str, int]]
    visits: Visits

    def visited(self, kind: Kind) -> int:
        """How many of a kind are visited."""
        return sum(count > 0 for count in self.counts[kind].values())

    def unvisited(self, kind: Kind) -> tuple[str, ...]:
        """Names of those of a kind that are not."""
        return tuple(name for name, count in self.counts[kind].items() if not count)


class Ground:
    """What there is to visit in one workflow, and what of it a call visits."""

    def __init__(self, script: Script) -> None:
        """Finds every part; raises `WorkflowError` where a rule leads nowhere."""
        self._script = script
        ways = transitions(build_graph(script.workflow))
        self._ways: defaultdict[tuple[str, str], list[Transition]] = defaultdict(list)
        for way in ways:
            self._ways[way.source, way.target].append(way)
        self.ways = tuple((way.target, way_name(way)) for way in ways)
        self._replies = frozenset(_replies(script))
        self.parts = tuple(dict.fromkeys(self._parts()))
        self._known = frozenset(self.parts)

    def visited(self, blueprint: Blueprint) -> frozenset[Part]:
        """What a call visits."""
        profile = self._script.workflow.intent(blueprint.intent).profile
        begun = frozenset(ref for entry in blueprint.rounds for ref in _begun(entry))
        settled = [s for entry in blueprint.rounds if (s := _settled(entry)) is not None]
        failed = bool(settled) and settled[-1][1] is ReplyKind.FAIL
        found = {Part(Kind.ACT, ref) for ref in begun}
        found |= {Part(Kind.STAGE, stage) for stage in blueprint.stages}
        found |= set(self._taken(blueprint.stages, blueprint.outcome, begun, failed, blueprint.facts))
        for _, cut in blueprint.interruptions:
            if cut.move is not None:
                found.add(Part(Kind.REACTION, cut.move))
            if cut.slot is not None:
                found.add(correction(cut.slot))
        answered = (question_of(question) for question, kind in settled if kind is ReplyKind.ANSWER)
        found |= {reply(question, profile) for question in answered}
        return frozenset(found & self._known)

    def along(self, path: Path, facts: Mapping[str, FactValue]) -> frozenset[Part]:
        """What a call can visit of stages, transitions and acts along a path, if nothing is left out."""
        refs = frozenset(ref for act in path.acts for ref in (act.ref, act.hint) if ref is not None)
        asked = [act for act in path.acts if act.question]
        failed = bool(asked) and asked[-1].fails
        found = {Part(Kind.ACT, ref) for ref in refs} | {Part(Kind.STAGE, stage) for stage in path.stages}
        found |= set(self._taken(path.stages, path.outcome, refs, failed, facts))
        return frozenset(found & self._known)

    def _parts(self) -> Iterator[Part]:
        workflow = self._script.workflow
        yield from (Part(Kind.STAGE, stage.id) for stage in workflow.stages)
        yield from (Part(Kind.TRANSITION, name) for _, name in self.ways)
        for stage, act in acts_of(workflow):
            ref = act_ref(stage, act)
            yield Part(Kind.ACT, ref)
            yield from (Part(Kind.ACT, ref + end) for end, there in ((HINT, act.hint), (RETRY, act.failure)) if there)
        yield from (Part(Kind.REACTION, ref) for ref in self._script.moves)
        yield from (correction(act.fills) for _, act in acts_of(workflow) if act.fills and act.corrects)
        yield from _replies(self._script)

    def _taken(
        self,
        stages: tuple[str, ...],
        outcome: str,
        begun: frozenset[str],
        failed: bool,
        facts: Mapping[str, FactValue],
    ) -> Iterator[Part]:
        """The transitions of a call: from stage to stage, back to a question asked again, and to its end."""
        retried = dict.fromkeys(stage_of(ref) or "" for ref in sorted(begun) if ref.endswith(RETRY))
        steps: list[tuple[str, str, EdgeKind | None]] = [(stage, stage, EdgeKind.RETRY) for stage in retried]
        steps += [(source, target, None) for source, target in pairwise(stages)]
        if stages and outcome == SUCCESS:
            steps.append((stages[-1], SUCCESS, None))
        elif stages:
            steps.append((stages[-1], hard_stop(outcome), EdgeKind.FAILURE if failed else EdgeKind.TERMINATE))
        for source, target, kind in steps:
            for way in self._ways.get((source, target), ()):
                onward = kind is None and way.kind in (EdgeKind.NEXT, EdgeKind.SKIP)
                if onward or (way.kind is kind and all(self._holds(c.slot, c.equals, facts) for c in way.conditions)):
                    yield Part(Kind.TRANSITION, way_name(way))
                    break

    def _holds(self, slot: str, equals: str, facts: Mapping[str, FactValue]) -> bool:
        known = self._script.workflow.known_user_information
        return (facts[slot].value if slot in facts else known.get(slot)) == equals


class Coverage:
    """Counts what the calls of a corpus visit, one call at a time; as large as its workflows, however many calls."""

    def __init__(self, library: Library, workflows: Iterable[str]) -> None:
        """Starts at nothing, for some workflows; others are taken in when a call of theirs is counted."""
        self._library = library
        self._counts: dict[str, dict[Kind, Counter[str]]] = {}
        self._grounds: dict[str, Ground] = {}
        self._calls: Counter[str] = Counter()
        for workflow_id in workflows:
            self.ground(workflow_id)

    def ground(self, workflow_id: str) -> Ground:
        """What there is to visit in a workflow."""
        if workflow_id not in self._grounds:
            self._grounds[workflow_id] = Ground(self._library.script(workflow_id))
            self._counts[workflow_id] = {kind: Counter() for kind in Kind}
        return self._grounds[workflow_id]

    def counts(self, workflow_id: str) -> Seen:
        """Calls of a workflow so far that visit each of its parts; it goes on counting."""
        self.ground(workflow_id)
        return self._counts[workflow_id]

    def add(self, blueprint: Blueprint) -> None:
        """Counts one more call."""
        self._count(blueprint, 1)

    def remove(self, blueprint: Blueprint) -> None:
        """Takes a call that was counted back."""
        self._count(blueprint, -1)

    def workflows(self) -> tuple[WorkflowCoverage, ...]:
        """The count of every workflow, by id."""
        return tuple(self._coverage(workflow_id) for workflow_id in sorted(self._grounds))

    def _count(self, blueprint: Blueprint, step: int) -> None:
        visited = self.ground(blueprint.workflow).visited(blueprint)
        counts = self._counts[blueprint.workflow]
        for kind, name in visited:
            counts[kind][name] += step
        self._calls[blueprint.workflow] += step

    def _coverage(self, workflow_id: str) -> WorkflowCoverage:
        ground, counts = self._grounds[workflow_id], self._counts[workflow_id]
        by_kind: dict[Kind, dict[str, int]] = {kind: {} for kind in Kind}
        for part in ground.parts:
            by_kind[part.kind][part.name] = counts[part.kind][part.name]
        ways = by_kind[Kind.TRANSITION]
        ends: Counter[str] = Counter()
        for target, name in ground.ways:
            ends[target] += ways[name]
        return WorkflowCoverage(
            workflow=workflow_id,
            title=self._library.workflow(workflow_id).title,
            calls=self._calls[workflow_id],
            counts=by_kind,
            visits=Visits(nodes={**ends, **by_kind[Kind.STAGE]}, ways=ways),
        )


def correction(slot: str) -> Part:
    """The reaction of revising a slot."""
    return Part(Kind.REACTION, f"correction.{slot}")


def reply(question: str, profile: Profile) -> Part:
    """The reaction of answering a question in the words of a profile."""
    return Part(Kind.REACTION, f"{question}.reply.{profile.value}")


def _replies(script: Script) -> Iterator[Part]:
    """Replies with words of their own for the profile of some caller."""
    profiles = tuple(dict.fromkeys(intent.profile for intent in script.workflow.intents))
    for stage, act in acts_of(script.workflow):
        for profile in profiles:
            if any(getattr(answer.says, profile.value) for answer in act.replies or ()):
                yield reply(act_ref(stage, act), profile)


def _begun(entry: RoundPlan) -> tuple[str, ...]:
    """References of the acts that the agent begins before the caller cuts in."""
    last = None if entry.interruption is None else entry.interruption.cut + 1
    return tuple(use.ref for use in entry.acts[:last])


def _settled(entry: RoundPlan) -> tuple[str, ReplyKind] | None:
    """The question that the caller turn of a round settles or fails, and which of both."""
    if entry.interruption is not None and entry.interruption.answers is not None:
        return entry.interruption.answers, ReplyKind.ANSWER
    if entry.reply is not None and entry.reply.question is not None:
        return entry.reply.question, entry.reply.kind
    return None
