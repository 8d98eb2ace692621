"""An engine's audio file, whatever its format and rate, as a waveform at the rate of clips."""

from __future__ import annotations

import io
import struct

import numpy as np
from numpy.typing import NDArray

from factory.speech.clip import SAMPLE_RATE
from factory.speech.damage import is_clipped
from factory.speech.errors import SpeechError

_MOST_S = 600
_RATES_HZ = (8_000, 96_000)
_STREAMED = 0x7FFFFFFF  # a header that is written before the length is known has this, or more


def read_recording(recording: bytes, whose: str) -> NDArray[np.float32]:
    """Return a WAV or MP3 file as a waveform: mono, -1 to 1, 24 kHz.

    Args:
        recording: The whole file.
        whose: The engine, for errors.

    Raises:
        SpeechError: It is no audio, holds less than its header says, is clipped, or is longer than ten minutes.
    """
    import soundfile  # type: ignore[import-untyped]
    import soxr  # type: ignore[import-untyped]

    missing = _missing_bytes(recording)
    if missing:
        raise SpeechError(f"{whose} gave a part of a recording: {missing} bytes of it are missing; try again.")
    try:
        with soundfile.SoundFile(io.BytesIO(recording)) as file:
            rate_hz = file.samplerate
            if not _RATES_HZ[0] <= rate_hz <= _RATES_HZ[1]:
                raise SpeechError(f"{whose} gave a recording of {rate_hz} samples a second, which is no speech.")
            # One second more than allowed, so that what is longer is seen to be.
            channels = file.read((_MOST_S + 1) * rate_hz, dtype="float32", always_2d=True)
    except soundfile.SoundFileError:
        raise SpeechError(f"{whose} gave no recording ({len(recording)} bytes that are no audio); try again.") from None
    if not np.isfinite(channels).all():
        raise SpeechError(f"{whose} gave a recording that holds no numbers; try again.")
    if len(channels) > _MOST_S * rate_hz:
        raise SpeechError(f"{whose} gave a recording of more than {_MOST_S // 60} minutes for one text.")
    # Here, where no change of rate has rounded off what was cut flat.
    if any(is_clipped(channel) for channel in channels.T):
        raise SpeechError(f"{whose} gave a recording that is clipped; try again.")
    resampled: NDArray[np.float32] = soxr.resample(channels.mean(axis=1), rate_hz, SAMPLE_RATE)
    return resampled


def _missing_bytes(recording: bytes) -> int:
    """Bytes that a WAV header announces and that are not there; libsndfile reads such files without a word."""
    if recording[:4] != b"RIFF" or recording[8:12] != b"WAVE":
        return 0
    place = 12
    while place + 8 <= len(recording):
        name, size = struct.unpack_from("<4sI", recording, place)
        if name == b"data":
            return 0 if size >= _STREAMED else max(0, place + 8 + size - len(recording))
        place += 8 + size + size % 2
    return 0
