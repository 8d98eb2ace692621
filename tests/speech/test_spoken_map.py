"""Which spoken words each written word became, and back."""

import re
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from factory.speech.spoken import Spoken, say, spoken_words_in
from factory.workflow.fill import fill_known, flatten
from factory.workflow.reader import load_workflow
from factory.workflow.texts import placed_texts
from tests.speech.test_spoken_calls import CALLS
from tests.speech.test_spoken_form import CASES
from tests.speech.test_spoken_trades import TRADES
from tests.speech.test_spoken_ugly import UGLY

WORKFLOWS = sorted((Path(__file__).resolve().parents[2] / "workflows").glob("*/*.yaml"))
REWRITTEN = re.compile(r"[^A-Za-z ,.?'!:]|[A-Z]{2}|\.[a-z]|\b(?:Dr|Mr|Mrs|Ms|St|vs|mm|uh)\b")
AGENT_LINE = re.compile(r"^stages\..*\.(?:say|brief|resume)\b")
WRITTEN = [written for written, _ in (*CASES, *CALLS, *UGLY, *TRADES)]
MAPPED = [
    # each written word has spoken words of its own
    ("My case ID is DR-48.", "My | case | I D | is | D R four eight"),
    ("Call (312) 555-0142 now", "Call | three one two | five five five zero one four two | now"),
    ("+1 312 555 0142", "plus one | three one two | five five five | zero one four two"),
    ("1 800 555 0199", "one | eight hundred | five five five | zero one nine nine"),
    ("card 4111 1111 1111 1234", "card | four one one one | one one one one | one one one one | one two three four"),
    ("at 5 p.m. Monday", "at | five | P M | Monday"),
    ("10:15 - 10:45", "ten fifteen | to | ten forty five"),
    ("8 a.m. - 12 p.m.", "eight | A M | to | twelve | P M"),
    ("Mon - Fri", "Monday | to | Friday"),
    ("March 5, 2026", "March | fifth | twenty twenty six"),
    ("March 3 - 5", "March | third | to | fifth"),
    ("the 22nd of June", "the | twenty second | of | June"),
    ("5 May 2001", "fifth | of May | two thousand one"),
    ("Jan. 5th works", "January | fifth | works"),
    ("expires 08/27 or so", "expires | August twenty twenty seven | or | so"),
    ("10 mg twice", "ten | milligrams | twice"),
    ("a 30 min wait", "a | thirty | minute | wait"),
    ("5 - 10 mg", "five | to | ten | milligrams"),
    ("850 sq ft", "eight hundred fifty | square | feet"),
    ("6 ft 2 in tall", "six | feet | two | inches | tall"),
    ("1 1/2 hours", "one | and a half | hours"),
    ("10 x 12 feet", "ten | by | twelve | feet"),
    ("$5 - $10 more", "five dollars | to | ten dollars | more"),
    ("a $50 bonus", "a | fifty dollar | bonus"),
    ("50 USD", "fifty | U S dollars"),
    ("1600 N. Clark St., Apt 4B", "sixteen hundred | North | Clark | Street | Apartment | four B"),
    ("Springfield, IL 62704", "Springfield | Illinois | six two seven zero four"),
    ("Unit #305", "Unit | three oh five"),
    ("Dr. Lee and my dr. agree", "Doctor | Lee | and | my | doctor | agree"),
    ("James Whitfield III", "James | Whitfield | the Third"),
    ("jo@example.com please", "jo at example dot com | please"),
    ("me & you w/ him", "me | and | you | with | him"),
    ("press # now", "press | pound | now"),
    ("uh huh, mm", "uh | huh | mmm"),
    ("b-but th-the bill", "buh but | thuh the | bill"),
    ("well (I think) yes", "well | I | think | yes"),
    ("a 10 in. wide door", "a | ten | inches | wide | door"),
    ("10' x 12' room", "ten feet | by | twelve foot | room"),
    ("8 x 10 x 2 in", "eight | by | ten | by | two | in"),
    ("50% – 60% off", "fifty percent | to | sixty percent | off"),
    ("$40 USD or 5 €", "forty | U S dollars | or | five | euros"),
    ("Jan 5 - Feb 3", "January | fifth | to | February | third"),
    ("Mon, Wed & Fri", "Monday | Wednesday | and | Friday"),
    ("card **** **** **** 1234", "card | | | ending in | one two three four"),
    ("Dr. A. Patel, MD", "Doctor | A | Patel | M D"),
    ("J. R. Lind on W. 4th", "J | R | Lind | on | West | fourth"),
    ("Hwy. 50 E is out", "Highway | fifty | East | is | out"),
    ("at 5 1/2% now", "at | five | and a half percent | now"),
    ("costs 5 $ now", "costs | five | dollars | now"),
    ("a 5 $ fee", "a | five | dollar | fee"),
    ("$5 / month now", "five dollars | a | month | now"),
    ("Press [5] or [#]", "Press | five | or | pound"),
    ("on Elm Dr. Mr. Jones", "on | Elm | Drive | Mister | Jones"),
    ("9 N MAIN ST APT 4B", "nine | North | Main | Street | Apartment | four B"),
    ("555-0142 x 12 now", "five five five zero one four two | extension | one two | now"),
    ("10 ft. x 12 ft. room", "ten | feet | by | twelve | feet | room"),
    ("Mon thru Fri only", "Monday | to | Friday | only"),
    ("a 2 yo girl", "a | two | year old | girl"),
    ("1m 30s left", "one minute | thirty seconds | left"),
    # nothing is said for them
    ("wait — 🙂 no", "wait | | | no"),
    ("[laughs out loud] hi", " | | | hi"),
    ("two  spaces ", "two | | spaces |"),
    ("um ... yes", "um | | yes"),
]
SHARED = [
    ("It's $35 million now.", [(0, 1), (1, 5), (1, 5), (5, 6)]),
    ("pay $ 35 – now", [(0, 1), (1, 4), (1, 4), (4, 4), (4, 5)]),
    ("USD 45 now", [(0, 5), (0, 5), (5, 6)]),
    ("about $2.5 billion or so", [(0, 1), (1, 6), (1, 6), (6, 7), (7, 8)]),
]


