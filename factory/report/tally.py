"""Counts over a whole run, taken one conversation at a time."""

from collections import Counter
from dataclasses import dataclass, field

from factory.records.blueprint import Blueprint
from factory.records.conversation import RerunReason
from factory.records.enums import InterruptionType, depth_band
from factory.records.run import RunIdentity
from factory.report.history import CallHistory
from factory.report.labels import TYPES


@dataclass
class Tally:
    """What was built, and what the plan gave to the same conversations.

    Attributes:
        conversations: Finished calls.
        types: Interruptions by type, counted in the transcripts.
        bands: Interruptions by depth band (index into `DEPTH_BANDS`), counted in the transcripts.
        planned_types: Interruptions by type as the blueprints order them.
        planned_bands: Interruptions by depth band as the blueprints order them.
        domains: Calls by domain.
        lengths: Calls by number of messages of both sides.
        outcomes: Calls by outcome (`success` or the id of a hard stop).
        reruns: Rewinds by reason.
        drops: Dropped draws by reason.
    """

    conversations: int = 0
    types: Counter[InterruptionType] = field(default_factory=Counter)
    bands: Counter[int] = field(default_factory=Counter)
    planned_types: Counter[InterruptionType] = field(default_factory=Counter)
    planned_bands: Counter[int] = field(default_factory=Counter)
    domains: Counter[str] = field(default_factory=Counter)
    lengths: Counter[int] = field(default_factory=Counter)
    outcomes: Counter[str] = field(default_factory=Counter)
    reruns: Counter[RerunReason] = field(default_factory=Counter)
    drops: Counter[RerunReason] = field(default_factory=Counter)

    def add(self, blueprint: Blueprint, history: CallHistory) -> None:
        """Counts one more conversation."""
        self.conversations += 1
        self.domains[blueprint.workflow.split("/")[0]] += 1
        self.outcomes[blueprint.outcome] += 1
        for turn, planned in blueprint.interruptions:
            self.planned_types[planned.type] += 1
            self.planned_bands[depth_band(turn)] += 1
        messages = 0
        for done in history.rounds:
            messages += 1 if done.caller is None else 2
            if done.caller is not None and done.caller.type is not None:
                self.types[done.caller.type] += 1
                self.bands[depth_band(done.index)] += 1
        self.lengths[messages] += 1
        self.reruns.update(rerun.reason for rerun in history.reruns)
        self.drops.update(history.drops)

    @property
    def interruptions(self) -> int:
        """All interruptions built."""
        return self.types.total()

    @property
    def mean_messages(self) -> float:
        """Mean number of messages of a call; 0 where there is none."""
        return sum(n * calls for n, calls in self.lengths.items()) / max(1, self.conversations)


@dataclass(frozen=True, slots=True)
class Ordered:
    """What was ordered: by the spec, or where only the first calls are built, by their blueprints.

    Attributes:
        partial: Whether only the first calls of the plan are built.
        types: Interruptions by type.
        bands: Interruptions by depth band (index into `DEPTH_BANDS`).
    """

    partial: bool
    types: dict[InterruptionType, int]
    bands: dict[int, int]


def ordered(identity: RunIdentity, tally: Tally, bands: int) -> Ordered:
    """The order that a run has to meet.

    Args:
        identity: Holds the spec and the limit.
        tally: The counts; its planned side stands in for the spec under a limit.
        bands: Number of depth bands.
    """
    order = identity.spec.interruptions
    if identity.conversations < identity.spec.conversations:
        return Ordered(True, dict(tally.planned_types), dict(tally.planned_bands))
    return Ordered(False, {kind: order.of_type(kind) for kind in TYPES}, {b: order.of_band(b) for b in range(bands)})
