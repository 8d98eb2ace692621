"""Who calls about what, and which ways through the workflow are open to them."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice, product
from random import Random

from factory.corpus.quotas import Carrier
from factory.errors import SpecError, WorkflowError
from factory.records.blueprint import SUCCESS
from factory.records.callers import FactValue
from factory.records.enums import InterruptionType, Way
from factory.records.spec import Spec
from factory.records.workflow import Workflow
from factory.workflow.carry import answerable, places
from factory.workflow.facts import facts_of
from factory.workflow.flow import MAX_ASSIGNMENTS
from factory.workflow.library import Library
from factory.workflow.lookup import MOVE_TYPES, Script
from factory.workflow.walk import Path, failable, walk

MOVE_SHARE = 0.75
"""Share of a caller's moves of one type that one call is planned to use at the most."""
MOST_CORRECTIONS, MOST_FILLERS, MOST_IMPATIENT = 3, 5, 8
"""Beyond these a call stops sounding like one person's."""


@dataclass(frozen=True)
class Course:
    """A path with the facts that lead along it; facts that decide nothing are left open."""

    path: Path
    deciding: Mapping[str, FactValue]


@dataclass(frozen=True)
class Caller:
    """One conversation's workflow, intent and way."""

    workflow: str
    intent: str
    way: Way = Way.STRAIGHT


def selected(spec: Spec, library: Library) -> tuple[str, ...]:
    """The ids of the workflows that a spec draws from, in order.

    Raises:
        SpecError: for a pattern that fits none.
    """
    for number, pattern in enumerate(spec.workflows):
        try:
            library.select((pattern,))
        except WorkflowError as exc:
            raise SpecError(f"workflows[{number}]: {exc}") from None
    return library.select(spec.workflows)


class Callers:
    """What every caller can do, worked out once for each."""

    def __init__(self, library: Library, shortest: Sequence[int]) -> None:
        """Reads workflows from a library; calls that stop early have at least the lengths of `shortest`."""
        self._library = library
        self._turns = (max(shortest, default=0) + 1) // 2 - 1
        self._known: dict[Caller, _Reach] = {}

    def draw(self, spec: Spec, rng: Random) -> list[Caller]:
        """Domains in turn, goals in turn within a domain, intents in turn within a goal; then the ways.

        Raises:
            SpecError: if fewer callers can fail or stop than were ordered to.
        """
        by_domain: dict[str, list[str]] = {}
        for workflow_id in selected(spec, self._library):
            by_domain.setdefault(workflow_id.split("/")[0], []).append(workflow_id)
        intents = {}
        for goals in by_domain.values():
            rng.shuffle(goals)
            for goal in goals:
                intents[goal] = [intent.id for intent in self._library.workflow(goal).intents]
                rng.shuffle(intents[goal])
        domains = list(by_domain)
        rng.shuffle(domains)
        turns: Counter[str] = Counter()
        callers = []
        for i in range(spec.conversations):
            domain = domains[i % len(domains)]
            goal = by_domain[domain][turns[domain] % len(by_domain[domain])]
            callers.append(Caller(goal, intents[goal][turns[goal] % len(intents[goal])]))
            turns[domain] += 1
            turns[goal] += 1
        self._send(callers, Way.STOP, spec.variations.hard_stops, rng)
        self._send(callers, Way.RETRY, spec.variations.retries, rng)
        return callers

    def _send(self, callers: list[Caller], way: Way, wanted: int, rng: Random) -> None:
        """Sends some of the callers another way: of as many workflows as there are, and of none its only one to a stop.

        A call that stops early comes to few of its workflow's stages.
        """
        calls = Counter(caller.workflow for caller in callers)
        sent_before = Counter(caller.workflow for caller in callers if caller.way is not Way.STRAIGHT)
        order = [i for i, caller in enumerate(callers) if caller.way is Way.STRAIGHT]
        rng.shuffle(order)
        turns: dict[int, tuple[bool, int]] = {}
        for i in order:
            workflow = callers[i].workflow
            turns[i] = (way is Way.STOP and calls[workflow] == 1, sent_before[workflow])
            sent_before[workflow] += 1
        for i in sorted(order, key=turns.__getitem__):
            sent = Caller(callers[i].workflow, callers[i].intent, way)
            if wanted and self._reach(sent).courses:
                callers[i] = sent
                wanted -= 1
        if wanted:
            field = {Way.STOP: "hard_stops", Way.RETRY: "retries"}[way]
            raise SpecError(f"variations.{field}: {wanted} more ordered than these workflows and intents allow")

    def carrier(self, caller: Caller) -> Carrier:
        """What the caller's calls can carry.

        Raises:
            SpecError: if no way leads to success.
        """
        reach = self._reach(caller)
        if not reach.courses:
            raise SpecError(f"{caller.workflow}: the intent `{caller.intent}` never reaches success")
        return reach.carrier

    def courses(self, caller: Caller) -> tuple[Course, ...]:
        """The courses that a call of this caller's can take."""
        return self._reach(caller).courses

    def _reach(self, caller: Caller) -> "_Reach":
        if caller not in self._known:
            self._known[caller] = _Reach(self._library.script(caller.workflow), caller, self._turns)
        return self._known[caller]


