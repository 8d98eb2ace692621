"""`reports/quality.json` as the table that the corpus report shows."""

from collections.abc import Iterator
from dataclasses import dataclass

from pydantic import ValidationError

from factory.errors import RunError
from factory.records.quality import Bar, Figure, FigureId, Place, QualityReport, Unit, Verdict
from factory.report.labels import counted
from factory.run.folder import RunFolder
from factory.run.reading import MOST_RECORD_BYTES, read_bytes

LABELS: dict[FigureId, str] = {
    FigureId.DISTINCT_2_CALLER: "Distinct pairs of words, caller",
    FigureId.DISTINCT_3_CALLER: "Distinct triples of words, caller",
    FigureId.DISTINCT_2_AGENT: "Distinct pairs of words, agent",
    FigureId.DISTINCT_3_AGENT: "Distinct triples of words, agent",
    FigureId.DISTINCT_2_CALLER_WHOLE: "Distinct pairs over all calls, caller",
    FigureId.DISTINCT_3_CALLER_WHOLE: "Distinct triples over all calls, caller",
    FigureId.DISTINCT_2_AGENT_WHOLE: "Distinct pairs over all calls, agent",
    FigureId.DISTINCT_3_AGENT_WHOLE: "Distinct triples over all calls, agent",
    FigureId.NEAR_DUPLICATES_CALLER: "Caller turns almost the same as in another call",
    FigureId.NEAR_DUPLICATES_AGENT: "Agent turns almost the same as in another call",
    FigureId.REPEATED_PHRASE: "Longest phrase in over a fifth of all calls, or half of a workflow’s",
    FigureId.IMPERFECTIONS_CALLER: "Caller turns with a mild imperfection",
    FigureId.WORDS_MEAN_CALLER: "Words of a caller turn, mean",
    FigureId.WORDS_MEDIAN_CALLER: "Words of a caller turn, median",
    FigureId.WORDS_P95_CALLER: "Words of a caller turn, 95 in 100 have at most",
    FigureId.WORDS_MEAN_AGENT: "Words of an agent turn, mean",
    FigureId.WORDS_MEDIAN_AGENT: "Words of an agent turn, median",
    FigureId.WORDS_P95_AGENT: "Words of an agent turn, 95 in 100 have at most",
    FigureId.STAGES_NAMED: "The caller names a stage",
    FigureId.UNHEARD_VALUES: "The caller says what they cannot know",
    FigureId.RETURNED_VALUES: "A corrected value returns",
}
VERDICTS: dict[Verdict, str] = {
    Verdict.MET: "kept",
    Verdict.MISSED: "missed",
    Verdict.TOO_SMALL: "too little to judge",
    Verdict.NO_BAR: "",
}


@dataclass(frozen=True, slots=True)
class Cell:
    """A value beside its bar, as text.

    Attributes:
        whose: The workflow; empty for the whole corpus.
        place: Where it is at its worst.
    """

    whose: str
    value: str
    bar: str
    verdict: str
    missed: bool
    place: Place | None


@dataclass(frozen=True, slots=True)
class QualityRow:
    """A figure; `worst` is None where no workflow could be judged."""

    label: str
    corpus: Cell
    worst: Cell | None
    found: tuple[Place, ...]


@dataclass(frozen=True, slots=True)
class QualityTable:
    """The whole table, with what it says in a line.

    Attributes:
        kept: How many figures keep their bars.
        missed: How many miss one.
    """

    summary: str
    kept: int
    missed: int
    rows: tuple[QualityRow, ...]


def quality_table(folder: RunFolder) -> QualityTable | None:
    """The table of a run; None if it was not measured.

    Raises:
        RunError: if `reports/quality.json` cannot be read, or is damaged.
    """
    path = folder.quality_file
    try:
        report = QualityReport.from_json(read_bytes(path, MOST_RECORD_BYTES))
    except FileNotFoundError:
        return None
    except OSError as exc:
        raise RunError(f"{path}: cannot be read: {exc.strerror}; run the build again") from None
    except ValidationError:
        raise RunError(f"{path}: not a quality report; run the build again") from None
    missed = sum(figure.missed for figure in report.figures)
    kept = sum(figure.verdict is Verdict.MET and not figure.missed for figure in report.figures)
    summary = ", ".join(_summary(report, kept, missed))
    return QualityTable(summary, kept, missed, rows=tuple(map(_row, report.figures)))


def _summary(report: QualityReport, kept: int, missed: int) -> Iterator[str]:
    small = sum(figure.verdict is Verdict.TOO_SMALL and not figure.missed for figure in report.figures)
    yield f"{counted(kept, 'figure')} kept"
    yield f"{missed} missed"
    if small:
        yield f"{small} with too little to judge"


def _row(figure: Figure) -> QualityRow:
    unit, worst = figure.unit, figure.worst
    if worst is not None and unit is Unit.COUNT and not worst.value:
        worst = None  # of workflows without a fault none is the worst
    return QualityRow(
        label=LABELS[figure.id],
        corpus=_cell("", unit, figure.value, figure.bar, figure.verdict, figure.place),
        worst=_cell(worst.workflow, unit, worst.value, worst.bar, worst.verdict, worst.place) if worst else None,
        found=figure.found,
    )


def _cell(whose: str, unit: Unit, value: float | None, bar: Bar | None, verdict: Verdict, place: Place | None) -> Cell:
    shown = "–" if value is None else _number(unit, value)
    return Cell(whose, shown, bar_text(unit, bar), VERDICTS[verdict], verdict is Verdict.MISSED, place)


def bar_text(unit: Unit, bar: Bar | None) -> str:
    """A bar in words; nothing where there is none."""
    if bar is None:
        return ""
    low, high = (None if v is None else _number(unit, v) for v in (bar.at_least, bar.at_most))
    if low is not None and high is not None:
        return f"{low} to {high}"
    return f"at least {low}" if high is None else f"at most {high}"


def _number(unit: Unit, value: float) -> str:
    return f"{value:.1%}" if unit is Unit.SHARE else f"{value:,.0f}" if unit is Unit.COUNT else f"{value:.1f}"
