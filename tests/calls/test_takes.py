"""Turns are voiced whole and cut at the end of a word; the pace changes where the overlap needs it, the text never."""

from collections.abc import Callable, Container

import numpy as np
import pytest
from numpy.typing import NDArray

from factory.calls.overlap import CutTimes, caller_starts_s, pace_needed
from factory.calls.takes import MOST_TAKES, Take, Takes, Tried
from factory.records.conversation import Cut, Utterance
from factory.records.enums import InterruptionType
from factory.simulate.cut import OVERLAP_S
from factory.speech import (
    SAMPLE_RATE,
    Clip,
    EngineFailure,
    Manner,
    SpeechEngine,
    Voice,
    Voicer,
    cast_pair,
    say,
    word_times,
)
from factory.speech.damage import has_edges
from tests.calls.made import utterance

SEED = 7
TEXT = (
    "Thanks for that. I have two open invoices on your account, and before I can move the date of either one I need "
    "to know which of them you mean. Could you read me the number at the top?"
)
ONSET, CUT = 10, 13
"""After "and", at "can"."""


def takes(voicer: Voicer, pace: float = 1.0) -> Takes:
    return Takes(voicer, cast_pair(voicer.engine, 0, SEED), Manner(pace, 0.0), SEED)


def cut_at(onset_word: int, cut_word: int) -> Utterance:
    return utterance(TEXT, onset_word, cut_word)


@pytest.fixture(scope="module")
def whole(voicer: Voicer) -> Take:
    """The utterance as it is said where nobody cuts in."""
    return takes(voicer).agent(0, utterance(TEXT), None)


def far_apart(whole: Take, kind: InterruptionType, slowest: float, fastest: float) -> Cut:
    """An onset and a cut word between which the pace has to be within these bounds for that type."""
    for onset in range(1, 12):
        for cut in range(onset + 1, 24):
            needed = pace_needed(_times(whole, onset, cut), kind)
            if slowest < needed < fastest and needed != 1.0:
                return Cut(onset_word=onset, cut_word=cut)
    raise AssertionError("no words are so far apart")


def _times(whole: Take, onset: int, cut: int) -> CutTimes:
    return CutTimes(whole.words[onset][1], whole.words[onset + 1][1], whole.words[cut][1], whole.words[cut][1])


def test_an_uncut_turn_is_said_whole_at_the_voices_own_pace(whole: Take) -> None:
    assert len(whole.words) == len(TEXT.split(" "))
    assert (whole.tried, whole.cut) == (Tried(1.0, 1, 0), None)
    assert 0.0 <= whole.starts_s < 0.15 < whole.stops_s <= whole.clip.duration_s
    times_s = [time_s for word in whole.words for time_s in word]
    assert times_s == sorted(times_s)
    assert (times_s[0], times_s[-1]) == pytest.approx((whole.starts_s, whole.stops_s), abs=0.05)


def test_a_cut_turn_is_the_whole_ones_sound_up_to_the_end_of_the_cut_word(voicer: Voicer, whole: Take) -> None:
    take = takes(voicer).agent(0, cut_at(ONSET, CUT), InterruptionType.NORMAL)
    assert take.tried.pace == 1.0
    assert take.cut is not None
    assert take.cut.cut_s == whole.words[CUT][1]
    assert len(take.words) == CUT + 1
    assert take.clip.duration_s == pytest.approx(take.cut.cut_s, abs=1 / SAMPLE_RATE)
    fade = round(0.004 * SAMPLE_RATE)
    assert np.array_equal(take.clip.samples[:-fade], whole.clip.samples[: len(take.clip.samples) - fade])


def test_what_a_callers_start_depends_on_are_the_ends_of_the_onset_word_and_the_next(
    voicer: Voicer, whole: Take
) -> None:
    take = takes(voicer).agent(0, cut_at(ONSET, CUT), InterruptionType.NORMAL)
    assert take.cut is not None
    assert take.cut.onset_end_s == whole.words[ONSET][1]
    assert take.cut.next_end_s == whole.words[ONSET + 1][1]
    assert take.cut.last_sound_s == take.stops_s <= take.cut.cut_s


