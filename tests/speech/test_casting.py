"""Each conversation has an agent and a caller who differ clearly, and the voices are used evenly."""

from collections import Counter
from collections.abc import Sequence
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from factory.speech import (
    Clip,
    SpeechEngine,
    SpeechError,
    Voice,
    cast_pair,
    open_engine,
    paced,
)
from factory.speech.casting import differ_clearly
from factory.speech.engine import find_voice
from factory.speech.openai_engine import OpenAIEngine
from factory.speech.pyttsx3_engine import Pyttsx3Engine

from .measure import pitch_hz, timbre_distance_db, voiced

HIBARI = open_engine("hibari")
ENGINES = (HIBARI, Pyttsx3Engine(), open_engine("gtts"), OpenAIEngine({"OPENAI_API_KEY": "sk-none"}))
TEXT = "I already gave my case number to the other person, so why do you need it again?"


class Company:
    """An engine of those voices, which never speaks."""

    name = "company"
    version = "1"
    paces = (0.5, 2.0)

    def __init__(self, voices: Sequence[Voice]) -> None:
        self._voices = tuple(voices)

    def voices(self) -> tuple[Voice, ...]:
        return self._voices

    def speak(self, text: str, voice: Voice, seed: int) -> Clip:
        raise SpeechError("nobody is at home")


@settings(max_examples=30, deadline=None)
@given(engine=st.sampled_from(ENGINES), seed=st.integers(), count=st.integers(1, 60))
def test_no_voice_is_ahead_of_another_by_more_than_one_conversation(
    engine: SpeechEngine, seed: int, count: int
) -> None:
    casts = [cast_pair(engine, ordinal, seed) for ordinal in range(count)]
    for part in ([cast.caller for cast in casts], [cast.agent for cast in casts]):
        counts = [part.count(voice) for voice in engine.voices()]
        assert max(counts) - min(counts) <= 1


@settings(max_examples=30, deadline=None)
@given(engine=st.sampled_from(ENGINES), seed=st.integers(), ordinal=st.integers(0, 100_000))
def test_agent_and_caller_always_differ_clearly(engine: SpeechEngine, seed: int, ordinal: int) -> None:
    cast = cast_pair(engine, ordinal, seed)
    assert differ_clearly(cast.agent, cast.caller)


def test_voices_that_are_said_to_differ_clearly_are_measured_to(hibari: SpeechEngine) -> None:
    clips = {voice.id: voiced(hibari, TEXT, voice, 11) for voice in hibari.voices()}
    pitches = {name: 12 * np.log2(pitch_hz(clip)) for name, clip in clips.items()}
    clear = 0
    for one, other in combinations(hibari.voices(), 2):
        if not differ_clearly(one, other):
            continue
        clear += 1
        semitones = abs(pitches[one.id] - pitches[other.id])
        assert semitones > 2 or timbre_distance_db(clips[one.id], clips[other.id]) > 3, f"{one.id} and {other.id}"
    assert clear > 30


def test_every_pair_that_differs_clearly_is_cast() -> None:
    casts = [cast_pair(HIBARI, ordinal, 7) for ordinal in range(450)]
    met = Counter((cast.agent.id, cast.caller.id) for cast in casts)
    possible = sum(differ_clearly(one, other) for one in HIBARI.voices() for other in HIBARI.voices())
    assert len(met) == possible


def test_voices_of_one_speaker_are_told_apart_by_pitch_and_vocal_tract_together() -> None:
    plain = Voice("plain", 1, 1, 1, "")
    assert not differ_clearly(plain, Voice("a third higher", 2 ** (3 / 12), 1, 1, ""))
    assert differ_clearly(plain, Voice("four semitones higher", 2 ** (4.01 / 12), 1, 1, ""))
    assert differ_clearly(plain, Voice("higher and smaller", 2 ** (3 / 12), 1.13, 1, ""))
    assert not differ_clearly(plain, Voice("faster", 1, 1, 1.5, ""))
    assert differ_clearly(plain, Voice("somebody else", 1, 1, 1, "", speaker="else"))


def test_an_engine_whose_voices_cannot_be_told_apart_is_an_error() -> None:
    alike = Company([Voice("one", 1, 1, 1, ""), Voice("other", 1.05, 1, 1, "")])
    with pytest.raises(SpeechError, match="'company' has too few voices that differ clearly"):
        cast_pair(alike, 0, 1)


def test_the_cast_is_the_same_every_time_and_another_for_another_seed() -> None:
    casts = [[cast_pair(HIBARI, ordinal, seed) for ordinal in range(45)] for seed in (1, 1, 2)]
    assert casts[0] == casts[1] != casts[2]


def test_the_cast_is_pinned_across_versions() -> None:
    casts = [cast_pair(HIBARI, ordinal, 7) for ordinal in range(5)]
    assert [cast.caller.id for cast in casts] == ["juniper", "larch", "alder", "elm", "maple"]
    assert [cast.agent.id for cast in casts] == ["birch", "cedar", "hazel", "larch", "fir"]


def test_an_unknown_voice_is_one_clear_error() -> None:
    with pytest.raises(SpeechError, match="no voice 'emma'; use one of: alder, birch"):
        find_voice(HIBARI, "emma")


def test_a_pace_is_kept_within_what_the_engine_can_do() -> None:
    voice = Voice("one", 1, 1, 0.9, "")
    engine = Company([voice])
    assert [paced(engine, voice, factor).pace for factor in (1.1, 9, 0.1)] == [pytest.approx(0.99), 2.0, 0.5]
