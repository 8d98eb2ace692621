"""What a run sounds like, counted over hand-made time-lines, and the tables that are made of it."""

import gc
import tracemalloc
from pathlib import Path
from random import Random

import pytest

from factory.calls.pauses import draw_pause_s
from factory.errors import RunError
from factory.records.call import CallTimeline, HeardByEar
from factory.records.enums import InterruptionType, Speaker
from factory.report.condition import Condition
from factory.report.sound import MOST_LISTED, ByEar, SoundTally, Spread
from factory.report.sound_table import PLOT_HEIGHT, PLOT_WIDTH, SoundTable, sound_table
from factory.run.files import write_text
from factory.run.folder import RunFolder
from factory.simulate.cut import OVERLAP_S
from tests.timelines import overlap, timeline, turn

AGENT, CALLER = Speaker.AGENT, Speaker.CALLER
FILLER, NORMAL, PUSHBACK = InterruptionType.FILLER, InterruptionType.NORMAL, InterruptionType.PUSHBACK


CLEAN = Condition("clean", None, 0.0, 0.0)


def heard(words: int, errors: int) -> HeardByEar:
    return HeardByEar(text="something", words=words, errors=errors)


def tallied(*calls: CallTimeline) -> SoundTally:
    tally = SoundTally(most_misheard=0.25)
    for call in calls:
        tally.add(call)
    return tally


def table(*calls: CallTimeline) -> SoundTable:
    made = sound_table(tallied(*calls))
    assert made is not None
    return made


def test_calls_are_counted_with_their_length_by_condition_engine_and_voice() -> None:
    tally = tallied(
        timeline(condition="street", duration_s=1800),
        timeline(agent_voice="fir", caller_voice="alder", duration_s=5400),
        timeline(engine="pyttsx3", caller_voice="rowan"),
    )

    assert (tally.calls, tally.duration_s) == (3, 7260)
    assert tally.conditions == {Condition("street", None, 0.0, 0.0): 1, CLEAN: 2}
    assert tally.engines == {("hibari", "hibari"): 2, ("pyttsx3", "hibari"): 1}
    assert tally.voices == {
        ("hibari", "alder", AGENT): 1,
        ("hibari", "fir", CALLER): 1,
        ("hibari", "fir", AGENT): 1,
        ("hibari", "alder", CALLER): 1,
        ("pyttsx3", "alder", AGENT): 1,
        ("pyttsx3", "rowan", CALLER): 1,
    }


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


def test_an_overlap_is_held_against_the_range_of_its_type() -> None:
    least_s, most_s = OVERLAP_S[FILLER]
    inside = timeline(interruptions=(overlap(FILLER, least_s), overlap(FILLER, most_s), overlap(NORMAL, 1.2)))
    outside = timeline(interruptions=(overlap(FILLER, least_s - 0.001), overlap(FILLER, most_s + 0.001)))

    assert tallied(inside).outside.total() == 0
    assert tallied(inside, outside).outside == {FILLER: 2, NORMAL: 0}


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


@pytest.mark.parametrize(("tenths", "time_s"), [(0, 0.01), (1, 0.019), (5, 0.055), (9, 0.091), (10, 0.1)])
def test_so_many_tenths_of_all_times_are_no_longer(tenths: int, time_s: float) -> None:
    spread = Spread()
    for hundredths in range(1, 11):
        spread.add(hundredths / 100)

    assert spread.tenths_s(tenths) == pytest.approx(time_s)


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


def test_takes_and_paces_are_counted_by_side() -> None:
    tally = tallied(
        timeline(turn(0, pace=0.8, take=2), turn(1, pace=1.2), turn(2, take=3), turn(3, take=2), turn(4, pace=1.15))
    )

    assert tally.turns == {AGENT: 3, CALLER: 2}
    assert tally.retaken == {AGENT: 2, CALLER: 1}
    assert tally.paces == {800: 1, 1150: 1}  # a caller's pace is their manner
    made = sound_table(tally)
    assert made is not None and made.paces == (0.8, 1.15)


