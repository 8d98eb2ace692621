"""Listening by measurement."""

import numpy as np
from numpy.typing import NDArray

from factory.speech import Clip, SpeechEngine, Voice, Voicer

WINDOW = 1200  # 50 ms
HOP = 480


def voiced(engine: SpeechEngine, text: str, voice: Voice, seed: int) -> Clip:
    """A text's checked clip."""
    return Voicer(engine).voice(text, voice, seed).clip


def pitch_hz(clip: Clip) -> float:
    """Median fundamental frequency of the voiced frames, by unbiased autocorrelation."""
    samples = clip.samples.astype(np.float64) / 32768
    shortest, longest = clip.sample_rate // 400, clip.sample_rate // 60
    found = []
    for start in range(0, len(samples) - WINDOW, HOP):
        frame = samples[start : start + WINDOW] - samples[start : start + WINDOW].mean()
        if np.mean(frame**2) < 1e-4:
            continue
        correlation = np.fft.irfft(np.abs(np.fft.rfft(frame, 2 * WINDOW)) ** 2)[:WINDOW]
        correlation /= correlation[0] * (1 - np.arange(WINDOW) / WINDOW)
        lag = shortest + int(np.argmax(correlation[shortest:longest]))
        if correlation[lag] > 0.5:
            found.append(clip.sample_rate / lag)
    return float(np.median(found))


def _spectrum_db(clip: Clip) -> NDArray[np.float64]:
    """Long-term spectrum in 25 bands of 200 Hz up to 5 kHz, in dB, mean 0: the timbre."""
    frames = np.lib.stride_tricks.sliding_window_view(clip.samples / 32768, WINDOW)[::HOP] * np.hanning(WINDOW)
    power = np.square(np.abs(np.fft.rfft(frames, 2400, axis=1))).mean(axis=0)
    bands = power[:500].reshape(25, 20).mean(axis=1)
    decibels: NDArray[np.float64] = 10 * np.log10(bands + 1e-12)
    return decibels - decibels.mean()


def timbre_distance_db(one: Clip, other: Clip) -> float:
    """Root mean square difference of two long-term spectra, level aside."""
    return float(np.sqrt(np.mean((_spectrum_db(one) - _spectrum_db(other)) ** 2)))
