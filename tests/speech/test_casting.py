"""Each conversation has one voice, and the voices are used evenly."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from factory.speech import SpeechError, cast_voice, find_voice, open_engine

HIBARI = open_engine("hibari")


@given(seed=st.integers(), count=st.integers(1, 100))
def test_no_voice_is_ahead_of_another_by_more_than_one_conversation(seed: int, count: int) -> None:
    cast = Counter({voice: 0 for voice in HIBARI.voices()})
    cast.update(cast_voice(HIBARI, ordinal, seed) for ordinal in range(count))
    assert max(cast.values()) - min(cast.values()) <= 1


def test_the_cast_is_the_same_every_time_and_another_for_another_seed() -> None:
    casts = [[cast_voice(HIBARI, ordinal, seed) for ordinal in range(45)] for seed in (1, 1, 2)]
    assert casts[0] == casts[1] != casts[2]


def test_the_cast_is_pinned_across_versions() -> None:
    assert [cast_voice(HIBARI, ordinal, 7).id for ordinal in range(5)] == ["juniper", "larch", "alder", "elm", "maple"]


def test_an_unknown_voice_is_one_clear_error() -> None:
    with pytest.raises(SpeechError, match="no voice 'emma'; use one of: alder, birch"):
        find_voice(HIBARI, "emma")
