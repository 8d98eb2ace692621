"""Where sound begins and ends in a stretch of a channel, by its energy alone."""

import numpy as np
from numpy.typing import NDArray

_FRAME_S = 0.005
_HOP_S = 0.001
_AROUND_S = 0.04
"""Less than the shortest pause, so that no other turn is in sight."""
_QUIET = 0.01
"""Of the loudest frame (-40 dB): below it nothing is heard beside it."""


def sound_edges_s(samples: NDArray[np.float32], rate_hz: int) -> tuple[float, float]:
    """Where the first frame that is heard begins and the last one ends, in seconds; both 0 where there is no sound.

    Args:
        samples: Shape (n,), of any scale; what lies 40 dB below the loudest 5 ms is not heard.
        rate_hz: Samples a second.
    """
    frame, hop = round(_FRAME_S * rate_hz), round(_HOP_S * rate_hz)
    energy = np.concatenate([[0.0], np.cumsum(np.square(samples, dtype=np.float64))])
    starts = np.arange(0, max(1, len(samples) - frame + 1), hop)
    frames = np.sqrt(np.maximum(0.0, energy[np.minimum(starts + frame, len(samples))] - energy[starts]) / frame)
    loudest = float(frames.max(initial=0.0))
    if loudest <= 0.0:
        return 0.0, 0.0
    heard = np.flatnonzero(frames > _QUIET * loudest)
    return float(starts[heard[0]]) / rate_hz, float(min(len(samples), starts[heard[-1]] + frame)) / rate_hz


def heard_s(channel: NDArray[np.float32], turn_s: tuple[float, float], rate_hz: int) -> tuple[float, float]:
    """Where a turn is first and last heard on its channel, in seconds of the call.

    Args:
        channel: One channel of a call, shape (n,).
        turn_s: Where the turn begins and ends, which only tells where to look.
        rate_hz: Samples a second.
    """
    first = max(0, round((turn_s[0] - _AROUND_S) * rate_hz))
    starts_s, stops_s = sound_edges_s(channel[first : round((turn_s[1] + _AROUND_S) * rate_hz)], rate_hz)
    return first / rate_hz + starts_s, first / rate_hz + stops_s
