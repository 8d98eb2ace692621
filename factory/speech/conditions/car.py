"""Inside a car that drives."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from factory.speech.conditions.texture import Spectrum, curve, shaped_noise, wander

# As a microphone at the mouth takes it, which hears little below 60 Hz.
_ROAD: Spectrum = (
    (30, -14),
    (60, -3),
    (100, 0),
    (160, -3),
    (315, -9),
    (630, -15),
    (1250, -23),
    (2500, -33),
    (9000, -55),
)
_WIND: Spectrum = ((100, -16), (300, -5), (800, 0), (2000, -4), (5000, -14), (10000, -28))
_WIND_LEVEL = 0.14
_ENGINE_LEVEL = 0.8

_ENGINE_RATE_HZ = 2_000  # all of its orders lie far below 1 kHz
_FIRING_HZ = 62.0  # four cylinders at about 1,900 turns a minute
# Half orders and whole ones of the firing frequency, and how strong each is.
_ORDERS = ((0.5, 0.35), (1.0, 1.0), (1.5, 0.3), (2.0, 0.6), (3.0, 0.3), (4.0, 0.2), (6.0, 0.08))


def car_noise(count: int, rate_hz: int, rng: np.random.Generator) -> NDArray[np.float32]:
    """Return the inside of a car: engine, tyres on the road, wind; faster and slower with time."""
    speed = wander(count, rate_hz, 6.0, rng)
    noise = shaped_noise(count, rate_hz, _ROAD, rng)
    noise *= curve(1 + 0.2 * speed, count)
    noise *= curve(1 + 0.15 * wander(count, rate_hz, 0.7, rng), count)
    wind = shaped_noise(count, rate_hz, _WIND, rng)
    wind *= curve(_WIND_LEVEL * np.square(1 + 0.25 * speed), count)
    noise += wind
    noise += _engine(speed, count, rate_hz, rng)
    return noise


def _engine(speed: NDArray[np.float64], count: int, rate_hz: int, rng: np.random.Generator) -> NDArray[np.float32]:
    """The engine, turning with the speed."""
    import soxr  # type: ignore[import-untyped]

    turned = -(-count * _ENGINE_RATE_HZ // rate_hz)
    uneven = curve(0.01 * wander(turned, _ENGINE_RATE_HZ, 0.15, rng), turned)
    firing_hz = _FIRING_HZ * (curve(1 + 0.2 * speed, turned) + uneven)
    turns = 2 * np.pi * np.cumsum(firing_hz, dtype=np.float64) / _ENGINE_RATE_HZ
    orders = np.zeros(turned)
    for order, strength in _ORDERS:
        orders += _ENGINE_LEVEL * strength * np.sin(order * turns + rng.uniform(0, 2 * np.pi))
    sound: NDArray[np.float32] = soxr.resample(orders.astype(np.float32), _ENGINE_RATE_HZ, rate_hz)
    return sound[:count]
