"""What background noise is made of: noise of a stated spectrum, and curves that change slowly."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Spectrum = Sequence[tuple[float, float]]
"""Frequency in Hz and level in dB, ascending; straight in between over the logarithm of frequency, level beyond."""

_FILTER_S = 0.08
_PIECE = 2**17  # samples filtered at once: a long call needs no more memory for it than a short one


def shaped_noise(count: int, rate_hz: int, spectrum: Spectrum, rng: np.random.Generator) -> NDArray[np.float32]:
    """Return noise of that spectrum at an RMS of 1, shape (count,)."""
    from scipy.signal import oaconvolve  # type: ignore[import-untyped]

    # Even white noise is quicker to draw than normal; what is summed over the filter is normal all the same.
    taps = _filter_taps(rate_hz, spectrum) * np.float32(np.sqrt(12.0))
    white = rng.random(len(taps) - 1, dtype=np.float32) - np.float32(0.5)
    noise = np.empty(count, np.float32)
    for start in range(0, count, _PIECE):
        piece = noise[start : start + _PIECE]
        fresh = rng.random(len(piece), dtype=np.float32) - np.float32(0.5)
        white = np.concatenate([white[len(white) - len(taps) + 1 :], fresh])
        piece[:] = oaconvolve(white, taps, mode="valid")
    return noise


def curve(knots: NDArray[np.float64], count: int) -> NDArray[np.float32]:
    """Return `count` values on straight lines from knot to knot, the first at the start, the last at the end."""
    starts = knots[:-1].astype(np.float32)[:, None]
    ramp = np.linspace(0.0, 1.0, -(-count // len(starts)), endpoint=False, dtype=np.float32)
    lines = np.diff(knots).astype(np.float32)[:, None] * ramp
    lines += starts
    return lines.reshape(-1)[:count]


def wander(count: int, rate_hz: int, period_s: float, rng: np.random.Generator) -> NDArray[np.float64]:
    """Return the knots of a curve about 0, mostly between -1 and 1, that turns about every `period_s` seconds."""
    return rng.normal(0.0, 0.6, knots_for(count, rate_hz, period_s))


def knots_for(count: int, rate_hz: int, period_s: float) -> int:
    """Return how many knots about `period_s` apart a curve of `count` values needs; at least two."""
    return max(2, round(count / rate_hz / period_s) + 1)


def _filter_taps(rate_hz: int, spectrum: Spectrum) -> NDArray[np.float32]:
    from scipy.signal import firwin2

    hz, db = np.array(spectrum).T
    grid = np.linspace(0.0, rate_hz / 2, 2049)
    gain = 10.0 ** (np.interp(np.log(np.maximum(grid, 1.0)), np.log(hz), db) / 20.0)
    gain[0] = 0.0  # no constant part
    taps: NDArray[np.float64] = firwin2(round(_FILTER_S * rate_hz) | 1, grid, gain, fs=rate_hz)
    unit: NDArray[np.float64] = taps / np.sqrt(np.sum(np.square(taps)))
    return unit.astype(np.float32)
