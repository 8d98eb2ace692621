"""What a speech engine is, what a voice is, and which voice a conversation gets."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Protocol

from factory.speech.clip import Clip
from factory.speech.errors import SpeechError


@dataclass(frozen=True, slots=True)
class Voice:
    """One caller's voice in one engine.

    Attributes:
        id: Name within the engine.
        pitch: Fundamental frequency against the engine's own voice; 0.5 is an octave down.
        formants: Resonances against the engine's own voice; below 1 is a longer vocal
            tract. 1.0 where the engine brings the timbre itself.
        pace: Speech rate against the engine's own; above 1 is faster.
        description: What a listener hears.
    """

    id: str
    pitch: float
    formants: float
    pace: float
    description: str


class SpeechEngine(Protocol):
    """Turns spoken forms into clips; may be called from several threads at once."""

    @property
    def name(self) -> str:
        """The name that `open_engine` knows."""
        ...

    def voices(self) -> tuple[Voice, ...]:
        """The voices that can be cast, always in the same order."""
        ...

    def speak(self, text: str, voice: Voice, seed: int) -> Clip:
        """Voice one spoken form; the same arguments give the same samples.

        Raises:
            SpeechError: The voice is not this engine's, or no audio came.
        """
        ...


def find_voice(engine: SpeechEngine, voice_id: str) -> Voice:
    """Return the engine's voice of that id.

    Raises:
        SpeechError: There is none; the message lists those there are.
    """
    for voice in engine.voices():
        if voice.id == voice_id:
            return voice
    known = ", ".join(voice.id for voice in engine.voices())
    raise SpeechError(f"Engine {engine.name!r} has no voice {voice_id!r}; use one of: {known}.")


def cast_voice(engine: SpeechEngine, ordinal: int, seed: int) -> Voice:
    """Return the caller's voice for conversation number `ordinal` (from 0) of a corpus.

    Every run of as many conversations as there are voices, counted from 0, uses each
    voice once, in an order drawn from `seed`: no voice is ahead of another by more
    than one conversation, and an ordinal's voice does not depend on any other's.
    """
    voices = engine.voices()
    block, place = divmod(ordinal, len(voices))
    order = list(voices)
    random.Random(f"cast/{engine.name}/{seed}/{block}").shuffle(order)
    return order[place]
