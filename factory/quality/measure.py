"""A finished run → its quality report, read one conversation at a time."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from factory.dataset.calls import FinishedCall, finished_calls
from factory.quality.bars import BARS
from factory.quality.knowledge import faults
from factory.quality.likeness import CORPUS_GROUP, WORKFLOW_GROUP, near_duplicates
from factory.quality.manner import Manner
from factory.quality.measured import Measured
from factory.quality.phrases import CORPUS_SHARE, WORKFLOW_SHARE, longest_repeat
from factory.quality.sample import MOST_CALLS, MOST_OF_WORKFLOW, Sample
from factory.quality.turns import Turns, turns_of
from factory.quality.variety import distinct, distinct_whole
from factory.records.enums import Speaker
from factory.records.quality import Bar, Figure, FigureId, Place, QualityReport, Verdict, WorkflowFigure
from factory.run.done import Done
from factory.run.folder import RunFolder
from factory.workflow.library import Library
from factory.workflow.lookup import Script

MOST_FOUND: Final = 20
"""Places that are listed of what must not happen; all are counted."""
DECIMALS: Final = 4

F = FigureId
FAULTS: Final = (F.STAGES_NAMED, F.UNHEARD_VALUES, F.RETURNED_VALUES)
"""What must not happen at all."""


@dataclass
class Subject:
    """What is measured together: the whole corpus, or one workflow's calls.

    Attributes:
        group: Calls among which near duplicates are looked for.
        share: Share of the calls beyond which a phrase is repeated.
        faults: What must not happen, counted.
        first: Where each of these happened first.
    """

    sample: Sample
    group: int
    share: float
    manner: Manner = field(default_factory=Manner)
    faults: Counter[FigureId] = field(default_factory=Counter)
    first: dict[FigureId, Place] = field(default_factory=dict)

    def add(self, conversation_id: str, turns: Turns, found: Iterable[tuple[FigureId, Place]]) -> None:
        """Takes one more call."""
        self.sample.add(conversation_id, turns)
        for turn in turns:
            self.manner.add(turn)
        for figure, place in found:
            self.faults[figure] += 1
            self.first.setdefault(figure, place)

    def figures(self) -> dict[FigureId, Measured | None]:
        """Every figure."""
        calls, manner = self.sample.calls, self.manner
        caller, agent = Speaker.CALLER, Speaker.AGENT
        return {
            F.DISTINCT_2_CALLER: distinct(calls, caller, 2),
            F.DISTINCT_3_CALLER: distinct(calls, caller, 3),
            F.DISTINCT_2_AGENT: distinct(calls, agent, 2),
            F.DISTINCT_3_AGENT: distinct(calls, agent, 3),
            F.DISTINCT_2_CALLER_WHOLE: distinct_whole(calls, caller, 2),
            F.DISTINCT_3_CALLER_WHOLE: distinct_whole(calls, caller, 3),
            F.DISTINCT_2_AGENT_WHOLE: distinct_whole(calls, agent, 2),
            F.DISTINCT_3_AGENT_WHOLE: distinct_whole(calls, agent, 3),
            F.NEAR_DUPLICATES_CALLER: near_duplicates(calls, caller, self.group),
            F.NEAR_DUPLICATES_AGENT: near_duplicates(calls, agent, self.group),
            F.REPEATED_PHRASE: longest_repeat(calls, self.share),
            F.IMPERFECTIONS_CALLER: manner.imperfections(),
            F.WORDS_MEAN_CALLER: manner.mean(caller),
            F.WORDS_MEDIAN_CALLER: manner.percentile(caller, 50),
            F.WORDS_P95_CALLER: manner.percentile(caller, 95),
            F.WORDS_MEAN_AGENT: manner.mean(agent),
            F.WORDS_MEDIAN_AGENT: manner.percentile(agent, 50),
            F.WORDS_P95_AGENT: manner.percentile(agent, 95),
            **{f: Measured(self.faults[f], self.first.get(f)) for f in FAULTS},
        }


class Measurement:
    """All figures of a corpus, taken one call at a time."""

    def __init__(self) -> None:
        """Has nothing yet."""
        self._whole = Subject(Sample(MOST_CALLS), CORPUS_GROUP, CORPUS_SHARE)
        self._workflows: defaultdict[str, Subject] = defaultdict(
            lambda: Subject(Sample(MOST_OF_WORKFLOW), WORKFLOW_GROUP, WORKFLOW_SHARE)
        )
        self._found: defaultdict[FigureId, list[Place]] = defaultdict(list)
        self._conversations = 0

    def add(self, call: FinishedCall, script: Script) -> None:
        """Measures one more call.

        Args:
            call: The call.
            script: Its workflow's texts.
        """
        self._conversations += 1
        turns = turns_of(call)
        found = tuple(faults(call, script, turns))
        for subject in (self._whole, self._workflows[call.workflow.id]):
            subject.add(call.conversation_id, turns, found)
        for figure, place in found:
            if len(self._found[figure]) < MOST_FOUND:
                self._found[figure].append(place)

    def report(self) -> QualityReport:
        """The figures of what was added."""
        whole = self._whole.figures()
        workflows = {name: self._workflows[name].figures() for name in sorted(self._workflows)}
        figures = (self._figure(f, whole[f], {name: own[f] for name, own in workflows.items()}) for f in FigureId)
        return QualityReport(
            conversations=self._conversations, sampled=len(self._whole.sample.calls), figures=tuple(figures)
        )

    def _figure(self, figure: FigureId, whole: Measured | None, workflows: Mapping[str, Measured | None]) -> Figure:
        bars = BARS[figure]
        measured = {name: own for name, own in workflows.items() if own is not None and own.enough}
        return Figure(
            id=figure,
            unit=bars.unit,
            value=None if whole is None else round(whole.value, DECIMALS),
            bar=bars.corpus,
            verdict=_verdict(bars.corpus, whole),
            place=None if whole is None else whole.place,
            worst=None if bars.workflow is None else _worst(bars.workflow, measured),
            unmeasured=len(workflows) - len(measured),
            found=tuple(self._found[figure]),
        )


def _verdict(bar: Bar | None, measured: Measured | None) -> Verdict:
    if bar is None:
        return Verdict.NO_BAR
    if measured is None or not measured.enough:
        return Verdict.TOO_SMALL
    return Verdict.MISSED if bar.excess(round(measured.value, DECIMALS)) > 0 else Verdict.MET


def _worst(bar: Bar, measured: Mapping[str, Measured]) -> WorkflowFigure | None:
    """The workflow that keeps its bar least; of equal ones the first by name."""
    if not measured:
        return None
    name = max(measured, key=lambda name: bar.excess(measured[name].value))
    own = measured[name]
    return WorkflowFigure(
        workflow=name,
        value=round(own.value, DECIMALS),
        bar=bar,
        verdict=_verdict(bar, own),
        place=own.place,
    )


def measure(folder: RunFolder, library: Library, done: Done | None = None) -> QualityReport:
    """Measures a finished run; each of its calls counts as a part that is done.

    Raises:
        RunError: if a conversation is not finished or its log is damaged.
        WorkflowError: if a workflow cannot be read.
    """
    measurement = Measurement()
    for call in (done or Done()).counting(finished_calls(folder, library)):
        measurement.add(call, library.script(call.workflow.id))
    return measurement.report()
