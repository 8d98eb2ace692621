"""Spec → blueprints: who calls about what, and a layout of every call that meets its share exactly."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from random import Random

from factory.corpus.quotas import SCARCE_FIRST, Carrier, Share, band_capacity, share_out
from factory.corpus.schedule import MAY_ANSWER, Order, Scheduler
from factory.corpus.seeds import derive_seed, rng_for
from factory.errors import SpecError
from factory.records.blueprint import Blueprint, RoundPlan
from factory.records.enums import DEPTH_BANDS, InterruptionType
from factory.records.spec import Spec
from factory.records.workflow import Alternatives, FactValue, Workflow
from factory.workflow.library import Library
from factory.workflow.lookup import MOVE_TYPES, Script
from factory.workflow.walk import SUCCESS, Path, failable, walk

TRIES = 60
"""Draws of facts, ways and turns for one conversation before its share is changed."""


@dataclass(frozen=True)
class _Caller:
    """Who calls about what in one conversation."""

    workflow: str
    intent: str


@dataclass(frozen=True)
class _Laid:
    """A layout that was found, with the draws that led to it."""

    path: Path
    facts: dict[str, FactValue]
    rounds: tuple[RoundPlan, ...]


class CorpusPlan:
    """The blueprints of a whole corpus, held as JSON lines so that ten thousand stay small."""

    def __init__(self, spec: Spec, lines: list[str]) -> None:
        """Holds finished blueprints."""
        self.spec = spec
        self._lines = lines

    def __len__(self) -> int:
        return len(self._lines)

    def __iter__(self) -> Iterator[Blueprint]:
        return (Blueprint.from_json(line) for line in self._lines)

    @property
    def lines(self) -> tuple[str, ...]:
        """One canonical JSON text for each blueprint, in order."""
        return tuple(self._lines)


def plan_corpus(spec: Spec, library: Library, seed: int) -> CorpusPlan:
    """Plans every conversation of a spec.

    Args:
        spec: What is ordered.
        library: Where the workflows are.
        seed: Decides every draw; the same seed gives the same plan.

    Raises:
        SpecError: where the order cannot be met; names the constraint and by how much it fails.
        WorkflowError: where a workflow cannot be read.
    """
    return _Planner(spec, library, seed).plan()


class _Planner:
    def __init__(self, spec: Spec, library: Library, seed: int) -> None:
        self._spec = spec
        self._library = library
        self._seed = seed
        self._used: Counter[str] = Counter()
        self._carriers: dict[_Caller, Carrier] = {}

    def plan(self) -> CorpusPlan:
        rng = rng_for(self._seed, "corpus")
        callers = self._draw_callers(rng)
        shares = share_out(self._spec, [self._carrier(c) for c in callers], rng)
        stops, retries = self._assign_variations(callers, shares, rng)
        lines: list[str] = []
        for i in range(len(callers)):
            laid = self._lay(i, callers[i], shares[i], i in stops, i in retries)
            if laid is None:
                laid = self._lay_with_swap(i, callers, shares, stops, retries, lines)
            self._note(laid)
            lines.append(self._blueprint(i, callers, laid).canonical())
        return CorpusPlan(self._spec, lines)

    # --- who calls ------------------------------------------------------------------------------------

    def _draw_callers(self, rng: Random) -> list[_Caller]:
        """Domains in turn, goals in turn within a domain, intents in turn within a goal."""
        by_domain: dict[str, list[str]] = {}
        for workflow_id in self._library.select(self._spec.workflows):
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
        for i in range(self._spec.conversations):
            domain = domains[i % len(domains)]
            goal = by_domain[domain][turns[domain] % len(by_domain[domain])]
            callers.append(_Caller(goal, intents[goal][turns[goal] % len(intents[goal])]))
            turns[domain] += 1
            turns[goal] += 1
        return callers

    def _carrier(self, caller: _Caller) -> Carrier:
        if caller not in self._carriers:
            script = self._library.script(caller.workflow)
            intent = script.workflow.intent(caller.intent)
            paths = [walk(script.workflow, facts) for facts in _all_facts(script.workflow, caller.intent)]
            paths = [p for p in paths if p.outcome == SUCCESS]
            if not paths:
                raise SpecError(f"{caller.workflow}: the intent `{caller.intent}` never reaches success")
            moves = Counter(m.type for m in script.moves_for(caller.intent))
            slots = sum(a.corrects is not None for s in script.workflow.stages for a in s.acts)
            most = {kind: max(1, moves[kind] * 2 // 3) for kind in MOVE_TYPES}
            most |= {InterruptionType.CORRECTION: min(slots, 3), InterruptionType.FILLER: 5}
            most[InterruptionType.IMPATIENT] = 8
            self._carriers[caller] = Carrier(
                questions=(min(p.questions[0] for p in paths), max(p.questions[1] for p in paths)),
                answerable=min(sum(a.hint is not None for a in p.acts if not a.optional) for p in paths),
                most=most,
                weights={kind: intent.interruption_profile.get(kind, 0.0) + 0.05 for kind in InterruptionType},
            )
        return self._carriers[caller]

    def _assign_variations(
        self, callers: list[_Caller], shares: list[Share], rng: Random
    ) -> tuple[frozenset[int], frozenset[int]]:
        """Which calls end at a hard stop, and in which a question fails once."""
        wanted = self._spec.variations
        order = sorted(range(len(callers)), key=lambda i: (shares[i].agent_turns - shares[i].interruptions, i))
        stops: list[int] = []
        for i in order:
            if len(stops) == wanted.hard_stops:
                break
            if self._lay(i, callers[i], shares[i], True, False) is not None:
                stops.append(i)
        if len(stops) < wanted.hard_stops:
            raise SpecError(
                f"variations.hard_stops: {wanted.hard_stops} ordered, but only {len(stops)} of these calls can "
                f"end at a hard stop at their length; order shorter calls or fewer hard stops"
            )
        rest = [i for i in range(len(callers)) if i not in stops]
        rng.shuffle(rest)
        able: list[int] = []
        for i in rest:
            if len(able) == wanted.retries:
                break
            if failable(self._library.workflow(callers[i].workflow)) and self._lay(
                i, callers[i], shares[i], False, True
            ):
                able.append(i)
        if len(able) < wanted.retries:
            raise SpecError(
                f"variations.retries: {wanted.retries} ordered, but only {len(able)} calls have a question that may fail"
            )
        return frozenset(stops), frozenset(able)

    # --- one conversation -----------------------------------------------------------------------------

    def _lay(self, i: int, caller: _Caller, share: Share, stops: bool, retries: bool) -> _Laid | None:
        """Searches a layout for one conversation's share."""
        rng = rng_for(self._seed, "lay", i)
        script = self._library.script(caller.workflow)
        moves = script.moves_for(caller.intent)
        needed = share.agent_turns - 1 - share.interruptions
        able = sum(share.by_type.get(kind, 0) for kind in MAY_ANSWER)
        for _ in range(TRIES):
            path, facts = self._draw_path(script, caller.intent, stops, retries, rng)
            if path is None:
                continue
            least, most = path.questions
            carries = [c for c in range(able + 1) if least <= needed + c <= most]
            if not carries:
                continue
            order = Order(
                agent_turns=share.agent_turns,
                caller_closes=share.messages % 2 == 0,
                interrupted=self._draw_turns(share, script.workflow, rng),
                types=share.by_type,
            )
            scheduler = Scheduler(path, moves, order, rng, self._used)
            carry = rng.choice(carries[:4])
            rounds = scheduler.search(carry)
            if rounds is not None:
                return _Laid(path, facts, rounds)
        return None

    def _draw_path(
        self, script: Script, intent: str, stops: bool, retries: bool, rng: Random
    ) -> tuple[Path | None, dict[str, FactValue]]:
        workflow = script.workflow
        facts = _draw_facts(workflow, intent, rng)
        failing, failures = None, 0
        chances = failable(workflow)
        if chances and (retries or (stops and rng.random() < 0.5)):
            ref, bound, _ = rng.choice(chances)
            failing, failures = ref, bound + 1 if stops else rng.randint(1, bound)
        path = walk(workflow, facts, failing, failures)
        return (path if (path.outcome != SUCCESS) == stops else None), facts

    def _draw_turns(self, share: Share, workflow: Workflow, rng: Random) -> frozenset[int]:
        room = band_capacity(share.messages)
        turns: set[int] = set()
        for band, (low, _) in enumerate(DEPTH_BANDS):
            open_turns = list(range(low, low + room[band]))
            # The very first caller turn says what the call is about: it is cut into only where it must be.
            if 0 in open_turns and share.by_band[band] < len(open_turns) and rng.random() < 0.8:
                open_turns.remove(0)
            turns |= set(rng.sample(open_turns, share.by_band[band]))
        return frozenset(turns)

    def _lay_with_swap(
        self,
        i: int,
        callers: list[_Caller],
        shares: list[Share],
        stops: frozenset[int],
        retries: frozenset[int],
        lines: list[str],
    ) -> _Laid:
        """Exchanges one type with another conversation, a later one first, until a layout is found."""
        others = [*range(i + 1, len(shares)), *range(i - 1, -1, -1)]
        for give in SCARCE_FIRST:
            if not shares[i].by_type.get(give):
                continue
            for take in reversed(SCARCE_FIRST):
                if take is give:
                    continue
                mine = _exchanged(shares[i], give, take)
                laid = self._lay(i, callers[i], mine, i in stops, i in retries)
                if laid is None:
                    continue
                for j in others[:200]:
                    if not shares[j].by_type.get(take):
                        continue
                    if shares[j].by_type.get(give, 0) >= self._carrier(callers[j]).most[give]:
                        continue
                    theirs = _exchanged(shares[j], take, give)
                    relaid = self._lay(j, callers[j], theirs, j in stops, j in retries)
                    if relaid is None:
                        continue
                    shares[i], shares[j] = mine, theirs
                    if j < i:
                        lines[j] = self._blueprint(j, callers, relaid).canonical()
                    return laid
        share = shares[i]
        types = ", ".join(f"{k.value} {n}" for k, n in share.by_type.items())
        raise SpecError(
            f"{callers[i].workflow}: no way was found to put {share.interruptions} interruptions ({types}) into a "
            f"call of {share.messages} messages; order longer calls, fewer interruptions or other types, or give "
            f"the workflow more acts to cut and more moves"
        )

    def _note(self, laid: _Laid) -> None:
        for plan in laid.rounds:
            if plan.interruption is not None and plan.interruption.move is not None:
                self._used[plan.interruption.move] += 1

    def _blueprint(self, i: int, callers: list[_Caller], laid: _Laid) -> Blueprint:
        caller = callers[i]
        conversation_id = f"{caller.workflow.replace('/', '-').replace('_', '-')}-{i + 1:04d}"
        return Blueprint(
            conversation_id=conversation_id,
            ordinal=i,
            rotation=sum(c.workflow == caller.workflow for c in callers[:i]),
            workflow=caller.workflow,
            intent=caller.intent,
            seed=derive_seed(self._seed, "conversation", i),
            facts=laid.facts,
            outcome=laid.path.outcome,
            stages=laid.path.stages,
            rounds=laid.rounds,
        )


