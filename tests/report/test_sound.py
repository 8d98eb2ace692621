"""What a run sounds like, counted over hand-made time-lines, and the tables that are made of it."""

from pathlib import Path
from random import Random

import pytest

from factory.calls.pauses import draw_pause_s
from factory.calls.tally import ByEar, SoundTally
from factory.errors import RunError
from factory.records.call import CallTimeline
from factory.records.enums import InterruptionType, Speaker
from factory.report.sound_table import PLOT_HEIGHT, PLOT_WIDTH, SoundTable, sound_table
from factory.run.files import write_text
from factory.run.folder import RunFolder
from factory.simulate.cut import OVERLAP_S
from tests.timelines import heard, overlap, tallied, timeline, turn

AGENT, CALLER = Speaker.AGENT, Speaker.CALLER
FILLER, NORMAL, PUSHBACK = InterruptionType.FILLER, InterruptionType.NORMAL, InterruptionType.PUSHBACK


def table(*calls: CallTimeline) -> SoundTable:
    made = sound_table(tallied(*calls))
    assert made is not None
    return made


def test_voices_stand_in_order_with_both_parts_in_one_row() -> None:
    rows = table(
        timeline(),
        timeline(agent_voice="fir", caller_voice="alder"),
        timeline(agent_voice="fir", caller_voice="birch"),
    ).voices

    assert [(row.voice, row.as_agent, row.as_caller) for row in rows] == [
        ("alder", 1, 1),
        ("birch", 0, 1),
        ("fir", 2, 1),
    ]


def test_the_table_says_whether_any_overlap_is_out_of_range() -> None:
    good, bad = timeline(interruptions=(overlap(FILLER, 0.3),)), timeline(interruptions=(overlap(FILLER, 0.6),))

    assert (table(good).outside, table(good, bad).outside) == ("", "1 of 2 overlaps outside the type’s range")
    assert "1 overlap, each in its type’s range" in table(good).summary
    assert "each in" not in table(good, bad).summary


def test_overlaps_are_told_by_type_with_least_median_and_most() -> None:
    times_s = [0.9, 0.2, 0.4, 0.3, 0.25]
    rows = table(timeline(interruptions=(*(overlap(NORMAL, t) for t in times_s), overlap(FILLER, 0.4321)))).overlaps

    assert [(row.type, row.number, row.ordered_s, row.measured_s) for row in rows] == [
        (NORMAL, 5, OVERLAP_S[NORMAL], (0.2, 0.3, 0.9)),
        (FILLER, 1, OVERLAP_S[FILLER], (0.432, 0.432, 0.432)),
    ]


def test_the_picture_of_overlaps_has_a_column_for_each_twentieth_of_a_second_and_shades_the_range() -> None:
    (row,) = table(timeline(interruptions=[overlap(FILLER, t) for t in (0.21, 0.24, 0.26, 7.0)])).overlaps

    assert row.shade == (30, 70)  # 0.15 to 0.50 s of 1.3 s in 260 units
    assert [column[0] for column in row.columns] == [41, 51, 251]  # the last one holds all that is longer
    assert [column[3] for column in row.columns] == [PLOT_HEIGHT, PLOT_HEIGHT / 2, PLOT_HEIGHT / 2]
    assert all(y + height == PLOT_HEIGHT and x + width <= PLOT_WIDTH for x, y, width, height in row.columns)


def test_pauses_are_told_as_drawn_with_their_source() -> None:
    rng = Random(3)
    pauses = table(timeline(turn(0), *(turn(i, pause_s=draw_pause_s(rng)) for i in range(1, 4001)))).pauses

    assert pauses is not None
    assert (pauses.number, len(pauses.tenths_s)) == (4000, 9)
    assert pauses.tenths_s[4] == pytest.approx(pauses.source_median_s, abs=0.02)
    assert "Norwine and Murphy" in pauses.source
    assert list(pauses.tenths_s) == sorted(pauses.tenths_s)


def test_a_run_without_a_pause_or_an_interruption_has_neither_table() -> None:
    made = table(timeline(turn(0)))

    assert (made.pauses, made.overlaps, made.paces) == (None, (), None)


def test_paces_are_told_from_the_least_to_the_greatest() -> None:
    made = table(timeline(turn(0, pace=0.8), turn(1, pace=1.2), turn(4, pace=1.15)))

    assert made.paces == (0.8, 1.15)


def test_what_was_misheard_is_told_by_type_and_in_all() -> None:
    made = table(
        timeline(
            turn(0), turn(1, heard_by_ear=heard(10, 1)), turn(2), turn(3, heard_by_ear=heard(5, 0)),
            interruptions=(overlap(FILLER, 0.3, message=3),), recogniser="base",
        ),
        timeline(turn(1, heard_by_ear=heard(20, 4)), recogniser="base"),
        timeline(turn(1)),
    )  # fmt: skip

    assert made.by_type == (("Filler", ByEar(5, 0)), ("None, a calm turn", ByEar(30, 5)))
    assert made.recognisers == "base in 2 calls"
    assert made.summary.endswith("14.3% of the callers’ words misheard")


def test_a_run_that_nobody_listened_to_says_so() -> None:
    made = table(timeline(turn(0), turn(1)))

    assert (made.recognisers, made.counts.by_ear.rate) == ("", None)
    assert made.summary.endswith("not checked by a recogniser")


def test_a_line_tells_how_many_calls_of_which_length_there_are() -> None:
    assert table(timeline()).summary.startswith("1 call to be heard; 1 minute;")
    assert table(timeline(duration_s=5400.0), timeline(duration_s=7200.0)).summary.startswith(
        "2 calls to be heard; 3.5 hours;"
    )
    assert sound_table(SoundTally(0.25)) is None


def test_a_time_line_is_read_where_there_is_one(tmp_path: Path) -> None:
    folder, call = RunFolder(tmp_path), timeline(conversation_id="b")
    write_text(folder.timeline_file("b"), call.model_dump_json(indent=1))

    assert folder.timeline("b") == call
    with pytest.raises(RunError, match=r"a\.json: there is no such file"):
        folder.timeline("a")


def test_a_time_line_of_another_call_or_a_damaged_one_is_refused(tmp_path: Path) -> None:
    folder = RunFolder(tmp_path)
    write_text(folder.timeline_file("a"), timeline(conversation_id="b").model_dump_json())
    with pytest.raises(RunError, match=r"a\.json: is the time-line of another call; build again"):
        folder.timeline("a")

    write_text(folder.timeline_file("a"), timeline(conversation_id="a").model_dump_json()[:-9])
    with pytest.raises(RunError, match=r"a\.json: damaged .*; build again"):
        folder.timeline("a")
