"""How loud a whole call is (ITU-R BS.1770), and how it comes to the common loudness without clipping."""

from __future__ import annotations

import threading
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from factory.speech.clip import SAMPLE_RATE
from factory.speech.errors import SpeechError

TARGET_LUFS = -26.0
"""The loudness of every call. 26 dB below overload is the level of speech at which telephone codecs are tested (ITU-T
P.830); at the -23 of EBU R 128 the peaks of some voices would already be in the way."""

TRUE_PEAK_DBTP = -1.0
"""The highest peak a call may have between its samples (EBU R 128)."""

_BLOCK_S = 0.4  # of the gate in BS.1770, which needs at least one
_OVERSAMPLING = 4
_PIECE_S = 1  # oversampled at once
_CONTEXT_S = 0.02
_measuring = threading.Lock()  # a measurement takes three times the memory of the call, and hardly any of the time
_BELOW = 0.25  # of the highest sample: a peak between samples does not rise 12 dB above those around it


@dataclass(frozen=True, slots=True, eq=False)
class Levelled:
    """Sound at the common loudness.

    Attributes:
        samples: The sound, float32, of the shape it came in.
        gain_db: What was added to its level.
        lufs: Its loudness now; below the target where a higher one would have clipped.
        true_peak_dbtp: Its true peak now.
    """

    samples: NDArray[np.float32]
    gain_db: float
    lufs: float
    true_peak_dbtp: float


def set_loudness(
    samples: NDArray[np.float32], rate_hz: int = SAMPLE_RATE, target_lufs: float = TARGET_LUFS
) -> Levelled:
    """Return sound at `target_lufs`, or as near below it as the true peak of -1 dBTP allows.

    One gain for all channels and the whole length: nothing is compressed, limited or cut off.

    Args:
        samples: Shape (n,) or (n, channels); may exceed full scale.
        rate_hz: Samples a second.
        target_lufs: The loudness to reach.

    Raises:
        SpeechError: There is no sound in it (below -70 LUFS), or a sample is no number.
    """
    lufs = loudness_lufs(samples, rate_hz)
    if lufs == -np.inf:
        raise SpeechError("There is no sound whose loudness could be set: it lies below -70 LUFS throughout.")
    peak_dbtp = true_peak_dbtp(samples, rate_hz)
    gain_db = min(target_lufs - lufs, TRUE_PEAK_DBTP - peak_dbtp)
    levelled = samples * np.float32(10.0 ** (gain_db / 20.0))
    return Levelled(levelled, gain_db, lufs + gain_db, peak_dbtp + gain_db)


def loudness_lufs(samples: NDArray[np.float32], rate_hz: int = SAMPLE_RATE) -> float:
    """Return the integrated loudness in LUFS by ITU-R BS.1770-4; minus infinity for silence.

    The standard measures blocks of 0.4 s. A shorter sound is measured as if it went on and on to fill one.

    Raises:
        SpeechError: There are no samples, or one is no number.
    """
    import pyloudnorm  # type: ignore[import-untyped]

    if len(samples) == 0 or not np.isfinite(samples).all():
        raise SpeechError("Sound whose loudness is to be measured is empty, or holds what is no number.")
    block = round(_BLOCK_S * rate_hz)
    if len(samples) < block:
        samples = np.resize(samples, (block, *samples.shape[1:]))
    with _measuring:
        return float(pyloudnorm.Meter(rate_hz, block_size=_BLOCK_S).integrated_loudness(samples))


def true_peak_dbtp(samples: NDArray[np.float32], rate_hz: int = SAMPLE_RATE) -> float:
    """Return the highest peak of any channel in dB of full scale, at four times the samples (BS.1770-4, Annex 2)."""
    import soxr  # type: ignore[import-untyped]

    piece, context = _PIECE_S * rate_hz, round(_CONTEXT_S * rate_hz)
    highest_sample = highest = float(max(samples.max(initial=0.0), -samples.min(initial=0.0)))
    for channel in samples.reshape(len(samples), -1).T:
        for start in range(0, len(channel), piece):
            if np.abs(channel[start : start + piece]).max() >= _BELOW * highest_sample:
                around = channel[max(0, start - context) : start + piece + context]
                oversampled = soxr.resample(around, rate_hz, _OVERSAMPLING * rate_hz)
                inside = oversampled[_OVERSAMPLING * min(start, context) :][: _OVERSAMPLING * piece]
                highest = max(highest, float(np.abs(inside).max()))
    return 20.0 * float(np.log10(highest)) if highest > 0.0 else -np.inf
