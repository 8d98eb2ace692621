"""A call's turns, each voiced, its words timed, and where the agent is cut off, cut at the end of the word."""

from dataclasses import dataclass, replace

import numpy as np

from factory.calls.overlap import LEAST_MARGIN_S, MARGIN_S, CutTimes, pace_needed
from factory.calls.sound import sound_edges_s
from factory.corpus.seeds import derive_seed
from factory.records.conversation import Utterance
from factory.records.enums import InterruptionType
from factory.speech import (
    AlignmentError,
    Cast,
    Clip,
    EngineFailure,
    Manner,
    Voicer,
    cut_clip,
    paced,
    say,
    word_times,
)

MOST_TAKES = 4
"""Takes of one turn before its engine is given up."""
_SHORTEST_WORD_S = 0.02
"""Less is no word: the quickest "a" of the embedded engine has 0.03 s."""
_RETAKE_PACE = 0.94
"""The pace of a take against the one before, whose words were not found in it, or not understood."""


Times = tuple[tuple[float, float], ...]
"""Start and end of words, in seconds."""


@dataclass(frozen=True, slots=True)
class Tried:
    """How a take came about.

    Attributes:
        pace: Against the voice's own.
        number: Which take it is, from 1.
        failed: Attempts of the engine, this take's and those before it, that gave no speech that can be used.
    """

    pace: float
    number: int
    failed: int


@dataclass(frozen=True, slots=True)
class Take:
    """A turn's sound. All times are in seconds from the clip's beginning.

    Attributes:
        clip: The sound, up to the cut where there is one.
        words: Start and end of each written word that is in it.
        starts_s: Where sound begins.
        stops_s: Where it ends.
        tried: How it came about.
        cut: What the caller's start depends on; None where nobody cuts in.
    """

    clip: Clip
    words: Times
    starts_s: float
    stops_s: float
    tried: Tried
    cut: CutTimes | None = None


class Takes:
    """Voices the turns of one call, by one engine, in two voices.

    Args:
        voicer: Voices a text.
        cast: The two voices.
        manner: How the caller speaks.
        seed: The conversation's.
    """

    def __init__(self, voicer: Voicer, cast: Cast, manner: Manner, seed: int) -> None:
        self._voicer = voicer
        self._cast = cast
        self._manner = manner
        self._seed = seed

    def agent(self, turn: int, utterance: Utterance, kind: InterruptionType | None) -> Take:
        """The agent's turn of a round, voiced whole; cut where the caller cuts in with `kind`.

        Where no instant for the caller's start gives an overlap in the type's range, the pace changes.

        Raises:
            EngineFailure: The engine gives no speech in which the words are found, or none at a pace that will do.
        """
        pace, fault, failed = 1.0, "", 0
        for number in range(1, MOST_TAKES + 1):
            voice = paced(self._voicer.engine, self._cast.agent, pace)
            pace = voice.pace / self._cast.agent.pace
            voiced = self._voicer.voice(utterance.text, voice, derive_seed(self._seed, "agent", turn, number))
            failed += len(voiced.faults)
            try:
                words = word_times(voiced.clip, say(utterance.text))
            except AlignmentError as error:
                pace, fault, failed = pace * _RETAKE_PACE, str(error), failed + 1
                continue
            tried = Tried(pace, number, failed)
            if utterance.cut is None or kind is None:
                return _take(voiced.clip, words, tried)
            margin_s = MARGIN_S if number < MOST_TAKES else LEAST_MARGIN_S
            take = _cut_take(voiced.clip, words, utterance, tried, margin_s)
            first_s, last_s = take.words[-1]
            if last_s - first_s < _SHORTEST_WORD_S:  # an aligner may take the silence before a word for it
                fault = f"the word at which turn {turn + 1} is cut is not heard in it"
                pace, failed = pace * _RETAKE_PACE, failed + 1
                continue
            assert take.cut is not None
            needed = pace_needed(take.cut, kind)
            if needed == 1.0:
                return take
            pace, fault = pace * needed, f"no pace was found at which a {kind} has its overlap in turn {turn + 1}"
        raise self._given_up(fault)

    def caller(self, turn: int, text: str, first: int = 1) -> Take:
        """The caller's turn of a round.

        Args:
            turn: The round, from 0.
            text: Their words.
            first: The take to begin with; each further one is slower and has another seed.

        Raises:
            EngineFailure: The engine gives no speech in which the words are found.
        """
        fault, failed = "", 0
        for number in range(first, first + MOST_TAKES):
            pace = self._manner.pace * _RETAKE_PACE ** (number - 1)
            voice = paced(self._voicer.engine, self._cast.caller, pace)
            voiced = self._voicer.voice(text, voice, derive_seed(self._seed, "caller", turn, number))
            failed += len(voiced.faults)
            try:
                words = word_times(voiced.clip, say(text))
            except AlignmentError as error:
                fault, failed = str(error), failed + 1
                continue
            return _take(voiced.clip, words, Tried(voice.pace / self._cast.caller.pace, number, failed))
        raise self._given_up(fault)

    def _given_up(self, fault: str) -> EngineFailure:
        return EngineFailure(
            f"Engine {self._voicer.engine.name!r} was given up after {MOST_TAKES} takes: {fault}. "
            "Let the spec name a `sound.stand_in`, or use another engine or seed"
        )


def _take(clip: Clip, words: Times, tried: Tried) -> Take:
    starts_s, stops_s = sound_edges_s(clip.samples.astype(np.float32), clip.sample_rate)
    return Take(clip, _within(words, starts_s, stops_s), starts_s, stops_s, tried)


def _within(words: Times, starts_s: float, stops_s: float) -> Times:
    """Word times that lie where sound is: an aligner counts the silence before the first and behind the last word."""

    def within(time_s: float) -> float:
        return min(max(time_s, starts_s), stops_s)

    return tuple((within(start_s), within(end_s)) for start_s, end_s in words)


def _cut_take(clip: Clip, words: Times, utterance: Utterance, tried: Tried, margin_s: float) -> Take:
    cut = utterance.cut
    assert cut is not None
    cut_s = words[cut.cut_word][1]
    take = _take(cut_clip(clip, cut_s), words[: cut.cut_word + 1], tried)
    times = CutTimes(take.words[cut.onset_word][1], take.words[cut.onset_word + 1][1], cut_s, take.stops_s, margin_s)
    return replace(take, cut=times)
