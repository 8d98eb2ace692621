"""When a caller starts, and at which pace that can be had, whatever the times of the words."""

from dataclasses import astuple

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from factory.calls.overlap import LEAST_MARGIN_S, MARGIN_S, CutTimes, caller_starts_s, pace_needed
from factory.records.enums import InterruptionType
from factory.simulate.cut import OVERLAP_S

A_HAIR_S = 1e-9
"""What sums of floating-point numbers may be off."""
CLEAR_S = 0.02
"""How far inside its bounds an overlap is that can certainly be had."""

KINDS = st.sampled_from(InterruptionType)
SHORT_S = st.floats(0.0, 1.5)
MARGINS = st.sampled_from([MARGIN_S, LEAST_MARGIN_S])


def scaled(times: CutTimes, factor: float) -> CutTimes:
    """The same words, said so many times as slowly."""
    *words_s, margin_s = astuple(times)
    return CutTimes(*(time_s * factor for time_s in words_s), margin_s)


@st.composite
def any_times(draw: st.DrawFn) -> CutTimes:
    """An onset word, a word behind it, and a cut word that may die away in silence."""
    onset_s, next_s = draw(st.floats(0.1, 5.0)), draw(SHORT_S)
    cut_s = draw(SHORT_S)
    end_s = onset_s + next_s + cut_s
    return CutTimes(onset_s, onset_s + next_s, end_s, end_s - draw(st.floats(0.0, 1.0)) * cut_s, draw(MARGINS))


@st.composite
def times_for(draw: st.DrawFn, kind: InterruptionType) -> CutTimes:
    """Words that can be said at a pace, from half to twice theirs, at which the type has its overlap."""
    margin_s = draw(MARGINS)
    least, most = OVERLAP_S[kind][0] + margin_s + CLEAR_S, OVERLAP_S[kind][1] - margin_s - CLEAR_S
    onset_s, next_s = draw(st.floats(0.1, 5.0)), draw(st.floats(0.05, 1.0))
    start_s = onset_s + draw(st.floats(0.0, 1.0)) * next_s
    audible_s = draw(st.floats(least, most))
    last_s = start_s + audible_s
    assume(last_s >= onset_s + next_s)
    cut_s = last_s + draw(st.floats(0.0, 1.0)) * (most - audible_s)
    return scaled(CutTimes(onset_s, onset_s + next_s, cut_s, last_s, margin_s), draw(st.floats(0.5, 2.0)))


@given(any_times(), KINDS, st.floats(0.0, 1.0))
def test_whenever_the_caller_may_start_the_onset_word_is_over_and_the_overlap_is_of_the_range(
    times: CutTimes, kind: InterruptionType, where: float
) -> None:
    instants = caller_starts_s(times, kind)
    assume(instants is not None)
    assert instants is not None
    first, last = instants
    start_s = first + where * (last - first)
    least, most = OVERLAP_S[kind]
    assert times.onset_end_s - A_HAIR_S <= start_s <= times.next_end_s + A_HAIR_S
    assert times.last_sound_s - start_s >= least + times.margin_s - A_HAIR_S
    assert times.cut_s - start_s <= most - times.margin_s + A_HAIR_S


@given(st.data(), KINDS)
def test_the_pace_that_is_needed_is_enough_at_once(data: st.DataObject, kind: InterruptionType) -> None:
    times = data.draw(times_for(kind))
    assert caller_starts_s(scaled(times, 1 / pace_needed(times, kind)), kind) is not None


@given(any_times(), KINDS)
def test_the_pace_stays_where_and_only_where_it_is_right(times: CutTimes, kind: InterruptionType) -> None:
    assert (pace_needed(times, kind) == 1.0) == (caller_starts_s(times, kind) is not None)


@pytest.mark.parametrize("kind", InterruptionType)
def test_an_agent_who_takes_too_long_to_the_cut_speaks_faster_and_one_who_takes_too_short_slower(
    kind: InterruptionType,
) -> None:
    least, most = OVERLAP_S[kind]
    slow = CutTimes(1.0, 1.1, 1.2 + most, 1.2 + most)
    fast = CutTimes(1.0, 1.1, 1.0 + least, 1.0 + least)
    assert pace_needed(slow, kind) > 1.0 > pace_needed(fast, kind) > 0.0


def test_an_agent_whose_last_word_dies_away_speaks_faster() -> None:
    kind = InterruptionType.FILLER
    audible, faint = CutTimes(1.0, 1.3, 1.3, 1.3), CutTimes(1.0, 1.3, 1.5, 1.2)
    assert pace_needed(audible, kind) == 1.0
    assert pace_needed(faint, kind) > 1.0


def test_a_word_that_is_hardly_said_behind_the_onset_leaves_no_instant() -> None:
    quick = CutTimes(onset_end_s=1.0, next_end_s=1.005, cut_s=1.3, last_sound_s=1.3)
    assert caller_starts_s(quick, InterruptionType.FILLER) is None
    assert pace_needed(quick, InterruptionType.FILLER) < 1.0


def test_the_caller_starts_a_little_behind_the_onset_word_where_there_is_room() -> None:
    first, last = caller_starts_s(CutTimes(1.0, 1.4, 1.8, 1.8), InterruptionType.NORMAL) or (0.0, 0.0)
    assert (first, last) == (pytest.approx(1.03), pytest.approx(1.4))
    first, last = caller_starts_s(CutTimes(1.0, 1.02, 1.3, 1.3), InterruptionType.NORMAL) or (0.0, 0.0)
    assert (first, last) == (pytest.approx(1.01), pytest.approx(1.02))
