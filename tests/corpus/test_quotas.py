"""Shares of an order: every sum exact, every share within what its call can carry."""

from random import Random

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from factory.corpus.quotas import SCARCE_FIRST, Carrier, band_capacity, draw_lengths, share_out
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


@st.composite
def specs(draw: st.DrawFn) -> Spec:
    n = draw(st.integers(2, 40))
    low = draw(st.integers(16, 26))
    high = draw(st.integers(low + 2, 40))
    mean = round((low + high) / 2, 1)
    per_call = draw(st.floats(3, 9))
    total = int(n * per_call)
    cuts = sorted(draw(st.lists(st.integers(0, total), min_size=5, max_size=5)))
    by_type = [b - a for a, b in zip([0, *cuts], [*cuts, total], strict=True)]
    by_depth = [int(total * share) for share in (0.4, 0.35, 0.15)]
    by_depth.append(total - sum(by_depth))
    return Spec.model_validate(
        {
            "schema_version": 1,
            "name": "drawn",
            "conversations": n,
            "workflows": ["*/*"],
            "interruptions": {
                "by_type": dict(zip(InterruptionType, by_type, strict=True)),
                "by_depth": {band_name(b): c for b, c in enumerate(by_depth)},
            },
            "messages": {"min": low, "max": high, "mean": mean},
        }
    )


@settings(max_examples=60)
@given(specs(), st.integers(0, 10**6))
def test_shares_add_up_to_the_order_and_stay_within_what_a_call_carries(spec: Spec, seed: int) -> None:
    rng = Random(seed)
    carriers = [ROOMY] * spec.conversations
    try:
        lengths = draw_lengths(spec, rng)
        shares = share_out(spec, lengths, carriers, rng)
    except SpecError as exc:
        assert any(c.isdigit() for c in str(exc)) or "by_depth" in str(exc)
        assume(False)
    assert sorted(s.messages for s in shares) == lengths
    assert lengths[0] == spec.messages.min and lengths[-1] == spec.messages.max
    for band in range(len(DEPTH_BANDS)):
        assert sum(s.by_band[band] for s in shares) == spec.interruptions.of_band(band)
        assert all(0 <= s.by_band[band] <= band_capacity(s.messages)[band] for s in shares)
    for kind in SCARCE_FIRST:
        assert sum(s.by_type.get(kind, 0) for s in shares) == spec.interruptions.of_type(kind)
    for share in shares:
        assert sum(share.by_type.values()) == share.interruptions
        least, most = share.bounds(ROOMY)
        assert least <= share.interruptions <= most


def test_the_last_caller_turn_has_no_room_for_an_interruption() -> None:
    assert band_capacity(40) == [5, 5, 5, 4]
    assert band_capacity(39) == [5, 5, 5, 4]
    assert band_capacity(20) == [5, 4, 0, 0]
