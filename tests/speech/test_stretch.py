"""A recorded voice at another pace and pitch."""

import numpy as np
import pytest

from factory.speech import Clip, SpeechEngine
from factory.speech.checks import check_clip
from factory.speech.clip import settle
from factory.speech.stretch import stretch, transpose

from .measure import pitch_hz, timbre_distance_db, voiced

TEXT = "I already gave my case number to the other person, so why do you need it again?"


@pytest.fixture(scope="module")
def clip(hibari: SpeechEngine) -> Clip:
    return voiced(hibari, TEXT, hibari.voices()[0], 1)


@pytest.mark.parametrize("factor", [0.7, 0.9, 1.1, 1.4])
def test_longer_speech_keeps_pitch_and_timbre(clip: Clip, factor: float) -> None:
    samples = (clip.samples / 32768).astype(np.float32)
    longer = stretch(samples, factor)
    assert len(longer) == round(len(samples) * factor)
    heard = settle(longer)
    assert pitch_hz(heard) == pytest.approx(pitch_hz(clip), rel=0.03)
    assert timbre_distance_db(heard, clip) < 1.0
    check_clip(heard, TEXT, 1 / factor)


def test_what_happens_when_is_kept_in_proportion() -> None:
    pulses = np.zeros(48_000, np.float32)
    for second in (0.3, 0.9, 1.6):
        start = round(second * 24_000)
        pulses[start : start + 2400] = np.sin(np.arange(2400) * 0.05)
    for factor in (0.75, 1.3):
        loud = np.flatnonzero(np.abs(stretch(pulses, factor)) > 0.3) / 24_000
        starts = loud[np.flatnonzero(np.diff(loud, prepend=-1) > 0.1)]
        assert starts == pytest.approx([0.3 * factor, 0.9 * factor, 1.6 * factor], abs=0.025)


def test_a_transposed_voice_takes_its_own_time(clip: Clip) -> None:
    samples = (clip.samples / 32768).astype(np.float32)
    low = settle(transpose(samples, 0.8, 1.1))
    assert pitch_hz(low) == pytest.approx(0.8 * pitch_hz(clip), rel=0.03)
    assert low.duration_s == pytest.approx(clip.duration_s / 1.1, rel=0.05)


def test_sound_shorter_than_a_frame_stays_as_it_is() -> None:
    click = np.ones(100, np.float32)
    assert np.array_equal(stretch(click, 1.3), click)