class _Reach:
    def __init__(self, script: Script, caller: Caller, turns: int) -> None:
        self._script = script
        self._caller = caller
        self._turns = turns

    @cached_property
    def courses(self) -> tuple[Course, ...]:
        workflow = self._script.workflow
        found = []
        for facts, deciding in _deciding_facts(workflow, self._caller.intent):
            for failing, failures in self._failures():
                path = walk(workflow, facts, failing, failures)
                stopped = path.outcome != SUCCESS
                long_enough = self._turns - path.questions[1] <= places(path)
                fails = failing is None or any(act.fails for act in path.acts)
                if stopped is (self._caller.way is Way.STOP) and long_enough and fails:
                    found.append(Course(path, deciding))
        return tuple(found)

    def _failures(self) -> list[tuple[str | None, int]]:
        chances = failable(self._script.workflow)
        if self._caller.way is Way.RETRY:
            return [(ref, 1) for ref, _, _ in chances]
        if self._caller.way is Way.STOP:
            return [(None, 0), *((ref, retries + 1) for ref, retries, _ in chances)]
        return [(None, 0)]

    @cached_property
    def carrier(self) -> Carrier:
        intent = self._script.workflow.intent(self._caller.intent)
        paths = [course.path for course in self.courses]
        stages = {stage for path in paths for stage in path.stages}
        moves = Counter(m.type for m in self._script.moves_for(intent.id) if m.stage is None or m.stage in stages)
        most = {kind: round(moves[kind] * MOVE_SHARE) for kind in MOVE_TYPES}
        most[InterruptionType.CORRECTION] = min(MOST_CORRECTIONS, *(sum(a.revisable for a in p.acts) for p in paths))
        most[InterruptionType.FILLER] = MOST_FILLERS
        most[InterruptionType.IMPATIENT] = MOST_IMPATIENT
        return Carrier(
            questions=(min(p.questions[0] for p in paths), max(p.questions[1] for p in paths)),
            answerable=min(map(answerable, paths)),
            places=min(map(places, paths)),
            most=most,
            weights={kind: intent.interruption_profile.get(kind, 0.0) + 0.05 for kind in InterruptionType},
            short=self._caller.way is Way.STOP,
        )


def _deciding_facts(workflow: Workflow, intent: str) -> Iterator[tuple[dict[str, FactValue], dict[str, FactValue]]]:
    """Combinations of the facts that decide the way, not without end: with the others' first values, and alone."""
    names = {s.skip_when.slot for s in workflow.stages if s.skip_when}
    names |= {rule.slot for s in workflow.stages for rule in s.terminate_when}
    names |= {a.when.slot for s in workflow.stages for a in s.acts if a.when}
    facts = facts_of(workflow, workflow.intent(intent))
    deciding = [name for name in facts if name in names]
    plain = {name: values[0] for name, values in facts.items()}
    for combination in islice(product(*(facts[name] for name in deciding)), MAX_ASSIGNMENTS):
        chosen = dict(zip(deciding, combination, strict=True))
        yield plain | chosen, chosen
