"""Whether a clip can be the speech it should be: nothing empty, silent or cut off gets through."""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray

from factory.speech.clip import FRAME_S, SAMPLE_RATE, Clip, frame_rms
from factory.speech.errors import SpeechError, shown
from factory.speech.spoken import spoken_words_in

_SILENT_RMS = 0.003  # of full scale (-50 dBFS)
_LONGEST_SILENCE_S = 1.6
_FULL_SCALE = 32_700
_CLIPPED_SHARE = 0.001
_END_S = 0.04
_ABRUPT_END = 0.08  # of the loudest frame (-22 dB): speech that ends by itself has died away

# Seconds of sound for each syllable. Fluent speech of every voice here lies between 0.14
# and 0.25, one-word answers and hesitations reach 0.55.
_SHORTEST_SYLLABLE_S = 0.115
_LONGEST_SYLLABLE_S = 0.6
_EDGES_S = 0.6


def check_clip(clip: Clip, text: str) -> None:
    """Check that `clip` plausibly holds the whole of `text`.

    Args:
        clip: The clip to check.
        text: The spoken form that it should hold; its syllables bound the length.

    Raises:
        SpeechError: It is empty, of another rate than 24 kHz, silent, holds a silence of more
            than 1.6 s, is clipped, ends in full voice, or is too short or too long for the text.
    """
    reason = _fault(clip, text)
    if reason:
        raise SpeechError(f"The audio for {shown(text)} is not usable: {reason}.")


def _fault(clip: Clip, text: str) -> str | None:
    if clip.sample_rate != SAMPLE_RATE:
        return f"it has {clip.sample_rate} samples a second instead of {SAMPLE_RATE}"
    if len(clip.samples) == 0:
        return "it is empty"
    waveform = clip.samples.astype(np.float32) / np.float32(32768)
    loudness = frame_rms(waveform)
    loudest = float(loudness.max())
    if loudest < _SILENT_RMS:
        return "it is silent"
    sounding = np.flatnonzero(loudness > max(_SILENT_RMS, 0.02 * loudest))
    silence_s = _longest_gap(sounding, len(loudness)) * FRAME_S
    if silence_s > _LONGEST_SILENCE_S:
        return f"it is silent for {silence_s:.1f} s on end"
    if np.mean(np.abs(clip.samples.astype(np.int32)) >= _FULL_SCALE) > _CLIPPED_SHARE:
        return "it is clipped"
    if _rms(waveform[-round(_END_S * SAMPLE_RATE) :]) > _ABRUPT_END * loudest:
        return "it ends in full voice, as if cut off"
    return _length_fault(float((sounding[-1] - sounding[0] + 1) * FRAME_S), text)


def _length_fault(sound_s: float, text: str) -> str | None:
    count = sum(syllables(word) for word in spoken_words_in(text))
    if sound_s < count * _SHORTEST_SYLLABLE_S:
        return f"{sound_s:.2f} s of sound is too short for {count} syllables"
    longest_s = count * _LONGEST_SYLLABLE_S + _EDGES_S
    if sound_s > longest_s:
        return f"{sound_s:.2f} s of sound is too long for {count} syllables"
    return None


def syllables(word: str) -> int:
    """Return roughly how many syllables an English word has, at least 1; the letter W has three."""
    if word == "W":
        return 3
    return max(1, len(re.findall("[aeiouy]+", re.sub("(?<=[^aeiouy])e$", "", word.lower()))))


def _longest_gap(sounding: NDArray[np.intp], frames: int) -> int:
    edges = np.concatenate([[-1], sounding, [frames]])
    return int(np.diff(edges).max()) - 1


def _rms(waveform: NDArray[np.float32]) -> float:
    return float(np.sqrt(np.mean(np.square(waveform, dtype=np.float64))))
