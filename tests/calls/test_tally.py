"""What a run sounds like, counted over hand-made time-lines."""

import gc
import tracemalloc
from random import Random

import pytest

from factory.calls.recorded import RecordedCondition
from factory.calls.tally import MOST_LISTED, ByEar, SoundTally, Spread
from factory.records.enums import InterruptionType, Speaker
from factory.simulate.cut import OVERLAP_S
from tests.timelines import heard, overlap, tallied, timeline, turn

AGENT, CALLER = Speaker.AGENT, Speaker.CALLER
FILLER, NORMAL, PUSHBACK = InterruptionType.FILLER, InterruptionType.NORMAL, InterruptionType.PUSHBACK
CLEAN = RecordedCondition("clean", None, 0.0, 0.0)


def test_calls_are_counted_with_their_length_by_condition_engine_and_voice() -> None:
    tally = tallied(
        timeline(condition="street", duration_s=1800),
        timeline(agent_voice="fir", caller_voice="alder", duration_s=5400),
        timeline(engine="pyttsx3", caller_voice="rowan"),
    )

    assert (tally.calls, tally.duration_s) == (3, 7260)
    assert tally.conditions == {RecordedCondition("street", None, 0.0, 0.0): 1, CLEAN: 2}
    assert tally.engines == {("hibari", "hibari"): 2, ("pyttsx3", "hibari"): 1}
    assert tally.voices == {
        ("hibari", "alder", AGENT): 1,
        ("hibari", "fir", CALLER): 1,
        ("hibari", "fir", AGENT): 1,
        ("hibari", "alder", CALLER): 1,
        ("pyttsx3", "alder", AGENT): 1,
        ("pyttsx3", "rowan", CALLER): 1,
    }


def test_an_overlap_is_held_against_the_range_of_its_type() -> None:
    least_s, most_s = OVERLAP_S[FILLER]
    inside = timeline(interruptions=(overlap(FILLER, least_s), overlap(FILLER, most_s), overlap(NORMAL, 1.2)))
    outside = timeline(interruptions=(overlap(FILLER, least_s - 0.001), overlap(FILLER, most_s + 0.001)))

    assert tallied(inside).outside.total() == 0
    assert tallied(inside, outside).outside == {FILLER: 2, NORMAL: 0}


@pytest.mark.parametrize(("tenths", "time_s"), [(0, 0.01), (1, 0.019), (5, 0.055), (9, 0.091), (10, 0.1)])
def test_so_many_tenths_of_all_times_are_no_longer(tenths: int, time_s: float) -> None:
    spread = Spread()
    for hundredths in range(1, 11):
        spread.add(hundredths / 100)

    assert spread.tenths_s(tenths) == pytest.approx(time_s)


def test_takes_failed_attempts_and_paces_are_counted_by_side() -> None:
    tally = tallied(
        timeline(
            turn(0, pace=0.8, take=2, failed_attempts=1), turn(1, pace=1.2), turn(2, take=3),
            turn(3, take=2, failed_attempts=2), turn(4, pace=1.15),
        )
    )  # fmt: skip

    assert tally.turns == {AGENT: 3, CALLER: 2}
    assert tally.retaken == {AGENT: 2, CALLER: 1}
    assert tally.failed_attempts == 3
    assert tally.paces == {800: 1, 1150: 1}  # a caller's pace is their manner


def test_what_was_misheard_is_counted_by_voice_condition_type_and_in_all() -> None:
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
    assert tally.by_ear_under == {CLEAN: ByEar(15, 1), RecordedCondition("car", None, 0.0, 0.0): ByEar(20, 4)}
    assert tally.by_ear_in == {None: ByEar(30, 5), FILLER: ByEar(5, 0)}


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
