"""Shares of an order: every sum exact, every share within what its call can carry."""

from collections import Counter
from collections.abc import MutableSequence
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from factory.corpus.quotas import SCARCE_FIRST, Carrier, Share, band_capacity, draw_lengths, share_out
from factory.corpus.state import MAY_ANSWER
from factory.errors import SpecError
from factory.records.enums import DEPTH_BANDS, InterruptionType, band_name
from factory.records.spec import Spec

ROOMY = Carrier(
    questions=(5, 12),
    answerable=4,
    places=30,
    most={kind: 8 for kind in InterruptionType},
    weights={kind: 1.0 for kind in InterruptionType},
)


class _InOrder(Random):
    def shuffle(self, x: MutableSequence[object]) -> None:
        """Leaves everything as it is, so that the carriers meet the lengths as they are listed."""


def first_in_order() -> Random:
    """Chance that deals the lengths out in order."""
    return _InOrder(0)


@st.composite
def possible_orders(draw: st.DrawFn) -> tuple[Spec, list[int]]:
    """An order that can be met, with the lengths of its calls: it is the sum of shares that each call can carry."""
    low, high = draw(st.integers(16, 26)), draw(st.integers(28, 40))
    middle = draw(st.lists(st.integers(low, high), max_size=38))
    lengths = sorted([low, high, *middle])
    chance = Random(draw(st.integers(0, 10**6)))
    by_depth, by_type = Counter[int](), Counter[InterruptionType]()
    for messages in lengths:
        share = Share(messages)
        turns = [band for band, room in enumerate(band_capacity(messages)) for _ in range(room)]
        cut_into = chance.sample(turns, chance.randint(*share.bounds(ROOMY)))
        by_depth.update(cut_into)
        must_answer = max(0, len(cut_into) - (share.agent_turns - 1 - ROOMY.questions[0]))
        by_type.update(chance.choices(MAY_ANSWER, k=must_answer))
        by_type.update(chance.choices(SCARCE_FIRST, k=len(cut_into) - must_answer))
    spec = {
        "schema_version": 1,
        "name": "drawn",
        "conversations": len(lengths),
        "workflows": ["*/*"],
        "interruptions": {
            "by_type": {kind: by_type[kind] for kind in InterruptionType},
            "by_depth": {band_name(band): by_depth[band] for band in range(len(DEPTH_BANDS))},
        },
        "messages": {"min": low, "max": high, "mean": sum(lengths) / len(lengths)},
    }
    return Spec.model_validate(spec), lengths


@given(possible_orders(), st.integers(0, 10**6))
def test_shares_add_up_to_the_order_and_stay_within_what_a_call_carries(
    order: tuple[Spec, list[int]], seed: int
) -> None:
    spec, lengths = order
    shares = share_out(spec, lengths, [ROOMY] * len(lengths), Random(seed))
    assert sorted(s.messages for s in shares) == lengths
    for band in range(len(DEPTH_BANDS)):
        assert sum(s.by_band[band] for s in shares) == spec.interruptions.of_band(band)
        assert all(0 <= s.by_band[band] <= band_capacity(s.messages)[band] for s in shares)
    for kind in SCARCE_FIRST:
        assert sum(s.by_type.get(kind, 0) for s in shares) == spec.interruptions.of_type(kind)
    for share in shares:
        assert sum(share.by_type.values()) == share.interruptions
        least, most = share.bounds(ROOMY)
        assert least <= share.interruptions <= most


@given(possible_orders(), st.integers(0, 10**6))
def test_lengths_have_the_ordered_ends_and_the_ordered_mean(order: tuple[Spec, list[int]], seed: int) -> None:
    spec, like = order
    lengths = draw_lengths(spec, Random(seed))
    assert (len(lengths), sum(lengths)) == (len(like), sum(like))
    assert lengths == sorted(lengths)
    assert (lengths[0], lengths[-1]) == (spec.messages.min, spec.messages.max)


def ordered(by_depth: dict[str, int]) -> Spec:
    """Two calls with normal interruptions at these depths."""
    return Spec.model_validate(
        {
            "schema_version": 1,
            "name": "two-calls",
            "conversations": 2,
            "workflows": ["*/*"],
            "interruptions": {"by_type": {"normal": sum(by_depth.values())}, "by_depth": by_depth},
            "messages": {"min": 20, "max": 40, "mean": 30},
        }
    )


def test_a_call_that_is_too_long_for_what_it_carries_is_refused() -> None:
    narrow, wide = replace(ROOMY, questions=(5, 5), places=2), replace(ROOMY, questions=(1, 20))
    with pytest.raises(SpecError, match="a call needs at least 4 interruptions to be that long, but carries at most 2"):
        share_out(ordered({"0-4": 5, "5-9": 5}), [20, 40], [narrow, wide], first_in_order())


def test_depths_that_only_calls_without_room_reach_are_refused() -> None:
    one = replace(ROOMY, questions=(1, 20), places=1)
    with pytest.raises(SpecError, match="by_depth: the depths ordered cannot be shared out"):
        share_out(ordered({"15-19": 3}), [20, 40], [replace(ROOMY, questions=(1, 20)), one], first_in_order())


def test_the_last_caller_turn_has_no_room_for_an_interruption() -> None:
    assert band_capacity(40) == [5, 5, 5, 4]
    assert band_capacity(39) == [5, 5, 5, 4]
    assert band_capacity(20) == [5, 4, 0, 0]
