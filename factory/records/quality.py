"""What `reports/quality.json` says: how much a corpus sounds like itself, and whether anybody knows too much."""

from enum import StrEnum

from factory.records.base import SCHEMA_VERSION, Record


class FigureId(StrEnum):
    """What is measured; `docs/quality.md` says of each what it means and how it is computed."""

    DISTINCT_2_CALLER = "distinct_2_caller"
    DISTINCT_3_CALLER = "distinct_3_caller"
    DISTINCT_2_AGENT = "distinct_2_agent"
    DISTINCT_3_AGENT = "distinct_3_agent"
    DISTINCT_2_CALLER_WHOLE = "distinct_2_caller_whole"
    DISTINCT_3_CALLER_WHOLE = "distinct_3_caller_whole"
    DISTINCT_2_AGENT_WHOLE = "distinct_2_agent_whole"
    DISTINCT_3_AGENT_WHOLE = "distinct_3_agent_whole"
    NEAR_DUPLICATES_CALLER = "near_duplicates_caller"
    NEAR_DUPLICATES_AGENT = "near_duplicates_agent"
    REPEATED_PHRASE = "repeated_phrase"
    IMPERFECTIONS_CALLER = "imperfections_caller"
    WORDS_MEAN_CALLER = "words_mean_caller"
    WORDS_MEDIAN_CALLER = "words_median_caller"
    WORDS_P95_CALLER = "words_p95_caller"
    WORDS_MEAN_AGENT = "words_mean_agent"
    WORDS_MEDIAN_AGENT = "words_median_agent"
    WORDS_P95_AGENT = "words_p95_agent"
    STAGES_NAMED = "stages_named"
    UNHEARD_VALUES = "unheard_values"
    RETURNED_VALUES = "returned_values"


class Unit(StrEnum):
    """What a figure's number counts."""

    SHARE = "share"
    WORDS = "words"
    COUNT = "count"


class Verdict(StrEnum):
    """What a figure comes to: `too_small` where there is too little to judge, whatever the number is."""

    MET = "met"
    MISSED = "missed"
    TOO_SMALL = "too_small"
    NO_BAR = "no_bar"


class Bar(Record):
    """Between what a figure has to lie, both ends included; None where that side is open."""

    at_least: float | None = None
    at_most: float | None = None

    def excess(self, value: float) -> float:
        """How far a value lies beyond the bar; not positive where it keeps it, and the less the better."""
        below = [] if self.at_least is None else [self.at_least - value]
        above = [] if self.at_most is None else [value - self.at_most]
        return max(below + above, default=0.0)


class Place(Record):
    """Where something is found.

    Attributes:
        message: Over all messages of the call, from 0.
        about: What is to be seen there.
        text: The beginning of the turn.
    """

    conversation_id: str
    message: int
    about: str
    text: str


class WorkflowFigure(Record):
    """A figure of one workflow alone, held against the bar for one workflow."""

    workflow: str
    value: float
    bar: Bar
    verdict: Verdict
    place: Place | None


class Figure(Record):
    """One figure.

    Attributes:
        value: Over the whole corpus; None where there is nothing to measure.
        bar: What the whole corpus has to keep.
        verdict: Whether the whole corpus keeps it.
        place: Where the whole corpus is at its worst.
        worst: The workflow that keeps its bar least; None where no workflow has enough calls.
        unmeasured: Workflows with too few calls for a figure of their own.
        found: Where it happened, for what must not happen at all; the first ones.
    """

    id: FigureId
    unit: Unit
    value: float | None
    bar: Bar | None
    verdict: Verdict
    place: Place | None
    worst: WorkflowFigure | None
    unmeasured: int
    found: tuple[Place, ...] = ()

    @property
    def missed(self) -> bool:
        """Whether the corpus or one of its workflows does not keep its bar."""
        return Verdict.MISSED in (self.verdict, self.worst.verdict if self.worst else None)


class QualityReport(Record):
    """`reports/quality.json`.

    Attributes:
        conversations: All calls.
        sampled: Calls that figures of repetition are measured on.
        figures: In the order of `FigureId`.
    """

    schema_version: int = SCHEMA_VERSION
    conversations: int
    sampled: int
    figures: tuple[Figure, ...]
