"""Who speaks in a conversation: an agent and a caller who cannot be taken for each other."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass

import numpy as np

from factory.speech.engine import SpeechEngine, Voice
from factory.speech.errors import SpeechError

_SEMITONES = 2.0
_FORMANT_RATIO = 1.08
_CLEAR = 2.0


@dataclass(frozen=True, slots=True)
class Cast:
    """The two voices of a conversation.

    Attributes:
        agent: The agent's voice.
        caller: The caller's voice; differs clearly from the agent's.
    """

    agent: Voice
    caller: Voice


def _steps_apart(one: Voice, other: Voice) -> float:
    """Return how far two voices are apart, in steps that help a listener.

    A step is what it takes at the least in pitch (2 semitones), or in the length of the vocal tract (a ratio of 1.08),
    to follow one of two talkers better; the two together help more than either (Darwin, Brungart and Simpson,
    "Effects of fundamental frequency and vocal-tract length changes on attention to one of two simultaneous talkers",
    J. Acoust. Soc. Am. 114, 2003). Steps in both add up at right angles. Voices of different speakers are infinitely
    far apart.
    """
    if one.speaker != other.speaker:
        return math.inf
    pitch = 12 * math.log2(one.pitch / other.pitch) / _SEMITONES
    formants = math.log(one.formants / other.formants) / math.log(_FORMANT_RATIO)
    return math.hypot(pitch, formants)


def differ_clearly(one: Voice, other: Voice) -> bool:
    """Return whether the voices are at least two steps apart (`_steps_apart`), or of different speakers."""
    return _steps_apart(one, other) >= _CLEAR


def cast_pair(engine: SpeechEngine, ordinal: int, seed: int) -> Cast:
    """Return the voices of conversation number `ordinal` (from 0) of a corpus.

    Conversations are taken in blocks of as many as the engine has voices, counted from 0. In a block each voice is
    once the caller's and once the agent's, in an order drawn from `seed`, so that no voice is ahead of another by more
    than one conversation in either part; and an ordinal's voices depend on no other ordinal.

    Raises:
        SpeechError: The engine's voices cannot be paired so that all pairs differ clearly.
    """
    from scipy.optimize import linear_sum_assignment  # type: ignore[import-untyped]

    voices = engine.voices()
    block, place = divmod(ordinal, len(voices))
    callers = list(voices)
    random.Random(f"cast/{engine.name}/{seed}/{block}").shuffle(callers)
    draw = random.Random(f"cast agents/{engine.name}/{seed}/{block}")
    # The pairing with the least sum of random prices is a random pairing; an infinite price is never paid.
    prices = [[draw.random() if differ_clearly(agent, caller) else math.inf for agent in voices] for caller in callers]
    try:
        _, agents = linear_sum_assignment(np.array(prices))
    except ValueError:
        raise SpeechError(
            f"Engine {engine.name!r} has too few voices that differ clearly for an agent and a caller in each "
            "conversation; use another engine."
        ) from None
    return Cast(agent=voices[agents[place]], caller=callers[place])
