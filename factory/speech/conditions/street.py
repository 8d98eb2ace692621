"""Beside a street."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from factory.speech.conditions.texture import Spectrum, curve, knots_for, shaped_noise, wander

_FAR: Spectrum = (
    (30, -16),
    (60, -3),
    (100, 0),
    (200, -2),
    (500, -8),
    (1000, -13),
    (2000, -21),
    (4000, -32),
    (10000, -50),
)
_NEAR: Spectrum = ((60, -12), (200, -7), (600, -2), (1000, 0), (2000, -6), (4000, -15), (8000, -27))  # tyres
_NEAR_LEVEL = 1.3

_CURVE_S = 0.05
_EVERY_S = 6.0  # a car, on average
_PASSES_S = (0.5, 1.4)  # from half the power to the nearest point: 7 to 20 m away at 50 km/h
_REACH = 12.0  # of that time: where a car is below 1 % of its power
_SPREAD_DB = 2.0


def street_noise(count: int, rate_hz: int, rng: np.random.Generator) -> NDArray[np.float32]:
    """Return a street: traffic far away, and cars that come, pass and go."""
    passing = _passing(knots_for(count, rate_hz, _CURVE_S), rng)
    noise = shaped_noise(count, rate_hz, _FAR, rng)
    noise *= curve(1 + 0.2 * wander(count, rate_hz, 4.0, rng), count)
    noise *= curve(1 + 0.4 * passing, count)
    near = shaped_noise(count, rate_hz, _NEAR, rng)
    near *= curve(_NEAR_LEVEL * passing + 0.1, count)
    noise += near
    return noise


def _passing(knots: int, rng: np.random.Generator) -> NDArray[np.float64]:
    """Amplitude of the cars that are near, at each knot.

    The power of a source at a distance d that passes at a speed v goes with 1 / (1 + (v t / d)²).
    """
    power = np.zeros(knots)
    for _ in range(rng.poisson(knots * _CURVE_S / _EVERY_S)):
        passes = rng.uniform(*_PASSES_S) / _CURVE_S
        nearest = rng.uniform(0, knots)
        level = 10.0 ** (rng.normal(0.0, _SPREAD_DB) / 10.0)
        start = max(0, int(nearest - _REACH * passes))
        stop = min(knots, int(nearest + _REACH * passes))
        when = (np.arange(start, stop) - nearest) / passes
        # Down to nothing at the edges of its reach, so that nothing starts all at once.
        power[start:stop] += level * np.maximum(0.0, 1 / (1 + np.square(when)) - 1 / (1 + _REACH**2))
    amplitude: NDArray[np.float64] = np.sqrt(power)
    return amplitude
