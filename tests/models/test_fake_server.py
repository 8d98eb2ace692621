"""The fake server, as the official SDKs see it: both wire formats, and every way to fail."""

import json
from collections.abc import Iterator

import anthropic
import openai
import pytest

from factory.models.replies import PlannerReply
from tests.models.fake_calls import (
    KEY,
    PLAN,
    SCHEMA,
    SYSTEM,
    USER,
    anthropic_client,
    chat,
    ended,
    message,
    openai_client,
    text_of,
)
from tests.models.servers import RunningServer, running_server


@pytest.fixture(scope="module")
def server() -> Iterator[RunningServer]:
    with running_server() as running:
        yield running


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
    line = ended(server, lambda line: line["model"] == "player;hang")
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
