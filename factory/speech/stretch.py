"""Other pace and other pitch for a recorded voice."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from factory.speech.clip import SAMPLE_RATE

_HOP = SAMPLE_RATE // 50  # 20 ms
_FRAME = 2 * _HOP
_REACH = SAMPLE_RATE // 80  # 12.5 ms: one period of the deepest voice


def transpose(waveform: NDArray[np.float32], pitch: float, pace: float) -> NDArray[np.float32]:
    """Return the voice with pitch and formants together times `pitch`, spoken at `pace` times its pace.

    It is played at another speed, which moves pitch and formants alike, and brought back to its time.
    """
    import soxr  # type: ignore[import-untyped]

    played: NDArray[np.float32] = soxr.resample(waveform, SAMPLE_RATE * pitch, SAMPLE_RATE)
    return stretch(played, pitch / pace)


def stretch(waveform: NDArray[np.float32], factor: float) -> NDArray[np.float32]:
    """Return the speech `factor` times as long, pitch and timbre as they are.

    By overlap and add of frames of 40 ms, each taken from where it best goes on with the one before (WSOLA: Verhelst
    and Roelands, "An overlap-add technique based on waveform similarity", ICASSP 1993).
    """
    if factor == 1.0 or len(waveform) < _FRAME:
        return waveform
    count = max(1, round(len(waveform) * factor / _HOP))
    padded = np.pad(waveform, (_HOP + _REACH, 2 * _FRAME + _REACH))
    window = np.hanning(_FRAME + 1)[:-1].astype(np.float32)
    stretched = np.zeros((count + 1) * _HOP + _HOP, np.float32)
    place = _REACH
    for frame in range(count + 1):
        stretched[frame * _HOP : frame * _HOP + _FRAME] += window * padded[place : place + _FRAME]
        goes_on = padded[place + _HOP : place + _HOP + _FRAME]
        near = min(round((frame + 1) * _HOP / factor), len(waveform)) + _REACH
        around = padded[near - _REACH : near + _REACH + _FRAME]
        likeness = np.correlate(around, goes_on[: len(around)], "valid")
        energy = np.convolve(np.square(around), np.ones(_FRAME, np.float32), "valid")
        place = near - _REACH + int(np.argmax(likeness / np.sqrt(energy + 1e-6)))
    return stretched[_HOP : _HOP + round(len(waveform) * factor)]
