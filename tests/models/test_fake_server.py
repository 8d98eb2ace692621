"""The fake server, as the official SDKs see it: both wire formats, every scenario, and its book of calls."""

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from itertools import pairwise
from pathlib import Path

import anthropic
import openai
import pytest

from factory.errors import FactoryError
from factory.models.fake.scenarios import Outcome, Scenario, UnknownScenario, read_scenario
from factory.models.fake.server import serve
from factory.models.prompt import as_data
from factory.models.replies import PlannerReply, reply_schema
from factory.models.roles_file import load_models
from factory.records.models import ModelRole
from tests.models.servers import RunningServer, roles_file, running_server

SCHEMA = json.loads(reply_schema(PlannerReply).json_schema)
SYSTEM = "You plan.\n" + as_data({"goal": "Sell a lamp"}, "workflow") + "\n" + "Stay on the subject. " * 300
USER = as_data([{"ref": "a.b", "does": "greet the person"}], "acts")
PLAN = "Open the call warmly, then greet the person."
KEY = "sk-of-nobody-1234"


@pytest.fixture(scope="module")
def server() -> Iterator[RunningServer]:
    with running_server() as running:
        yield running


def openai_client(server: RunningServer, timeout_s: float = 10) -> openai.OpenAI:
    return openai.OpenAI(base_url=server.openai_url, api_key=KEY, max_retries=0, timeout=timeout_s)


def anthropic_client(server: RunningServer, timeout_s: float = 10) -> anthropic.Anthropic:
    return anthropic.Anthropic(base_url=server.anthropic_url, api_key=KEY, max_retries=0, timeout=timeout_s)


def chat(server: RunningServer, model: str, user: str = USER, timeout_s: float = 10, limit: int = 500):  # type: ignore[no-untyped-def]
    form = {"name": "PlannerReply", "schema": SCHEMA, "strict": True}
    return openai_client(server, timeout_s).chat.completions.create(
        model=model,
        messages=[{"role": "system", "content": SYSTEM}, {"role": "user", "content": user}],
        max_completion_tokens=limit,
        response_format={"type": "json_schema", "json_schema": form},  # type: ignore[typeddict-item]
    )


def message(server: RunningServer, model: str, user: str = USER, timeout_s: float = 10, limit: int = 500):  # type: ignore[no-untyped-def]
    return anthropic_client(server, timeout_s).messages.create(
        model=model,
        system=[{"type": "text", "text": SYSTEM, "cache_control": {"type": "ephemeral"}}],
        messages=[{"role": "user", "content": user}],
        max_tokens=limit,
        output_config={"format": {"type": "json_schema", "schema": SCHEMA}},
    )


def text_of(reply) -> str:  # type: ignore[no-untyped-def]
    return str(reply.choices[0].message.content if hasattr(reply, "choices") else reply.content[0].text)


def test_an_openai_reply_has_text_finish_and_usage(server: RunningServer) -> None:
    reply = chat(server, "player")
    assert PlannerReply.model_validate_json(reply.choices[0].message.content).plan == PLAN
    assert reply.choices[0].finish_reason == "stop" and reply.choices[0].message.refusal is None
    assert reply.model == "player"
    assert reply.usage.prompt_tokens >= len(SYSTEM + USER) // 4 and reply.usage.completion_tokens > 10
    assert 0 < reply.usage.prompt_tokens_details.cached_tokens < reply.usage.prompt_tokens


def test_an_anthropic_reply_counts_what_was_cached_apart(server: RunningServer) -> None:
    reply, other = message(server, "player"), chat(server, "player")
    assert PlannerReply.model_validate_json(reply.content[0].text).plan == PLAN
    assert reply.stop_reason == "end_turn" and reply.model == "player"
    assert reply.usage.cache_read_input_tokens == other.usage.prompt_tokens_details.cached_tokens
    assert reply.usage.input_tokens + reply.usage.cache_read_input_tokens == other.usage.prompt_tokens


@pytest.mark.parametrize("ask", [chat, message])
def test_equal_requests_get_equal_replies_in_both_formats(server: RunningServer, ask) -> None:  # type: ignore[no-untyped-def]
    assert text_of(ask(server, "player")) == text_of(chat(server, "player-again"))


def test_models_are_listed_in_both_formats(server: RunningServer) -> None:
    assert openai_client(server).models.list().data[0].id == "player"
    assert anthropic_client(server).models.list().data[0].id == "player"


