"""A turn is put into spoken form, voiced, checked and tried twice; a call is spoken by one engine, never by two."""

import re
import threading
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from factory.speech import (
    Clip,
    ClipCache,
    EngineFailure,
    SpeechEngine,
    SpeechError,
    Voice,
    Voicer,
    make_with_fallback,
)
from factory.speech.voicing import VoicedText

from .measure import voiced

TEXT = "That is not what I said."
CALL = ("Hold on.", TEXT, "Thank you, goodbye.")
FAULTS = [
    pytest.param(lambda samples: Clip(0 * samples), "is silent", id="silence"),
    pytest.param(lambda samples: Clip(samples[:0].copy()), "is empty", id="nothing"),
    pytest.param(lambda samples: Clip(samples.copy(), 22_050), "22050 samples a second", id="another rate"),
    pytest.param(lambda samples: Clip(samples[::2].copy()), "too short", id="the wrong rate"),
    pytest.param(lambda samples: Clip(samples[: len(samples) // 2].copy()), "too short|cut off", id="half a file"),
]


class Faltering:
    """hibari, whose speech is spoilt whenever it is told to be: silenced, if not told otherwise."""

    version = "1"
    paces = (0.65, 1.5)

    def __init__(
        self,
        engine: SpeechEngine,
        fails: Callable[[int, str], bool],
        name: str = "faltering",
        spoil: Callable[[NDArray[np.int16]], Clip] = lambda samples: Clip(0 * samples),
    ) -> None:
        self._engine = engine
        self._fails = fails
        self._spoil = spoil
        self.name = name
        self.calls: list[tuple[str, int]] = []

    def voices(self) -> tuple[Voice, ...]:
        return self._engine.voices()

    def speak(self, text: str, voice: Voice, seed: int) -> Clip:
        self.calls.append((text, seed))
        clip = self._engine.speak(text, voice, seed)
        return self._spoil(clip.samples) if self._fails(len(self.calls), text) else clip


class Hanging(Faltering):
    """An engine that never comes back."""

    def speak(self, text: str, voice: Voice, seed: int) -> Clip:
        self.calls.append((text, seed))
        threading.Event().wait(5)
        raise SpeechError("nobody waits for this")


def first(failures: int) -> Callable[[int, str], bool]:
    return lambda call, _: call <= failures


def test_the_engine_is_given_the_spoken_form(hibari: SpeechEngine) -> None:
    engine = Faltering(hibari, first(0))
    voiced(engine, "It's DR-48.", hibari.voices()[0], 9)
    assert engine.calls == [("It's D R four eight.", 9)]


@pytest.mark.parametrize(("spoil", "why"), FAULTS)
def test_a_failed_attempt_is_repeated_once_with_another_seed_and_told(
    hibari: SpeechEngine, spoil: Callable[[NDArray[np.int16]], Clip], why: str
) -> None:
    engine = Faltering(hibari, first(1), spoil=spoil)
    done = Voicer(engine).voice(TEXT, hibari.voices()[0], 9)
    (_, first_seed), (_, second_seed) = engine.calls
    assert first_seed == 9 != second_seed
    assert np.array_equal(done.clip.samples, hibari.speak(TEXT, hibari.voices()[0], second_seed).samples)
    (fault,) = done.faults
    assert re.search(why, fault)


def test_a_second_attempt_that_was_kept_is_not_made_again_and_still_counts_the_first(
    hibari: SpeechEngine, tmp_path: Path
) -> None:
    first_build = Voicer(Faltering(hibari, first(1)), ClipCache(tmp_path)).voice(TEXT, hibari.voices()[0], 9)
    engine = Faltering(hibari, first(0))
    rebuilt = Voicer(engine, ClipCache(tmp_path)).voice(TEXT, hibari.voices()[0], 9)
    assert engine.calls == []
    assert np.array_equal(rebuilt.clip.samples, first_build.clip.samples)
    assert len(rebuilt.faults) == len(first_build.faults) == 1


@pytest.mark.parametrize(("spoil", "why"), FAULTS)
def test_a_second_failure_is_final_says_why_and_leaves_nothing(
    hibari: SpeechEngine, tmp_path: Path, spoil: Callable[[NDArray[np.int16]], Clip], why: str
) -> None:
    engine = Faltering(hibari, first(2), spoil=spoil)
    with pytest.raises(EngineFailure, match=why):
        Voicer(engine, ClipCache(tmp_path)).voice(TEXT, hibari.voices()[0], 9)
    assert len(engine.calls) == 2
    assert list(tmp_path.iterdir()) == []


def test_two_attempts_that_came_out_alike_are_told_so_and_two_that_differ_are_not(hibari: SpeechEngine) -> None:
    alike = Faltering(hibari, first(2))
    with pytest.raises(
        EngineFailure, match=r"it is silent\. Two attempts failed in the same way; change the words of this turn\.$"
    ):
        voiced(alike, TEXT, hibari.voices()[0], 9)
    spoilt = iter([lambda samples: Clip(0 * samples), lambda samples: Clip(samples[:0].copy())])
    differing = Faltering(hibari, first(2), spoil=lambda samples: next(spoilt)(samples))
    with pytest.raises(EngineFailure, match=r"it is empty\.$"):
        voiced(differing, TEXT, hibari.voices()[0], 9)


@pytest.mark.parametrize("text", ["", "   ", "...", "—"])
def test_text_without_words_is_an_error_and_never_reaches_the_engine(hibari: SpeechEngine, text: str) -> None:
    engine = Faltering(hibari, first(0))
    with pytest.raises(SpeechError, match="nothing to say") as raised:
        voiced(engine, text, hibari.voices()[0], 1)
    assert engine.calls == []
    assert not isinstance(raised.value, EngineFailure)


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("Hi, this is Иван.", "'Иван.'"),
        ("This is 李, okay?", "'李,'"),
        ("Well, [sighs] fine.", "'[sighs]'"),
        ("Great 🙂", "'🙂'"),
        ("Привет", "'Привет'"),
    ],
)
def test_a_word_that_would_be_missing_is_named_and_the_text_never_reaches_the_engine(
    hibari: SpeechEngine, text: str, word: str
) -> None:
    engine = Faltering(hibari, first(0))
    with pytest.raises(SpeechError, match=re.escape(f"{word} in '{text}' cannot be said")) as raised:
        voiced(engine, text, hibari.voices()[0], 1)
    assert engine.calls == []
    assert not isinstance(raised.value, EngineFailure)


def test_a_name_with_accents_is_voiced(hibari: SpeechEngine) -> None:
    engine = Faltering(hibari, first(0))
    voiced(engine, "It's José Müller and Łukasz.", hibari.voices()[0], 1)
    assert engine.calls == [("It's José Müller and Lukasz.", 1)]


def test_an_engine_that_hangs_is_left_and_not_asked_again(hibari: SpeechEngine) -> None:
    engine = Hanging(hibari, first(0), name="hanging")
    voicer = Voicer(engine, limit_s=0.2)
    started_s = time.monotonic()
    for text in CALL:
        with pytest.raises(EngineFailure, match=r"'hanging' did not finish 'Hold on\.' within 0\.2 s"):
            voicer.voice(text, hibari.voices()[0], 1)
    assert time.monotonic() - started_s < 1.0
    assert len(engine.calls) == 1


@pytest.mark.parametrize(
    ("error", "shown"),
    [
        (
            RuntimeError("Load model from /home/jo/.venv/lib/hibari.onnx failed\nat /build/x.cc"),
            "(RuntimeError: Load model from hibari.onnx failed)",
        ),
        (OSError(28, "No space left on device"), "(OSError: [Errno 28] No space left on device)"),
        (TimeoutError(), "(TimeoutError)"),
    ],
)
def test_whatever_an_engine_raises_is_a_failed_attempt(hibari: SpeechEngine, error: Exception, shown: str) -> None:
    def broken(call: int, text: str) -> bool:
        raise error

    engine = Faltering(hibari, broken)
    with pytest.raises(EngineFailure) as raised:
        voiced(engine, "Hold on.", hibari.voices()[0], 1)
    assert f"Engine 'faltering' broke at 'Hold on.' {shown};" in str(raised.value)
    assert len(engine.calls) == 2


def call_of(voicer: Voicer) -> list[VoicedText]:
    return [voicer.voice(text, voicer.engine.voices()[0], seed) for seed, text in enumerate(CALL)]


def test_a_call_whose_engine_fails_in_the_middle_is_spoken_by_the_other_from_its_beginning(
    hibari: SpeechEngine,
) -> None:
    failing = Faltering(hibari, lambda _, text: text.startswith("Thank"), name="failing")
    made = make_with_fallback([Voicer(failing), Voicer(hibari)], call_of)
    assert made.engine == "hibari"
    for number, done in enumerate(made.result):
        assert np.array_equal(done.clip.samples, voiced(hibari, CALL[number], hibari.voices()[0], number).samples)
    assert "it is silent" in made.failures[0]


def test_an_engine_that_holds_is_not_replaced(hibari: SpeechEngine) -> None:
    other = Faltering(hibari, first(0), name="other")
    made = make_with_fallback([Voicer(hibari), Voicer(other)], call_of)
    assert (made.engine, made.failures, other.calls) == ("hibari", (), [])


def test_without_a_fallback_the_failure_is_the_callers(hibari: SpeechEngine) -> None:
    with pytest.raises(EngineFailure, match="silent"):
        make_with_fallback([Voicer(Faltering(hibari, first(99)))], call_of)


def test_what_is_no_failure_of_the_engine_is_not_made_with_another(hibari: SpeechEngine) -> None:
    asked: list[str] = []

    def make(voicer: Voicer) -> VoicedText:
        asked.append(voicer.engine.name)
        return voicer.voice("…", hibari.voices()[0], 1)

    with pytest.raises(SpeechError, match="nothing to say"):
        make_with_fallback([Voicer(hibari), Voicer(Faltering(hibari, first(0), name="other"))], make)
    assert asked == ["hibari"]
