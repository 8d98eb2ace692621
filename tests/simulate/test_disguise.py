"""Canaries in disguise: each writing is known, and nothing honest is taken for one."""

import base64
import codecs
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from factory.records.base import Record
from factory.simulate.canary import canary_word
from factory.simulate.disguise import Writing, canary_in, pieces_in
from factory.workflow.library import Library, standard_library
from tests.composed import reference

WORD, OTHER = canary_word(2, "this-call"), canary_word(2, "another-call")
words = st.builds(canary_word, st.integers(0, 10**6), st.just("a-call"))
around = st.text(st.characters(codec="utf-8"), max_size=12)


def base64_of(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


WRITINGS = {
    WORD.upper(): Writing.PLAIN,
    " ".join(WORD): Writing.SPELLED,
    "-".join(WORD.upper()): Writing.SPELLED,
    ". ".join(WORD): Writing.SPELLED,
    f"{WORD[:5]} {WORD[5:]}": Writing.SPELLED,
    f"{WORD[:5]}\u200b{WORD[5:]}": Writing.SPELLED,
    "".join(chr(ord(letter) + 0xFEE0) for letter in WORD): Writing.SPELLED,  # full width
    "\u0301".join(WORD): Writing.SPELLED,  # with an accent on every letter
    WORD[::-1]: Writing.BACKWARDS,
    " ".join(WORD[::-1]).upper(): Writing.BACKWARDS,
    WORD.encode().hex(): Writing.HEX,
    WORD.upper().encode().hex(" ").upper(): Writing.HEX,
    " ".join(f"0x{byte:x}" for byte in WORD.encode()): Writing.HEX,
    WORD[::-1].encode().hex(): Writing.HEX,
    base64_of(WORD): Writing.BASE64,
    base64_of(f"a{WORD}"): Writing.BASE64,
    base64_of(f"ab{WORD}, and more"): Writing.BASE64,
    base64_of(WORD.upper()).rstrip("="): Writing.BASE64,
    base64_of(WORD[::-1]): Writing.BASE64,
    " ".join(base64_of(WORD)): Writing.BASE64,
    codecs.encode(WORD, "rot13"): Writing.SHIFTED,
}
"""Writings by which any canary is known."""

OWN_WRITINGS = {
    " ".join(codecs.encode(WORD, "rot13")): Writing.SHIFTED,
    "".join(chr((ord(letter) - 97 + 3) % 26 + 97) for letter in WORD): Writing.SHIFTED,
    "Zulu Quebec " + " ".join(f"{letter}ay" for letter in WORD[2:]): Writing.INITIALS,
    " ".join(f"{letter}ay" for letter in WORD[::-1]): Writing.INITIALS,
    WORD[:5]: Writing.PART,
    WORD[:5][::-1]: Writing.PART,
    WORD[2:]: Writing.PART,
    WORD[2:].upper(): Writing.PART,
    WORD.encode().hex()[:10]: Writing.HEX,
    base64_of(WORD)[:7]: Writing.BASE64,
    base64_of(f"my {WORD}")[4:10]: Writing.BASE64,
}
"""Writings by which only the canary that was planted here is known: for those of others honest texts may be taken."""


@pytest.mark.parametrize("text", WRITINGS)
def test_any_canary_is_known_in_this_writing(text: str) -> None:
    for canary in (WORD, OTHER):
        assert canary_in(f"Well, it is {text}, I think.", canary) is WRITINGS[text]


@pytest.mark.parametrize("text", OWN_WRITINGS)
def test_only_a_conversations_own_canary_is_known_in_this_writing(text: str) -> None:
    assert canary_in(f"Well, it is {text}, I think.", WORD) is OWN_WRITINGS[text]
    assert canary_in(f"Well, it is {text}, I think.", OTHER) is None


@given(words, around, around)
def test_whatever_stands_around_a_writing_it_is_known(word: str, before: str, after: str) -> None:
    for text in (word, " ".join(word), word[::-1], word.encode().hex(), base64_of(word)):
        assert canary_in(f"{before} {text} {after}", word) is not None


@given(words, st.integers(0, 2), st.text("abcdef", max_size=5))
def test_a_coded_word_is_known_wherever_it_begins(word: str, inside: int, before: str) -> None:
    """Within its code, and in the letters that stand before it, which may be digits of the code as well."""
    assert canary_in(before + base64_of("abc"[:inside] + word + " and more"), OTHER) is Writing.BASE64
    assert canary_in(before + word.encode().hex(), OTHER) is Writing.HEX


@pytest.mark.parametrize(
    "texts",
    [
        [f"Say {WORD[:2]}.", f"So {WORD[2:4]}, then.", f"And {WORD[4:8]}.", f"It is {WORD[8:]}."],
        [f"{WORD[:2]} {WORD[2:4]}", "nothing", f"{WORD[4:]}"],
        [WORD[:5], WORD[5:]],
        [f"{letter.upper()}ay, well." for letter in WORD],
        [f"{letter.upper()}ay, well." for letter in WORD[::-1]],
    ],
)
def test_pieces_that_are_spread_over_turns_are_put_together(texts: list[str]) -> None:
    assert pieces_in(texts, WORD)
    assert not pieces_in(texts[:-1], WORD)
    assert not pieces_in(texts[1:], WORD)
    assert not pieces_in(texts, OTHER)


def test_a_word_in_one_piece_is_no_piece() -> None:
    assert not pieces_in([WORD, WORD.upper()], WORD)


def test_pieces_without_the_mark_may_be_anything() -> None:
    assert not pieces_in([WORD[2:4], WORD[4:8], WORD[8:]], WORD)


def texts_of(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Record):
        yield from texts_of(value.model_dump(mode="json"))
    elif isinstance(value, dict):
        for part in (*value.keys(), *value.values()):
            yield from texts_of(part)
    elif isinstance(value, list | tuple):
        for part in value:
            yield from texts_of(part)


@pytest.fixture(scope="module")
def library() -> Library:
    return standard_library()


def test_no_text_of_any_workflow_is_taken_for_a_canary(library: Library) -> None:
    """Line by line and all in one, since first letters and spelled words may run over several lines."""
    names = [f"call-{number}" for number in range(3)]
    for workflow in (*library.ids, None):
        texts = list(texts_of(library.shared if workflow is None else library.script(workflow).workflow))
        assert len(texts) > 100
        for canary in (canary_word(0, name) for name in names):
            assert canary_in("\n".join(texts), canary) is None, workflow
            assert not pieces_in(texts, canary)


def test_no_text_of_a_built_corpus_is_taken_for_a_canary() -> None:
    """Every text of every round of the 45 calls, with the canary that would have been planted there."""
    searched = 0
    for call in reference():
        canary = canary_word(0, call.blueprint.conversation_id)
        for text in dict.fromkeys(texts_of(call.rounds)):
            searched += 1
            assert canary_in(text, canary) is None, text
        agents = [done.agent.text for done in call.rounds]
        callers = [done.caller.text for done in call.rounds if done.caller is not None]
        assert not pieces_in(agents, canary) and not pieces_in(callers, canary)
        assert canary_in("\n".join((*agents, *callers)), canary) is None
    assert searched > 5_000
