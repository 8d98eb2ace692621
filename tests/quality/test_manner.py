import pytest

from factory.quality.manner import Manner
from factory.records.enums import InterruptionType, Speaker
from tests.quality.hand import Said, call, spoken, turns


def manner(*calls) -> Manner:  # type: ignore[no-untyped-def]
    found = Manner()
    for turn in (turn for of_call in turns(*calls) for turn in of_call):
        found.add(turn)
    return found


@pytest.mark.parametrize(
    "line",
    [
        "Uh, sure, it's Tuesday.",
        "It's, um, Tuesday.",
        "Hmm, I'd say Tuesday.",
        "I mean, Tuesday would do.",
        "It's kind of late, isn't it?",
        "It's, like, ten miles from here.",
        "Like, when would that be?",
        "It's it's the second house.",
        "I, I don't know.",
        "No, wait, it's Wednesday.",
        "I meant the other one.",
        "It's the one with the... with the blue door.",
        "It's the se- the second house.",
    ],
)
def test_an_imperfection_is_heard(line: str) -> None:
    assert manner(*spoken([line])).imperfections().value == 1


@pytest.mark.parametrize(
    "line",
    [
        "It's Tuesday.",
        "I like the morning better.",
        "It looks like rain.",
        "Okay, okay, go ahead.",
        "No, no, that's fine.",
        "It's a three-bedroom house.",
        "That would be rather kind.",
        "There's an umbrella at the door.",
    ],
)
def test_a_plain_line_has_none(line: str) -> None:
    assert manner(*spoken([line])).imperfections().value == 0


def test_the_share_is_of_caller_turns_other_than_backchannels() -> None:
    said = call(
        "one",
        Said("Um, hello.", "Mm, okay", type=InterruptionType.FILLER),
        Said("Well, uh.", "Um, yes."),
        Said("And the day?", "Tuesday, in the afternoon."),
        Said("Thanks.", "Bye."),
    )
    found = manner(said).imperfections()
    assert found.value == pytest.approx(1 / 3)
    assert found.place.text == "Tuesday, in the afternoon."


def test_words_per_turn_are_of_what_was_delivered() -> None:
    said = call(
        "one", Said("one two three four five six seven", "a b", onset=1), Said("one two three four five six", "a b c d")
    )
    assert manner(said).mean(Speaker.AGENT).value == (4 + 6) / 2
    assert manner(said).mean(Speaker.CALLER).value == (2 + 4) / 2


def test_percentiles_are_numbers_of_words_that_so_many_turns_do_not_exceed() -> None:
    found = manner(*spoken([" ".join(["w"] * n) for n in range(1, 101)]))
    assert found.percentile(Speaker.CALLER, 50).value == 50
    assert found.percentile(Speaker.CALLER, 95).value == 95
    assert found.percentile(Speaker.CALLER, 95).place.about == "the longest turn: 100 words"


def test_a_hundred_turns_are_enough() -> None:
    assert manner(*spoken(["Hi."] * 100)).mean(Speaker.CALLER).enough
    assert not manner(*spoken(["Hi."] * 99)).mean(Speaker.CALLER).enough
    assert not manner(*spoken(["Hi."] * 99)).imperfections().enough


def test_nothing_said_is_no_figure() -> None:
    assert Manner().mean(Speaker.AGENT) is Manner().percentile(Speaker.AGENT, 50) is Manner().imperfections() is None
