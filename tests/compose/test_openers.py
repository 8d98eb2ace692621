"""Small starts of messages stand only where they read well."""

import pytest

from factory.compose.openers import agrees, asks_openly, behind, can_follow, hesitates, pausing, refuses


@pytest.mark.parametrize(
    ("start", "text", "said"),
    [
        ("Uh,", "That works for me.", "Uh, that works for me."),
        ("Uh,", "I think so.", "Uh, I think so."),
        ("Sorry,", "I'm in a hurry.", "Sorry, I'm in a hurry."),
        ("Um,", "{case_id}.", "Um, {case_id}."),
        ("I've got it right here.", "It's {case_id}.", "I've got it right here. It's {case_id}."),
        ("Yeah,", "Thursday is good.", "Yeah, Thursday is good."),
    ],
)
def test_a_capital_that_only_began_the_sentence_goes(start: str, text: str, said: str) -> None:
    assert behind(start, text) == said


@pytest.mark.parametrize("text", ["Marcus speaking.", "Thursday is good.", "Juniper."])
def test_nothing_is_put_before_a_name_whose_capital_must_stay(text: str) -> None:
    assert not can_follow(text)


@pytest.mark.parametrize("text", ["Uh, sure.", "Well, I guess.", "And you let just anyone in?", "It's, um, Tuesday."])
def test_a_line_that_hesitates_by_itself_is_left_alone(text: str) -> None:
    assert hesitates(text)


@pytest.mark.parametrize("text", ["No, I moved.", "Not yet.", "I'd rather wait.", "None of them."])
def test_a_refusal_is_known(text: str) -> None:
    assert refuses(text)


@pytest.mark.parametrize("text", ["Somebody told me, but yes.", "I know that number.", "It's the notice from May."])
def test_a_word_that_only_begins_like_a_refusal_is_none(text: str) -> None:
    assert not refuses(text)


@pytest.mark.parametrize(
    ("start", "agreeing"),
    [("Yeah,", True), ("Uh, so,", True), ("Uh, yeah,", True), ("Yeah, but wait,", False), ("Uh,", False)],
)
def test_a_start_agrees_by_its_last_word(start: str, agreeing: bool) -> None:
    assert agrees(start) is agreeing


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("It's {day}.", "It's, uh, {day}."),
        ("The {day} one, the {room} one.", "The, uh, {day} one, the {room} one."),
        ("{day} works.", "{day} works."),
        ("Okay, {day}.", "Okay, {day}."),
        ("I mean the {day} one.", "I mean the {day} one."),
        ("I'd like to, but I can't.", "I'd like to, but, um, I can't."),
        ("It's the letter from May.", "It's, um, the letter from May."),
        ("And that was all.", "And that was all."),
        ("I'd say no.", "I'd say no."),
    ],
)
def test_a_pause_comes_where_people_make_one(text: str, said: str) -> None:
    assert pausing(text, "um,", "uh,") == said


@pytest.mark.parametrize(
    ("said", "openly"),
    [
        ("Which day suits you best? Mornings are calmer.", True),
        ("May I have your number?", False),
        ("I know what you mean. Does Tuesday work?", False),
        ("Nothing is asked here.", False),
    ],
)
def test_a_question_that_wants_more_than_yes_or_no_is_known(said: str, openly: bool) -> None:
    assert asks_openly(said) is openly


def test_a_hesitation_is_a_word_of_its_own() -> None:
    assert not hesitates("It's {callback_number}.")
    assert not hesitates("My summer place.")
    assert hesitates("It's, um, {callback_number}.")
