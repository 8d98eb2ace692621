"""One turn's text to one checked clip."""

from __future__ import annotations

from factory.speech.checks import check_clip
from factory.speech.clip import Clip
from factory.speech.engine import SpeechEngine, Voice
from factory.speech.errors import SpeechError, shown
from factory.speech.spoken import spoken_form, spoken_words_in

_SECOND_SEED = 0x9E3779B97F4A7C15  # far from any seed that another turn would have


def voice_text(engine: SpeechEngine, text: str, voice: Voice, seed: int) -> Clip:
    """Return `text`, as written, voiced and checked.

    The text is put into its spoken form first. If the audio does not come or does not
    pass `check_clip`, one more attempt is made with a second seed derived from `seed`.

    Raises:
        SpeechError: The text has no words, or both attempts failed; says why the second did.
    """
    spoken = spoken_form(text)
    if not spoken_words_in(spoken):
        raise SpeechError(f"There is nothing to say in {shown(text)}; a voiced turn needs words.")
    try:
        return _attempt(engine, spoken, voice, seed)
    except SpeechError:
        return _attempt(engine, spoken, voice, seed ^ _SECOND_SEED)


def _attempt(engine: SpeechEngine, spoken: str, voice: Voice, seed: int) -> Clip:
    clip = engine.speak(spoken, voice, seed)
    check_clip(clip, spoken)
    return clip
