"""Where turns lie: one behind the other with the pauses that were drawn, callers who cut in over the agent's words."""

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from factory.calls.layout import VoicedRound, lay_out
from factory.calls.pauses import LEAST_S, MOST_S
from factory.records.enums import InterruptionType, Speaker
from factory.speech import SAMPLE_RATE
from tests.calls.made import cut_take, take, voiced

A_SAMPLE_S = 1 / SAMPLE_RATE

few = settings(max_examples=40)
"""Each example makes sound."""

SHORT_S = st.floats(0.0, 0.2)
TURN = st.builds(take, st.floats(0.1, 2.0), SHORT_S, SHORT_S)
CUT_TURN = st.builds(cut_take, st.floats(0.7, 2.0), SHORT_S)


@st.composite
def conversations(draw: st.DrawFn) -> list[VoicedRound]:
    """Rounds with and without interruptions; in some, the agent has the last word."""
    rounds = []
    for index in range(draw(st.integers(1, 5))):
        kind = draw(st.one_of(st.none(), st.sampled_from(InterruptionType)))
        rounds.append(voiced(index, draw(CUT_TURN if kind else TURN), draw(TURN), kind))
    if draw(st.booleans()):
        rounds.append(voiced(len(rounds), draw(TURN), None))
    return rounds


@few
@given(conversations(), st.integers(0, 1000))
def test_turns_come_in_the_order_of_their_messages_and_lie_in_the_call(rounds: list[VoicedRound], seed: int) -> None:
    layout = lay_out(rounds, seed)
    assert [turn.message_index for turn in layout.turns] == list(range(len(layout.turns)))
    assert [turn.speaker for turn in layout.turns[:2]] == list(Speaker)[: len(layout.turns)]
    assert [turn.starts_s for turn in layout.turns] == sorted(turn.starts_s for turn in layout.turns)
    assert all(turn.first_sample >= 0 for turn in layout.turns)
    assert all(turn.stops_s < layout.samples / SAMPLE_RATE for turn in layout.turns)


@few
@given(conversations(), st.integers(0, 1000))
def test_from_sound_to_sound_a_pause_is_as_long_as_it_was_drawn(rounds: list[VoicedRound], seed: int) -> None:
    layout = lay_out(rounds, seed)
    for number, turn in enumerate(layout.turns):
        if turn.pause_s is not None:
            over_s = max(before.stops_s for before in layout.turns[:number])
            assert turn.starts_s - over_s == pytest.approx(turn.pause_s, abs=A_SAMPLE_S)
            assert LEAST_S <= turn.pause_s <= MOST_S


@few
@given(conversations(), st.integers(0, 1000))
def test_only_the_first_turn_and_callers_who_cut_in_come_without_a_pause(rounds: list[VoicedRound], seed: int) -> None:
    cutting_in = {2 * one.round.index + 1 for one in rounds if one.round.caller and one.round.caller.type}
    without = {turn.message_index for turn in lay_out(rounds, seed).turns if turn.pause_s is None}
    assert without == {0} | cutting_in


@few
@given(conversations(), st.integers(0, 1000))
def test_who_cuts_in_starts_between_the_onset_word_and_the_end_of_the_next(
    rounds: list[VoicedRound], seed: int
) -> None:
    for agent, caller in pairwise(lay_out(rounds, seed).turns):
        if agent.take.cut is not None and agent.speaker is Speaker.AGENT:
            start_s, cut = caller.starts_s - agent.clip_s, agent.take.cut
            assert cut.onset_end_s - A_SAMPLE_S <= start_s <= cut.next_end_s + A_SAMPLE_S


def test_a_backchannel_may_be_over_before_the_agent_stops_and_the_next_turn_waits_for_the_agent() -> None:
    filler = voiced(0, cut_take(2.0), take(0.1, lead_s=0.05), InterruptionType.FILLER)
    agent, caller, after = lay_out([filler, voiced(1, take(1.0), None)], seed=1).turns
    assert caller.stops_s < agent.stops_s
    assert after.pause_s is not None
    assert after.starts_s == pytest.approx(agent.stops_s + after.pause_s, abs=A_SAMPLE_S)


def test_behind_a_caller_who_talks_on_the_next_turn_waits_for_them() -> None:
    pushback = voiced(0, cut_take(2.0), take(3.0, lead_s=0.05), InterruptionType.PUSHBACK)
    agent, caller, after = lay_out([pushback, voiced(1, take(1.0), None)], seed=1).turns
    assert caller.stops_s > agent.stops_s
    assert after.pause_s is not None
    assert after.starts_s == pytest.approx(caller.stops_s + after.pause_s, abs=A_SAMPLE_S)


def test_what_is_drawn_for_a_turn_depends_on_no_other() -> None:
    few = [voiced(0, take(1.0), take(1.0)), voiced(1, cut_take(2.0), take(1.0), InterruptionType.NORMAL)]
    other = [voiced(0, take(2.5), take(0.3)), voiced(1, cut_take(2.0), take(1.0), InterruptionType.NORMAL)]
    one, two = lay_out(few, seed=5).turns, lay_out(other, seed=5).turns
    assert [turn.pause_s for turn in one] == [turn.pause_s for turn in two]
    starts_s = [turns[3].starts_s - turns[2].clip_s for turns in (one, two)]
    assert starts_s[0] == pytest.approx(starts_s[1], abs=A_SAMPLE_S)


def test_every_turn_has_a_pause_of_its_own() -> None:
    pauses_s = [turn.pause_s for turn in lay_out([voiced(index, take(1.0), take(1.0)) for index in range(5)], 1).turns]
    assert len(set(pauses_s)) == 10


def test_the_same_seed_gives_the_same_layout_and_another_another() -> None:
    rounds = [voiced(0, cut_take(2.0), take(1.0), InterruptionType.NORMAL), voiced(1, take(1.0), take(1.0))]
    places = [[turn.first_sample for turn in lay_out(rounds, seed).turns] for seed in (1, 1, 2)]
    assert places[0] == places[1] != places[2]
