"""How loud speech is, and how a background comes to lie so many decibels below it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from factory.speech.clip import FRAME_S
from factory.speech.errors import SpeechError

_QUIET = 0.01  # of the loudest frame (-40 dB): as in a clip, below it a frame holds no speech


def speech_rms(waveform: NDArray[np.float32], rate_hz: int) -> float:
    """Return the level of the speech in a channel: its RMS over the 20 ms frames that hold speech.

    A frame holds speech if it is within 40 dB of the loudest. It is the measure by which clips are brought to one
    level; silence between turns does not count.

    Args:
        waveform: Speech without background, shape (n,).
        rate_hz: Its samples a second.

    Raises:
        SpeechError: There is no sound in it.
    """
    frame = round(FRAME_S * rate_hz)
    whole = np.pad(waveform, (0, -len(waveform) % frame))
    power = np.square(whole).reshape(-1, frame).mean(axis=1)
    loudest = float(power.max(initial=0.0))
    if not loudest > 0.0:
        raise SpeechError("The caller's channel is silent, so no background can be set against its speech.")
    return float(np.sqrt(power[power > _QUIET**2 * loudest].mean(dtype=np.float64)))


def add_background(
    speech: NDArray[np.float32], background: NDArray[np.float32], snr_db: float, rate_hz: int
) -> NDArray[np.float32]:
    """Return speech and background together.

    Args:
        speech: Shape (n,).
        background: Shape (n,), at any level.
        snr_db: Level of the speech (`speech_rms`) over that of the background (RMS over the whole of it), in dB.
        rate_hz: Samples a second of both.

    Raises:
        SpeechError: There is no speech.
    """
    background_rms = float(np.sqrt(np.mean(np.square(background), dtype=np.float64)))
    gain = speech_rms(speech, rate_hz) / background_rms * 10.0 ** (-snr_db / 20.0)
    return speech + np.float32(gain) * background
