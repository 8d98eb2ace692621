"""Every call is as loud as every other, and none clips."""

import threading
import tracemalloc
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from factory.speech import SAMPLE_RATE, SpeechEngine, SpeechError
from factory.speech.loudness import (
    TARGET_LUFS,
    TRUE_PEAK_DBTP,
    loudness_lufs,
    set_loudness,
    true_peak_dbtp,
)

from .measure import voiced


def tone(seconds: float, level_dbfs: float, hz: float = 1000.0, phase: float = 0.0) -> np.ndarray:
    time_s = np.arange(round(seconds * SAMPLE_RATE)) / SAMPLE_RATE
    return (10 ** (level_dbfs / 20) * np.sin(2 * np.pi * hz * time_s + phase)).astype(np.float32)


def both(samples: np.ndarray) -> np.ndarray:
    return np.stack([samples, samples], axis=1)


@pytest.fixture(scope="module")
def speech(hibari: SpeechEngine) -> np.ndarray:
    clip = voiced(hibari, "Nobody was at home in March, so how did you read it?", hibari.voices()[1], 1)
    return clip.samples / np.float32(32768)


@pytest.mark.parametrize("level", [-33.0, -23.0])
def test_the_tones_of_ebu_tech_3341_measure_what_they_should(level: float) -> None:
    assert loudness_lufs(both(tone(20, level))) == pytest.approx(level, abs=0.1)


def test_the_gate_leaves_out_what_is_much_softer() -> None:
    """Case 3 of EBU Tech 3341: 10 s at -36, 60 s at -23, 10 s at -36 dBFS."""
    parts = np.concatenate([tone(10, -36), tone(60, -23), tone(10, -36)])
    assert loudness_lufs(both(parts)) == pytest.approx(-23, abs=0.1)


def test_a_constant_part_is_no_sound_however_long_it_lasts() -> None:
    hum = tone(25, -40)
    rise = np.interp(np.arange(len(hum)), [0, 5 * SAMPLE_RATE], [0, np.pi])
    constant = (0.25 - 0.25 * np.cos(rise)).astype(np.float32)
    assert loudness_lufs(hum + constant) == pytest.approx(loudness_lufs(hum), abs=0.1)


def test_silence_between_turns_does_not_count(speech: np.ndarray) -> None:
    silence = np.zeros(5 * SAMPLE_RATE, np.float32)
    assert loudness_lufs(np.concatenate([speech, silence])) == pytest.approx(loudness_lufs(speech), abs=0.2)


@pytest.mark.parametrize("seconds", [0.02, 0.1, 0.399])
def test_a_sound_too_short_for_the_standard_is_measured_as_if_it_went_on(seconds: float) -> None:
    assert loudness_lufs(both(tone(seconds, -23))) == pytest.approx(-23, abs=0.3)
    assert set_loudness(both(tone(seconds, -10))).lufs == pytest.approx(TARGET_LUFS, abs=0.01)


def test_the_true_peak_lies_between_the_samples() -> None:
    """Case 16 of EBU Tech 3341: a quarter of the rate, 45° from the samples, 0.5 of full scale."""
    between = tone(1, -6.02, SAMPLE_RATE / 4, np.pi / 4)
    assert 20 * np.log10(np.abs(between[2000:-2000]).max()) == pytest.approx(-9.03, abs=0.05)
    assert -6.4 < true_peak_dbtp(between[2000:-2000] * np.hanning(len(between) - 4000).astype(np.float32)) < -5.8


def test_the_true_peak_is_found_wherever_it_is_and_in_either_channel() -> None:
    call = both(tone(3.3, -30, 300))
    burst = tone(0.2, -6.02, SAMPLE_RATE / 4, np.pi / 4) * np.hanning(4800).astype(np.float32)
    for start, channel in ((0, 0), (24_000 - 2_400, 1), (len(call) - 4800, 1), (50_000, 0)):
        loud = call.copy()
        loud[start : start + 4800, channel] += burst
        assert true_peak_dbtp(loud) == pytest.approx(-5.6, abs=0.5)
        whole = max(peak_of_the_whole(channel) for channel in loud.T)
        assert true_peak_dbtp(loud) == pytest.approx(whole, abs=0.02)