def test_what_was_misheard_is_told_by_voice_condition_type_and_in_all() -> None:
    tally = tallied(
        timeline(
            turn(0), turn(1, heard_by_ear=heard(10, 1)), turn(2), turn(3, heard_by_ear=heard(5, 0)),
            interruptions=(overlap(FILLER, 0.3, message=3),), recogniser="base",
        ),
        timeline(turn(1, heard_by_ear=heard(20, 4)), caller_voice="alder", condition="car", recogniser="base"),
        timeline(turn(1)),
    )  # fmt: skip

    assert tally.recognisers == {"base": 2}
    assert tally.by_ear == ByEar(words=35, errors=5)
    assert tally.by_ear.rate == 5 / 35
    assert tally.by_ear_of == {("hibari", "fir"): ByEar(15, 1), ("hibari", "alder"): ByEar(20, 4)}
    assert tally.by_ear_under == {CLEAN: ByEar(15, 1), Condition("car", None, 0.0, 0.0): ByEar(20, 4)}
    assert tally.by_ear_in == {None: ByEar(30, 5), FILLER: ByEar(5, 0)}
    made = sound_table(tally)
    assert made is not None
    assert made.by_type == (("Filler", ByEar(5, 0)), ("None, a calm turn", ByEar(30, 5)))
    assert made.recognisers == "base in 2 calls"
    assert made.summary.endswith("14.3% of the callers’ words misheard")


def test_a_run_that_nobody_listened_to_says_so() -> None:
    made = table(timeline(turn(0), turn(1)))

    assert (made.recognisers, made.counts.by_ear.rate) == ("", None)
    assert made.summary.endswith("not checked by a recogniser")


def test_a_turn_is_misheard_beyond_the_limit_and_not_at_it() -> None:
    tally = tallied(
        timeline(
            turn(1, heard_by_ear=heard(8, 2)), turn(3, "not this", heard_by_ear=heard(8, 3)),
            turn(5, heard_by_ear=heard(0, 1)),
            conversation_id="b", interruptions=(overlap(PUSHBACK, 0.3, message=3),), recogniser="base",
        )
    )  # fmt: skip

    assert tally.misheard == 2
    assert [(m.conversation_id, m.turn, m.type, m.said) for m in tally.worst] == [
        ("b", 3, None, "word"),
        ("b", 2, PUSHBACK, "not this"),
    ]


def test_of_many_misheard_turns_the_worst_are_listed_and_the_first_of_equal_ones() -> None:
    turns = [turn(2 * i + 1, heard_by_ear=heard(100, 30 + i % 3)) for i in range(90)]
    tally = tallied(timeline(*turns, recogniser="base"))
    listed = list(tally.worst)

    assert tally.misheard == 90
    assert len(listed) == MOST_LISTED
    assert [one.heard.errors for one in listed] == [32] * 30 + [31] * 20
    assert [one.turn for one in listed] == [*range(3, 91, 3), *range(2, 62, 3)]


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
    with pytest.raises(RunError, match=r"a\.json: is the time-line of another call"):
        folder.timeline("a")

    write_text(folder.timeline_file("a"), timeline(conversation_id="a").model_dump_json()[:-9])
    with pytest.raises(RunError, match=r"a\.json: damaged"):
        folder.timeline("a")


def test_the_counts_stay_small_however_many_calls_there_are() -> None:
    def kept(number: int) -> int:
        rng, tally = Random(1), SoundTally(most_misheard=0.25)
        tracemalloc.start()
        for i in range(number):
            turns = (
                turn(j, pause_s=rng.randrange(50, 150) / 1000, heard_by_ear=heard(3, 1) if j % 2 else None)
                for j in range(20)
            )
            cut = overlap(NORMAL, rng.randrange(200, 250) / 1000)
            tally.add(timeline(*turns, conversation_id=f"{i}", interruptions=(cut,)))
        gc.collect()
        now, _ = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        return now

    kept(2)  # loads what is loaded once
    assert kept(200) < 1.5 * kept(40)
