"""Word errors: what is the same in other letters, what is an error, and how errors are counted."""

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from factory.speech.word_errors import HESITATION, plain_words, word_errors

SAME = [
    # Money, numbers, shares
    ("It's $35.", "It's thirty-five dollars"),
    ("It's $35.", "It's $35"),
    ("So $150?", "So 150 dollars?"),
    ("So $150?", "So a hundred and fifty dollars?"),
    ("a hundred and fifty dollars", "$150"),
    ("$1,240.50", "one thousand two hundred and forty dollars and fifty cents"),
    ("$1,240.50", "1240 dollars and 50 cents."),
    ("$1.2 million", "1.2 million dollars"),
    ("twenty-one boxes", "21 boxes"),
    ("a thousand things", "1,000 things"),
    ("20% off", "twenty percent off"),
    ("20% off", "20 per cent off"),
    ("One more thing.", "1 more thing"),
    ("Just a second.", "just a second"),
    # Codes: read out, a recogniser writes them in groups of its own
    ("DR-4827315", "DR4827315."),
    ("DR-4827315", "D.R. 482-7315"),
    ("DR-4827315", "D R four eight two seven three one five"),
    ("D R 4 8", "DR48"),
    ("DR-48", "D-R-4-8"),
    ("It's QM-40918.", "It's Q M 40918"),
    ("It's QM-40918.", "It's QM, 4, 0, 9, 1, 8."),
    ("555-0136", "5550136"),
    ("555-0136", "555 0136"),
    ("555-0136", "five five five, oh one three six"),
    ("555-0136", "5-5-5-0-1-3-6"),
    ("1-800-555-0199", "1 800 555 0199"),
    ("It's 4471.", "It's 44 71."),
    ("4471", "forty-four seventy-one"),
    ("card ending in 0143", "card ending in 0 1 4 3"),
    ("PO Box 22", "P.O. Box 22"),
    # Dates and times
    ("11/02/1984", "November 2nd, 1984"),
    ("11/02/1984", "November 2, 1984"),
    ("on March 3rd", "on March third"),
    ("the twenty-first", "the 21st"),
    ("in 2024", "in two thousand twenty-four"),
    ("8:30 a.m.", "8:30 AM"),
    ("8:30 a.m.", "eight thirty a.m."),
    ("8:30 a.m., please", "8.30am please"),
    ("9:40 p.m.", "9.40 P.M."),
    ("at 10:00", "at ten o'clock"),
    ("at 10:00", "at 10 o'clock"),
    ("half past eight", "half past 8"),
    # Titles, streets, addresses
    ("Dr. Smith", "Doctor Smith"),
    ("12 Elm Dr.", "12 Elm Drive"),
    ("12 Elm St.", "twelve Elm Street"),
    ("Mr. and Mrs. Lane", "Mister and Missus Lane"),
    ("jo.lane@mail.com", "jo dot lane at mail dot com"),
    ("jo.lane@mail.com", "jo.lane at mail.com"),
    # Contractions, spelling, hyphens, spaces, marks
    ("I'm sure it's fine, I can't.", "I am sure it is fine. I cannot."),
    ("I've got to go.", "I have got to go"),
    ("I'm gonna call", "I'm going to call"),
    ("the grey colour", "the gray color"),
    ("your e-mail", "your email"),
    ("Please call back.", "please callback"),
    ("a drop-off point", "a drop off point"),
    ("All right, bye.", "Alright. Bye!"),
    ("All righty.", "Alrighty"),
    ("the café’s “menu”", "the cafe's menu"),
    # Yes, okay, hesitations
    ("okay", "OK."),
    ("okay", "O.K."),
    ("okay, sure", "Okey, sure"),
    ("mm-hm", "Mm-hmm."),
    ("mm-hm", "Mhm."),
    ("uh-huh", "Mmhmm"),
    ("Uh, the, um, the bill.", "The the bill."),
    ("the bill", "Uh, the, hmm, bill."),
    ("It's, uh, volunteer work.", "It's a volunteer work."),
    ("Uh, hang on.", "Oh, hang on."),
]

