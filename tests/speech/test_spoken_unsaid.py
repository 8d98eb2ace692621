"""Words that a voice leaves out are named; all others are in the sound."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from factory.speech.spoken import say, spoken_form
from factory.speech.spoken_unsaid import unsaid
from factory.speech.spoken_words import SILENT
from factory.workflow.reader import load_shared
from factory.workflow.texts import placed_texts
from tests.speech.test_spoken_calls import CALLS
from tests.speech.test_spoken_form import CASES
from tests.speech.test_spoken_trades import TRADES
from tests.speech.test_spoken_ugly import UGLY

SHARED = Path(__file__).resolve().parents[2] / "workflows" / "shared.yaml"
NOT_FOR_THE_EAR = ("[sighs] Okay <b>then</b> *laughs* 🙂", "🙂")
SAID = [written for written, _ in (*CASES, *CALLS, *UGLY, *TRADES) if written not in NOT_FOR_THE_EAR]
WORDS = sorted({word for written in SAID for word in written.split(" ")})
LEFT_OUT = [
    ("My name is Иван Petrov.", ["Иван"]),
    ("Это я.", ["Это", "я."]),
    ("Иvan", ["Иvan"]),
    ("Ask 李明, please.", ["李明,"]),
    ("مرحبا there", ["مرحبا"]),
    ("שלום", ["שלום"]),
    ("take 5 µg", ["µg"]),
    ("I ♥ it 🙂", ["♥", "🙂"]),
    ("Sure🙂.", ["Sure🙂."]),
    ("㈱ Sony", ["㈱"]),
    ("It's 5₽ or 5 ₩", ["5₽", "₩"]),
    ("a → b", ["→"]),
    ("a | b", ["|"]),
    ("a ^ b", ["^"]),
    ("a ~ b", ["~"]),
    ("that costs $ or so", ["$"]),
    ("[laughs loudly] yes", ["[laughs", "loudly]"]),
    ("yes *sighs*", ["*sighs*"]),
    ("<sighs> yes", ["<sighs>"]),
    ("[pause 2 s] [2] yes", ["[pause", "2", "s]"]),
]


@pytest.mark.parametrize(("written", "missing"), LEFT_OUT)
def test_what_a_voice_leaves_out_is_named(written: str, missing: list[str]) -> None:
    assert list(unsaid(written)) == missing


@pytest.mark.parametrize("written", SAID)
def test_whatever_has_a_spoken_form_is_said_whole(written: str) -> None:
    assert unsaid(written) == ()


@pytest.mark.parametrize(
    "written",
    [
        *("", "...", "wait — no", "Well… – «no»", "Acme™ © 2020", "≤5 and ± 2 at ½ past ½", "~5°C", "٣ cups", "5 €"),
        *("Jose\u0301 Ruiz", "Þóra Ångström", "Łódź, Győr and Tromsø", "Nguyễn Văn Đức", "straße", "don´t", "ﬁne"),
    ],
)
def test_accents_pauses_and_signs_of_numbers_are_not_missing(written: str) -> None:
    assert unsaid(written) == ()


@given(st.lists(st.sampled_from(WORDS), max_size=6))
def test_no_word_gets_lost_beside_another_without_being_named(words: list[str]) -> None:
    written = " ".join(words)
    silent = [word for word, (start, stop) in zip(words, say(written).spans, strict=bool(words)) if start == stop]
    assert {word for word in silent if any(c.isalnum() for c in word)} <= set(unsaid(written))


@given(st.text(alphabet="0123456789aAbBIpmXx .,:!?'\"()/&%@#$-", max_size=24))
def test_every_word_of_plain_characters_is_said(written: str) -> None:
    spans = say(written).spans
    words = [word for word, (start, stop) in zip(written.split(" "), spans, strict=True) if start == stop]
    assert not [word for word in words if any(c.isalnum() for c in word)]


@given(st.characters(min_codepoint=0xC0, max_codepoint=0x1EFF, categories=["L"], exclude_characters=SILENT))
def test_a_letter_is_said_or_missing(letter: str) -> None:
    assert bool(spoken_form(letter)) or unsaid(letter)


def test_the_shared_phrases_are_said_whole() -> None:
    assert {place: unsaid(text) for place, text in placed_texts(load_shared(SHARED)) if unsaid(text)} == {}