ERRORS = [
    ("429", openai.RateLimitError, anthropic.RateLimitError, "rate_limit_exceeded", "rate_limit_error"),
    ("quota", openai.RateLimitError, anthropic.PaymentRequiredError, "insufficient_quota", "billing_error"),
    ("500", openai.InternalServerError, anthropic.InternalServerError, None, "api_error"),
    ("529", openai.InternalServerError, anthropic.OverloadedError, "overloaded", "overloaded_error"),
    ("auth", openai.AuthenticationError, anthropic.AuthenticationError, "invalid_api_key", "authentication_error"),
    ("context", openai.BadRequestError, anthropic.BadRequestError, "context_length_exceeded", "invalid_request_error"),
]


@pytest.mark.parametrize(("word", "of_openai", "of_anthropic", "code", "kind"), ERRORS)
def test_errors_are_each_makers_own(server, word, of_openai, of_anthropic, code, kind) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(of_openai) as one:
        chat(server, f"player;{word}")
    assert one.value.code == code and one.value.request_id
    with pytest.raises(of_anthropic) as other:
        message(server, f"player;{word}")
    assert other.value.body["error"]["type"] == kind and other.value.request_id


def test_a_429_says_how_long_to_wait_only_where_it_is_told_to(server: RunningServer) -> None:
    with pytest.raises(openai.RateLimitError) as one:
        chat(server, "player;429;retry-after=0.05")
    assert one.value.response.headers["retry-after"] == "0.05"
    assert one.value.response.headers["retry-after-ms"] == "50"
    with pytest.raises(anthropic.RateLimitError) as other:
        message(server, "player;429;retry-after=2")
    assert other.value.response.headers["retry-after"] == "2"
    with pytest.raises(anthropic.RateLimitError) as silent:
        message(server, "player;429")
    assert "retry-after" not in silent.value.response.headers


def test_a_refused_key_is_echoed_as_careless_servers_do(server: RunningServer) -> None:
    with pytest.raises(openai.AuthenticationError, match=KEY):
        chat(server, "player;auth")
    with pytest.raises(anthropic.AuthenticationError, match=KEY):
        message(server, "player;auth")


