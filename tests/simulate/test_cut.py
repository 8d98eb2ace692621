"""The cut: every pair that is chosen keeps every rule, and there is one for every cuttable sentence."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from factory.records.conversation import Cut, Segment, Utterance
from factory.records.enums import InterruptionType
from factory.simulate.cut import (
    FASTEST_WPS,
    HEARD_WORDS,
    LEFT_WORDS,
    OVERLAP_S,
    SLOWEST_WPS,
    CutNotPossible,
    choose_cut,
    cut_faults,
    overlap_can_be_had,
    overlap_window_s,
    sentence_spans,
)

WORD = st.text("abcdefghijklmnopqrstuvwxyz", min_size=1, max_size=11)
NUMBER = st.from_regex(r"(DR-)?[0-9]{1,7}", fullmatch=True)
TYPES = st.sampled_from(InterruptionType)


Case = tuple[tuple[Segment, ...], int]
"""Segments, and the index of the act that is to be cut."""


@st.composite
def sentence_texts(draw: st.DrawFn, least: int = 1) -> str:
    words = draw(st.lists(WORD | NUMBER, min_size=least, max_size=24))
    words = [w + draw(st.sampled_from(["", "", "", ","])) for w in words[:-1]] + [words[-1]]
    return " ".join(words).capitalize() + draw(st.sampled_from(".?"))


@st.composite
def utterances(draw: st.DrawFn) -> Case:
    """Segments with a cuttable act at the returned index and something behind its first sentence."""
    before = draw(st.lists(sentence_texts(), max_size=3))
    target = draw(sentence_texts(least=10))
    after = draw(st.lists(sentence_texts(), min_size=1, max_size=3))
    texts = [*before, target, *after]
    return tuple(Segment(act=f"s.a{i}", text=t) for i, t in enumerate(texts)), len(before)


def cut_in(case: Case, kind: InterruptionType, seed: int) -> Utterance | None:
    """The utterance with its cut; None where its words offer no place for one."""
    segments, act = case
    try:
        return Utterance(segments=segments, cut=choose_cut(segments, act, kind, Random(seed)))
    except CutNotPossible:
        return None


def cut_of(utterance: Utterance) -> Cut:
    assert utterance.cut is not None
    return utterance.cut


@given(utterances(), TYPES, st.integers(0, 2**32))
def test_every_chosen_cut_keeps_every_rule(case: Case, kind: InterruptionType, seed: int) -> None:
    segments, act = case
    utterance = cut_in(case, kind, seed)
    if utterance is None:
        return
    cut = cut_of(utterance)
    assert cut_faults(segments, cut, kind) == ()
    words = utterance.text.split(" ")
    assert utterance.delivered + utterance.undelivered == utterance.text
    assert utterance.delivered == " ".join(words[: cut.cut_word + 1])
    assert utterance.heard == " ".join(words[: cut.onset_word + 1])
    spans = sentence_spans(segments)
    span = next(s for s in spans if s.first <= cut.cut_word <= s.last)
    assert span.segment == act
    assert span is not spans[-1]
    assert cut.cut_word - span.first + 1 >= HEARD_WORDS
    assert span.last - cut.cut_word >= LEFT_WORDS
    # What the caller acts on, every act before the cut one, is over before they start.
    assert utterance.acts_within(utterance.heard) == tuple(s.act for s in segments[:act])


@given(utterances(), TYPES, st.integers(0, 2**32))
def test_the_overlap_of_the_type_can_be_had_at_the_slowest_and_fastest_pace(
    case: Case, kind: InterruptionType, seed: int
) -> None:
    utterance = cut_in(case, kind, seed)
    if utterance is None:
        return
    low, high = OVERLAP_S[kind]
    for wps in (SLOWEST_WPS, FASTEST_WPS):
        least, most = overlap_window_s(utterance.text.split(" "), cut_of(utterance), wps)
        assert max(least, low) <= min(most, high)


def test_an_ordinary_sentence_of_ten_words_can_be_cut_for_every_type() -> None:
    segments = (
        Segment(act="s.a", text="The inspector needs to see every room that was damaged."),
        Segment(act="s.b", text="Which day suits you?"),
    )
    for kind in InterruptionType:
        for seed in range(50):
            cut = choose_cut(segments, 0, kind, Random(seed))
            assert 2 <= cut.cut_word <= 6


def test_the_last_sentence_is_never_cut() -> None:
    segments = (
        Segment(act="s.a", text="Thank you."),
        Segment(act="s.b", text="The inspector needs to see every room that was damaged by water."),
    )
    with pytest.raises(CutNotPossible, match="last sentence"):
        choose_cut(segments, 1, InterruptionType.NORMAL, Random(0))


def test_a_sentence_too_short_for_the_rules_is_refused() -> None:
    segments = (Segment(act="s.a", text="One moment please."), Segment(act="s.b", text="Which day suits you?"))
    with pytest.raises(CutNotPossible, match="no onset and cut"):
        choose_cut(segments, 0, InterruptionType.FILLER, Random(0))


@pytest.mark.parametrize(
    ("cut", "fault"),
    [
        (Cut(onset_word=3, cut_word=5), None),
        (Cut(onset_word=0, cut_word=2), "before two words"),
        (Cut(onset_word=7, cut_word=9), "sentence's end"),
        (Cut(onset_word=6, cut_word=8), "fewer than"),
        (Cut(onset_word=11, cut_word=12), "last sentence"),
        (Cut(onset_word=1, cut_word=6), "no overlap"),
        (Cut(onset_word=1, cut_word=60), "behind the utterance's end"),
    ],
)
def test_each_broken_rule_is_named(cut: Cut, fault: str | None) -> None:
    segments = (
        Segment(act="s.a", text="The inspector needs to see every room that was damaged."),
        Segment(act="s.b", text="Which day suits you?"),
    )
    faults = cut_faults(segments, cut, InterruptionType.PUSHBACK)
    assert (not faults) if fault is None else any(fault in f for f in faults)


def test_a_filler_is_too_short_for_a_long_overlap() -> None:
    words = ["The", "inspector", "needs", "to", "see", "every", "room", "that", "was", "damaged."]
    assert overlap_can_be_had(words, Cut(onset_word=1, cut_word=3), InterruptionType.FILLER)
    assert not overlap_can_be_had(words, Cut(onset_word=2, cut_word=6), InterruptionType.FILLER)


@given(utterances(), TYPES, st.integers(0, 2**32))
def test_the_remainder_is_the_undelivered_text_act_by_act(case: Case, kind: InterruptionType, seed: int) -> None:
    segments, act = case
    utterance = cut_in(case, kind, seed)
    if utterance is None:
        return
    remainder = utterance.remainder()
    assert " ".join(s.text for s in remainder) == utterance.undelivered.strip()
    assert [s.act for s in remainder] == [s.act for s in segments[act:]]
