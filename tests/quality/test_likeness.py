import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rapidfuzz.distance import Indel

from factory.quality.likeness import FEWEST_WORDS, elsewhere, near_duplicates
from factory.quality.turns import Turn
from factory.records.enums import InterruptionType, Speaker
from tests.quality.hand import FIXED, TELL, Said, call, spoken, turns

LINE = "could you tell me when the engineer comes"


def share(*calls, side=Speaker.CALLER, group=45):  # type: ignore[no-untyped-def]
    return near_duplicates(turns(*calls), side, group).value


@pytest.mark.parametrize(
    ("other", "found"),
    [
        (LINE, 1),
        ("Could you tell me when the engineer comes?", 1),
        ("could you tell me when the fitter comes", 1),  # 2 of 16 words differ
        ("could you tell us when the fitter comes", 0),  # 4 of 16
        ("when will somebody be here for the meter", 0),
    ],
)
def test_turns_that_differ_by_a_fifth_of_their_words_are_near_duplicates(other: str, found: int) -> None:
    assert share(*spoken([LINE, other])) == found


def test_the_share_is_of_turns_that_come_again_in_another_call() -> None:
    assert share(*spoken([LINE, LINE, "something else that nobody says twice here", "a last line of six words"])) == 0.5


def test_what_comes_again_in_the_same_call_does_not_count() -> None:
    assert (
        share(
            call("one", Said("a", LINE), Said("b", LINE)),
            call("two", Said("c", "and now for something quite different")),
        )
        == 0
    )


def test_short_turns_and_backchannels_do_not_count() -> None:
    short, filler = " ".join(["so"] * (FEWEST_WORDS - 1)), "mm-hm mm-hm yeah okay right sure"
    calls = [call(n, Said("a", short), Said("b", filler, type=InterruptionType.FILLER)) for n in ("one", "two")]
    assert near_duplicates(turns(*calls), Speaker.CALLER, 45) is None


def test_a_fixed_disclosure_does_not_count() -> None:
    disclosure = "this call may be recorded for training and for your safety"
    own = "today it is all about the new meter in your cellar"
    free = [call(n, Said({TELL: f"{disclosure} {x}"})) for n, x in (("one", "now"), ("two", "then"))]
    fixed = [call(n, Said({FIXED: disclosure, TELL: x})) for n, x in (("one", own), ("two", own[::-1]))]
    assert share(*free, side=Speaker.AGENT) == 1
    assert share(*fixed, side=Speaker.AGENT) == 0


def test_only_delivered_words_count() -> None:
    rest = "then we shall all go home and have a cup of tea"
    calls = [call(n, Said(f"{n} {n}a {n}b {n}c {n}d {n}e {rest}", "wait", onset=3)) for n in ("x", "y")]
    assert share(*calls, side=Speaker.AGENT) == 0


def test_duplicates_are_looked_for_within_groups_of_equal_size_so_that_corpora_compare() -> None:
    pairs = spoken([f"n{i // 2} came and saw n{i // 2} and won n{i // 2}" for i in range(40)])
    assert share(*pairs, group=2) == 1
    assert share(*pairs[1:], pairs[0], group=2) == 0


def test_fewer_calls_than_a_group_are_too_few() -> None:
    assert not near_duplicates(turns(*spoken([LINE] * 9)), Speaker.CALLER, 10).enough
    assert near_duplicates(turns(*spoken([LINE] * 10)), Speaker.CALLER, 10).enough


def test_the_place_is_the_turn_that_comes_again_most_often() -> None:
    found = near_duplicates(turns(*spoken(["this one comes twice in all"] * 2 + [LINE] * 3)), Speaker.CALLER, 45)
    assert (found.place.text, found.place.about) == (LINE, "almost the same is said in 2 of 4 other calls")


words = st.lists(st.sampled_from(list("abcdefg")), min_size=1, max_size=14).map(tuple)


@settings(max_examples=300)
@given(st.lists(st.tuples(st.sampled_from("pqrs"), words), max_size=12))
def test_the_fast_way_finds_what_comparing_every_pair_finds(said: list[tuple[str, tuple[str, ...]]]) -> None:
    spoken_turns = [Turn(name, i, Speaker.CALLER, " ".join(w), w, (w,)) for i, (name, w) in enumerate(said)]
    found = elsewhere(spoken_turns)
    for turn in spoken_turns:
        every = {
            other.conversation_id
            for other in spoken_turns
            if 5 * Indel.distance(turn.words, other.words) <= len(turn.words) + len(other.words)
        }
        assert found[turn.own_words] == every
