"""A clip of speech: 24 kHz, mono, 16 bit, and the one way a raw waveform becomes one."""

from __future__ import annotations

import io
import wave
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

SAMPLE_RATE = 24_000
"""Samples a second of every clip that this package makes."""

FRAME_S = 0.02
"""Length of the frames in which loudness is measured, in seconds."""

SILENT_RMS = 0.003
"""Of full scale (-50 dBFS): a frame below it is silent, and what has no louder one is no speech."""

_SPEECH_RMS = 0.08  # of full scale, over the frames that hold speech; about -22 dBFS
_PEAK_KNEE = 0.8
_PEAK_ROOM = 0.18
_QUIET = 0.01  # of the loudest frame (-40 dB): below it a frame holds no speech
_FAINT = 0.02  # of the loudest frame (-34 dB): below it nothing is heard beside it
_LEAD_S = 0.05
_TAIL_S = 0.15


@dataclass(frozen=True, slots=True, eq=False)
class Clip:
    """Mono speech.

    Attributes:
        samples: 16-bit samples, shape (n,), read-only.
        sample_rate: Samples a second; 24,000 for every clip that passes `check_clip`.
    """

    samples: NDArray[np.int16]
    sample_rate: int = SAMPLE_RATE

    def __post_init__(self) -> None:
        self.samples.setflags(write=False)

    @property
    def duration_s(self) -> float:
        """Length in seconds."""
        return len(self.samples) / self.sample_rate

    def to_wav_bytes(self) -> bytes:
        """Return a PCM WAV file (16 bit, mono): a 44-byte header and the samples, nothing else."""
        buffer = io.BytesIO()
        with wave.open(buffer, "wb") as file:
            file.setnchannels(1)
            file.setsampwidth(2)
            file.setframerate(self.sample_rate)
            file.writeframes(self.samples.astype("<i2").tobytes())
        return buffer.getvalue()


def settle(waveform: NDArray[np.float32]) -> Clip:
    """Return an engine's 24 kHz waveform as a clip at the common level.

    Silence before and after the speech is cut to 0.05 s and 0.15 s, speech is set
    to -22 dBFS whatever the engine and voice, and the rare peak above 0.8 of full
    scale is rounded off instead of clipped. A silent waveform stays as it is, so that its
    hiss is not taken for speech.
    """
    loudness = frame_rms(waveform)
    loudest = float(loudness.max(initial=0.0))
    if loudest < SILENT_RMS:
        return Clip(_as_int16(waveform))
    speech = np.flatnonzero(loudness > _QUIET * loudest)
    frame = round(FRAME_S * SAMPLE_RATE)
    start = max(0, int(speech[0]) * frame - round(_LEAD_S * SAMPLE_RATE))
    stop = min(len(waveform), (int(speech[-1]) + 1) * frame + round(_TAIL_S * SAMPLE_RATE))
    speech_rms = float(np.sqrt(np.mean(np.square(loudness[speech]))))
    level = waveform[start:stop].astype(np.float64) * (_SPEECH_RMS / speech_rms)
    over = np.abs(level) > _PEAK_KNEE
    rounded = _PEAK_KNEE + _PEAK_ROOM * np.tanh((np.abs(level[over]) - _PEAK_KNEE) / _PEAK_ROOM)
    level[over] = np.sign(level[over]) * rounded
    return Clip(_as_int16(level))


def frame_rms(waveform: NDArray[np.float32]) -> NDArray[np.float64]:
    """Return the loudness of each 20 ms frame (RMS, in the unit of `waveform`); a short last one counts."""
    frame = round(FRAME_S * SAMPLE_RATE)
    padded = np.zeros(-(-len(waveform) // frame) * frame)
    padded[: len(waveform)] = waveform
    return np.asarray(np.sqrt(np.mean(np.square(padded.reshape(-1, frame)), axis=1)))


def sounding_frames(waveform: NDArray[np.float32]) -> NDArray[np.intp]:
    """Return the indexes of the 20 ms frames of a waveform (-1 to 1) in which something is heard."""
    loudness = frame_rms(waveform)
    return np.flatnonzero(loudness > max(SILENT_RMS, _FAINT * float(loudness.max(initial=0.0))))


def _as_int16(waveform: NDArray[np.floating]) -> NDArray[np.int16]:
    samples: NDArray[np.int16] = np.rint(waveform * 32767.0).astype(np.int16)
    return samples
