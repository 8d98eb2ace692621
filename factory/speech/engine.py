"""What a speech engine is, and what a voice is."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Protocol

from factory.speech.clip import Clip
from factory.speech.errors import SpeechError


@dataclass(frozen=True, slots=True)
class Voice:
    """One person's voice in one engine.

    Attributes:
        id: Name within the engine.
        pitch: Fundamental frequency against the engine's own voice; 0.5 is an octave down.
        formants: Resonances against the engine's own voice; below 1 is a longer vocal
            tract. 1.0 where the engine brings the timbre itself.
        pace: Speech rate against the engine's own; above 1 is faster.
        description: What a listener hears.
        speaker: Whose voice it is made of. Voices of one speaker are told apart by pitch and
            formants alone; those of different speakers by their timbre.
    """

    id: str
    pitch: float
    formants: float
    pace: float
    description: str
    speaker: str = ""


class SpeechEngine(Protocol):
    """Turns spoken forms into clips; may be called from several threads at once."""

    @property
    def name(self) -> str:
        """The name that `open_engine` knows."""
        ...

    @property
    def version(self) -> str:
        """What beside the arguments of `speak` decides the samples: package, model, our own revision."""
        ...

    @property
    def paces(self) -> tuple[float, float]:
        """The slowest and the fastest pace that a voice may have here."""
        ...

    def voices(self) -> tuple[Voice, ...]:
        """The voices that can be cast, always in the same order."""
        ...

    def speak(self, text: str, voice: Voice, seed: int) -> Clip:
        """Voice one spoken form.

        The same arguments give the same samples, except over a network: what a service gives is its own affair, and
        only a cache makes it lasting.

        Raises:
            SpeechError: The voice is not this engine's, its pace is out of reach, or no audio came.
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


def require_speakable(engine: SpeechEngine, voice: Voice) -> None:
    """Make sure that the engine can speak in that voice, at its pace.

    Raises:
        SpeechError: The voice is not this engine's, or its pace is out of reach.
    """
    find_voice(engine, voice.id)
    slowest, fastest = engine.paces
    if not slowest <= voice.pace <= fastest:
        raise SpeechError(
            f"Engine {engine.name!r} speaks at {slowest} to {fastest} times its own pace, not at {voice.pace:.2f}; "
            "`paced` keeps a voice within."
        )


def paced(engine: SpeechEngine, voice: Voice, factor: float) -> Voice:
    """Return the voice `factor` times as fast, or as near to it as the engine can get."""
    slowest, fastest = engine.paces
    return replace(voice, pace=min(fastest, max(slowest, voice.pace * factor)))
