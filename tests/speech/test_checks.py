"""Audio that is empty, silent, damaged or cut off is an error."""

import numpy as np
import pytest

from factory.speech import Clip, SpeechEngine, SpeechError, check_clip, spoken_form, voice_text

TURNS = (
    "Right, but the storm took out half the roof, and my kids are at my mother's.",
    "Can you tell me how much I still owe on the card ending in 8830?",
    "I never agreed to that, and nobody told me about any cancellation fee.",
    "What happens if I miss the deadline for the appeal?",
)
SHORT_TURNS = ("No.", "Yes.", "Mm-hmm.", "Uh-huh.", "Hmm", "I...", "Wait—", "What?", "W", "Um... I, uh... no.")


@pytest.fixture(scope="module")
def good(hibari: SpeechEngine) -> Clip:
    return voice_text(hibari, TURNS[0], hibari.voices()[0], 1)


def test_good_speech_passes_in_every_voice_however_short(hibari: SpeechEngine) -> None:
    for voice in hibari.voices():
        for text in TURNS + SHORT_TURNS:
            check_clip(hibari.speak(spoken_form(text), voice, 3), spoken_form(text))


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


def test_most_cuts_in_the_middle_are_found(hibari: SpeechEngine) -> None:
    found = tried = 0
    for voice in hibari.voices():
        for text in TURNS:
            clip = voice_text(hibari, text, voice, 5)
            tried += 1
            try:
                check_clip(Clip(clip.samples[: len(clip.samples) // 2].copy()), spoken_form(text))
            except SpeechError:
                found += 1
    assert found >= 0.8 * tried