ERRORS = [
    # said, heard, substitutions, deletions, insertions
    ("on Tuesday", "on Thursday", 1, 0, 0),
    ("fifteen", "fifty", 2, 0, 0),
    ("$15", "$50", 2, 0, 0),
    ("DR-4827315", "DR-4827351", 0, 1, 1),
    ("555-0136", "555-0137", 1, 0, 0),
    ("555-0136", "555-013", 0, 1, 0),
    ("8:30 a.m.", "8:30 p.m.", 1, 0, 0),
    ("March 3rd", "March 4th", 2, 0, 0),
    ("I can do it", "I can't do it", 0, 0, 1),
    ("yes", "no", 1, 0, 0),
    ("yes", "mm-hm", 1, 0, 0),
    ("mm-hm", "okay", 1, 0, 0),
    ("Please call back tomorrow.", "Please call tomorrow.", 0, 1, 0),
    ("my order", "my old order", 0, 0, 1),
    ("Corrin Street", "corn street", 1, 0, 0),
    ("It's, uh, a heater.", "It's off a nice heater.", 0, 0, 1),
    ("hello there", "", 0, 2, 0),
    ("", "thank you", 0, 0, 2),
    ("hmm", "thank you very much", 0, 0, 3),
    ("one two three four", "four three two one", 2, 1, 1),
]


@pytest.mark.parametrize(("said", "heard"), SAME)
def test_what_sounds_alike_is_no_error_however_it_is_written(said: str, heard: str) -> None:
    errors = word_errors(said, heard)
    assert errors.rate == 0, (plain_words(said), plain_words(heard))
    assert errors.words >= 1


@pytest.mark.parametrize(("said", "heard", "substitutions", "deletions", "insertions"), ERRORS)
def test_what_sounds_otherwise_is_an_error(
    said: str, heard: str, substitutions: int, deletions: int, insertions: int
) -> None:
    errors = word_errors(said, heard)
    assert (errors.substitutions, errors.deletions, errors.insertions) == (substitutions, deletions, insertions)


def test_more_heard_than_said_makes_a_rate_above_one() -> None:
    assert word_errors("no", "no no thank you").rate == 3
    assert word_errors("...", "thank you").rate == 2


def test_hesitations_are_no_words_but_keep_their_place() -> None:
    assert plain_words("It's, uh, fine.") == ["it", "is", HESITATION, "fine"]
    assert word_errors("It's, uh, fine.", "It's fine.").words == 3


def test_an_initial_is_no_hesitation() -> None:
    assert plain_words("M as in Mary, H, U, E R") == ["m", "as", "in", "mary", "h", "u", "e", "r"]
    assert word_errors("I'm here", "I here").deletions == 1


# fmt: off
_TRICKY = [
    "a", "and", "point", "double", "oh", "zero", "one", "ten", "fifty", "hundred", "thousand", "first", "second",
    "half", "dollars", "cents", "per", "cent", "plus", "minus", "$5", "3.50", "20%", "7th", "1990s", "555-0136", "uh",
    "mm-hm",
]
# fmt: on
_TEXTS = st.lists(st.one_of(st.sampled_from(_TRICKY), st.text(max_size=8)), max_size=8).map(" ".join)


@given(_TEXTS)
def test_any_text_is_equal_to_itself(text: str) -> None:
    assert word_errors(text, text).rate == 0


@given(_TEXTS, _TEXTS)
def test_counts_lead_from_what_was_said_to_what_was_heard(said: str, heard: str) -> None:
    errors = word_errors(said, heard)
    assert 0 <= errors.substitutions + errors.deletions <= errors.words
    assert errors.insertions <= len(plain_words(heard))


def test_a_missing_package_is_named_with_what_to_do() -> None:
    program = """
import sys
sys.modules["whisper_normalizer"] = None
from factory.speech.errors import SpeechError
from factory.speech.word_errors import word_errors
try:
    word_errors("yes", "no")
except SpeechError as error:
    print(error)
"""
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert run.stdout == (
        "The package whisper-normalizer is missing: install it with `pip install 'blueprint-factory[asr]'`.\n"
    )
