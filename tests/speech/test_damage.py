"""Clipping, holes and lost heads and tails are told from the samples alone, and good speech has none of them."""

import numpy as np
import pytest
from numpy.typing import NDArray

from factory.speech import Clip, SpeechEngine
from factory.speech.clip import SAMPLE_RATE
from factory.speech.damage import ends_in_full_voice, has_edges, is_clipped

from .measure import voiced

TEXTS = (
    "Right, but the storm took out half the roof, and my kids are at my mother's.",
    "Can you tell me how much I still owe on the card ending in 8830?",
    "Hold on. I never agreed to that... and nobody told me.",
    "Yes.",
    "Mm-hmm.",
)


def wave(clip: Clip) -> NDArray[np.float32]:
    return clip.samples.astype(np.float32) / np.float32(32768)


@pytest.fixture(scope="module")
def good(hibari: SpeechEngine) -> list[Clip]:
    return [voiced(hibari, text, voice, 1) for text in TEXTS for voice in hibari.voices()[::2]]


def in_full_voice(clip: Clip) -> int:
    """A place in the middle half of a clip at which it is loud."""
    loudness = np.convolve(np.square(wave(clip)), np.ones(480), "same")
    quarter = len(loudness) // 4
    return quarter + int(np.argmax(loudness[quarter : 3 * quarter]))


def test_good_speech_is_neither_clipped_nor_has_it_edges(good: list[Clip]) -> None:
    for clip in good:
        assert not is_clipped(wave(clip))
        assert not has_edges(clip)
        assert not ends_in_full_voice(wave(clip))


@pytest.mark.parametrize("level", [1.0, 0.05])
def test_what_is_cut_flat_is_clipped_at_any_level(good: list[Clip], level: float) -> None:
    for clip in good:
        whole = wave(clip)
        flat = np.clip(whole, *(np.abs(whole).max() / 2.5 * np.array([-1, 1], np.float32)))
        assert is_clipped(flat * np.float32(level))


def test_speech_that_is_cut_flat_on_one_side_is_clipped(good: list[Clip]) -> None:
    whole = wave(good[0])
    assert is_clipped(np.maximum(whole, whole.min() / 3))
    assert is_clipped(np.minimum(whole, whole.max() / 3))


def test_silence_and_hiss_are_not_clipped() -> None:
    assert not is_clipped(np.zeros(24_000, np.float32))
    hiss = np.random.default_rng(0).integers(-1, 2, 24_000) / 32768
    assert not is_clipped(hiss.astype(np.float32))


def test_a_hole_in_full_voice_has_edges(good: list[Clip]) -> None:
    for clip in good[:10]:
        samples, place = clip.samples.copy(), in_full_voice(clip)
        samples[place : place + SAMPLE_RATE // 4] = 0
        assert has_edges(Clip(samples))


def test_a_lost_beginning_has_an_edge(good: list[Clip]) -> None:
    for clip in good[:10]:
        assert has_edges(Clip(clip.samples[in_full_voice(clip) :].copy()))


def test_a_lost_ending_is_in_full_voice_even_where_a_few_milliseconds_of_silence_follow(good: list[Clip]) -> None:
    for clip in good[:10]:
        lost = np.concatenate([wave(clip)[: in_full_voice(clip)], np.zeros(480, np.float32)])
        assert ends_in_full_voice(lost)


def test_a_pause_that_is_silent_to_the_last_bit_is_no_hole(good: list[Clip]) -> None:
    quiet = np.zeros(SAMPLE_RATE // 2, np.int16)
    assert not has_edges(Clip(np.concatenate([good[0].samples, quiet, good[5].samples])))
