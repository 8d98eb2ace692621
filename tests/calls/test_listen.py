"""A recogniser listens to the caller; what it does not understand is spoken anew, and what it never does is told."""

from collections.abc import Callable, Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from factory.calls.make import MOST_LISTENINGS, CallOrder, MadeCall, make_call
from factory.records.conversation import Round
from factory.records.enums import InterruptionType, Profile
from factory.speech import SAMPLE_RATE, Voicer, cast_pair
from factory.speech.conditions import find_condition
from tests.calls.made import caller_turn, utterance

SAID = ("It is the second one, please.", "Hold on, which form is that?", "All right, thank you.")
ROUNDS = (
    Round(index=0, agent=utterance("Which of the two do you mean?"), caller=caller_turn(SAID[0])),
    Round(
        index=1,
        agent=utterance("Thanks. I can send you the form today and then you sign it. Is that all right?", 4, 7),
        caller=caller_turn(SAID[1], InterruptionType.PUSHBACK),
    ),
    Round(index=2, agent=utterance("It is the yellow one."), caller=caller_turn(SAID[2])),
    Round(index=3, agent=utterance("You are welcome.")),
)
MISHEARD = "Something else was understood."
OTHERS = (1, 5)
"""Messages that are always understood."""


class Ears:
    """A recogniser of the test's own: it understands what `hears` gives, by the listening and the turn's text."""

    name = "ears"

    def __init__(self, hears: Callable[[int, str], str]) -> None:
        self.listenings: list[list[NDArray[np.float32]]] = []
        self._hears = hears

    def hear(self, sounds: Sequence[NDArray[np.float32]], rate_hz: int = SAMPLE_RATE) -> tuple[str, ...]:
        self.listenings.append(list(sounds))
        return tuple(self._hears(len(self.listenings), said) for said in SAID)


def made(voicer: Voicer, ears: Ears | None, most_errors: float = 0.25) -> MadeCall:
    cast = cast_pair(voicer.engine, 0, 1)
    order = CallOrder(ROUNDS, Profile.COOPERATIVE, cast, find_condition("clean"), 1)
    return make_call(order, voicer, ears, most_errors)  # type: ignore[arg-type]  # one that needs no model


def takes_of(call: MadeCall) -> dict[int, int]:
    return {turn.message_index: turn.take.tried.number for turn in call.layout.turns}


@pytest.fixture(scope="module")
def unheard(voicer: Voicer) -> MadeCall:
    """The call where nobody listens."""
    return made(voicer, None)


def test_where_all_is_understood_the_call_is_the_one_that_nobody_listened_to(voicer: Voicer, unheard: MadeCall) -> None:
    ears = Ears(lambda listening, said: said)
    call = made(voicer, ears)
    assert len(ears.listenings) == 1
    assert np.array_equal(call.recorded.samples, unheard.recorded.samples)
    assert [call.heard[index].errors.errors for index in (1, 3, 5)] == [0, 0, 0]
    assert unheard.heard == {}


def test_the_recogniser_gets_each_of_the_callers_turns_and_nothing_of_the_agent(
    voicer: Voicer, unheard: MadeCall
) -> None:
    ears = Ears(lambda listening, said: said)
    made(voicer, ears)
    turns = [turn for turn in unheard.layout.turns if turn.message_index % 2]
    for sound, turn in zip(ears.listenings[0], turns, strict=True):
        first = round((turn.starts_s - 0.2) * SAMPLE_RATE)
        assert np.array_equal(sound, unheard.recorded.samples[first : first + len(sound), 1])
        assert len(sound) / SAMPLE_RATE == pytest.approx(turn.stops_s - turn.starts_s + 0.4, abs=0.001)


def test_a_turn_that_is_misheard_once_is_spoken_anew_slower_and_the_others_stay(
    voicer: Voicer, unheard: MadeCall
) -> None:
    ears = Ears(lambda listening, said: MISHEARD if (listening, said) == (1, SAID[1]) else said)
    call = made(voicer, ears)
    assert len(ears.listenings) == 2
    assert takes_of(call) == takes_of(unheard) | {3: 2}
    before, after = unheard.layout.turns[3].take, call.layout.turns[3].take
    assert after.tried.pace == pytest.approx(before.tried.pace * 0.94)
    assert after.clip.duration_s > before.clip.duration_s
    assert all(np.array_equal(call.clips[index].samples, unheard.clips[index].samples) for index in OTHERS)
    assert call.heard[3].text == SAID[1], "the first listening is told, not the last"


def test_what_the_listener_hears_the_second_time_is_the_new_take(voicer: Voicer) -> None:
    ears = Ears(lambda listening, said: MISHEARD if (listening, said) == (1, SAID[1]) else said)
    made(voicer, ears)
    first, second = ears.listenings
    assert len(second[1]) > len(first[1])
    assert len(second[0]) == len(first[0])


def test_a_turn_that_is_never_understood_is_tried_so_often_and_then_told(voicer: Voicer) -> None:
    ears = Ears(lambda listening, said: MISHEARD if said == SAID[0] else said)
    call = made(voicer, ears)
    assert len(ears.listenings) == MOST_LISTENINGS == 3
    assert takes_of(call)[1] == 3
    assert [takes_of(call)[index] for index in (3, 5)] == [1, 1]
    assert call.heard[1].text == MISHEARD
    assert call.heard[1].errors.rate > 0.25
    assert call.heard[3].errors.rate == 0.0


@pytest.mark.parametrize(("most_errors", "listenings"), [(0.25, 1), (0.1, 3)])
def test_how_many_words_may_be_misheard_is_the_orders(voicer: Voicer, most_errors: float, listenings: int) -> None:
    """One word of the first turn, of six or seven, is another."""
    ears = Ears(lambda listening, said: said.replace("please", "police"))
    call = made(voicer, ears, most_errors)
    assert len(ears.listenings) == listenings
    assert call.heard[1].errors.errors == 1
    assert 0.1 < call.heard[1].errors.rate < 0.25
