"""A turn that is said at a wrong tempo is said once more; one whose text is just said so stays as it is."""

from collections.abc import Callable, Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from factory.calls.layout import VoicedRound
from factory.calls.make import CallOrder, make_call
from factory.calls.takes import Takes
from factory.calls.tempo import evened
from factory.records.conversation import Round
from factory.records.enums import InterruptionType, Profile
from factory.speech import Clip, EngineFailure, Manner, SpeechEngine, Voice, Voicer, cast_pair
from factory.speech.conditions import Condition
from tests.calls.made import caller_turn, utterance

SEED = 3
SAID = (
    ("Good morning, this is the billing desk. What can I do for you today?", "I have a question about my last bill."),
    ("I can look at that. Which of the two accounts do you mean?", "The one for the house, not the one for the shop."),
    (
        "Thank you. The bill of last month is higher because a late fee was added to it.",
        "But I paid it two days early.",
    ),
    ("I see the payment here. It came in on the same day as the bill was made.", "So why was there a fee at all?"),
    ("That is a fair question, and I would like to find it out for you.", "Please do, I have been waiting for days."),
)
CUT = 3
"""The round in which the caller cuts in, behind the seventh word of the agent."""


class Tape:
    """hibari, played at half as long again whenever it is told to; counts what it says."""

    def __init__(self, engine: SpeechEngine, slow: Callable[[str, int], bool]) -> None:
        self.name, self.version, self.paces = engine.name, engine.version, engine.paces
        self.said: list[str] = []
        self._engine, self._slow = engine, slow

    def voices(self) -> tuple[Voice, ...]:
        return self._engine.voices()

    def speak(self, text: str, voice: Voice, seed: int) -> Clip:
        self.said.append(text)
        clip = self._engine.speak(text, voice, seed)
        return Clip(slowed(clip.samples)) if self._slow(text, self.said.count(text)) else clip


def slowed(samples: NDArray[np.int16]) -> NDArray[np.int16]:
    """24,000 samples a second taken for 16,000."""
    places = np.arange(0, len(samples) - 1, 2 / 3)
    return np.rint(np.interp(places, np.arange(len(samples)), samples)).astype(np.int16)


def call(engine: SpeechEngine) -> tuple[Takes, list[VoicedRound]]:
    """The call as it is said the first time."""
    takes = Takes(Voicer(engine), cast_pair(engine, 0, SEED), Manner(1.0, 0.0), SEED)
    voiced = []
    for turn, (agent, caller) in enumerate(SAID):
        kind = InterruptionType.NORMAL if turn == CUT else None
        said = utterance(agent, 5, 7) if turn == CUT else utterance(agent)
        done = Round(index=turn, agent=said, caller=caller_turn(caller, kind))
        voiced.append(VoicedRound(done, takes.agent(turn, said, kind), takes.caller(turn, caller)))
    return takes, voiced


def clips(voiced: list[VoicedRound]) -> list[Clip]:
    return [take.clip for one in voiced for take in (one.agent, one.caller) if take is not None]


def failed(voiced: list[VoicedRound]) -> list[int]:
    return [take.tried.failed for one in voiced for take in (one.agent, one.caller) if take is not None]


@pytest.fixture(scope="module")
def right(hibari: SpeechEngine) -> list[VoicedRound]:
    return call(hibari)[1]


def once(text: str) -> Callable[[str, int], bool]:
    return lambda said, time: said.startswith(text) and time == 1


@pytest.mark.parametrize(("place", "text"), [(4, "Thank you."), (6, "I see the payment"), (9, "Please do")])
def test_a_turn_at_a_wrong_rate_is_said_again_and_counted_on_both_sides_and_where_it_is_cut(
    hibari: SpeechEngine, right: list[VoicedRound], place: int, text: str
) -> None:
    takes, voiced = call(Tape(hibari, once(text)))
    even = evened(takes, voiced, set(range(len(SAID))))
    for number, (first, last, whole) in enumerate(zip(clips(voiced), clips(even), clips(right), strict=True)):
        if number == place:
            assert last.duration_s == pytest.approx(whole.duration_s, rel=0.1)
        else:
            assert np.array_equal(first.samples, last.samples)
    assert failed(even) == [int(number == place) for number in range(10)]


