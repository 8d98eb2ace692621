"""What a run sounds like, as the corpus report shows it: small tables, and a picture of the overlaps of each type."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TypeVar

from factory.calls.pauses import MEDIAN_S, SOURCE
from factory.calls.tally import ByEar, Misheard, SoundTally, Spread
from factory.records.enums import InterruptionType, Speaker
from factory.report.labels import TYPES, counted, words
from factory.simulate.cut import OVERLAP_S

K = TypeVar("K")

PLOT_S = 1.3
"""The longest overlap that a picture has room for; longer ones stand in its last column."""
PLOT_WIDTH, PLOT_HEIGHT = 260, 28
_COLUMN_MS = 50
_COLUMNS = round(1000 * PLOT_S) // _COLUMN_MS


@dataclass(frozen=True, slots=True)
class OverlapRow:
    """The overlaps of one type; places in units of the picture, its origin at the top left.

    Attributes:
        number: How many there are.
        ordered_s: Least and most overlap as ordered.
        measured_s: Least, median and most as measured.
        outside: How many lie outside the order.
        shade: Left end and width of the order.
        columns: Left end, top, width and height of each column.
    """

    type: InterruptionType
    number: int
    ordered_s: tuple[float, float]
    measured_s: tuple[float, float, float]
    outside: int
    shade: tuple[float, float]
    columns: tuple[tuple[float, float, float, float], ...]


@dataclass(frozen=True, slots=True)
class VoiceRow:
    """A voice, and how many calls it speaks in for either side."""

    engine: str
    voice: str
    as_agent: int
    as_caller: int
    by_ear: ByEar


@dataclass(frozen=True, slots=True)
class ConditionRow:
    """A condition with its figures, and the calls that are recorded under it."""

    label: str
    figures: tuple[str, ...]
    calls: int
    by_ear: ByEar


@dataclass(frozen=True, slots=True)
class Pauses:
    """Pauses between turns.

    Attributes:
        number: How many were drawn.
        tenths_s: Nine pauses: one in ten is no longer than the first, five in ten than the fifth, and so on.
        source: Whose measurements they follow.
        source_median_s: Median there.
    """

    number: int
    tenths_s: tuple[float, ...]
    source: str = SOURCE
    source_median_s: float = MEDIAN_S


@dataclass(frozen=True, slots=True)
class SoundTable:
    """All tables.

    Attributes:
        counts: Those that are shown as they are.
        summary: What the tables say, in a line.
        outside: How many overlaps lie outside their type's range, in words; empty where none does.
        recognisers: Who listened, in words; empty where nobody did.
        paces: The agent's least and greatest pace against the voice's own; None where it never changed.
        by_type: What was misheard in turns of each type, and in those that interrupt nobody.
        worst: The turns that were misheard most.
    """

    counts: SoundTally
    summary: str
    outside: str
    recognisers: str
    overlaps: tuple[OverlapRow, ...]
    pauses: Pauses | None
    paces: tuple[float, float] | None
    voices: tuple[VoiceRow, ...]
    conditions: tuple[ConditionRow, ...]
    by_type: tuple[tuple[str, ByEar], ...]
    worst: tuple[Misheard, ...]


def sound_table(tally: SoundTally) -> SoundTable | None:
    """The tables of a run; None if it has no calls as sound."""
    if not tally.calls:
        return None
    pauses, paces = tally.pauses, sorted(tally.paces)
    return SoundTable(
        counts=tally,
        summary="; ".join(_summary(tally)),
        outside=_outside(tally),
        recognisers=", ".join(f"{name} in {counted(n, 'call')}" for name, n in sorted(tally.recognisers.items())),
        overlaps=tuple(
            _overlap_row(kind, tally.overlaps[kind], tally.outside[kind]) for kind in TYPES if kind in tally.overlaps
        ),
        pauses=Pauses(pauses.number, tuple(map(pauses.tenths_s, range(1, 10)))) if pauses.number else None,
        paces=(paces[0] / 1000, paces[-1] / 1000) if paces else None,
        voices=tuple(_voice_rows(tally)),
        conditions=tuple(
            ConditionRow(words(one.name), one.figures, calls, _of(tally.by_ear_under, one))
            for one, calls in sorted(
                tally.conditions.items(), key=lambda entry: (-entry[1], entry[0].name, entry[0].figures)
            )
        ),
        by_type=tuple(
            (words(kind) if kind else "None, a calm turn", tally.by_ear_in[kind])
            for kind in (*TYPES, None)
            if kind in tally.by_ear_in
        ),
        worst=tuple(tally.worst),
    )


def _summary(tally: SoundTally) -> Iterator[str]:
    overlaps = sum(spread.number for spread in tally.overlaps.values())
    yield f"{counted(tally.calls, 'call')} to be heard"
    minutes = round(tally.duration_s / 60)
    yield f"{tally.duration_s / 3600:.1f} hours" if minutes >= 100 else counted(minutes, "minute")
    if overlaps and not tally.outside.total():
        yield f"{counted(overlaps, 'overlap')}, each in its type’s range"
    rate = tally.by_ear.rate
    yield "not checked by a recogniser" if rate is None else f"{rate:.1%} of the callers’ words misheard"


def _outside(tally: SoundTally) -> str:
    outside, number = tally.outside.total(), sum(spread.number for spread in tally.overlaps.values())
    return f"{outside:,} of {counted(number, 'overlap')} outside the type’s range" if outside else ""


def _overlap_row(kind: InterruptionType, spread: Spread, outside: int) -> OverlapRow:
    columns = [0] * _COLUMNS
    for time_ms, number in spread.counts.items():
        columns[min(time_ms // _COLUMN_MS, _COLUMNS - 1)] += number
    low_s, high_s = OVERLAP_S[kind]
    scale, step, most = PLOT_WIDTH / PLOT_S, PLOT_WIDTH / _COLUMNS, max(columns)
    return OverlapRow(
        type=kind,
        number=spread.number,
        ordered_s=(low_s, high_s),
        measured_s=(spread.tenths_s(0), spread.tenths_s(5), spread.tenths_s(10)),
        outside=outside,
        shade=(round(low_s * scale, 2), round((high_s - low_s) * scale, 2)),
        columns=tuple(
            (round(i * step + 1, 2), round(PLOT_HEIGHT * (1 - n / most), 2), step - 2, round(PLOT_HEIGHT * n / most, 2))
            for i, n in enumerate(columns)
            if n
        ),
    )


def _voice_rows(tally: SoundTally) -> Iterator[VoiceRow]:
    for engine, voice in sorted({(engine, voice) for engine, voice, _ in tally.voices}):
        calls = {speaker: tally.voices[engine, voice, speaker] for speaker in Speaker}
        heard = _of(tally.by_ear_of, (engine, voice))
        yield VoiceRow(engine, voice, calls[Speaker.AGENT], calls[Speaker.CALLER], heard)


def _of(parts: Mapping[K, ByEar], key: K) -> ByEar:
    """What was made of one part; nothing where nobody listened."""
    return parts.get(key, ByEar())