def check(written: str, said: Spoken) -> None:
    """What holds for every text."""
    words = spoken_words_in(said.text)
    assert len(said.spans) == len(written.split(" "))
    assert said.spans[0][0] == 0
    assert said.spans[-1][1] == len(words)
    for word, (before, after) in enumerate(zip(said.spans, said.spans[1:], strict=False)):
        assert after == before or after[0] == before[1]
        assert said.is_shared(word) == (after == before and before[0] < before[1])
    assert all(start <= stop for start, stop in said.spans)


@pytest.mark.parametrize(("written", "expected"), MAPPED)
def test_each_written_word_has_its_spoken_words(written: str, expected: str) -> None:
    said = say(written)
    words = spoken_words_in(said.text)
    assert [" ".join(words[start:stop]) for start, stop in said.spans] == [
        group.strip() for group in expected.split("|")
    ]
    assert not any(said.is_shared(word) for word in range(len(said.spans)))


@pytest.mark.parametrize(("written", "spans"), SHARED)
def test_what_is_said_as_one_thing_shares_a_span(written: str, spans: list[tuple[int, int]]) -> None:
    assert say(written).spans == tuple(spans)


def test_a_cut_inside_what_is_said_as_one_thing_is_told() -> None:
    said = say("It's $35 million now.")
    assert [said.is_shared(word) for word in range(4)] == [False, True, False, False]


@pytest.mark.parametrize("written", WRITTEN)
def test_the_spans_cover_every_spoken_word_of_a_case(written: str) -> None:
    check(written, say(written))


@given(st.lists(st.sampled_from(WRITTEN), min_size=1, max_size=4), st.sampled_from((" ", "  ", " — ", ". ")))
def test_the_spans_cover_every_spoken_word_of_cases_put_together(texts: list[str], joint: str) -> None:
    check(joint.join(texts), say(joint.join(texts)))


@given(st.lists(st.sampled_from([word for text in WRITTEN for word in text.split(" ")]), max_size=12))
def test_the_spans_cover_every_spoken_word_of_words_in_any_order(words: list[str]) -> None:
    check(" ".join(words), say(" ".join(words)))


@given(st.text(alphabet=st.sampled_from("0123456789 .,-/:$%#@()aApPmMkS…—'\n<[*½ﬁ🙂"), max_size=40))
def test_the_spans_cover_every_spoken_word_whatever_is_written(written: str) -> None:
    check(written, say(written))


@given(st.text(max_size=60))
def test_any_text_has_a_spoken_form(written: str) -> None:
    check(written, say(written))


@pytest.mark.parametrize(
    "hostile",
    [
        *("a.", "1-", "1.", "1,", "A", "1", "-", "(", '"', '5" ', "<5 ", "**", "xxx ", "code ", "Main St ", "Jan 5, "),
        *("Mon, ", "12 x ", "a@", "/day", "é", "[a ", "Dr. ", "exp is ", "\n", "1 1/2% ", "5 $ ", "[1 ", "1 MAIN "),
        *("5 x 5 ft ", "a/b", "5/day", "X, OR. ", "Mon-"),
    ],
)
def test_a_long_text_takes_no_more_than_linear_time(hostile: str) -> None:
    written = (hostile * 20_000)[:20_000]
    start = time.process_time()
    say(written)
    assert time.process_time() - start < 2


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_the_lines_of_the_library_are_said_word_by_word_and_once(path: Path) -> None:
    workflow = load_workflow(path)
    known = flatten(workflow.known_user_information)
    lines = sorted({fill_known(text, known) for place, text in placed_texts(workflow) if AGENT_LINE.match(place)})
    plain = [line for line in lines if not REWRITTEN.search(line)]
    rewritten = [line for line in lines if REWRITTEN.search(line)]
    assert rewritten
    for written in (*rewritten, *plain[::20]):
        said = say(written)
        check(written, said)
        assert say(said.text).text == said.text
        assert not any(said.is_shared(word) for word in range(len(said.spans)))