def test_the_true_peak_is_not_always_beside_the_highest_sample() -> None:
    call = tone(3, -6.02, 100)
    call[SAMPLE_RATE:] = 0
    call[SAMPLE_RATE + 5_000 : -5_000] = tone(3, -4.5, SAMPLE_RATE / 4, np.pi / 4)[: 2 * SAMPLE_RATE - 10_000]
    assert np.argmax(np.abs(call)) < SAMPLE_RATE
    assert true_peak_dbtp(call) > -4.6


def test_a_peak_measures_the_same_wherever_it_lies() -> None:
    peaks = []
    for start in (12_000, SAMPLE_RATE - 1, 2 * SAMPLE_RATE - 3):
        call = tone(3, -60)
        call[start : start + 2] = 0.3
        peaks.append(true_peak_dbtp(call))
    assert peaks == pytest.approx([peaks[0]] * 3, abs=0.02)
    assert peaks[0] > 20 * np.log10(0.3) + 1  # between the two


def peak_of_the_whole(samples: np.ndarray) -> float:
    """At sixteen times the samples, by the spectrum alone."""
    padded = np.zeros(2**17)
    padded[: len(samples)] = samples
    finer = np.fft.irfft(np.fft.rfft(padded), 16 * len(padded)) * 16
    return float(20 * np.log10(np.abs(finer).max()))


@pytest.mark.parametrize("gain", [0.03, 0.3, 1.0, 40.0])
def test_a_call_comes_to_the_target_however_loud_it_was(gain: float, speech: np.ndarray) -> None:
    call = np.zeros((2 * len(speech), 2), np.float32)
    call[: len(speech), 0] = call[len(speech) :, 1] = speech * np.float32(gain)
    levelled = set_loudness(call)
    assert levelled.lufs == pytest.approx(-26.0, abs=0.01)
    assert loudness_lufs(levelled.samples) == pytest.approx(TARGET_LUFS, abs=0.05)
    assert true_peak_dbtp(levelled.samples) == pytest.approx(levelled.true_peak_dbtp, abs=0.01)
    assert levelled.true_peak_dbtp <= TRUE_PEAK_DBTP
    assert levelled.samples.dtype == np.float32
    assert np.allclose(levelled.samples, call * np.float32(10 ** (levelled.gain_db / 20)), rtol=1e-6)


def test_where_the_target_would_clip_the_call_stays_below_it_and_says_so(speech: np.ndarray) -> None:
    call = both(speech)
    call[1000] = 30.0  # a crack
    levelled = set_loudness(call)
    assert levelled.true_peak_dbtp == pytest.approx(TRUE_PEAK_DBTP, abs=1e-6)
    assert true_peak_dbtp(levelled.samples) <= TRUE_PEAK_DBTP + 0.01
    assert levelled.lufs == pytest.approx(loudness_lufs(levelled.samples), abs=0.05)
    assert levelled.lufs < TARGET_LUFS - 3


def test_the_call_that_came_in_stays_as_it_is(speech: np.ndarray) -> None:
    call = both(speech)
    before = call.tobytes()
    set_loudness(call)
    assert call.tobytes() == before


def test_silence_and_what_is_no_number_are_refused() -> None:
    for silence in (np.zeros((SAMPLE_RATE, 2), np.float32), tone(1, -72)):
        with pytest.raises(SpeechError, match="no sound"):
            set_loudness(silence)
    with pytest.raises(SpeechError, match="no number"):
        set_loudness(np.full((SAMPLE_RATE, 2), np.nan, np.float32))
    with pytest.raises(SpeechError, match="empty"):
        loudness_lufs(np.zeros((0, 2), np.float32))
    assert true_peak_dbtp(np.zeros((SAMPLE_RATE, 2), np.float32)) == -np.inf


def test_two_calls_that_are_measured_at_once_take_the_memory_of_one() -> None:
    call, together = both(tone(60, -20)), threading.Barrier(2)

    def measured(_: int) -> float:
        together.wait()
        return loudness_lufs(call)

    def peak(workers: int) -> int:
        tracemalloc.start()
        with ThreadPoolExecutor(workers) as pool:
            found = list(pool.map(measured, range(workers))) if workers > 1 else [loudness_lufs(call)]
        highest = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert set(found) == {loudness_lufs(call)}
        return highest

    assert peak(2) < 1.3 * peak(1)