def test_a_cut_reply_keeps_its_text_and_usage(server: RunningServer) -> None:
    one, other = chat(server, "player;cut"), message(server, "player;cut")
    assert one.choices[0].finish_reason == "length" and other.stop_reason == "max_tokens"
    whole = text_of(chat(server, "player"))
    assert text_of(one) == text_of(other) == whole[: len(whole) // 2]
    assert one.usage.completion_tokens == other.usage.output_tokens > 0


def test_a_reply_longer_than_asked_for_is_cut_too(server: RunningServer) -> None:
    one = chat(server, "player", limit=5)
    assert one.choices[0].finish_reason == "length" and one.usage.completion_tokens == 5
    assert message(server, "player", limit=5).stop_reason == "max_tokens"


def test_a_refusal_is_a_reply_of_its_own_kind(server: RunningServer) -> None:
    one, other = chat(server, "player;refusal"), message(server, "player;refusal")
    assert one.choices[0].message.content is None and one.choices[0].message.refusal
    assert other.stop_reason == "refusal"


@pytest.mark.parametrize("ask", [chat, message])
def test_unusable_replies_are_whole_but_do_not_fit_the_form(server: RunningServer, ask) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(json.JSONDecodeError):
        json.loads(text_of(ask(server, "player;invalid-json")))
    assert set(json.loads(text_of(ask(server, "player;wrong-schema")))).isdisjoint(SCHEMA["properties"])


def test_replies_may_lack_what_they_should_have(server: RunningServer) -> None:
    assert chat(server, "player;empty").choices[0].message.content == ""
    assert message(server, "player;empty").content == []
    assert chat(server, "player;no-usage").usage is None
    assert message(server, "player;no-usage").usage is None
    assert chat(server, "player;no-choices").choices == []
    assert message(server, "player;no-choices").content is None


@pytest.mark.parametrize("ask", [chat, message])
def test_html_comes_where_json_should(server: RunningServer, ask) -> None:  # type: ignore[no-untyped-def]
    assert str(ask(server, "player;html")).startswith("<!DOCTYPE html>")


@pytest.mark.parametrize(("ask", "error"), [(chat, openai.APIConnectionError), (message, anthropic.APIConnectionError)])
def test_a_reset_drops_the_connection_in_mid_reply(server: RunningServer, ask, error) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(error) as failed:
        ask(server, "player;reset")
    causes = [failed.value]
    while causes[-1].__cause__ is not None:
        causes.append(causes[-1].__cause__)
    assert isinstance(causes[-1], ConnectionResetError) or "reset" in str(causes).lower()


@pytest.mark.parametrize(("ask", "error"), [(chat, openai.APITimeoutError), (message, anthropic.APITimeoutError)])
def test_a_hanging_call_ends_when_its_client_leaves(server: RunningServer, ask, error) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(error):
        ask(server, "player;hang", timeout_s=0.2)
    line = _ended(server, lambda line: line["model"] == "player;hang")
    assert line["outcome"] == "hang" and not line["answered"]
    assert line["ended_s"] - line["arrived_s"] < 5


def test_a_slow_call_takes_the_time_it_was_told_to(server: RunningServer) -> None:
    chat(server, "player;slow=0.15")
    line = server.log()[-1]
    assert 0.15 <= line["ended_s"] - line["arrived_s"] < 1.5


def test_an_open_object_in_a_schema_is_refused_as_makers_do(server: RunningServer) -> None:
    loose = {"type": "object", "properties": {"plan": {"type": "string"}}, "required": ["plan"]}
    with pytest.raises(openai.BadRequestError, match="additionalProperties"):
        openai_client(server).chat.completions.create(
            model="player",
            messages=[{"role": "user", "content": "Plan."}],
            response_format={"type": "json_schema", "json_schema": {"name": "P", "schema": loose, "strict": True}},
        )
    with pytest.raises(anthropic.BadRequestError, match="additionalProperties"):
        anthropic_client(server).messages.create(
            model="player",
            messages=[{"role": "user", "content": "Plan."}],
            max_tokens=50,
            output_config={"format": {"type": "json_schema", "schema": loose}},
        )


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


def test_the_log_has_every_call_and_tells_equal_ones_from_others() -> None:
    with running_server() as server:
        chat(server, "player", "one")
        chat(server, "player", "two")
        chat(server, "player", "one")
        with pytest.raises(openai.InternalServerError):
            chat(server, "player;500", "one")
        log, stats = server.log(), server.stats()
    assert [line["number"] for line in log] == [1, 2, 3, 4]
    assert [line["outcome"] for line in log] == ["played", "played", "played", "500"]
    assert [line["answered"] for line in log] == [True, True, True, False]
    assert log[0]["digest"] == log[2]["digest"] and len({line["digest"] for line in log}) == 3
    assert log[0]["form"] == "PlannerReply"
    assert all(a["ended_s"] <= b["arrived_s"] for a, b in pairwise(log))
    assert stats["requests"] == 4 and stats["answered"] == 3 and stats["under_way"] == 0
    assert stats["sent_again_after_answer"] == 1
    assert stats["outcomes"] == {"500": 1, "played": 3}
    assert stats["tokens"]["input"] == sum(line["input_tokens"] for line in log) > 0


def test_a_failed_call_may_be_sent_again_without_counting_as_paid_twice() -> None:
    with running_server() as server:
        model = "player;500;until=1"
        with pytest.raises(openai.InternalServerError):
            chat(server, model)
        chat(server, model)
        assert server.stats()["sent_again_after_answer"] == 0


def test_a_reply_that_did_not_hold_may_be_asked_for_again() -> None:
    with running_server() as server:
        for _ in range(2):
            chat(server, "player;cut")
        assert server.stats()["answered"] == 2 and server.stats()["sent_again_after_answer"] == 0


def test_a_reply_that_nobody_waited_for_is_not_answered(server: RunningServer) -> None:
    with pytest.raises(openai.APITimeoutError):
        chat(server, "player;slow=0.6", "left early", timeout_s=0.1)
    line = _ended(server, lambda line: line["model"] == "player;slow=0.6")
    assert line["outcome"] == "played" and not line["answered"] and line["output_tokens"] == 0


def test_calls_at_once_are_counted() -> None:
    async def three(server: RunningServer) -> None:
        client = openai.AsyncOpenAI(base_url=server.openai_url, api_key=KEY, max_retries=0)
        asked = [{"role": "user", "content": "Hello"}]
        await asyncio.gather(
            *(client.chat.completions.create(model="player;slow=0.3", messages=asked) for _ in range(3))  # type: ignore[call-overload]
        )
        await client.close()

    with running_server() as server:
        asyncio.run(three(server))
        assert server.stats()["most_at_once"] == 3


def test_a_log_file_holds_the_same_lines_and_outlives_the_server(tmp_path: Path) -> None:
    path = tmp_path / "calls.jsonl"
    with running_server(log=path) as server:
        chat(server, "player")
        first = server.log()
        server.kill()
    with running_server(log=path) as server:
        message(server, "player")
        second = server.log()
    assert [json.loads(line) for line in path.read_text().splitlines()] == [*first, *second]
    assert len(first) == len(second) == 1
    assert KEY not in path.read_text() and "greet" not in path.read_text()


def test_whole_prompts_are_kept_only_where_they_are_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "prompts.jsonl"
    with running_server(keep_bodies=path) as server:
        chat(server, "player")
        message(server, "player")
        log = server.log()
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    assert [line["system"] for line in lines] == [SYSTEM, SYSTEM]
    assert [line["messages"] for line in lines] == [[USER], [USER]]
    assert [line["digest"] for line in lines] == [line["digest"] for line in log]


def test_draws_of_two_servers_are_alike_for_the_same_seed() -> None:
    def outcomes(seed: int) -> list[str]:
        with running_server(seed=seed) as server:
            for number in range(12):
                with suppress(openai.InternalServerError):
                    chat(server, "player;500=0.5", str(number))
            return [line["outcome"] for line in server.log()]

    first = outcomes(5)
    assert first == outcomes(5) and set(first) == {"played", "500"}


def test_it_serves_loopback_only() -> None:
    with pytest.raises(FactoryError, match=r"127\.0\.0\.1 only"):
        serve(host="0.0.0.0")


def test_a_taken_port_and_a_file_out_of_reach_are_said_plainly(server: RunningServer, tmp_path: Path) -> None:
    with pytest.raises(FactoryError, match=f"port {server.port} cannot be served"):
        serve(port=server.port)
    with pytest.raises(FactoryError, match="cannot be written"):
        serve(log=tmp_path)


def test_ctrl_c_ends_it_quietly_even_with_a_call_under_way() -> None:
    with running_server() as server:
        hanging = subprocess.Popen([sys.executable, "-c", _HANGS, server.openai_url], stderr=subprocess.DEVNULL)
        _until(lambda: server.stats()["under_way"] == 1)
        code, printed = server.interrupt()
        hanging.wait(timeout=20)
    assert code == 0
    assert "Traceback" not in printed and printed.strip().splitlines()[-1] == "Fake server ended."


def test_ctrl_c_in_its_first_moment_ends_it_quietly_too() -> None:
    with running_server() as server:
        assert server.interrupt() == (0, "Fake server ended.\n")


def test_a_client_that_is_killed_leaves_its_call_unanswered() -> None:
    with running_server() as server:
        client = subprocess.Popen([sys.executable, "-c", _HANGS.replace("hang", "slow=0.8"), server.openai_url])
        _until(lambda: server.stats()["under_way"] == 1)
        os.kill(client.pid, signal.SIGKILL)
        client.wait()
        line = _ended(server, lambda line: True)
    assert line["outcome"] == "played" and not line["answered"]


def test_the_greeting_holds_a_roles_file_that_can_be_read(tmp_path: Path) -> None:
    path = tmp_path / "models.yaml"
    with running_server() as server:
        printed = server.greeting
    path.write_text(printed[printed.index("providers:") : printed.index("Other models")])
    models = load_models(path)
    assert models.roles[ModelRole.PLANNER].model == "player"
    assert str(models.providers["fake"].base_url).rstrip("/") == server.openai_url


def test_a_roles_file_lets_every_role_be_played(server: RunningServer, tmp_path: Path) -> None:
    path = roles_file(tmp_path, server, kind="anthropic", provider={"at_once": 7}, verifier="player;findings=1")
    models = load_models(path)
    assert models.roles[ModelRole.VERIFIER].model == "player;findings=1"
    assert models.roles[ModelRole.USER].model == "player"
    assert models.providers["fake"].at_once == 7 and models.providers["fake"].free


_HANGS = """
import sys, openai
client = openai.OpenAI(base_url=sys.argv[1], api_key="k", max_retries=0)
client.chat.completions.create(model="player;hang", messages=[{"role": "user", "content": "Hello"}])
"""


def _until(holds, patience_s: float = 20) -> None:  # type: ignore[no-untyped-def]
    end = time.monotonic() + patience_s
    while not holds():
        assert time.monotonic() < end, "it did not come to that"
        time.sleep(0.02)


def _ended(server: RunningServer, wanted):  # type: ignore[no-untyped-def]
    """The last call of some kind, once none of that kind is under way any more."""
    _until(lambda: server.stats()["under_way"] == 0 and any(map(wanted, server.log())))
    return [line for line in server.log() if wanted(line)][-1]
