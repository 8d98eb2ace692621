"""People who talk in the same room, too far away to be understood."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from factory.speech.conditions.texture import Spectrum, curve, knots_for, shaped_noise

_RATE_HZ = 8_000  # nothing of it lies above 3 kHz
_PITCHES_HZ = (98.0, 122.0, 187.0, 221.0)  # one person each
_SYLLABLE_S = 0.21
_TALKS_SYLLABLES = (4, 22)
_RESTS_SYLLABLES = (3, 25)
_BREATH = 0.9  # noise in a voice, against a buzz of 1

# Bands that open and close from syllable to syllable, as vowels do; Hz and strength.
_BANDS = (((180, 420), 1.0), ((420, 800), 0.9), ((800, 1400), 0.5), ((1400, 2800), 0.3))
_TAPS = 41  # soft edges: the bands run into each other
_ROOM: Spectrum = ((400, 0), (800, -2), (1600, -7), (2400, -13), (3200, -22), (4000, -40))  # walls swallow treble
_ROOM_S = 0.25  # of reverberation: what makes voices a murmur
_DECAY = 6.9  # natural logarithm of 60 dB
_LEVEL = 4.1  # makes the whole as loud as it should be


def murmur(count: int, rate_hz: int, rng: np.random.Generator) -> NDArray[np.float32]:
    """Return the murmur of four people at an RMS of about 1, shape (count,)."""
    import soxr  # type: ignore[import-untyped]
    from scipy.signal import oaconvolve  # type: ignore[import-untyped]

    ratio = rate_hz // _RATE_HZ
    length = -(-count // ratio)
    bands = np.zeros((len(_BANDS), length), np.float32)
    for pitch_hz in _PITCHES_HZ:
        _add_voice(bands, pitch_hz, rng)
    dry = np.zeros(length, np.float32)
    for band, ((low_hz, high_hz), strength) in zip(bands, _BANDS, strict=True):
        dry += oaconvolve(band, _band_taps(low_hz, high_hz, strength), mode="same")[:length]
    decay = np.exp(np.linspace(0.0, -_DECAY, round(_ROOM_S * _RATE_HZ), dtype=np.float32))
    room = shaped_noise(len(decay), _RATE_HZ, _ROOM, rng) * decay
    room *= np.float32(_LEVEL) / np.sqrt(np.sum(np.square(room)))
    wet = oaconvolve(dry, room, mode="full")[:length]
    sound: NDArray[np.float32] = wet if ratio == 1 else soxr.resample(wet, _RATE_HZ, rate_hz)[:count]
    return sound


def _add_voice(bands: NDArray[np.float32], pitch_hz: float, rng: np.random.Generator) -> None:
    """Add one person to each band: a buzz with some breath in it, through the syllables of phrases with rests."""
    length = bands.shape[1]
    melody = pitch_hz * (1 + curve(rng.uniform(-0.12, 0.12, knots_for(length, _RATE_HZ, 0.35)), length))
    turns = np.cumsum(melody, dtype=np.float64)
    turns /= _RATE_HZ
    turns -= np.floor(turns)
    buzz = turns.astype(np.float32)
    buzz += np.float32(_BREATH) * rng.random(length, dtype=np.float32)
    buzz -= np.float32((1 + _BREATH) / 2)
    # A knot at the top of each syllable and one between it and the next.
    syllables = knots_for(length, _RATE_HZ, _SYLLABLE_S)
    talks = _phrases(syllables, rng)
    for band in bands:
        knots = np.zeros(2 * syllables)
        knots[::2] = talks * rng.uniform(0.0, 1.0, syllables)
        knots[1::2] = 0.15 * knots[::2]
        syllable = curve(knots, length)
        syllable *= buzz
        band += syllable


def _phrases(syllables: int, rng: np.random.Generator) -> NDArray[np.float64]:
    """1 for each syllable in which the person talks, 0 for those of rest."""
    talks = np.zeros(syllables)
    at = -int(rng.integers(*_TALKS_SYLLABLES))
    while at < syllables:
        stop = at + int(rng.integers(*_TALKS_SYLLABLES))
        talks[max(0, at) : max(0, stop)] = 1.0
        at = stop + int(rng.integers(*_RESTS_SYLLABLES))
    return talks


def _band_taps(low_hz: int, high_hz: int, strength: float) -> NDArray[np.float32]:
    from scipy.signal import firwin

    taps: NDArray[np.float64] = firwin(_TAPS, (low_hz, high_hz), fs=_RATE_HZ, pass_zero=False)
    return (strength * taps).astype(np.float32)
