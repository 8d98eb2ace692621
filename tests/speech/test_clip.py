"""A clip is 24 kHz mono 16-bit speech at one level, whatever waveform it came from."""

import io

import numpy as np
import pytest
import soundfile

from factory.speech import Clip, SpeechEngine
from factory.speech.clip import SAMPLE_RATE, settle

from .measure import voiced


def tone(seconds: float, amplitude: float) -> np.ndarray:
    return (amplitude * np.sin(np.arange(round(seconds * SAMPLE_RATE)) * 0.05)).astype(np.float32)


def silence(seconds: float) -> np.ndarray:
    return np.zeros(round(seconds * SAMPLE_RATE), np.float32)


def test_a_clip_is_written_as_a_24_khz_mono_16_bit_wav_with_its_own_samples(hibari: SpeechEngine) -> None:
    clip = voiced(hibari, "Hold on a second.", hibari.voices()[0], 1)
    wav = clip.to_wav_bytes()
    info = soundfile.info(io.BytesIO(wav))
    assert (info.samplerate, info.channels, info.subtype, info.format) == (24_000, 1, "PCM_16", "WAV")
    read, _ = soundfile.read(io.BytesIO(wav), dtype="int16")
    assert np.array_equal(read, clip.samples)
    assert len(wav) == 44 + 2 * len(clip.samples)


def test_duration_is_samples_by_rate() -> None:
    assert Clip(np.zeros(36_000, np.int16)).duration_s == 1.5


def test_samples_cannot_be_changed_after_the_fact() -> None:
    clip = Clip(np.zeros(10, np.int16))
    with pytest.raises(ValueError, match="read-only"):
        clip.samples[0] = 1


@pytest.mark.parametrize("amplitude", [0.01, 0.1, 3.0])
def test_every_waveform_comes_to_the_same_level_and_none_clips(amplitude: float) -> None:
    clip = settle(tone(1.0, amplitude))
    rms = np.sqrt(np.mean((clip.samples / 32768) ** 2))
    assert rms == pytest.approx(0.08, rel=0.2)
    assert np.abs(clip.samples.astype(int)).max() < 32_767


def test_a_silent_waveform_is_not_made_loud() -> None:
    hiss = np.random.default_rng(0).normal(0, 0.001, 24_000).astype(np.float32)
    assert np.abs(settle(hiss).samples).max() < 200


def test_a_lone_peak_is_rounded_off_below_full_scale() -> None:
    waveform = tone(1.0, 0.05)
    waveform[12_000] = 5.0
    assert 0.8 < np.abs(settle(waveform).samples / 32768).max() < 0.99


def test_silence_around_the_speech_is_shortened_and_inside_it_kept() -> None:
    clip = settle(np.concatenate([silence(1), tone(1, 0.1), silence(0.5), tone(1, 0.1), silence(1)]))
    assert clip.duration_s == pytest.approx(0.05 + 2.5 + 0.15, abs=0.03)
