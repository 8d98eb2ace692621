"""Counts over a whole run, taken one conversation at a time."""

from collections import Counter
from dataclasses import dataclass, field

from factory.corpus.shape import Shape
from factory.records.blueprint import Blueprint
from factory.records.conversation import RerunReason
from factory.records.enums import InterruptionType, depth_band
from factory.records.run import RunIdentity
from factory.report.history import CallHistory
from factory.report.labels import TYPES


@dataclass
class Tally(Shape):
    """What was built, and what the plan gave to the same conversations.

    Attributes:
        planned_types: Interruptions by type as the blueprints order them.
        planned_bands: Interruptions by depth band as the blueprints order them.
        domains: Calls by domain.
        outcomes: Calls by outcome (`success` or the id of a hard stop).
        reruns: Rewinds by reason.
        drops: Dropped draws by reason.
    """

    planned_types: Counter[InterruptionType] = field(default_factory=Counter)
    planned_bands: Counter[int] = field(default_factory=Counter)
    domains: Counter[str] = field(default_factory=Counter)
    outcomes: Counter[str] = field(default_factory=Counter)
    reruns: Counter[RerunReason] = field(default_factory=Counter)
    drops: Counter[RerunReason] = field(default_factory=Counter)

    def add(self, blueprint: Blueprint, history: CallHistory) -> None:
        """Counts one more conversation."""
        self.add_rounds(history.rounds)
        self.domains[blueprint.workflow.split("/")[0]] += 1
        self.outcomes[blueprint.outcome] += 1
        for turn, planned in blueprint.interruptions:
            self.planned_types[planned.type] += 1
            self.planned_bands[depth_band(turn)] += 1
        self.reruns.update(rerun.reason for rerun in history.reruns)
        self.drops.update(history.drops)


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
