import pytest
from hypothesis import given
from hypothesis import strategies as st

from factory.workflow.sentences import is_cuttable, sentences, spoken_words, words

WORD = st.text("abcdefghijklmnopqrstuvwxyz'", min_size=2, max_size=8).filter(lambda w: w.strip("'"))
AWKWARD = """
    Dr. Mr. a.m. p.m. No. 5 5. 4.5 $1,240.50 $1,240.50. J. St. I You We'll {name} {name}. well... … Yes! No?
    Really?! ("Fine.") "Stop." Inc. e.g. U.S. 555-0142. iPhone it then . ! ? ' "
"""
PIECES = st.sampled_from([*AWKWARD.split(), "\u00a0", "\n", "\u2028", ""])


@pytest.mark.parametrize(
    "expected",
    [
        ["Hello there.", "How are you?"],
        ["I saw Dr. Smith on Monday.", "She was kind."],
        ["Ask Dr. {doctor_name} about it.", "He knows."],
        ["We open at 9 a.m. Monday.", "Come then."],
        ["We open at 9 a.m.", "Come then."],
        ["It closes at 5 p.m. and opens at 9.", "Fine."],
        ["Your gate is No. 5 on the left.", "Go there."],
        ["No.", "We can't."],
        ["It costs $1,240.50.", "That is 4.5 percent more."],
        ["It's with J. R. Smith.", "He works here."],
        ["It starts with the letters L P.", "You'll see it at the top."],
        ["Well... I think so.", "Yes."],
        ["Hm...", "Maybe later."],
        ["Really?!", "Yes."],
        ['She said "Stop."', "Then we left."],
        ['"Are you sure?" he asked.', "I was."],
        ["It's at 12 Main St.", "We'll be there."],
        ["It's near St. Anne's.", "We'll be there."],
        ["The U.S. Postal Service has it.", "Ask them."],
        ["Write to me@example.com.", "{agent_name} answers."],
        ["That was on Jan. 5 last year.", "It's gone."],
        ["The plan ends.", "3 days later it starts again."],
        ["Lakeside Power Inc. called you.", "Call back."],
        ["Any letter, e.g. Monday's, shows it.", "Look there."],
    ],
)
def test_a_spoken_text_is_divided_where_a_listener_hears_an_end(expected: list[str]) -> None:
    assert list(sentences(" ".join(expected))) == expected


@given(st.text() | st.lists(PIECES, max_size=12).map(" ".join))
def test_joined_sentences_give_the_text_back(text: str) -> None:
    found = sentences(text)
    assert " ".join(found) == " ".join(text.split())
    assert all(sentence == sentence.strip() and sentence for sentence in found)
    assert [word for sentence in found for word in words(sentence)] == list(words(text))


@given(st.lists(st.tuples(st.lists(WORD, min_size=2, max_size=9), st.sampled_from(".!?")), min_size=1, max_size=6))
def test_plain_sentences_are_found_exactly(parts: list[tuple[list[str], str]]) -> None:
    written = [" ".join(["The", *body, "there"]) + mark for body, mark in parts]
    assert list(sentences(" ".join(written))) == written


@given(st.text())
def test_dividing_a_sentence_again_is_up_to_the_words_behind_it_only(text: str) -> None:
    found = sentences(text)
    assert sentences(" ".join(found)) == found


def test_a_blank_text_has_no_sentence() -> None:
    assert sentences(" \n ") == () and words("") == ()


def test_words_keep_their_punctuation_and_placeholders_are_one() -> None:
    assert words("It's {visit_day.corrected},  okay?") == ("It's", "{visit_day.corrected},", "okay?")


def test_a_sign_alone_is_no_spoken_word() -> None:
    assert spoken_words("well ... - {name} 5 !") == 3


TEN = "One two three four five six seven eight nine ten."


@pytest.mark.parametrize(
    ("lines", "cuttable"),
    [
        ((TEN,), True),
        ((TEN + " Short.", TEN), True),
        (("Short. " + TEN,), False),
        ((TEN, "One two three four five six seven eight nine."), False),
        (("One two three four five six seven eight nine - then.",), True),
        (("One two three four five six seven eight - nine.",), False),
        ((), False),
        (("",), False),
    ],
)
def test_a_caller_can_cut_in_where_every_first_sentence_has_ten_words(lines: tuple[str, ...], cuttable: bool) -> None:
    assert is_cuttable(lines) is cuttable
