"""A call's turns, each voiced, its words timed, and where the agent is cut off, cut at the end of the word."""

from dataclasses import dataclass, replace

import numpy as np

from factory.calls.overlap import LEAST_MARGIN_S, MARGIN_S, CutTimes, pace_needed
from factory.calls.sound import sound_edges_s
from factory.corpus.seeds import derive_seed
from factory.records.conversation import Utterance
from factory.records.enums import InterruptionType, Speaker
from factory.speech import (
    AlignmentError,
    Cast,
    Clip,
    EngineFailure,
    Manner,
    Voice,
    Voicer,
    cut_clip,
    paced,
    say,
    word_times,
)
from factory.speech.damage import has_edges
from factory.speech.length import tempo
from factory.speech.voicing import VoicedText

MOST_TAKES = 4
"""Takes of one turn before its engine is given up."""
_SHORTEST_WORD_S = 0.02
"""Less is no word: the quickest "a" of the embedded engine has 0.03 s."""
_RETAKE_PACE = 0.94
"""The pace of a take against the one before, whose words were not found in it, or not understood."""
ANOTHER_ENGINE = "let the spec name a `sound.stand_in`, or use another engine"
"""What a user can do where an engine was given up."""

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
        tempo: How long its whole text sounds against what it is expected to take (`factory.speech.length.tempo`).
        cut: What the caller's start depends on; None where nobody cuts in.
    """

    clip: Clip
    words: Times
    starts_s: float
    stops_s: float
    tried: Tried
    tempo: float
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
        self._begins_with_edges = False

    def agent(self, turn: int, utterance: Utterance, kind: InterruptionType | None, saying: int = 0) -> Take:
        """The agent's turn of a round, voiced whole; cut where the caller cuts in with `kind`.

        Where no instant for the caller's start gives an overlap in the type's range, the pace changes.

        Args:
            turn: The round, from 0.
            utterance: What the agent says.
            kind: How the caller cuts in; None where nobody does.
            saying: 0; for another saying of the same, another number.

        Raises:
            EngineFailure: The engine gives no speech in which the words are found, or none at a pace that will do.
        """
        pace, fault, failed = 1.0, "", 0
        said = say(utterance.text)
        for number in range(1, MOST_TAKES + 1):
            voice = paced(self._voicer.engine, self._cast.agent, pace)
            pace = voice.pace / self._cast.agent.pace
            voiced = self._voice(Speaker.AGENT, turn, utterance.text, voice, number, saying)
            failed += len(voiced.faults)
            try:
                words = word_times(voiced.clip, said)
            except AlignmentError as error:
                pace, fault, failed = pace * _RETAKE_PACE, str(error), failed + 1
                continue
            whole = _take(voiced.clip, words, Tried(pace, number, failed), tempo(voiced.clip, said.text, voice.pace))
            if utterance.cut is None or kind is None:
                return whole
            take = _cut_take(whole, words, utterance, MARGIN_S if number < MOST_TAKES else LEAST_MARGIN_S)
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

    def caller(self, turn: int, text: str, first: int = 1, saying: int = 0) -> Take:
        """The caller's turn of a round.

        Args:
            turn: The round, from 0.
            text: Their words.
            first: The take to begin with; each further one is slower and has another seed.
            saying: 0; for another saying of the same, another number.

        Raises:
            EngineFailure: The engine gives no speech in which the words are found.
        """
        fault, failed = "", 0
        said = say(text)
        for number in range(first, first + MOST_TAKES):
            pace = self._manner.pace * _RETAKE_PACE ** (number - 1)
            voice = paced(self._voicer.engine, self._cast.caller, pace)
            voiced = self._voice(Speaker.CALLER, turn, text, voice, number, saying)
            failed += len(voiced.faults)
            try:
                words = word_times(voiced.clip, said)
            except AlignmentError as error:
                fault, failed = str(error), failed + 1
                continue
            tried = Tried(voice.pace / self._cast.caller.pace, number, failed)
            return _take(voiced.clip, words, tried, tempo(voiced.clip, said.text, voice.pace))
        raise self._given_up(fault)

    def tempo_again(self, side: Speaker, turn: int, text: str, take: Take, saying: int) -> float:
        """The tempo of another saying of a turn, at the pace of the take that there is.

        Raises:
            EngineFailure: The engine gives no speech.
        """
        own = self._cast.agent if side is Speaker.AGENT else self._cast.caller
        voice = paced(self._voicer.engine, own, take.tried.pace)
        voiced = self._voice(side, turn, text, voice, take.tried.number, saying)
        return tempo(voiced.clip, say(text).text, voice.pace)

    def _voice(self, side: Speaker, turn: int, text: str, voice: Voice, number: int, saying: int) -> VoicedText:
        """One clip; of one with edges in it another, until it is known that this engine's are so."""
        parts = (self._seed, side.value, turn, number, *([saying] if saying else []))
        try:
            voiced = self._voicer.voice(text, voice, derive_seed(*parts))
            if self._begins_with_edges or not has_edges(voiced.clip):
                return voiced
            other = self._voicer.voice(text, voice, derive_seed(*parts, "edges"))
        except EngineFailure as failure:
            raise EngineFailure(f"{failure} This is turn {turn + 1} of the {side.value}; {ANOTHER_ENGINE}") from None
        if has_edges(other.clip):
            self._begins_with_edges = True
            return voiced
        return VoicedText(other.clip, (*voiced.faults, "sound was missing at an edge", *other.faults))

    def _given_up(self, fault: str) -> EngineFailure:
        return EngineFailure(
            f"Engine {self._voicer.engine.name!r} was given up after {MOST_TAKES} takes: {fault.rstrip('.')}; "
            f"{ANOTHER_ENGINE}"
        )


def _take(clip: Clip, words: Times, tried: Tried, tempo_of_text: float) -> Take:
    starts_s, stops_s = sound_edges_s(clip.samples.astype(np.float32), clip.sample_rate)
    return Take(clip, _within(words, starts_s, stops_s), starts_s, stops_s, tried, tempo_of_text)


def _within(words: Times, starts_s: float, stops_s: float) -> Times:
    """Word times that lie where sound is: an aligner counts the silence before the first and behind the last word."""

    def within(time_s: float) -> float:
        return min(max(time_s, starts_s), stops_s)

    return tuple((within(start_s), within(end_s)) for start_s, end_s in words)


def _cut_take(whole: Take, words: Times, utterance: Utterance, margin_s: float) -> Take:
    cut = utterance.cut
    assert cut is not None
    cut_s = words[cut.cut_word][1]
    take = _take(cut_clip(whole.clip, cut_s), words[: cut.cut_word + 1], whole.tried, whole.tempo)
    times = CutTimes(take.words[cut.onset_word][1], take.words[cut.onset_word + 1][1], cut_s, take.stops_s, margin_s)
    return replace(take, cut=times)
