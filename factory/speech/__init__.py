"""Text as written to speech: spoken form, an engine's voice, a checked clip.

Importing this package loads no speech library; an engine loads its own on first use.
"""

from factory.speech.align import AlignmentError, cut_clip, word_times
from factory.speech.cache import ClipCache
from factory.speech.casting import Cast, cast_pair
from factory.speech.clip import SAMPLE_RATE, Clip
from factory.speech.engine import SpeechEngine, Voice, paced
from factory.speech.errors import SpeechError
from factory.speech.loudness import Levelled, set_loudness
from factory.speech.manner import Manner, manner_of
from factory.speech.registry import available_engines, open_engine, require_known
from factory.speech.sound_file import encode_sound
from factory.speech.spoken import say, spoken_form
from factory.speech.voicing import EngineFailure, Made, Voicer, make_with_fallback
from factory.speech.word_errors import WordErrors, word_errors

__all__ = [
    "SAMPLE_RATE",
    "AlignmentError",
    "Cast",
    "Clip",
    "ClipCache",
    "EngineFailure",
    "Levelled",
    "Made",
    "Manner",
    "SpeechEngine",
    "SpeechError",
    "Voice",
    "Voicer",
    "WordErrors",
    "available_engines",
    "cast_pair",
    "cut_clip",
    "encode_sound",
    "make_with_fallback",
    "manner_of",
    "open_engine",
    "paced",
    "require_known",
    "say",
    "set_loudness",
    "spoken_form",
    "word_errors",
    "word_times",
]
