"""Spec → blueprints: a layout of every call that meets its share of the order exactly."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from random import Random

from factory.corpus.callers import Callers, facts_of
from factory.corpus.quotas import SCARCE_FIRST, Carrier, Share, band_capacity, draw_lengths, share_out
from factory.corpus.schedule import MAY_ANSWER, Order, Scheduler
from factory.corpus.seeds import derive_seed, rng_for
from factory.errors import SpecError
from factory.records.blueprint import Blueprint, RoundPlan
from factory.records.enums import DEPTH_BANDS, Direction, InterruptionType
from factory.records.spec import Spec
from factory.records.workflow import FactValue
from factory.workflow.library import Library
from factory.workflow.walk import Path

TRIES = 60
"""Draws of a course and of turns for one conversation before its share is changed."""
DEALS = 4
"""Ways to deal lengths, ways and types out to the callers that are tried before an order is refused."""
PATIENCE = 60_000
"""Turns tried for the exchange of one conversation's share before the deal is given up: some five seconds."""
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


@dataclass(frozen=True)
class _Change:
    """A change of one share: a type it gives, a type it takes, or both; alone it moves within a depth band."""

    give: InterruptionType | None = None
    take: InterruptionType | None = None
    band: int | None = None

    def reversed(self) -> "_Change":
        """What the partner does."""
        return _Change(give=self.take, take=self.give, band=self.band)

    def fits(self, share: Share, carrier: Carrier) -> bool:
        """Whether a share can make this change at all."""
        if self.give is not None and not share.by_type.get(self.give):
            return False
        if self.take is not None and share.by_type.get(self.take, 0) >= carrier.most[self.take]:
            return False
        if self.band is None:
            return True
        room = share.by_band[self.band] < band_capacity(share.messages)[self.band]
        return room and share.interruptions < share.bounds(carrier)[1]

    def applied(self, share: Share) -> Share:
        """The share after the change."""
        types, bands = Counter(share.by_type), list(share.by_band)
        for kind, step in ((self.give, -1), (self.take, 1)):
            if kind is not None:
                types[kind] += step
                if self.band is not None:
                    bands[self.band] += step
        return Share(share.messages, bands, {k: n for k, n in types.items() if n})


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
        self._used: Counter[str] = Counter()
        self._lines: list[str] = []
        self._tried = 0

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
            start = derive_seed(self._seed, "rotation", caller.workflow) % 1000
            rotations.append(start + seen[caller.workflow])
            seen[caller.workflow] += 1
        return rotations

    def _lay(self, i: int, share: Share) -> _Laid | None:
        """Searches a layout for one conversation's share."""
        caller = self._callers[i]
        rng = rng_for(self._seed, "lay", i)
        workflow = self._library.workflow(caller.workflow)
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
                caller_opens=workflow.goal.direction is Direction.INBOUND,
                caller_closes=share.messages % 2 == 0,
                interrupted=_draw_turns(share, rng),
                types=share.by_type,
            )
            scheduler = Scheduler(course.path, moves, order, rng, self._used)
            rounds = scheduler.search(rng.choice(carries[:4]))
            self._tried += scheduler.nodes
            if rounds is not None:
                return _Laid(course.path, self._turned_facts(i, course.deciding), rounds)
        return None

    def _turned_facts(self, i: int, deciding: Mapping[str, FactValue]) -> dict[str, FactValue]:
        """One value of each of the caller's facts, in turn; those that decide the way are settled."""
        caller = self._callers[i]
        facts = facts_of(self._library.workflow(caller.workflow), caller.intent)
        turn = self._rotations[i]
        return {
            name: deciding.get(name) or values[(derive_seed(self._seed, name) + turn) % len(values)]
            for name, values in facts.items()
        }

    def _lay_with_swap(self, i: int) -> _Laid:
        """Changes the share together with another conversation's until a layout is found; sums stay as they are.

        First one type is exchanged for another, then one interruption is handed over.
        """
        patience = self._tried + PATIENCE
        for change in (*_exchanges(self._shares[i]), *_hand_overs(self._shares[i])):
            if self._tried > patience:
                break
            mine = change.applied(self._shares[i])
            laid = self._lay(i, mine)
            if laid is not None and self._find_partner(i, change.reversed()):
                self._shares[i] = mine
                return laid
        share = self._shares[i]
        types = ", ".join(f"{k.value} {n}" for k, n in share.by_type.items())
        raise NoLayout(
            f"{self._callers[i].workflow}: no way was found to put {share.interruptions} interruptions ({types}) "
            f"into a call of {share.messages} messages; order longer calls, fewer interruptions or other types, or "
            f"give the workflow more acts to cut and more moves"
        )

    def _find_partner(self, i: int, change: _Change) -> bool:
        """Finds a conversation that takes the other half of a change; a finished one is laid out again."""
        partners = [*range(i + 1, len(self._shares)), *range(i - 1, -1, -1)][:MOST_PARTNERS]
        for j in partners:
            carrier, share = self._reach.carrier(self._callers[j]), self._shares[j]
            if not change.fits(share, carrier):
                continue
            changed = change.applied(share)
            relaid = self._lay(j, changed)
            if relaid is None:
                continue
            self._shares[j] = changed
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


def _exchanges(share: Share) -> Iterator[_Change]:
    """Changes that give one type and take another."""
    for give in SCARCE_FIRST:
        for take in reversed(SCARCE_FIRST):
            if take is not give and share.by_type.get(give):
                yield _Change(give=give, take=take)


def _hand_overs(share: Share) -> Iterator[_Change]:
    """Changes that give one interruption away."""
    for give in SCARCE_FIRST:
        for band, count in enumerate(share.by_band):
            if count and share.by_type.get(give):
                yield _Change(give=give, band=band)
