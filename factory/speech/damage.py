"""Damage that the samples of speech tell of themselves: clipping, holes, and edges in the middle of a sound."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from factory.speech.clip import SAMPLE_RATE, SILENT_RMS, Clip, frame_rms

# Of good clips of hibari and espeak-ng hardly one has three samples on end at its own maximum.
_FLAT = 1e-4
_FLAT_SAMPLES = 3
_CLIPPED_SHARE = 0.0005

_EDGE = round(0.02 * SAMPLE_RATE)
_END = round(0.04 * SAMPLE_RATE)
_STILL = 1.5 / 32768  # at most the last bit
# Of the loudest frame: -30 dB and -20 dB; hibari's and espeak-ng's last sounds are at a fifth of the first at the most.
_DIED_AWAY = 0.03
_FULL = 0.1


def is_clipped(waveform: NDArray[np.float32]) -> bool:
    """Tell whether a waveform of any rate and level, shape (n,), is cut off at its own maximum or minimum."""
    flat = 0
    for side in (waveform, -waveform):
        top = side.max(initial=0.0)
        if top >= SILENT_RMS:
            starts, stops = _runs(side >= top * (1 - _FLAT))
            lengths = stops - starts
            flat += int(lengths[lengths >= _FLAT_SAMPLES].sum())
    return flat > _CLIPPED_SHARE * len(waveform)


def ends_in_full_voice(waveform: NDArray[np.float32]) -> bool:
    """Tell whether 24 kHz speech, shape (n,), ends before its last sound has died away."""
    return _rms(waveform[-_END:]) > _DIED_AWAY * float(frame_rms(waveform).max())


def has_edges(clip: Clip) -> bool:
    """Tell whether sound begins at once, or breaks off to nothing and comes back, as where a head or a part is lost.

    There are engines that speak so, espeak-ng among them: each sound of theirs begins with an edge. hibari's do not.
    """
    waveform = clip.samples.astype(np.float32) / np.float32(32768)
    loudest = float(frame_rms(waveform).max())
    if _rms(waveform[:_EDGE]) > _FULL * loudest:
        return True
    starts, stops = _runs(np.abs(waveform) < _STILL)
    inside = (stops - starts >= _EDGE) & (stops < len(waveform))
    return any(
        max(_rms(waveform[max(0, start - _EDGE) : start]), _rms(waveform[stop : stop + _EDGE])) > _DIED_AWAY * loudest
        for start, stop in zip(starts[inside], stops[inside], strict=True)
    )


def _runs(marked: NDArray[np.bool_]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Where each run of marked samples starts, and where it stops."""
    steps = np.diff(np.concatenate([[False], marked, [False]]).astype(np.int8))
    return np.flatnonzero(steps == 1), np.flatnonzero(steps == -1)


def _rms(waveform: NDArray[np.float32]) -> float:
    return float(np.sqrt(np.mean(np.square(waveform, dtype=np.float64)))) if len(waveform) else 0.0
