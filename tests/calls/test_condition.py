"""Conditions come exactly as often as they were ordered, and each call's is its own affair."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from factory.calls.condition import condition_of
from factory.corpus.conditions import ordered_condition
from factory.records.spec import ConditionShare
from factory.speech import SpeechError
from factory.speech.conditions import CONDITIONS, Loss

NAMES = [condition.name for condition in CONDITIONS]
ORDERED = st.dictionaries(st.sampled_from(NAMES), st.integers(1, 6), min_size=1).map(
    lambda shares: [ConditionShare(name=name, share=share) for name, share in shares.items()]
)
MIXED = [ConditionShare(name="clean", share=2), ConditionShare(name="street"), ConditionShare(name="lossy")]


@given(ORDERED, st.integers(0, 10**6), st.integers(0, 50))
def test_every_block_has_each_condition_as_often_as_its_share(
    shares: list[ConditionShare], seed: int, block: int
) -> None:
    size = sum(share.share for share in shares)
    places = range(block * size, (block + 1) * size)
    assert Counter(condition_of(shares, place, seed).name for place in places) == {s.name: s.share for s in shares}


def test_the_same_seed_gives_the_same_conditions_and_another_another_order() -> None:
    orders = [[condition_of(MIXED, place, seed).name for place in range(40)] for seed in (1, 1, 2)]
    assert orders[0] == orders[1] != orders[2]
    assert orders[0] != orders[0][:4] * 10, "every block has the same order"


def test_a_calls_condition_depends_on_no_other_call() -> None:
    forwards = {place: condition_of(MIXED, place, 3) for place in range(20)}
    backwards = {place: condition_of(MIXED, place, 3) for place in reversed(range(20))}
    assert forwards == backwards


def test_figures_of_the_order_take_the_place_of_the_conditions_own() -> None:
    ordered = ordered_condition(ConditionShare(name="street", snr_db=5.0, caller_level_db=-4.0, packet_loss=0.02))
    assert (ordered.name, ordered.snr_db, ordered.caller_level_db) == ("street", 5.0, -4.0)
    assert ordered.loss is not None
    assert ordered.loss.rate == 0.02


def test_a_loss_of_nothing_takes_the_conditions_own_away_and_another_rate_keeps_its_bursts() -> None:
    assert ordered_condition(ConditionShare(name="lossy", packet_loss=0.0)).loss is None
    assert ordered_condition(ConditionShare(name="lossy", packet_loss=0.1)).loss == Loss(0.1, 2.0)


@pytest.mark.parametrize("name", NAMES)
def test_an_order_without_figures_is_the_condition_of_that_name(name: str) -> None:
    assert ordered_condition(ConditionShare(name=name)) in CONDITIONS


@pytest.mark.parametrize(
    "share",
    [ConditionShare(name="moon"), ConditionShare(name="clean", snr_db=10.0), ConditionShare(name="street", snr_db=99)],
    ids=["no such condition", "a background that it does not have", "out of range"],
)
def test_what_cannot_be_ordered_is_told(share: ConditionShare) -> None:
    with pytest.raises(SpeechError, match=share.name):
        ordered_condition(share)
