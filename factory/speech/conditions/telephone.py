"""The telephone: 300 to 3,400 Hz at 8,000 samples a second, each sample one of 256 values (ITU-T G.711, μ-law)."""

from __future__ import annotations

import io
from functools import cache

import numpy as np
from numpy.typing import NDArray

TELEPHONE_RATE_HZ = 8_000
"""Samples a second on the line."""

_BAND_HZ = (300.0, 3_400.0)  # what the line lets through; at an edge it is 6 dB down
_TAPS = 257  # 100 Hz from pass to stop, 50 dB down; symmetric, so that no word moves in time
_FULL_SCALE = 32_767.0


def band_limited(line: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return a waveform at 8 kHz, shape (n,) or (n, channels), without what lies outside the band."""
    from scipy.signal import oaconvolve  # type: ignore[import-untyped]

    taps = _band_filter().reshape(-1, *[1] * (line.ndim - 1))
    limited: NDArray[np.float32] = oaconvolve(line, taps, mode="same", axes=0)
    return limited


def companded(line: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return a waveform, shape (n,) or (n, channels), -1 to 1, as it comes out of a μ-law coder and decoder."""
    import soundfile  # type: ignore[import-untyped]

    coded = io.BytesIO()
    pcm = np.rint(np.clip(line, -1.0, 1.0) * np.float32(_FULL_SCALE)).astype(np.int16)
    channels = 1 if line.ndim == 1 else line.shape[1]
    # The rate is only written down; a raw file holds one byte a sample and nothing else.
    soundfile.write(coded, pcm, TELEPHONE_RATE_HZ, format="RAW", subtype="ULAW")
    coded.seek(0)
    decoded: NDArray[np.int16] = soundfile.read(
        coded, dtype="int16", samplerate=TELEPHONE_RATE_HZ, channels=channels, format="RAW", subtype="ULAW"
    )[0]
    return decoded.astype(np.float32) / np.float32(_FULL_SCALE)


@cache
def _band_filter() -> NDArray[np.float32]:
    from scipy.signal import firwin

    taps: NDArray[np.float64] = firwin(_TAPS, _BAND_HZ, fs=TELEPHONE_RATE_HZ, pass_zero=False)
    return taps.astype(np.float32)
