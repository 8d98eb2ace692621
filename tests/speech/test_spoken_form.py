"""What callers write is turned into what callers say."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from factory.speech.spoken import respell_letter_a, spoken_form

CASES = [
    # ids and codes
    ("My case ID is DR-4827315.", "My case I D is D R four eight two, seven three one five."),
    ("It's A-4417.", "It's A four four one seven."),
    ("claim number 88213", "claim number eight eight two one three"),
    ("The card ending in 8830.", "The card ending in eight eight three zero."),
    ("It ends in 0042, I think.", "It ends in zero zero four two, I think."),
    ("The last four are 1984.", "The last four are one nine eight four."),
    ("Last four digits: 2019", "Last four digits: two zero one nine"),
    ("My zip code is 60614.", "My zip code is six zero six one four."),
    ("zip 60614-2201", "zip six zero six one four, two two zero one"),
    ("my code is 447190", "my code is four four seven, one nine zero"),
    ("Order #20481.", "Order number two zero four eight one."),
    ("It's 8830.", "It's eight eight three zero."),
    ("Account 004417", "Account zero zero four, four one seven"),
    ("I'm in apartment 4B.", "I'm in apartment four B."),
    ("Unit 12B", "Unit twelve B"),
    ("flight UA2291", "flight U A two two nine one"),
    ("reference TK-20-991X", "reference T K two zero nine nine one X"),
    ("My PIN is 4417.", "My Pin is four four one seven."),
    ("my SSN is 123-45-6789", "my S S N is one two three, four five, six seven eight nine"),
    ("room 204", "room two oh four"),
    ("Do I need a W-2 or a 1099?", "Do I need a W two or a ten ninety-nine?"),
    ("my 401k", "my four oh one K"),
    ("I had COVID-19.", "I had Covid nineteen."),
    ("Should I call 911?", "Should I call nine one one?"),
    ("You said 24/7 support.", "You said twenty-four seven support."),
    (
        "card 4111 1111 1111 1234",
        "card four one one one, one one one one, one one one one, one two three four",
    ),
    ("policy HO-3-98-1123", "policy H O three, nine eight, one one two three"),
    ("user1234", "user one two three four"),
    ("the 5-day plan, a 3-year-old", "the five-day plan, a three-year-old"),
    # phone numbers
    ("555 0142", "five five five, zero one four two"),
    ("It's 555-0142.", "It's five five five, zero one four two."),
    ("312-555-0142", "three one two, five five five, zero one four two"),
    ("Call (312) 555-0142 please.", "Call three one two, five five five, zero one four two please."),
    ("312.555.0142", "three one two, five five five, zero one four two"),
    ("1-800-555-0199", "one eight hundred, five five five, zero one nine nine"),
    ("+1 312 555 0142", "plus one, three one two, five five five, zero one four two"),
    ("555-0142 ext. 204", "five five five, zero one four two extension two zero four"),
    # dates
    ("I was born 11/02/1984.", "I was born November second, nineteen eighty-four."),
    ("3/14/79", "March fourteenth, nineteen seventy-nine"),
    ("on 2026-03-05", "on March fifth, twenty twenty-six"),
    ("March 14th, 1979", "March fourteenth, nineteen seventy-nine"),
    ("March 3", "March third"),
    ("Jan. 5th works.", "January fifth works."),
    ("the 22nd of June", "the twenty-second of June"),
    ("5 May 2001", "fifth of May, two thousand one"),
    ("due 4/15", "due April fifteenth"),
    ("I may 3 times", "I may three times"),
    ("since 2019", "since twenty nineteen"),
    ("back in 2005", "back in two thousand five"),
    ("in the 90s", "in the nineties"),
    ("in 1906", "in nineteen oh six"),
    ("born 3-14-79", "born March fourteenth, nineteen seventy-nine"),
    # times
    ("it's 7 a.m. Thursday", "it's seven A M Thursday"),
    ("10:15-10:45", "ten fifteen to ten forty-five"),
    ("from 9-5", "from nine to five"),
    ("9:30 am", "nine thirty A M"),
    ("9 am to noon", "nine A M to noon"),
    ("at 9:05 a.m. tomorrow", "at nine oh five A M tomorrow"),
    ("by 5 p.m.", "by five P M."),
    ("between 2-4pm", "between two to four P M"),
    ("at 4:00", "at four o'clock"),
    ("at 14:30", "at fourteen thirty"),
    ("8:00 AM sharp", "eight A M sharp"),
    # money
    ("$35", "thirty-five dollars"),
    ("$1,240.50", "one thousand two hundred forty dollars and fifty cents"),
    ("just $1", "just one dollar"),
    ("$0.99", "ninety-nine cents"),
    ("$2.5 million", "two point five million dollars"),
    ("about $5k", "about five thousand dollars"),
    ("£20", "twenty pounds"),
    ("I paid $1.00!", "I paid one dollar!"),
    # quantities
    ("4.5%", "four point five percent"),
    ("100% sure", "one hundred percent sure"),
    ("It's my 3rd call.", "It's my third call."),
    ("the 21st floor", "the twenty-first floor"),
    ("I have 2 kids.", "I have two kids."),
    ("1,240 square feet", "one thousand two hundred forty square feet"),
    ("I paid 1200 already", "I paid twelve hundred already"),
    ("5000 miles", "five thousand miles"),
    ("2-3 days", "two to three days"),
    ("3.5 hours", "three point five hours"),
    ("-5 degrees", "minus five degrees"),
    ("It was 72°F.", "It was seventy-two degrees Fahrenheit."),
    ("I'm 5'10\" tall", "I'm five foot ten tall"),
    ("20 lbs", "twenty pounds"),
    ("1/2 of it", "one half of it"),
    ("a 30 min wait", "a thirty minute wait"),
    # addresses
    ("jo@example.com", "jo at example dot com"),
    (
        "It's jo.smith_42@mail.example.org.",
        "It's jo dot smith underscore forty-two at mail dot example dot org.",
    ),
    ("I was on www.example.com/help.", "I was on W W W dot example dot com slash help."),
    ("https://example.net", "example dot net"),
    # abbreviations
    ("Dr. Ames said so.", "Doctor Ames said so."),
    ("I saw Dr Patel.", "I saw Doctor Patel."),
    ("Mr. and Mrs. Lee, and Ms. Cruz", "Mister and Missus Lee, and Miz Cruz"),
    ("I live at 1420 Oak Dr.", "I live at fourteen twenty Oak Drive."),
    ("312 Main St, Apt 5", "three twelve Main Street, Apartment five"),
    ("I'm from St. Louis.", "I'm from Saint Louis."),
    ("Acme Inc. and so on, etc.", "Acme Incorporated and so on, et cetera."),
    ("w/o insurance", "without insurance"),
    ("me & my wife", "me and my wife"),
    ("and/or", "and or"),
    ("No. 5", "number five"),
    # acronyms and capitals
    ("FEMA called.", "FEMA called."),
    ("two IDs", "two I D's"),
    ("The ATM ate it.", "The A T M ate it."),
    ("my HMO and my PPO", "my H M O and my P P O"),
    ("the U.S. office", "the U S office"),
    ("I said NO, not NOW.", "I said no, not now."),
    ("I WANT MY MONEY BACK NOW PLEASE", "I want my money back now please"),
    ("I am REALLY upset.", "I am really upset."),
    ("AT&T", "A T and T"),
    ("OK, fine.", "O K, fine."),
    ("My BMW.", "My B M W."),
    # hesitation
    ("I… I mean, no.", "I... I mean, no."),
    ("Um ... well . . . yes", "Um... well... yes"),
    ("I was -- wait", "I was—wait"),
    ("So I – no", "So I—no"),
    ("I was just—", "I was just—"),
    ("b-but th-the bill", "buh, but thuh, the bill"),
    ("I-I don't know", "I, I don't know"),
    ("Uh-huh.", "Uh-huh."),
    ("Uh huh, mm hmm.", "Uh-huh, mm-hmm."),
    ("Mm, right.", "Mmm, right."),
    ("well (I think) yes", "well, I think, yes"),
    # characters
    ("It’s “fine”.", "It's fine."),
    ("[sighs] Okay <b>then</b> *laughs* 🙂", "Okay then"),
    ("", ""),
    ("...", "..."),
    ("🙂", ""),
]


@pytest.mark.parametrize(("written", "said"), CASES)
def test_written_text_is_said(written: str, said: str) -> None:
    assert spoken_form(written) == said


@pytest.mark.parametrize("written", [written for written, _ in CASES])
def test_saying_what_is_already_said_changes_nothing(written: str) -> None:
    assert spoken_form(spoken_form(written)) == spoken_form(written)


@given(st.text(alphabet=st.sampled_from("0123456789 .,-/:$%#@()aApPmMkS…—'\n<[*"), max_size=40))
def test_no_digit_or_symbol_is_left_whatever_is_written(written: str) -> None:
    assert not re.search(r"[\d$%#@<>\[\]*/]", spoken_form(written))


@pytest.mark.parametrize(
    ("spoken", "respelled"),
    [
        ("A friend said so.", "A friend said so."),
        ("It's A four.", "It's ay four."),
        ("A D R four", "ay D R four"),
        ("nine A M. A friend", "nine ay M. A friend"),
        ("A one-time fee", "ay one-time fee"),
    ],
)
def test_the_letter_a_is_told_from_the_article(spoken: str, respelled: str) -> None:
    assert respell_letter_a(spoken, "ay") == respelled
