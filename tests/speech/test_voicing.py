"""A turn is put into spoken form, voiced, checked, and tried twice."""

import numpy as np
import pytest

from factory.speech import Clip, SpeechEngine, SpeechError, Voice, voice_text


class Faltering:
    """hibari, silent for its first `failures` calls."""

    name = "faltering"

    def __init__(self, engine: SpeechEngine, failures: int) -> None:
        self._engine = engine
        self._failures = failures
        self.calls: list[tuple[str, int]] = []

    def voices(self) -> tuple[Voice, ...]:
        return self._engine.voices()

    def speak(self, text: str, voice: Voice, seed: int) -> Clip:
        self.calls.append((text, seed))
        if len(self.calls) <= self._failures:
            return Clip(np.zeros(24_000, np.int16))
        return self._engine.speak(text, voice, seed)


def test_the_engine_is_given_the_spoken_form(hibari: SpeechEngine) -> None:
    engine = Faltering(hibari, failures=0)
    voice_text(engine, "It's DR-48.", hibari.voices()[0], 9)
    assert engine.calls == [("It's D R four eight.", 9)]


def test_a_failed_attempt_is_repeated_once_with_another_seed(hibari: SpeechEngine) -> None:
    engine = Faltering(hibari, failures=1)
    clip = voice_text(engine, "Hold on.", hibari.voices()[0], 9)
    assert clip.duration_s > 0.3
    (_, first_seed), (_, second_seed) = engine.calls
    assert first_seed == 9 != second_seed


def test_a_second_failure_is_final_and_says_why(hibari: SpeechEngine) -> None:
    engine = Faltering(hibari, failures=2)
    with pytest.raises(SpeechError, match=r"'Hold on\.' is not usable: it is silent"):
        voice_text(engine, "Hold on.", hibari.voices()[0], 9)
    assert len(engine.calls) == 2


@pytest.mark.parametrize("text", ["", "   ", "...", "—", "[sighs]", "🙂"])
def test_text_without_words_is_an_error_and_never_reaches_the_engine(hibari: SpeechEngine, text: str) -> None:
    engine = Faltering(hibari, failures=0)
    with pytest.raises(SpeechError, match="nothing to say"):
        voice_text(engine, text, hibari.voices()[0], 1)
    assert engine.calls == []