def test_where_the_overlap_would_be_too_long_the_agent_says_the_same_words_faster_and_that_is_enough(
    voicer: Voicer, whole: Take
) -> None:
    kind = InterruptionType.FILLER
    cut = far_apart(whole, kind, 1.05, 1.25)
    take = takes(voicer).agent(0, cut_at(cut.onset_word, cut.cut_word), kind)
    assert take.tried.pace > 1.0
    assert take.tried.number > 1
    assert len(take.words) == cut.cut_word + 1
    assert take.cut is not None
    assert caller_starts_s(take.cut, kind) is not None
    said = word_times(take.clip, say(" ".join(TEXT.split(" ")[: cut.cut_word + 1])))
    assert said[-1][1] == pytest.approx(take.cut.last_sound_s, abs=0.1), "the words that were to be said are not heard"


def test_where_the_overlap_would_be_too_short_the_agent_speaks_slower(voicer: Voicer, whole: Take) -> None:
    kind = InterruptionType.IMPATIENT
    cut = far_apart(whole, kind, 0.8, 0.97)
    take = takes(voicer).agent(0, cut_at(cut.onset_word, cut.cut_word), kind)
    assert take.tried.pace < 1.0
    assert take.cut is not None
    assert caller_starts_s(take.cut, kind) is not None


class Watched:
    """A real engine, and what it was asked for.

    One that is `deaf` speaks at its own pace, whatever it is asked; one that `mumbles` says no words the first times.
    """

    def __init__(self, engine: SpeechEngine, deaf: bool = False, mumbles: int = 0) -> None:
        self.name, self.version, self.paces = engine.name, engine.version, engine.paces
        self.paces_asked: list[float] = []
        self.seeds: list[int] = []
        self._engine, self._deaf, self._mumbles = engine, deaf, mumbles

    def voices(self) -> tuple[Voice, ...]:
        return self._engine.voices()

    def speak(self, text: str, voice: Voice, seed: int) -> Clip:
        self.paces_asked.append(voice.pace)
        self.seeds.append(seed)
        own = next(one for one in self.voices() if one.id == voice.id)
        clip = self._engine.speak(text, own if self._deaf else voice, seed)
        return mumbled(len(clip.samples)) if len(self.seeds) <= self._mumbles else clip


