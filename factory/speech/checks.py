"""Whether a clip can be the speech it should be: nothing empty, silent, clipped or cut off gets through."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from factory.speech.clip import FRAME_S, SAMPLE_RATE, SILENT_RMS, Clip, frame_rms, sounding_frames
from factory.speech.damage import ends_in_full_voice, is_clipped
from factory.speech.errors import SpeechError, shown
from factory.speech.length import length_fault

_LONGEST_SILENCE_S = 1.6


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
    if loudness.max() < SILENT_RMS:
        return "it is silent"
    sounding = sounding_frames(waveform)
    silence_s = _longest_gap(sounding, len(loudness)) * FRAME_S
    if silence_s > _LONGEST_SILENCE_S:
        return f"it is silent for {silence_s:.1f} s on end"
    if is_clipped(waveform):
        return "it is clipped"
    if ends_in_full_voice(waveform):
        return "it ends in full voice, as if cut off"
    return length_fault(float((sounding[-1] - sounding[0] + 1) * FRAME_S), text, pace)


def _longest_gap(sounding: NDArray[np.intp], frames: int) -> int:
    edges = np.concatenate([[-1], sounding, [frames]])
    return int(np.diff(edges).max()) - 1
