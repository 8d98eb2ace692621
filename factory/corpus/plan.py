"""Spec → blueprints: a layout of every call that meets its share of the order exactly."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from factory.corpus.callers import Caller, Callers, Course
from factory.corpus.coverage import Coverage, Kind, Part, WorkflowCoverage
from factory.corpus.exchange import Change, exchanges, hand_overs
from factory.corpus.quotas import Share, band_capacity, draw_lengths, share_out
from factory.corpus.schedule import Scheduler
from factory.corpus.seeds import conversation_seed, derive_seed, first_rotation, rng_for
from factory.corpus.state import MAY_ANSWER, Order
from factory.errors import SpecError
from factory.records.blueprint import Blueprint, RoundPlan, name_conversation
from factory.records.callers import FactValue
from factory.records.enums import DEPTH_BANDS, Direction
from factory.records.spec import Spec
from factory.workflow.facts import facts_of
from factory.workflow.library import Library
from factory.workflow.walk import Path

TRIES = 60
"""Draws of a course and of turns for one conversation before its share is changed."""
EXCHANGE_TRIES = 10
"""The same for each share that is tried in its place: one that can be laid out mostly is by the third."""
PROMISING = 6
"""Courses with the most that is not yet visited that are tried before those; nothing is given up for them."""
DEALS = 4
"""Ways to deal lengths, ways and types out to the callers that are tried before an order is refused."""
PATIENCE = 60_000
"""Turns tried for the exchange of one conversation's share before the deal is given up: some five seconds."""
FEWEST_CARRIES = 4
"""Of the numbers of interruptions that may carry an answer, so many of the least are drawn from: where few do, more
questions are left to callers who let the agent finish."""
MOST_PARTNERS = 200
"""Other conversations that are asked to exchange a type before another exchange is tried."""


class NoLayout(SpecError):
    """A conversation's share could not be laid out over its workflow, nor exchanged with another's."""


@dataclass(frozen=True)
class _Laid:
    """A layout that was found, with the draws that led to it."""

    path: Path
    facts: dict[str, FactValue]
    rounds: tuple[RoundPlan, ...]