def test_what_is_just_said_so_stays_is_not_counted_and_costs_one_more_saying(hibari: SpeechEngine) -> None:
    engine = Tape(hibari, lambda text, time: text.startswith("Thank you."))
    takes, voiced = call(engine)
    before = len(engine.said)
    even = evened(takes, voiced, set(range(len(SAID))))
    assert len(engine.said) == before + 1
    assert all(np.array_equal(a.samples, b.samples) for a, b in zip(clips(voiced), clips(even), strict=True))
    assert failed(even) == [0] * 10


def test_a_call_in_which_all_is_even_is_left_alone(hibari: SpeechEngine, right: list[VoicedRound]) -> None:
    engine = Tape(hibari, lambda text, time: False)
    takes, _ = call(engine)
    before = len(engine.said)
    assert evened(takes, right, set(range(len(SAID)))) == right
    assert len(engine.said) == before


def test_only_the_rounds_that_were_named_are_said_again(hibari: SpeechEngine) -> None:
    engine = Tape(hibari, once("Thank you."))
    takes, voiced = call(engine)
    before = len(engine.said)
    assert evened(takes, voiced, {0, 1}) == voiced
    assert len(engine.said) == before


def test_a_turn_that_is_wrong_twice_is_found_where_another_showed_that_rates_change(hibari: SpeechEngine) -> None:
    engine = Tape(hibari, lambda text, time: time < {"But": 3, "So ": 2}.get(text[:3], 0))
    takes, voiced = call(engine)
    even = evened(takes, voiced, set(range(len(SAID))))
    assert all(0.8 < one.caller.tempo / even[0].caller.tempo < 1.25 for one in even if one.caller and even[0].caller)
    assert [one.caller.tried.failed for one in even if one.caller] == [0, 0, 1, 1, 0]


def test_two_turns_that_are_wrong_now_and_then_do_not_give_an_engine_up(hibari: SpeechEngine) -> None:
    engine = Tape(hibari, lambda text, time: time == 1 and text.startswith(("The one", "But")))
    takes, voiced = call(engine)
    even = evened(takes, voiced, set(range(len(SAID))))
    assert sum(one.caller.tried.failed > 0 for one in even if one.caller) == 2


def test_an_engine_that_is_wrong_so_often_that_the_median_is_too_is_given_up(hibari: SpeechEngine) -> None:
    engine = Tape(hibari, lambda text, time: time == 1 and text.startswith(("The one", "But", "So why")))
    takes, voiced = call(engine)
    with pytest.raises(EngineFailure, match=r"3 of 5 turns of the caller had another tempo .* `sound\.stand_in`"):
        evened(takes, voiced, set(range(len(SAID))))


class Deaf:
    """Hears all but one turn as it was said, and of that one nothing."""

    name = "deaf"

    def hear(self, waveforms: Sequence[NDArray[np.float32]]) -> list[str]:
        return ["" if turn == 2 else said for turn, (_, said) in enumerate(SAID)]


@pytest.mark.parametrize(("listener", "time"), [(None, 1), (Deaf(), 3)])
def test_a_call_is_made_of_turns_that_are_even_also_of_those_that_were_said_anew_for_the_listener(
    hibari: SpeechEngine, right: list[VoicedRound], listener: Deaf | None, time: int
) -> None:
    engine = Tape(hibari, lambda text, said: text.startswith("But") and said == time)
    rounds = tuple(one.round for one in right)
    order = CallOrder(rounds, Profile.COOPERATIVE, cast_pair(hibari, 0, SEED), Condition("clean"), SEED)
    made = make_call(order, Voicer(engine), listener)
    callers = {turn.message_index: turn.take for turn in made.layout.turns if turn.message_index % 2}
    assert 0.8 < callers[5].tempo / callers[1].tempo < 1.25
    assert callers[5].tried.failed == 1
