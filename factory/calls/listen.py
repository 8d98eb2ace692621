"""What a speech recogniser understands of the caller, turn by turn, in the call as it is recorded."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from factory.calls.layout import Layout
from factory.calls.mix import CHANNELS
from factory.records.conversation import Round
from factory.records.enums import Speaker
from factory.speech import SAMPLE_RATE, WordErrors, word_errors
from factory.speech.hearing import Listener
from factory.speech.spoken import spoken_form, spoken_words_in

_HUMS = frozenset(("hm", "hmm", "huh", "mhm", "mm", "mmm", "uh", "um"))
_AROUND_S = 0.2
"""How much before and behind a turn the recogniser gets to hear."""


@dataclass(frozen=True, slots=True)
class Heard:
    """What was understood of a turn, and how far it is what was said."""

    text: str
    errors: WordErrors


def listen(
    listener: Listener, recorded: NDArray[np.float32], layout: Layout, rounds: Sequence[Round]
) -> dict[int, Heard]:
    """What is understood of the caller's turns, by the index of the message; not of mere hums, which are no words.

    Args:
        listener: Listens.
        recorded: The call, shape (samples, 2).
        layout: Its turns.
        rounds: What was said.

    Raises:
        SpeechError: The recogniser fails.
    """
    said = {2 * done.index + 1: done.caller.text for done in rounds if done.caller is not None}
    turns = [t for t in layout.turns if t.speaker is Speaker.CALLER and has_words(said[t.message_index])]
    channel = recorded[:, CHANNELS[Speaker.CALLER]]
    understood = listener.hear([_around(channel, turn.starts_s, turn.stops_s) for turn in turns])
    return {
        turn.message_index: Heard(text, word_errors(said[turn.message_index], text))
        for turn, text in zip(turns, understood, strict=True)
    }


def has_words(text: str) -> bool:
    """Whether a recogniser has anything to understand in it: a mere hum is no word."""
    return any(word not in _HUMS for word in spoken_words_in(spoken_form(text.lower())))


def _around(channel: NDArray[np.float32], starts_s: float, stops_s: float) -> NDArray[np.float32]:
    first = max(0, round((starts_s - _AROUND_S) * SAMPLE_RATE))
    return channel[first : round((stops_s + _AROUND_S) * SAMPLE_RATE)]
