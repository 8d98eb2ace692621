"""What Audacity and Praat read of a call is its time-line."""

import re
from dataclasses import dataclass

from hypothesis import given
from hypothesis import strategies as st

from factory.calls.labels import audacity_labels, praat_textgrid
from factory.records.call import CallTimeline, TimedInterruption, TimedTurn, TimedWord
from factory.records.enums import InterruptionType, Speaker

TIERS = ["agent turns", "agent words", "caller turns", "caller words", "interruptions"]


@dataclass(frozen=True)
class Tier:
    """A tier as read back: intervals as (xmin, xmax, text), points as (number, mark)."""

    kind: str
    xmin: float
    xmax: float
    said_size: int
    intervals: list[tuple[float, float, str]]
    points: list[tuple[float, str]]


def tiers(text: str) -> dict[str, Tier]:
    """Reads a TextGrid by the names of its fields."""
    number, string = r"(\d+\.\d{6})", r'"((?:[^"]|"")*)"'
    found = {}
    for block in re.split(r"^    item \[\d+\]:$", text, flags=re.MULTILINE)[1:]:
        kind, name, xmin, xmax, size = re.search(
            rf'class = {string}\s+name = {string}\s+xmin = {number}\s+xmax = {number}\s+\w+: size = (\d+)', block
        ).groups()  # fmt: skip
        numbered = re.findall(r"^ +(?:intervals|points) \[(\d+)\]:$", block, flags=re.MULTILINE)
        assert numbered == [str(index + 1) for index in range(int(size))]
        intervals = re.findall(rf"\]:\s+xmin = {number}\s+xmax = {number}\s+text = {string}", block)
        points = re.findall(rf"\]:\s+number = {number}\s+mark = {string}", block)
        found[name] = Tier(
            kind=kind,
            xmin=float(xmin),
            xmax=float(xmax),
            said_size=int(size),
            intervals=[(float(start), float(end), text.replace('""', '"')) for start, end, text in intervals],
            points=[(float(at), mark.replace('""', '"')) for at, mark in points],
        )
    return found


def turn(index: int, speaker: Speaker, *words: tuple[str, float, float]) -> TimedTurn:
    timed = tuple(TimedWord(text=text, start_s=start, end_s=end) for text, start, end in words)
    return TimedTurn(
        message_index=index, speaker=speaker, start_s=timed[0].start_s, end_s=timed[-1].end_s,
        pause_s=None, pace=1.0, take=1, words=timed,
    )  # fmt: skip


def call(duration_s: float, *turns: TimedTurn, interruptions: tuple[TimedInterruption, ...] = ()) -> CallTimeline:
    return CallTimeline(
        conversation_id="c-0001", duration_s=duration_s, engine="hibari", asked_engine="hibari", agent_voice="a",
        caller_voice="b", condition="clean", loudness_lufs=-23.0, peak_dbtp=-3.0, recogniser=None, turns=turns,
        interruptions=interruptions, files={},
    )  # fmt: skip


CUT_IN = TimedInterruption(
    message_index=1, type=InterruptionType.PUSHBACK, onset_word=1, cut_word=2, least_overlap_s=0.15,
    most_overlap_s=1.2, onset_end_s=1.1, next_end_s=1.6, caller_start_s=1.2, cut_s=1.6, planned_overlap_s=0.4,
    measured_overlap_s=0.39,
)  # fmt: skip
CALL = call(
    3.25,
    turn(0, Speaker.AGENT, ("Your", 0.5, 0.7), ('"new"', 0.75, 1.1), ("plan", 1.1, 1.6)),
    turn(1, Speaker.CALLER, ("Wait,", 1.2, 1.5), ("why?", 1.5, 2.0)),
    turn(2, Speaker.AGENT, ("Sure.", 2.5, 3.0)),
    interruptions=(CUT_IN,),
)


def test_audacity_gets_turns_words_and_points_in_order_of_time() -> None:
    assert audacity_labels(CALL) == (
        '0.500000\t1.600000\t0 agent: Your "new" plan\n'
        "0.500000\t0.700000\tagent: Your\n"
        '0.750000\t1.100000\tagent: "new"\n'
        "1.100000\t1.600000\tagent: plan\n"
        "1.100000\t1.100000\t1 pushback: onset\n"
        "1.200000\t2.000000\t1 caller: Wait, why?\n"
        "1.200000\t1.500000\tcaller: Wait,\n"
        "1.500000\t2.000000\tcaller: why?\n"
        "1.600000\t1.600000\t1 pushback: cut\n"
        "2.500000\t3.000000\t2 agent: Sure.\n"
        "2.500000\t3.000000\tagent: Sure.\n"
    )