class CorpusPlan:
    """The blueprints of a whole corpus, held as JSON lines so that ten thousand stay small."""

    def __init__(self, spec: Spec, lines: list[str], coverage: tuple[WorkflowCoverage, ...]) -> None:
        """Holds finished blueprints, and what they visit of each workflow that the spec draws from."""
        self.spec = spec
        self.coverage = coverage
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
        NoLayout: where every number could be met, but no layout was found.
        WorkflowError: where a workflow cannot be read.
    """
    for attempt in range(DEALS):
        try:
            return _Planner(spec, library, seed, attempt).plan()
        except SpecError as exc:  # another draw may share it out, where one was unlucky
            last = exc
    raise last


class _Planner:
    def __init__(self, spec: Spec, library: Library, seed: int, attempt: int) -> None:
        self._library = library
        self._seed = seed
        self._spec = spec
        rng = rng_for(seed, "corpus", attempt)
        lengths = draw_lengths(spec, rng)
        self._reach = Callers(library, lengths[: spec.variations.hard_stops])
        self._callers = self._reach.draw(spec, rng)
        self._shares = share_out(spec, lengths, [self._reach.carrier(c) for c in self._callers], rng)
        self._rotations = self._count_rotations()
        self._coverage = Coverage(library, library.select(spec.workflows))
        self._ahead: dict[Caller, tuple[frozenset[Part], ...]] = {}
        self._lines: list[str] = []
        self._tried = 0

    def plan(self) -> CorpusPlan:
        for i in range(len(self._callers)):
            laid = self._lay(i, self._shares[i]) or self._lay_with_swap(i)
            blueprint = self._blueprint(i, laid)
            self._coverage.add(blueprint)
            self._lines.append(blueprint.canonical())
        return CorpusPlan(self._spec, self._lines, self._coverage.workflows())

    def _count_rotations(self) -> list[int]:
        seen: Counter[str] = Counter()
        rotations = []
        for caller in self._callers:
            rotations.append(first_rotation(self._seed, caller.workflow) + seen[caller.workflow])
            seen[caller.workflow] += 1
        return rotations

    def _lay(self, i: int, share: Share, tries: int = TRIES) -> _Laid | None:
        """Searches a layout for one conversation's share, with so many draws of a course and of turns."""
        caller = self._callers[i]
        rng = rng_for(self._seed, "lay", i)
        workflow = self._library.workflow(caller.workflow)
        moves = self._library.script(caller.workflow).moves_for(caller.intent)
        needed = share.agent_turns - 1 - share.interruptions
        able = sum(share.by_type.get(kind, 0) for kind in MAY_ANSWER)
        courses, seen = self._reach.courses(caller), self._coverage.counts(caller.workflow)
        fitting = {
            k: carries
            for k, course in enumerate(courses)
            if (carries := [c for c in range(able + 1) if course.path.holds(needed + c)])
        }
        for k in self._courses_to_try(caller, courses, list(fitting), tries, rng):
            course = courses[k]
            order = Order(
                agent_turns=share.agent_turns,
                caller_opens=workflow.goal.direction is Direction.INBOUND,
                caller_closes=share.messages % 2 == 0,
                interrupted=_draw_turns(share, rng),
                types=share.by_type,
            )
            scheduler = Scheduler(course.path, moves, order, rng, seen)
            rounds = scheduler.search(rng.choice(fitting[k][:FEWEST_CARRIES]))
            self._tried += scheduler.nodes
            if rounds is not None:
                return _Laid(course.path, self._turned_facts(i, course.deciding), rounds)
        return None

    def _courses_to_try(
        self, caller: Caller, courses: Sequence[Course], fitting: list[int], tries: int, rng: Random
    ) -> Iterator[int]:
        """Indices of the courses to be tried: first those that lead to most that is not yet visited, then any."""
        if not fitting:
            return
        if caller not in self._ahead:
            ground = self._coverage.ground(caller.workflow)
            self._ahead[caller] = tuple(ground.along(course.path, course.deciding) for course in courses)
        seen = self._coverage.counts(caller.workflow)
        new = {k: Counter(kind for kind, name in self._ahead[caller][k] if not seen[kind][name]) for k in fitting}
        worth = {k: (n[Kind.STAGE] + n[Kind.TRANSITION], n[Kind.ACT]) for k, n in new.items()}
        least = min(worth.values())
        promising = [k for k in fitting if worth[k] > least]
        rng.shuffle(promising)
        yield from sorted(promising, key=lambda k: worth[k], reverse=True)[:PROMISING]
        for _ in range(tries):
            yield rng.choice(fitting)

    def _turned_facts(self, i: int, deciding: Mapping[str, FactValue]) -> dict[str, FactValue]:
        """One value of each of the caller's facts, in turn; those that decide the way are settled."""
        caller = self._callers[i]
        workflow = self._library.workflow(caller.workflow)
        facts = facts_of(workflow, workflow.intent(caller.intent))
        turn = self._rotations[i]
        return {
            name: deciding.get(name) or values[(derive_seed(self._seed, name) + turn) % len(values)]
            for name, values in facts.items()
        }

    def _lay_with_swap(self, i: int) -> _Laid:
        """Changes the share together with another conversation's until a layout is found; sums stay as they are.

        First one interruption is handed over, then one type is exchanged for another.
        """
        patience = self._tried + PATIENCE
        for change in (*hand_overs(self._shares[i]), *exchanges(self._shares[i])):
            if self._tried > patience:
                break
            mine = change.applied(self._shares[i])
            laid = self._lay(i, mine, EXCHANGE_TRIES)
            if laid is not None and self._pass_on(i, change.reversed()):
                self._shares[i] = mine
                return laid
        share = self._shares[i]
        types = ", ".join(f"{k.value} {n}" for k, n in share.by_type.items())
        raise NoLayout(
            f"{self._callers[i].workflow}: no way was found to put {share.interruptions} interruptions ({types}) "
            f"into a call of {share.messages} messages; order longer calls, fewer interruptions or other types, or "
            f"give the workflow more acts to cut and more moves"
        )

    def _pass_on(self, i: int, change: Change) -> bool:
        """Gives the other half of a change to a conversation that can take it; a finished one is laid out again."""
        partners = [*range(i + 1, len(self._shares)), *range(i - 1, -1, -1)][:MOST_PARTNERS]
        for j in partners:
            carrier, share = self._reach.carrier(self._callers[j]), self._shares[j]
            if not change.fits(share, carrier):
                continue
            changed = change.applied(share)
            relaid = self._lay(j, changed, EXCHANGE_TRIES)
            if relaid is None:
                continue
            self._shares[j] = changed
            if j < i:
                self._coverage.remove(Blueprint.from_json(self._lines[j]))
                blueprint = self._blueprint(j, relaid)
                self._coverage.add(blueprint)
                self._lines[j] = blueprint.canonical()
            return True
        return False

    def _blueprint(self, i: int, laid: _Laid) -> Blueprint:
        caller = self._callers[i]
        return Blueprint(
            conversation_id=name_conversation(caller.workflow, i),
            ordinal=i,
            rotation=self._rotations[i],
            workflow=caller.workflow,
            intent=caller.intent,
            seed=conversation_seed(self._seed, i),
            facts=laid.facts,
            outcome=laid.path.outcome,
            stages=laid.path.stages,
            rounds=laid.rounds,
        )


def _draw_turns(share: Share, rng: Random) -> frozenset[int]:
    """Caller turns at which the caller cuts in, as many in each depth band as the share says."""
    room = band_capacity(share.messages)
    turns: set[int] = set()
    for band, (low, _) in enumerate(DEPTH_BANDS):
        open_turns = list(range(low, low + room[band]))
        # The very first caller turn says what the call is about: it is cut into only where it must be.
        if 0 in open_turns and share.by_band[band] < len(open_turns) and rng.random() < 0.8:
            open_turns.remove(0)
        turns |= set(rng.sample(open_turns, share.by_band[band]))
    return frozenset(turns)
