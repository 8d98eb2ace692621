"""In an office."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from factory.speech.conditions.murmur import murmur
from factory.speech.conditions.texture import Spectrum, shaped_noise

_VENTILATION: Spectrum = ((30, -12), (80, 0), (200, -2), (500, -9), (1000, -16), (2000, -25), (4000, -36), (10000, -54))
_KEY: Spectrum = ((200, -20), (800, -8), (2000, 0), (4500, -2), (9000, -14))

_MURMUR_LEVEL = 0.9  # all against ventilation at an RMS of 1
_HUM = ((120, 0.12), (240, 0.06), (360, 0.02))  # Hz, amplitude: lamps on a 60 Hz mains
_HUM_S = 1 / 60
_KEY_PEAK = 2.5

_BURST_EVERY_S = 7.0
_KEYS = (4, 25)
_KEY_EVERY_S = (0.09, 0.26)
_DOWN_S = 0.09
_CLICK_S = 0.03
_CLICKS = 12


def office_noise(count: int, rate_hz: int, rng: np.random.Generator) -> NDArray[np.float32]:
    """Return an office: ventilation, the hum of lamps, a murmur of colleagues, somebody at a keyboard now and then."""
    noise = murmur(count, rate_hz, rng)
    noise *= np.float32(_MURMUR_LEVEL)
    noise += shaped_noise(count, rate_hz, _VENTILATION, rng)
    noise += _hum(count, rate_hz)
    _type(noise, rate_hz, rng)
    return noise


def _hum(count: int, rate_hz: int) -> NDArray[np.float32]:
    # Three periods of the mains are a whole number of samples at 8 and at 24 kHz.
    time_s = np.arange(round(3 * _HUM_S * rate_hz)) / rate_hz
    periods = sum(amplitude * np.sin(2 * np.pi * hz * time_s) for hz, amplitude in _HUM)
    return np.resize(np.asarray(periods, np.float32), count)


def _type(noise: NDArray[np.float32], rate_hz: int, rng: np.random.Generator) -> None:
    """Add keystrokes to `noise`, in bursts: each a click down, and a weaker one up."""
    clicks = _make_clicks(rate_hz, rng)
    seconds = len(noise) / rate_hz
    time_s = rng.exponential(_BURST_EVERY_S / 2)
    while time_s < seconds:
        for _ in range(int(rng.integers(*_KEYS))):
            strength = _KEY_PEAK * rng.uniform(0.4, 1.0)
            for at_s, part in ((time_s, 1.0), (time_s + _DOWN_S * rng.uniform(0.7, 1.3), 0.4)):
                place = noise[round(at_s * rate_hz) :][: clicks.shape[1]]
                place += np.float32(strength * part) * clicks[rng.integers(_CLICKS)][: len(place)]
            time_s += rng.uniform(*_KEY_EVERY_S)
        time_s += rng.exponential(_BURST_EVERY_S)


def _make_clicks(rate_hz: int, rng: np.random.Generator) -> NDArray[np.float32]:
    """A dozen different clicks with a peak of 1, one a row."""
    length = round(_CLICK_S * rate_hz)
    time_s = np.arange(length) / rate_hz
    attack = np.minimum(1.0, time_s / 0.001)
    decay = np.exp(-time_s / rng.uniform(0.003, 0.007, (_CLICKS, 1)))
    bursts = shaped_noise(_CLICKS * length, rate_hz, _KEY, rng).reshape(_CLICKS, length)
    clicks = bursts * (attack * decay).astype(np.float32)
    highest: NDArray[np.float32] = np.abs(clicks).max(axis=1, keepdims=True)
    return clicks / highest
