"""How long a text takes to say, and how fast a clip says it."""

from __future__ import annotations

import re

import numpy as np

from factory.speech.clip import FRAME_S, Clip, sounding_frames
from factory.speech.spoken import spoken_words_in

# Fitted to authored lines as hibari and espeak-ng say them. A text's syllables and words take at least 0.85 of this,
# and with a pause at each mark the whole at most 1.5 times it; half a recording takes half.
_SYLLABLE_S = 0.165
_WORD_S = 0.02
_PAUSE_S = 0.3
_SHORTEST = 0.72
_LONGEST = 1.8
_DRAWL_S = 0.5  # beside that: a lone "Hmm" may take its time

# Sounds are drawn out before a mark and at the end. With that in, 98 of 100 turns of a voice have its median to within
# a fifth of it.
_DRAWN_AT_MARK_S = 0.15
_DRAWN_AT_END_S = 0.2

_MARK = re.compile("[,.;:?!—]+ ")


def length_fault(sound_s: float, text: str, pace: float) -> str | None:
    """Return why so much sound, pauses included, cannot be the whole of a spoken form; None if it can.

    Args:
        sound_s: From the first sound to the last.
        text: The spoken form.
        pace: How fast it is spoken, against an engine's own pace.
    """
    count, fluent_s = _fluent(text)
    if sound_s < _SHORTEST * fluent_s / pace:
        return f"{sound_s:.2f} s of sound is too short for {count} syllables"
    paused_s = (fluent_s + _PAUSE_S * len(_MARK.findall(text))) / pace
    if sound_s > _LONGEST * paused_s + _DRAWL_S:
        return f"{sound_s:.2f} s of sound is too long for {count} syllables"
    return None


def tempo(clip: Clip, text: str, pace: float) -> float:
    """Return how long a clip sounds, pauses not counted, against what its text is expected to take.

    An engine's texts in one voice have nearly the same; sound that is played at a wrong rate, or of which a part is
    missing, has another.

    Args:
        clip: A clip with sound.
        text: The spoken form, with words.
        pace: How fast it is spoken, against the engine's own pace.
    """
    _, fluent_s = _fluent(text)
    expected_s = fluent_s + _DRAWN_AT_MARK_S * len(_MARK.findall(text)) + _DRAWN_AT_END_S
    sound_s = FRAME_S * len(sounding_frames(clip.samples.astype(np.float32) / np.float32(32768)))
    return sound_s * pace / expected_s


def _fluent(text: str) -> tuple[int, float]:
    """Syllables of a spoken form, and the seconds that it takes without a pause at an engine's own pace."""
    words = spoken_words_in(text)
    count = sum(_syllables(word) for word in words)
    return count, _SYLLABLE_S * count + _WORD_S * len(words)


def _syllables(word: str) -> int:
    """Return roughly how many syllables an English word has, at least 1; the letter W has three."""
    if word == "W":
        return 3
    return max(1, len(re.findall("[aeiouy]+", re.sub("(?<=[^aeiouy])e$", "", word.lower()))))
