"""Text as written to speech: spoken form, an engine's voice, a checked clip.

Importing this package loads no speech library; an engine loads its own on first use.
"""

from factory.speech.checks import check_clip
from factory.speech.clip import SAMPLE_RATE, Clip
from factory.speech.engine import SpeechEngine, Voice, cast_voice, find_voice
from factory.speech.errors import SpeechError
from factory.speech.registry import EngineStatus, available_engines, open_engine, require_known
from factory.speech.spoken import spoken_form
from factory.speech.voicing import voice_text

__all__ = [
    "SAMPLE_RATE",
    "Clip",
    "EngineStatus",
    "SpeechEngine",
    "SpeechError",
    "Voice",
    "available_engines",
    "cast_voice",
    "check_clip",
    "find_voice",
    "open_engine",
    "require_known",
    "spoken_form",
    "voice_text",
]
