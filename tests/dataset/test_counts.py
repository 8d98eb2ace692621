"""What the card tells of the sound, in numbers."""

from factory.dataset.counts import Tally
from tests.timelines import heard, tallied, timeline, turn


def test_calls_are_counted_by_condition_whatever_its_figures_and_by_the_engine_that_stood_in() -> None:
    sound = tallied(
        timeline(condition="street", snr_db=10.0, duration_s=90.5),
        timeline(condition="street", snr_db=20.0, engine="pyttsx3"),
        timeline(condition="car", engine="pyttsx3"),
        timeline(condition="car", engine="gtts"),
        timeline(),
    )
    counts = Tally(sound=sound).counts()

    assert counts.calls_s == 330.5
    assert list(counts.by_condition.items()) == [("car", 2), ("clean", 1), ("street", 2)]
    assert list(counts.stood_in.items()) == [("gtts", 1), ("pyttsx3", 2)]


def test_what_was_tried_again_and_misheard_is_counted_turn_by_turn() -> None:
    sound = tallied(
        timeline(
            turn(0, failed_attempts=2), turn(1, heard_by_ear=heard(8, 3)),
            turn(2), turn(3, heard_by_ear=heard(8, 2), failed_attempts=1),
        )
    )  # fmt: skip
    counts = Tally(sound=sound).counts()

    assert (counts.failed_attempts, counts.asr_words, counts.asr_errors, counts.misheard) == (3, 16, 5, 1)
