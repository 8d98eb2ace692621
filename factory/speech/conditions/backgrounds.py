"""The places a caller can be in, by what is heard there."""

from __future__ import annotations

from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from factory.speech.conditions.car import car_noise
from factory.speech.conditions.office import office_noise
from factory.speech.conditions.street import street_noise


class Background(StrEnum):
    """Where a caller is."""

    OFFICE = "office"
    """Ventilation, the hum of lamps, a murmur of colleagues, a keyboard."""
    STREET = "street"
    """The rumble of traffic, and cars that pass."""
    CAR = "car"
    """Inside one that drives: engine, road, wind."""


def make_background(background: Background, count: int, rate_hz: int, rng: np.random.Generator) -> NDArray[np.float32]:
    """Return `count` samples of what is heard in a place: the whole at once, in time in proportion to its length.

    Args:
        background: The place.
        count: How many samples.
        rate_hz: Samples a second: 8,000 or 24,000.
        rng: Decides when what happens there.
    """
    make = {Background.OFFICE: office_noise, Background.STREET: street_noise, Background.CAR: car_noise}
    return make[background](count, rate_hz, rng)
