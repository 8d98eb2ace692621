"""Audio that is empty, silent, damaged or cut off is an error."""

from collections.abc import Callable
from dataclasses import replace
from itertools import cycle

import numpy as np
import pytest
from numpy.typing import NDArray

from factory.speech import Clip, SpeechEngine, SpeechError
from factory.speech.checks import check_clip
from factory.speech.clip import settle
from factory.speech.spoken import spoken_form

from .measure import voiced

TURNS = (
    "Right, but the storm took out half the roof, and my kids are at my mother's.",
    "Can you tell me how much I still owe on the card ending in 8830?",
    "I never agreed to that, and nobody told me about any cancellation fee.",
    "What happens if I miss the deadline for the appeal?",
)
SHORT_TURNS = ("No.", "Yes.", "Mm-hmm.", "Uh-huh.", "Hmm", "I...", "Wait—", "What?", "W", "Um... I, uh... no.")


@pytest.fixture(scope="module")
def good(hibari: SpeechEngine) -> Clip:
    return voiced(hibari, TURNS[0], hibari.voices()[0], 1)


@pytest.fixture(scope="module")
def turns(hibari: SpeechEngine) -> list[tuple[str, float, Clip]]:
    """Every turn in every voice, and its pace."""
    made = []
    for voice, pace in zip(hibari.voices(), cycle((0.65, 1.0, 1.5)), strict=False):
        for text in map(spoken_form, TURNS):
            made.append((text, pace, hibari.speak(text, replace(voice, pace=pace), 5)))
    return made


def test_good_speech_passes_in_every_voice_at_any_pace(turns: list[tuple[str, float, Clip]]) -> None:
    for text, pace, clip in turns:
        check_clip(clip, text, pace)


def test_good_speech_passes_however_short(hibari: SpeechEngine) -> None:
    for voice in hibari.voices():
        for text in map(spoken_form, SHORT_TURNS):
            check_clip(hibari.speak(text, voice, 3), text, voice.pace)


def test_an_empty_clip_is_an_error() -> None:
    with pytest.raises(SpeechError, match="'Hello' is not usable: it is empty"):
        check_clip(Clip(np.zeros(0, np.int16)), "Hello")


def test_a_silent_clip_is_an_error() -> None:
    hiss = np.random.default_rng(0).integers(-20, 20, 24_000).astype(np.int16)
    with pytest.raises(SpeechError, match="silent"):
        check_clip(Clip(hiss), "Hello")


def test_a_clip_at_another_rate_is_an_error(good: Clip) -> None:
    with pytest.raises(SpeechError, match="22050 samples a second instead of 24000"):
        check_clip(Clip(good.samples.copy(), 22_050), TURNS[0])


def test_a_long_silence_inside_is_an_error(good: Clip) -> None:
    hole = Clip(np.concatenate([good.samples[:40_000], np.zeros(48_000, np.int16), good.samples[40_000:]]))
    with pytest.raises(SpeechError, match="silent for 2"):
        check_clip(hole, TURNS[0])


def test_clipped_audio_is_an_error(good: Clip) -> None:
    loud = np.clip(good.samples.astype(int) * 12, -32_768, 32_767).astype(np.int16)
    with pytest.raises(SpeechError, match="clipped"):
        check_clip(Clip(loud), TURNS[0])


def test_clipped_audio_is_an_error_after_it_was_set_to_the_common_level(good: Clip) -> None:
    flat = np.clip(good.samples / np.abs(good.samples.astype(int)).max() * 2.5, -1, 1).astype(np.float32)
    level = settle(flat)
    assert np.abs(level.samples.astype(int)).max() < 32_700
    with pytest.raises(SpeechError, match="clipped"):
        check_clip(level, spoken_form(TURNS[0]))


def test_audio_that_stops_in_full_voice_is_an_error(good: Clip) -> None:
    loudest = int(np.argmax(np.abs(good.samples)))
    with pytest.raises(SpeechError, match="cut off"):
        check_clip(Clip(good.samples[: loudest + 200].copy()), TURNS[0])


def test_a_third_of_the_audio_is_an_error_even_if_it_ends_quietly(good: Clip) -> None:
    third = good.samples[: len(good.samples) // 3].copy()
    with pytest.raises(SpeechError, match="too short"):
        check_clip(Clip(np.concatenate([third, np.zeros(4_800, np.int16)])), TURNS[0])


def test_audio_of_more_than_the_text_is_an_error(good: Clip) -> None:
    with pytest.raises(SpeechError, match="too long"):
        check_clip(good, "No.")


@pytest.mark.parametrize(
    "damage",
    [
        pytest.param(lambda samples: samples[: len(samples) // 2], id="half"),
        pytest.param(lambda samples: samples[::2], id="played twice as fast"),
        pytest.param(lambda samples: np.repeat(samples, 3), id="played at a third"),
    ],
)
def test_half_a_recording_and_one_at_a_wrong_rate_are_found_at_any_pace(
    turns: list[tuple[str, float, Clip]], damage: Callable[[NDArray[np.int16]], NDArray[np.int16]]
) -> None:
    found = 0
    for text, pace, clip in turns:
        try:
            check_clip(Clip(damage(clip.samples).copy()), text, pace)
        except SpeechError:
            found += 1
    assert found >= 0.95 * len(turns)
