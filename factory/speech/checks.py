"""Whether a clip can be the speech it should be: nothing empty, silent or cut off gets through."""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray

from factory.speech.clip import FRAME_S, SAMPLE_RATE, SILENT_RMS, Clip, frame_rms
from factory.speech.errors import SpeechError, shown
from factory.speech.spoken import spoken_words_in

_LONGEST_SILENCE_S = 1.6
_FULL_SCALE = 32_700
_CLIPPED_SHARE = 0.001
_END_S = 0.04
_ABRUPT_END = 0.08  # of the loudest frame (-22 dB): speech that ends by itself has died away

# How long a text sounds: fitted to authored lines as hibari and espeak-ng say them. Its syllables and words take at
# least 0.85 of this, and with a pause at each mark the whole at most 1.5 times it; half a recording takes half.
_SYLLABLE_S = 0.165
_WORD_S = 0.02
_PAUSE_S = 0.3
_SHORTEST = 0.72
_LONGEST = 1.8
_DRAWL_S = 0.5  # beside that: a lone "Hmm" may take its time


def check_clip(clip: Clip, text: str, pace: float = 1.0) -> None:
    """Check that `clip` plausibly holds the whole of `text`.

    Args:
        clip: The clip to check.
        text: The spoken form that it should hold; its syllables, words and pauses bound the length.
        pace: How fast it is spoken, against an engine's own pace.

    Raises:
        SpeechError: It is empty, of another rate than 24 kHz, silent, holds a silence of more
            than 1.6 s, is clipped, ends in full voice, or is too short or too long for the text.
    """
    reason = _fault(clip, text, pace)
    if reason:
        raise SpeechError(f"The audio for {shown(text)} is not usable: {reason}.")


def _fault(clip: Clip, text: str, pace: float) -> str | None:
    if clip.sample_rate != SAMPLE_RATE:
        return f"it has {clip.sample_rate} samples a second instead of {SAMPLE_RATE}"
    if len(clip.samples) == 0:
        return "it is empty"
    waveform = clip.samples.astype(np.float32) / np.float32(32768)
    loudness = frame_rms(waveform)
    loudest = float(loudness.max())
    if loudest < SILENT_RMS:
        return "it is silent"
    sounding = np.flatnonzero(loudness > max(SILENT_RMS, 0.02 * loudest))
    silence_s = _longest_gap(sounding, len(loudness)) * FRAME_S
    if silence_s > _LONGEST_SILENCE_S:
        return f"it is silent for {silence_s:.1f} s on end"
    if np.mean(np.abs(clip.samples.astype(np.int32)) >= _FULL_SCALE) > _CLIPPED_SHARE:
        return "it is clipped"
    if _rms(waveform[-round(_END_S * SAMPLE_RATE) :]) > _ABRUPT_END * loudest:
        return "it ends in full voice, as if cut off"
    return _length_fault(float((sounding[-1] - sounding[0] + 1) * FRAME_S), text, pace)


def _length_fault(sound_s: float, text: str, pace: float) -> str | None:
    words = spoken_words_in(text)
    count = sum(_syllables(word) for word in words)
    fluent_s = (_SYLLABLE_S * count + _WORD_S * len(words)) / pace
    if sound_s < _SHORTEST * fluent_s:
        return f"{sound_s:.2f} s of sound is too short for {count} syllables"
    paused_s = fluent_s + _PAUSE_S * len(re.findall("[,.;:?!—]+ ", text)) / pace
    if sound_s > _LONGEST * paused_s + _DRAWL_S:
        return f"{sound_s:.2f} s of sound is too long for {count} syllables"
    return None


def _syllables(word: str) -> int:
    """Return roughly how many syllables an English word has, at least 1; the letter W has three."""
    if word == "W":
        return 3
    return max(1, len(re.findall("[aeiouy]+", re.sub("(?<=[^aeiouy])e$", "", word.lower()))))


def _longest_gap(sounding: NDArray[np.intp], frames: int) -> int:
    edges = np.concatenate([[-1], sounding, [frames]])
    return int(np.diff(edges).max()) - 1


def _rms(waveform: NDArray[np.float32]) -> float:
    return float(np.sqrt(np.mean(np.square(waveform, dtype=np.float64))))
