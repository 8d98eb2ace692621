"""Turns of one voice have nearly one tempo, long or short; sound at a wrong rate, or without a part, has another."""

from dataclasses import replace
from statistics import median

import numpy as np
import pytest

from factory.speech import Clip, SpeechEngine
from factory.speech.length import tempo
from factory.speech.spoken import spoken_form

TEXTS = (
    "Yes, that's right.",
    "Can you tell me how much I still owe on the card ending in 8830?",
    "Right, but the storm took out half the roof, and my kids are at my mother's.",
    "I never agreed to that, and nobody told me about any cancellation fee. When was that, and who was it? I'd like to "
    "see where I signed.",
    "Okay, go ahead.",
)


@pytest.fixture(scope="module")
def clips(hibari: SpeechEngine) -> list[tuple[str, Clip]]:
    return [(text, hibari.speak(text, hibari.voices()[0], 1)) for text in map(spoken_form, TEXTS)]


def test_short_and_long_texts_of_a_voice_have_nearly_the_same_tempo(clips: list[tuple[str, Clip]]) -> None:
    tempos = [tempo(clip, text, 1.0) for text, clip in clips]
    for one in tempos:
        assert 0.8 < one / median(tempos) < 1.25


def test_the_pace_that_was_asked_for_is_no_part_of_the_tempo(hibari: SpeechEngine) -> None:
    text = spoken_form(TEXTS[1])
    slow, quick = (
        tempo(hibari.speak(text, replace(hibari.voices()[0], pace=pace), 1), text, pace) for pace in (0.7, 1.4)
    )
    assert slow == pytest.approx(quick, rel=0.05)


@pytest.mark.parametrize("factor", [0.5, 0.75, 1.5, 2.0])
def test_sound_at_a_wrong_rate_has_a_tempo_that_is_wrong_by_as_much(
    clips: list[tuple[str, Clip]], factor: float
) -> None:
    text, clip = clips[3]
    places = np.arange(0, len(clip.samples) - 1, 1 / factor).astype(int)
    played = Clip(clip.samples[places].copy())
    assert tempo(played, text, 1.0) / tempo(clip, text, 1.0) == pytest.approx(factor, rel=0.05)


def test_pauses_do_not_count(clips: list[tuple[str, Clip]]) -> None:
    text, clip = clips[1]
    quiet = np.zeros(24_000, np.int16)
    with_pause = Clip(np.concatenate([quiet, clip.samples, quiet]))
    assert tempo(with_pause, text, 1.0) == pytest.approx(tempo(clip, text, 1.0), rel=0.02)
