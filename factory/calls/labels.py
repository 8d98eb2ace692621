"""The time-line of a call as label files: one for Audacity, one for Praat."""

from collections.abc import Iterator
from dataclasses import dataclass

from factory.records.call import CallTimeline
from factory.records.enums import Speaker

_LEAST_INTERVAL_US = 1000


@dataclass(frozen=True, slots=True)
class _Label:
    """A stretch of the call, or a point of it where both ends are the same; in microseconds."""

    start_us: int
    end_us: int
    text: str


def audacity_labels(timeline: CallTimeline) -> str:
    r"""Returns the label track that Audacity imports: `start<Tab>end<Tab>text`, one label a line, by time.

    Turns read `6 agent: Thanks for calling.`, with the index of the message; words `agent: Thanks`. Each interruption
    has two points, `7 pushback: onset` and `7 pushback: cut`: the end of the agent's last word before the caller
    started, and where the agent stops. The caller starts where turn 7 does.
    """
    labels = _interruptions(timeline)
    for speaker in Speaker:
        labels.extend(_turns(timeline, speaker))
        labels.extend(_label(one.start_us, one.end_us, f"{speaker}: {one.text}") for one in _words(timeline, speaker))
    labels.sort(key=lambda label: (label.start_us, -label.end_us))
    return "".join(f"{_seconds(one.start_us)}\t{_seconds(one.end_us)}\t{one.text}\n" for one in labels)


def praat_textgrid(timeline: CallTimeline) -> str:
    """Returns a TextGrid in Praat's long text format, to be written as UTF-8.

    It has four interval tiers, `agent turns`, `agent words`, `caller turns` and `caller words`, and the point tier
    `interruptions`; the texts are those of `audacity_labels`, words without their speaker. Praat wants the intervals
    of a tier to follow each other without a gap or an overlap: silence is an interval without text, a word ends where
    the next begins at the latest, and one that has no length gets a millisecond.
    """
    end_us = _us(timeline.duration_s)
    tiers = []
    for speaker in Speaker:
        tiers.append(_interval_tier(f"{speaker} turns", _turns(timeline, speaker), end_us))
        tiers.append(_interval_tier(f"{speaker} words", _words(timeline, speaker), end_us))
    tiers.append(_point_tier("interruptions", _interruptions(timeline), end_us))
    lines = ['File type = "ooTextFile"', 'Object class = "TextGrid"', ""]
    lines += [*_bounds(0, end_us), "tiers? <exists>", f"size = {len(tiers)}", "item []:"]
    for number, tier in enumerate(tiers, start=1):
        lines += [f"    item [{number}]:", *(f"        {line}" for line in tier)]
    return "\n".join(lines) + "\n"


def _turns(timeline: CallTimeline, speaker: Speaker) -> list[_Label]:
    """One side's turns, in order."""
    return [
        _label(
            _us(turn.start_s),
            _us(turn.end_s),
            f"{turn.message_index} {speaker}: {' '.join(word.text for word in turn.words)}",
        )
        for turn in timeline.turns
        if turn.speaker is speaker
    ]


def _words(timeline: CallTimeline, speaker: Speaker) -> list[_Label]:
    """The words of one side's turns, in order."""
    return [
        _label(_us(word.start_s), _us(word.end_s), word.text)
        for turn in timeline.turns
        if turn.speaker is speaker
        for word in turn.words
    ]


def _interruptions(timeline: CallTimeline) -> list[_Label]:
    """Two points an interruption, in order."""
    return [
        _label(_us(at_s), _us(at_s), f"{one.message_index} {one.type}: {name}")
        for one in timeline.interruptions
        for name, at_s in (("onset", one.onset_end_s), ("cut", one.cut_s))
    ]


def _label(start_us: int, end_us: int, text: str) -> _Label:
    """A label whose text has no tab and no line break."""
    return _Label(start_us, end_us, " ".join(text.split()))


def _interval_tier(name: str, labels: list[_Label], end_us: int) -> Iterator[str]:
    """The lines of a tier that covers the call from 0 to `end_us`."""
    intervals = list(_tiles(labels, end_us))
    yield from ('class = "IntervalTier"', f"name = {_quoted(name)}", *_bounds(0, end_us))
    yield f"intervals: size = {len(intervals)}"
    for number, one in enumerate(intervals, start=1):
        yield f"intervals [{number}]:"
        yield from (f"    {line}" for line in (*_bounds(one.start_us, one.end_us), f"text = {_quoted(one.text)}"))


def _point_tier(name: str, points: list[_Label], end_us: int) -> Iterator[str]:
    """The lines of a tier of points."""
    yield from ('class = "TextTier"', f"name = {_quoted(name)}", *_bounds(0, end_us))
    yield f"points: size = {len(points)}"
    for number, one in enumerate(points, start=1):
        yield f"points [{number}]:"
        yield from (f"    number = {_seconds(one.start_us)}", f"    mark = {_quoted(one.text)}")


def _tiles(labels: list[_Label], end_us: int) -> Iterator[_Label]:
    """The labels and the silences between them: from 0 to `end_us`, each label once and with a length."""
    at_us = 0
    for one in _apart(labels, end_us):
        if one.start_us > at_us:
            yield _Label(at_us, one.start_us, "")
        yield one
        at_us = one.end_us
    if at_us < end_us:
        yield _Label(at_us, end_us, "")


def _apart(labels: list[_Label], end_us: int) -> Iterator[_Label]:
    """The labels with ends that do not reach into the next, starts that leave a length, all within the call."""
    if not labels:
        return
    least_us = min(_LEAST_INTERVAL_US, end_us // len(labels))
    backwards, limit_us = [], end_us
    for one in reversed(labels):
        last_us = min(one.end_us, limit_us)
        limit_us = min(one.start_us, last_us - least_us)
        backwards.append(_Label(limit_us, last_us, one.text))
    at_us = 0
    for one in reversed(backwards):
        start_us = max(one.start_us, at_us)
        at_us = max(one.end_us, start_us + least_us)
        yield _Label(start_us, at_us, one.text)


def _bounds(start_us: int, end_us: int) -> tuple[str, str]:
    """The two lines that say where something begins and ends."""
    return f"xmin = {_seconds(start_us)}", f"xmax = {_seconds(end_us)}"


def _quoted(text: str) -> str:
    """A text as Praat writes it: in quotes, with its own doubled."""
    return '"' + text.replace('"', '""') + '"'


def _us(time_s: float) -> int:
    """Seconds as whole microseconds, so that what meets at a time also meets as written."""
    return round(time_s * 1_000_000)


def _seconds(time_us: int) -> str:
    """Microseconds as seconds with six decimals."""
    return f"{time_us // 1_000_000}.{time_us % 1_000_000:06d}"
