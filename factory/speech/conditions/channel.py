"""A clean call in, the call as it is recorded out."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from factory.speech.clip import SAMPLE_RATE
from factory.speech.conditions.backgrounds import make_background
from factory.speech.conditions.condition import Band, Condition
from factory.speech.conditions.level import add_background
from factory.speech.conditions.packet_loss import PACKET_S, lost_packets, without_packets
from factory.speech.conditions.telephone import TELEPHONE_RATE_HZ, band_limited, companded
from factory.speech.errors import SpeechError

AGENT, CALLER = 0, 1
"""The channels of a call."""

_BACKGROUND, _LOSS = 1, 2  # each thing that is drawn has numbers of its own, whatever else there is


def apply_condition(condition: Condition, call: NDArray[np.float32], seed: int) -> NDArray[np.float32]:
    """Return the call as it is recorded under a condition; of the same length, every word where it was.

    The telephone is for both channels; the background, the loss and the level are the caller's alone. The loudness
    of the whole is not set here (`factory.speech.loudness`), and what has no telephone in it may exceed full scale.

    Args:
        condition: The condition.
        call: The clean call at 24 kHz, shape (n, 2): agent, caller. It is left as it is.
        seed: Decides background and loss; not negative.

    Raises:
        SpeechError: The call has another shape or holds what is no number, or there is to be a background and the
            caller says nothing.
    """
    if call.ndim != 2 or call.shape[1] != 2 or len(call) == 0:
        raise SpeechError(f"A call has two channels, agent and caller; these samples have the shape {call.shape}.")
    if not np.isfinite(call).all():
        raise SpeechError("The call holds what is no number; it has to be mixed anew.")
    if condition.band is Band.TELEPHONE:
        return _from_line(_recorded(condition, band_limited(_to_line(call)), seed), len(call))
    return _recorded(condition, call.astype(np.float32), seed)


def _recorded(condition: Condition, line: NDArray[np.float32], seed: int) -> NDArray[np.float32]:
    """The call at the line's rate; `line` is written over."""
    telephone = condition.band is Band.TELEPHONE
    rate_hz = TELEPHONE_RATE_HZ if telephone else SAMPLE_RATE
    if condition.background is not None and condition.snr_db is not None:
        noise = make_background(condition.background, len(line), rate_hz, np.random.default_rng([seed, _BACKGROUND]))
        heard = band_limited(noise) if telephone else noise
        line[:, CALLER] = add_background(line[:, CALLER], heard, condition.snr_db, rate_hz)
    line[:, CALLER] *= np.float32(10.0 ** (condition.caller_level_db / 20.0))
    if telephone:
        # Both channels alike, so that they keep their distance; a coder would cut off what exceeds full scale.
        line = companded(line / max(np.float32(1.0), np.abs(line).max()))
    if condition.loss is not None:
        count = -(-len(line) // round(PACKET_S * rate_hz))
        lost = lost_packets(count, condition.loss, np.random.default_rng([seed, _LOSS]))
        line[:, CALLER] = without_packets(line[:, CALLER], lost, rate_hz)
    return line


def _to_line(call: NDArray[np.float32]) -> NDArray[np.float32]:
    import soxr  # type: ignore[import-untyped]

    whole = np.pad(call, ((0, -len(call) % (SAMPLE_RATE // TELEPHONE_RATE_HZ)), (0, 0)))
    line: NDArray[np.float32] = soxr.resample(whole.astype(np.float32), SAMPLE_RATE, TELEPHONE_RATE_HZ)
    return line


def _from_line(line: NDArray[np.float32], count: int) -> NDArray[np.float32]:
    import soxr

    call: NDArray[np.float32] = soxr.resample(line, TELEPHONE_RATE_HZ, SAMPLE_RATE)
    return call[:count]
