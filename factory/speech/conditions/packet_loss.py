"""Packets that do not arrive, and what a receiver plays instead."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from factory.speech.errors import SpeechError

PACKET_S = 0.02
"""Speech in one packet, in seconds."""

# ITU-T G.711, Appendix I: pitch of 66 to 200 Hz found over the last 20 ms; full level for 10 ms, then 20 % less each
# 10 ms, silence from 60 ms on.
_SHORTEST_PERIOD_S = 0.005
_LONGEST_PERIOD_S = 0.015
_MATCH_S = 0.02
_FADE_FROM_S, _FADE_TO_S = 0.01, 0.06
_BLEND_S = 0.004


@dataclass(frozen=True, slots=True)
class Loss:
    """Loss in bursts: the line is either good, and every packet arrives, or bad, and none does.

    The model of Gilbert ("Capacity of a burst-noise channel", Bell System Technical Journal 39, 1960).

    Attributes:
        rate: Share of packets lost, over a long time.
        burst_frames: Packets lost in a row, on average; 1 / (1 - rate) is loss without memory.

    Raises:
        SpeechError: The rate is not between 0 and 0.5, or bursts are shorter than a packet or longer than 50.
    """

    rate: float
    burst_frames: float

    def __post_init__(self) -> None:
        if not (0.0 < self.rate <= 0.5 and 1.0 <= self.burst_frames <= 50.0):
            raise SpeechError(
                f"A loss of {self.rate:g} of all packets in bursts of {self.burst_frames:g} cannot be had; the rate "
                "lies above 0 and up to 0.5, a burst has 1 to 50 packets."
            )


def lost_packets(count: int, loss: Loss, rng: np.random.Generator) -> NDArray[np.bool_]:
    """Return which of `count` packets in a row are lost; the first one comes at any point of the line's life."""
    stays_bad = 1.0 - 1.0 / loss.burst_frames
    turns_bad = loss.rate / (loss.burst_frames * (1.0 - loss.rate))
    lost = np.zeros(count, np.bool_)
    chance = loss.rate
    for packet, draw in enumerate(rng.random(count).tolist()):
        lost[packet] = draw < chance
        chance = stays_bad if lost[packet] else turns_bad
    return lost


def without_packets(waveform: NDArray[np.float32], lost: NDArray[np.bool_], rate_hz: int) -> NDArray[np.float32]:
    """Return what a receiver plays: where packets are lost, the last period of the voice over and over, and fading.

    After ITU-T G.711, Appendix I, but without delay: where sound comes again it is blended in within 4 ms. Nothing
    moves in time.

    Args:
        waveform: What was sent, shape (n,).
        lost: Which packets of 20 ms are lost; as many as it takes to hold the waveform.
        rate_hz: Samples a second.
    """
    packet, blend = round(PACKET_S * rate_hz), round(_BLEND_S * rate_hz)
    played = waveform.copy()
    edges = np.flatnonzero(np.diff(lost, prepend=False, append=False)) * packet
    for start, stop in edges.reshape(-1, 2).tolist():
        heard = played[max(0, start - round((_MATCH_S + _LONGEST_PERIOD_S) * rate_hz)) : start]
        instead = _continued(heard, stop - start + blend, rate_hz)[: len(played) - start]
        played[start:stop] = instead[: stop - start]
        rest = instead[stop - start :]
        arrives = np.arange(1, len(rest) + 1, dtype=np.float32) / np.float32(blend + 1)
        played[stop : stop + len(rest)] *= arrives
        played[stop : stop + len(rest)] += (1 - arrives) * rest
    return played


def _continued(heard: NDArray[np.float32], count: int, rate_hz: int) -> NDArray[np.float32]:
    """`count` samples that go on from what was heard last."""
    match = round(_MATCH_S * rate_hz)
    longest = round(_LONGEST_PERIOD_S * rate_hz)
    if len(heard) < match + longest:  # nothing has come yet to go on from
        return np.zeros(count, np.float32)
    # Likeness of the last 20 ms to those that begin 5 to 15 ms earlier.
    earlier = heard[: len(heard) - round(_SHORTEST_PERIOD_S * rate_hz)]
    likeness = np.correlate(earlier, heard[-match:], "valid")
    energy = np.convolve(np.square(earlier), np.ones(match, np.float32), "valid")
    period = longest - int(np.argmax(likeness / np.sqrt(energy + np.float32(1e-9))))
    gain = np.interp(np.arange(count) / rate_hz, [_FADE_FROM_S, _FADE_TO_S], [1.0, 0.0])
    return np.resize(heard[-period:], count) * gain.astype(np.float32)