def _exchanged(share: Share, give: InterruptionType, take: InterruptionType) -> Share:
    types = Counter(share.by_type)
    types[give] -= 1
    types[take] += 1
    return Share(share.messages, share.by_band, {k: n for k, n in types.items() if n})


def _facts_of(workflow: Workflow, intent: str) -> Mapping[str, Alternatives]:
    return {**workflow.caller_facts, **workflow.intent(intent).facts}


def _draw_facts(workflow: Workflow, intent: str, rng: Random) -> dict[str, FactValue]:
    """One value of each of the caller's facts."""
    return {name: rng.choice(values) for name, values in _facts_of(workflow, intent).items()}


def _all_facts(workflow: Workflow, intent: str) -> Iterator[dict[str, FactValue]]:
    """Every combination of the facts that decide the way; of the others the first value."""
    deciding = {s.skip_when.slot for s in workflow.stages if s.skip_when}
    deciding |= {rule.slot for s in workflow.stages for rule in s.terminate_when}
    deciding |= {a.when.slot for s in workflow.stages for a in s.acts if a.when}
    facts = _facts_of(workflow, intent)
    names = list(facts)
    choices = [facts[name] if name in deciding else facts[name][:1] for name in names]
    return (dict(zip(names, combination, strict=True)) for combination in product(*choices))
