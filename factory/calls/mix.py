"""Turns in their places → a call of two channels."""

import numpy as np
from numpy.typing import NDArray

from factory.calls.layout import Layout
from factory.records.enums import Speaker
from factory.speech.conditions.channel import AGENT, CALLER

CHANNELS = {Speaker.AGENT: AGENT, Speaker.CALLER: CALLER}
"""Which channel each side is on."""


def mix(layout: Layout, caller_level_db: float) -> NDArray[np.float32]:
    """The clean call.

    Args:
        layout: Its turns.
        caller_level_db: Level of the caller's speech over the agent's.

    Returns:
        Shape (samples, 2): agent, caller; at 24 kHz. A loud caller may exceed full scale.
    """
    call = np.zeros((layout.samples, len(CHANNELS)), np.float32)
    level = {Speaker.AGENT: 1.0, Speaker.CALLER: 10.0 ** (caller_level_db / 20.0)}
    for turn in layout.turns:
        place = call[turn.first_sample :, CHANNELS[turn.speaker]]
        sound = turn.take.clip.samples[: len(place)].astype(np.float32)
        place[: len(sound)] += sound * np.float32(level[turn.speaker] / 32_768.0)
    return call
