"""What the name of a model says of its scenario."""

from collections.abc import Iterator
from contextlib import suppress

import anthropic
import openai
import pytest

from factory.models.fake.scenarios import Outcome, Scenario, UnknownScenario, read_scenario
from tests.models.fake_calls import chat, message
from tests.models.servers import RunningServer, running_server


@pytest.fixture(scope="module")
def server() -> Iterator[RunningServer]:
    with running_server() as running:
        yield running


@pytest.mark.parametrize("model", ["gpt-player", "player;wobble", "player;slow", "player;500=half", "player;500;429"])
def test_a_name_that_is_no_scenario_is_a_model_that_does_not_exist(server: RunningServer, model: str) -> None:
    with pytest.raises(openai.NotFoundError) as one:
        chat(server, model)
    assert one.value.code == "model_not_found" and model in str(one.value)
    with pytest.raises(anthropic.NotFoundError) as other:
        message(server, model)
    assert other.value.body["error"]["type"] == "not_found_error"


def test_a_name_says_the_whole_scenario() -> None:
    read = read_scenario("player-two;slow=0.2;500=0.25;429=0.5;retry-after=0.05;after=3;until=9;findings=2")
    assert read == Scenario(
        shares={Outcome.SERVER: 0.25, Outcome.RATE_LIMIT: 0.5},
        slow_s=0.2,
        retry_after_s=0.05,
        after=3,
        until=9,
        findings=2,
    )
    for wrong in ("player;500=0.6;429=0.6", "player;500;500", "player;slow=-1", "player;slow=inf", "player;after=x"):
        with pytest.raises(UnknownScenario):
            read_scenario(wrong)


def test_shares_are_drawn_anew_for_each_call_and_the_same_for_each_seed() -> None:
    scenario = read_scenario("player;500=0.25;429=0.25")
    drawn = [scenario.outcome(number, seed=1) for number in range(1, 2001)]
    for outcome, share in ((Outcome.SERVER, 0.25), (Outcome.RATE_LIMIT, 0.25), (Outcome.PLAYED, 0.5)):
        assert abs(drawn.count(outcome) / 2000 - share) < 0.04
    assert drawn == [scenario.outcome(number, seed=1) for number in range(1, 2001)]
    assert drawn != [scenario.outcome(number, seed=2) for number in range(1, 2001)]


def test_faults_may_strike_only_a_stretch_of_the_calls() -> None:
    scenario = read_scenario("player;quota;after=2;until=4")
    assert [scenario.outcome(n, seed=0).value for n in range(1, 7)] == [
        *("played", "played", "quota", "quota", "played", "played")
    ]


def test_draws_of_two_servers_are_alike_for_the_same_seed() -> None:
    def outcomes(seed: int) -> list[str]:
        with running_server(seed=seed) as server:
            for number in range(12):
                with suppress(openai.InternalServerError):
                    chat(server, "player;500=0.5", str(number))
            return [line["outcome"] for line in server.log()]

    first = outcomes(5)
    assert first == outcomes(5) and set(first) == {"played", "500"}