def test_praat_gets_a_tier_for_the_turns_and_words_of_each_side_and_one_of_points() -> None:
    grid = tiers(praat_textgrid(CALL))
    assert list(grid) == TIERS
    assert grid["agent words"].intervals == [
        (0.0, 0.5, ""), (0.5, 0.7, "Your"), (0.7, 0.75, ""), (0.75, 1.1, '"new"'), (1.1, 1.6, "plan"),
        (1.6, 2.5, ""), (2.5, 3.0, "Sure."), (3.0, 3.25, ""),
    ]  # fmt: skip
    assert grid["caller turns"].intervals == [(0.0, 1.2, ""), (1.2, 2.0, "1 caller: Wait, why?"), (2.0, 3.25, "")]
    assert grid["interruptions"].points == [(1.1, "1 pushback: onset"), (1.6, "1 pushback: cut")]


def test_the_head_of_a_textgrid_is_the_one_that_praat_wants() -> None:
    assert praat_textgrid(CALL).startswith(
        'File type = "ooTextFile"\nObject class = "TextGrid"\n\nxmin = 0.000000\nxmax = 3.250000\n'
        'tiers? <exists>\nsize = 5\nitem []:\n    item [1]:\n        class = "IntervalTier"\n'
    )


def test_quotes_are_doubled_for_praat_and_left_alone_for_audacity() -> None:
    assert 'text = """new"""\n' in praat_textgrid(CALL)
    assert 'agent: "new"\n' in audacity_labels(CALL)


def test_no_tab_or_line_break_of_a_word_ends_up_in_a_label() -> None:
    odd = call(2.0, turn(0, Speaker.AGENT, ("a\tb\r\nc\u2028d", 0.5, 1.0)))
    assert audacity_labels(odd).splitlines() == [
        "0.500000\t1.000000\t0 agent: a b c d",
        "0.500000\t1.000000\tagent: a b c d",
    ]
    assert tiers(praat_textgrid(odd))["agent words"].intervals[1] == (0.5, 1.0, "a b c d")


def test_a_side_that_never_speaks_has_one_silent_interval_and_a_calm_call_no_points() -> None:
    grid = tiers(praat_textgrid(call(2.0, turn(0, Speaker.AGENT, ("Hello.", 0.0, 2.0)))))
    assert grid["caller words"].intervals == [(0.0, 2.0, "")]
    assert grid["agent words"].intervals == [(0.0, 2.0, "Hello.")]
    assert (grid["interruptions"].said_size, grid["interruptions"].points) == (0, [])


def test_a_word_without_length_gets_a_millisecond_and_an_overlapping_one_ends_where_the_next_begins() -> None:
    odd = call(
        2.0, turn(0, Speaker.AGENT, ("one", 0.5, 1.2), ("two", 1.0, 1.5), ("three", 1.5, 1.5), ("four", 1.5, 2.0))
    )
    assert tiers(praat_textgrid(odd))["agent words"].intervals == [
        (0.0, 0.5, ""), (0.5, 1.0, "one"), (1.0, 1.499, "two"), (1.499, 1.5, "three"), (1.5, 2.0, "four"),
    ]  # fmt: skip


@given(
    duration_s=st.one_of(st.floats(0.001, 0.01), st.floats(0.1, 20)),
    spans=st.lists(st.tuples(st.floats(0, 25), st.floats(0, 3)), min_size=1, max_size=30),
)
def test_whatever_the_words_times_are_intervals_cover_the_call_without_gap_and_keep_every_word(
    duration_s: float, spans: list[tuple[float, float]]
) -> None:
    words = [(f"w{index}", start, start + length) for index, (start, length) in enumerate(spans)]
    odd = call(duration_s, *(turn(index, Speaker.CALLER, word) for index, word in enumerate(words)))
    for name, tier in tiers(praat_textgrid(odd)).items():
        assert (tier.xmin, tier.xmax) == (0, round(duration_s, 6))
        if name == "interruptions":
            continue
        starts, ends, texts = zip(*tier.intervals, strict=True)
        assert tier.said_size == len(texts)
        assert starts[0] == tier.xmin and ends[-1] == tier.xmax
        assert starts[1:] == ends[:-1]
        assert all(start < end for start, end in zip(starts, ends, strict=True))
        assert [text.split()[-1] for text in texts if text] == ([] if "agent" in name else [word for word, *_ in words])