def mumbled(count: int) -> Clip:
    """Noise that swells, comes and goes as syllables do, and a silence."""
    noise = np.random.default_rng(1).normal(0.0, 3000.0, count)
    noise *= np.minimum(1.0, np.arange(count) * 3 / SAMPLE_RATE)
    noise[-SAMPLE_RATE // 4 :] = 0.0
    return Clip(np.rint(noise * np.abs(np.sin(np.arange(count) * 2 * np.pi / 9000))).astype(np.int16))


def test_an_engine_that_takes_no_notice_of_the_pace_is_given_up(hibari: SpeechEngine, whole: Take) -> None:
    engine, kind = Watched(hibari, deaf=True), InterruptionType.FILLER
    cut = far_apart(whole, kind, 1.15, 1.3)
    with pytest.raises(EngineFailure, match=r"given up after 4 takes: no pace was found .* filler .* turn 1"):
        takes(Voicer(engine)).agent(0, cut_at(cut.onset_word, cut.cut_word), kind)
    assert len(set(engine.paces_asked)) > 1, "another pace was never tried"


@pytest.mark.parametrize("side", ["agent", "caller"])
def test_an_engine_in_whose_clips_the_words_are_never_found_is_given_up(hibari: SpeechEngine, side: str) -> None:
    engine = Watched(hibari, mumbles=99)
    making = takes(Voicer(engine))
    with pytest.raises(EngineFailure, match=r"given up after 4 takes: .* were not found in its clip"):
        making.agent(0, utterance(TEXT), None) if side == "agent" else making.caller(0, TEXT)
    assert len(set(engine.seeds)) == MOST_TAKES


def test_a_failure_names_the_turn_the_text_and_what_to_do(hibari: SpeechEngine) -> None:
    silent = Spoiling(hibari, {1, 2}, lambda samples: 0 * samples)
    with pytest.raises(
        EngineFailure,
        match=r"The audio for 'No, the other\.' is not usable: it is silent\. Two attempts failed in the same way; "
        r"change the words of this turn\. "
        r"This is turn 3 of the caller; let the spec name a `sound\.stand_in`, or use another engine$",
    ):
        takes(Voicer(silent)).caller(2, "No, the other.")


def test_no_sentence_of_a_message_ends_in_two_dots(hibari: SpeechEngine) -> None:
    with pytest.raises(EngineFailure) as raised:
        takes(Voicer(Watched(hibari, mumbles=99))).caller(0, TEXT)
    assert "that the clip holds this text; let the spec" in str(raised.value)


class Spoiling:
    """hibari; what it says at some of the times that it is asked is spoilt."""

    def __init__(
        self, engine: SpeechEngine, times: Container[int], spoil: Callable[[NDArray[np.int16]], NDArray[np.int16]]
    ) -> None:
        self.name, self.version, self.paces = engine.name, engine.version, engine.paces
        self.asked = 0
        self._engine, self._times, self._spoil = engine, times, spoil

    def voices(self) -> tuple[Voice, ...]:
        return self._engine.voices()

    def speak(self, text: str, voice: Voice, seed: int) -> Clip:
        self.asked += 1
        clip = self._engine.speak(text, voice, seed)
        return Clip(self._spoil(clip.samples.copy())) if self.asked in self._times else clip


def with_a_hole(samples: NDArray[np.int16]) -> NDArray[np.int16]:
    """A quarter of a second of nothing from the loudest sample on."""
    place = int(np.argmax(np.abs(samples)))
    samples[place : place + SAMPLE_RATE // 4] = 0
    return samples


def test_a_hole_that_is_not_there_when_the_text_is_said_again_is_a_failed_attempt(hibari: SpeechEngine) -> None:
    engine = Spoiling(hibari, {1}, with_a_hole)
    making = takes(Voicer(engine))
    take = making.caller(0, TEXT)
    assert (engine.asked, take.tried.failed) == (2, 1)
    assert not has_edges(take.clip)
    making.caller(1, TEXT)
    assert engine.asked == 3


def test_an_engine_whose_sounds_all_have_edges_is_asked_again_once_in_a_call_and_keeps_its_clips(
    hibari: SpeechEngine,
) -> None:
    engine = Spoiling(hibari, range(99), with_a_hole)
    making = takes(Voicer(engine))
    made = [making.caller(turn, TEXT) for turn in range(3)]
    assert engine.asked == 4
    assert [take.tried.failed for take in made] == [0, 0, 0]
    alone = Spoiling(hibari, range(99), with_a_hole)
    assert np.array_equal(takes(Voicer(alone)).caller(2, TEXT).clip.samples, made[2].clip.samples)


def test_attempts_that_gave_no_words_are_counted_and_the_next_take_is_slower(hibari: SpeechEngine) -> None:
    engine = Watched(hibari, mumbles=2)
    take = takes(Voicer(engine)).caller(0, TEXT)
    assert take.tried == Tried(pytest.approx(0.94**2), 3, 2)
    assert len(take.words) == len(TEXT.split(" "))


def test_a_further_take_of_a_callers_turn_is_slower_and_has_another_seed(hibari: SpeechEngine) -> None:
    engine = Watched(hibari)
    making = takes(Voicer(engine), pace=1.1)
    turns = [making.caller(3, "Yes, that is the one.", first) for first in (1, 2, 3)]
    assert [turn.tried.number for turn in turns] == [1, 2, 3]
    assert [turn.tried.pace for turn in turns] == pytest.approx([1.1, 1.1 * 0.94, 1.1 * 0.94**2])
    assert len(set(engine.seeds)) == 3
    assert turns[0].clip.duration_s < turns[1].clip.duration_s < turns[2].clip.duration_s


def test_takes_are_the_same_for_a_seed_and_depend_on_no_other_turn(voicer: Voicer) -> None:
    one, other = takes(voicer), takes(voicer)
    other.caller(0, "Something else.")
    clips = [making.caller(1, "It is the second one.").clip.samples for making in (one, other)]
    assert np.array_equal(*clips)


def test_all_types_have_their_overlap_in_the_words_of_one_utterance(voicer: Voicer) -> None:
    for kind in InterruptionType:
        take = takes(voicer).agent(0, cut_at(ONSET, CUT), kind)
        assert take.cut is not None
        instants = caller_starts_s(take.cut, kind)
        assert instants is not None
        least, most = OVERLAP_S[kind]
        assert least < take.cut.last_sound_s - instants[1] <= take.cut.cut_s - instants[0] < most
