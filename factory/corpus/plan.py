"""Spec → blueprints: a layout of every call that meets its share of the order exactly."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from random import Random

from factory.corpus.callers import Caller, Callers, facts_of
from factory.corpus.quotas import SCARCE_FIRST, Share, band_capacity, draw_lengths, share_out
from factory.corpus.schedule import MAY_ANSWER, Order, Scheduler
from factory.corpus.seeds import derive_seed, rng_for
from factory.errors import SpecError
from factory.records.blueprint import Blueprint, RoundPlan
from factory.records.enums import DEPTH_BANDS, InterruptionType
from factory.records.spec import Spec
from factory.records.workflow import FactValue
from factory.workflow.library import Library
from factory.workflow.walk import Path

TRIES = 60
"""Draws of a course and of turns for one conversation before its share is changed."""
DEALS = 4
"""Ways to deal lengths, ways and types out to the callers that are tried before an order is refused."""
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
        NoLayout: where every number could be met, but no layout was found.
        WorkflowError: where a workflow cannot be read.
    """
    for attempt in range(DEALS):
        try:
            return _Planner(spec, library, seed, attempt).plan()
        except NoLayout as exc:
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
        self._used: Counter[str] = Counter()
        self._lines: list[str] = []

    def plan(self) -> CorpusPlan:
        for i in range(len(self._callers)):
            laid = self._lay(i, self._shares[i]) or self._lay_with_swap(i)
            self._used.update(p.interruption.move for p in laid.rounds if p.interruption and p.interruption.move)
            self._lines.append(self._blueprint(i, laid).canonical())
        return CorpusPlan(self._spec, self._lines)

    def _count_rotations(self) -> list[int]:
        seen: Counter[str] = Counter()
        rotations = []
        for caller in self._callers:
            rotations.append(seen[caller.workflow])
            seen[caller.workflow] += 1
        return rotations

    def _lay(self, i: int, share: Share) -> _Laid | None:
        """Searches a layout for one conversation's share."""
        caller = self._callers[i]
        rng = rng_for(self._seed, "lay", i)
        moves = self._library.script(caller.workflow).moves_for(caller.intent)
        needed = share.agent_turns - 1 - share.interruptions
        able = sum(share.by_type.get(kind, 0) for kind in MAY_ANSWER)
        fitting = [
            (course, carries)
            for course in self._reach.courses(caller)
            if (carries := [c for c in range(able + 1) if course.path.holds(needed + c)])
        ]
        for _ in range(TRIES if fitting else 0):
            course, carries = rng.choice(fitting)
            order = Order(
                agent_turns=share.agent_turns,
                caller_closes=share.messages % 2 == 0,
                interrupted=_draw_turns(share, rng),
                types=share.by_type,
            )
            rounds = Scheduler(course.path, moves, order, rng, self._used).search(rng.choice(carries[:4]))
            if rounds is not None:
                return _Laid(course.path, self._draw_facts(caller, course.deciding, rng), rounds)
        return None

    def _draw_facts(self, caller: Caller, deciding: Mapping[str, FactValue], rng: Random) -> dict[str, FactValue]:
        """One value of each of the caller's facts; those that decide the way are settled."""
        facts = facts_of(self._library.workflow(caller.workflow), caller.intent)
        return {name: deciding.get(name) or rng.choice(values) for name, values in facts.items()}

    def _lay_with_swap(self, i: int) -> _Laid:
        """Exchanges one type with another conversation, a later one first, until a layout is found."""
        partners = [*range(i + 1, len(self._shares)), *range(i - 1, -1, -1)][:MOST_PARTNERS]
        for give in SCARCE_FIRST:
            for take in reversed(SCARCE_FIRST):
                if take is give or not self._shares[i].by_type.get(give):
                    continue
                mine = _exchanged(self._shares[i], give, take)
                laid = self._lay(i, mine)
                if laid is not None and self._exchange(i, mine, partners, give, take):
                    return laid
        share = self._shares[i]
        types = ", ".join(f"{k.value} {n}" for k, n in share.by_type.items())
        raise NoLayout(
            f"{self._callers[i].workflow}: no way was found to put {share.interruptions} interruptions ({types}) "
            f"into a call of {share.messages} messages; order longer calls, fewer interruptions or other types, or "
            f"give the workflow more acts to cut and more moves"
        )

    def _exchange(
        self, i: int, mine: Share, partners: list[int], give: InterruptionType, take: InterruptionType
    ) -> bool:
        """Finds a conversation that gives `take` and takes `give`; a finished one is laid out again."""
        for j in partners:
            theirs = self._shares[j]
            if not theirs.by_type.get(take):
                continue
            if theirs.by_type.get(give, 0) >= self._reach.carrier(self._callers[j]).most[give]:
                continue
            changed = _exchanged(theirs, take, give)
            relaid = self._lay(j, changed)
            if relaid is None:
                continue
            self._shares[i], self._shares[j] = mine, changed
            if j < i:
                self._lines[j] = self._blueprint(j, relaid).canonical()
            return True
        return False

    def _blueprint(self, i: int, laid: _Laid) -> Blueprint:
        caller = self._callers[i]
        return Blueprint(
            conversation_id=f"{caller.workflow.replace('/', '-').replace('_', '-')}-{i + 1:04d}",
            ordinal=i,
            rotation=self._rotations[i],
            workflow=caller.workflow,
            intent=caller.intent,
            seed=derive_seed(self._seed, "conversation", i),
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


def _exchanged(share: Share, give: InterruptionType, take: InterruptionType) -> Share:
    types = Counter(share.by_type)
    types[give] -= 1
    types[take] += 1
    return Share(share.messages, share.by_band, {k: n for k, n in types.items() if n})
