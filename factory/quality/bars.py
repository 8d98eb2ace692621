"""What every figure has to keep. `docs/quality.md` says how each bar was chosen."""

from typing import Final, NamedTuple

from factory.records.quality import Bar, FigureId, Unit

F = FigureId


class Bars(NamedTuple):
    """The bar of a whole corpus, and of one workflow alone; None for a figure that is told but not judged."""

    unit: Unit
    corpus: Bar | None = None
    workflow: Bar | None = None


def _least(unit: Unit, corpus: float, workflow: float) -> Bars:
    return Bars(unit, Bar(at_least=corpus), Bar(at_least=workflow))


def _most(unit: Unit, corpus: float, workflow: float) -> Bars:
    return Bars(unit, Bar(at_most=corpus), Bar(at_most=workflow))


def _between(unit: Unit, corpus: float, workflow: float, high: float) -> Bars:
    return Bars(unit, Bar(at_least=corpus, at_most=high), Bar(at_least=workflow, at_most=high))


BARS: Final[dict[FigureId, Bars]] = {
    F.DISTINCT_2_CALLER: _least(Unit.SHARE, 0.85, 0.72),
    F.DISTINCT_3_CALLER: _least(Unit.SHARE, 0.94, 0.82),
    F.DISTINCT_2_AGENT: _least(Unit.SHARE, 0.88, 0.77),
    F.DISTINCT_3_AGENT: _least(Unit.SHARE, 0.96, 0.865),
    F.DISTINCT_2_CALLER_WHOLE: Bars(Unit.SHARE),
    F.DISTINCT_3_CALLER_WHOLE: Bars(Unit.SHARE),
    F.DISTINCT_2_AGENT_WHOLE: Bars(Unit.SHARE),
    F.DISTINCT_3_AGENT_WHOLE: Bars(Unit.SHARE),
    F.NEAR_DUPLICATES_CALLER: _most(Unit.SHARE, 0.15, 0.30),
    F.NEAR_DUPLICATES_AGENT: _most(Unit.SHARE, 0.05, 0.14),
    F.REPEATED_PHRASE: _most(Unit.WORDS, 5, 7),
    F.IMPERFECTIONS_CALLER: _between(Unit.SHARE, 0.50, 0.45, 0.90),
    F.WORDS_MEAN_CALLER: _between(Unit.WORDS, 6, 6, 16),
    F.WORDS_MEDIAN_CALLER: Bars(Unit.WORDS),
    F.WORDS_P95_CALLER: _most(Unit.WORDS, 30, 30),
    F.WORDS_MEAN_AGENT: _between(Unit.WORDS, 15, 15, 40),
    F.WORDS_MEDIAN_AGENT: Bars(Unit.WORDS),
    F.WORDS_P95_AGENT: _most(Unit.WORDS, 70, 75),
    F.STAGES_NAMED: _most(Unit.COUNT, 0, 0),
    F.UNHEARD_VALUES: _most(Unit.COUNT, 0, 0),
    F.RETURNED_VALUES: _most(Unit.COUNT, 0, 0),
}
