"""Answers and environments that nobody ordered: bounded, sent nowhere else, and told in one line."""

import asyncio
import gzip
import json
import logging
from typing import Any

import pytest

from factory.models import http
from factory.models.errors import ErrorKind, ModelError
from factory.models.request import ModelReply
from factory.records.models import ProviderKind

from .canned import ANTHROPIC, KEY, OPENAI, Canned, anthropic_body, ask, canned, openai_body

BOTH = pytest.mark.parametrize("kind", [OPENAI, ANTHROPIC])


def _body(kind: ProviderKind, text: str = "Hi.", **fields: Any) -> dict[str, Any]:
    if kind is OPENAI:
        return openai_body(message={"role": "assistant", "content": text}) | fields
    return anthropic_body(content=[{"type": "text", "text": text}]) | fields


async def _reply(kind: ProviderKind, body: object, status: int = 200, headers: str = "") -> tuple[ModelReply, Canned]:
    # Further headers ride behind the content type, which the canned server writes as it is given.
    content_type = "application/json" + (f"\r\n{headers}" if headers else "")
    async with canned(body, status, content_type) as answer:
        return await ask(answer.url, kind), answer


def _fault(kind: ProviderKind, body: object, status: int = 200, headers: str = "") -> ModelError:
    with pytest.raises(ModelError) as caught:
        asyncio.run(_reply(kind, body, status, headers))
    return caught.value


@BOTH
@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_is_followed_by_neither_prompt_nor_key(kind: ProviderKind, status: int) -> None:
    async def run() -> tuple[str, Canned]:
        async with canned(_body(kind)) as other, canned(b"", status, f"text/plain\r\nlocation: {other.url}/x") as first:
            with pytest.raises(ModelError) as caught:
                await ask(first.url, kind)
            assert caught.value.kind is ErrorKind.REQUEST
            assert other.url in str(caught.value)
            return str(caught.value), other

    told, other = asyncio.run(run())
    assert other.headers == []
    assert "base_url" in told


@BOTH
@pytest.mark.parametrize("status", [200, 500])
@pytest.mark.parametrize("packed", [False, True])
def test_an_answer_longer_than_any_is_not_read_to_its_end(
    kind: ProviderKind, status: int, packed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(http, "MOST_ANSWER_BYTES", 2_000_000)
    body = json.dumps(_body(kind, "x" * 3_000_000)).encode()
    fault = _fault(kind, gzip.compress(body) if packed else body, status, "content-encoding: gzip" if packed else "")
    assert fault.kind is ErrorKind.CONNECTION
    assert "longer than 2 MB" in str(fault)


@BOTH
def test_a_packed_answer_is_read(kind: ProviderKind) -> None:
    packed = gzip.compress(json.dumps(_body(kind, "x" * 100_000)).encode())
    reply, _ = asyncio.run(_reply(kind, packed, headers="content-encoding: gzip"))
    assert reply.text == "x" * 100_000


@BOTH
def test_headers_that_are_no_text_break_nothing(kind: ProviderKind) -> None:
    reply, _ = asyncio.run(_reply(kind, _body(kind), headers="x-odd: þÿ"))
    assert reply.text == "Hi."


@BOTH
def test_nothing_of_the_environment_reaches_another_server(kind: ProviderKind, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_ORG_ID", "OPENAI_PROJECT_ID", "OPENAI_API_KEY", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_API_KEY"):
        monkeypatch.setenv(name, "of-the-environment")
    for name in ("OPENAI_CUSTOM_HEADERS", "ANTHROPIC_CUSTOM_HEADERS"):
        monkeypatch.setenv(name, "X-Own: of-the-environment\nAuthorization: of-the-environment")
    _, answer = asyncio.run(_reply(kind, _body(kind)))
    assert answer.headers[0]["authorization"] == f"Bearer {KEY}"
    assert "of-the-environment" not in str(answer.headers)


@BOTH
def test_a_server_of_this_machine_is_asked_without_the_proxy(
    kind: ProviderKind, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    assert asyncio.run(_reply(kind, _body(kind)))[0].text == "Hi."


@BOTH
@pytest.mark.parametrize(
    ("name", "value"), [("ALL_PROXY", "ftp://u:hunter2@x"), ("ALL_PROXY", "socks5://x"), ("SSL_CERT_FILE", "/missing")]
)
def test_an_environment_that_no_client_can_use_is_told_in_one_line(
    kind: ProviderKind, name: str, value: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(name, value)
    told = str(_fault(kind, _body(kind)))
    assert name in told
    assert "hunter2" not in told
    assert "\n" not in told


@BOTH
def test_no_prompt_is_logged_whatever_the_environment_asks_for(
    kind: ProviderKind, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    for name in ("openai", "anthropic"):
        monkeypatch.setattr(logging.getLogger(name), "level", logging.DEBUG)  # as `OPENAI_LOG=debug` does
        logging.getLogger(name).setLevel(logging.DEBUG)
    asyncio.run(_reply(kind, _body(kind)))
    assert "What will you say?" not in caplog.text
    assert [record.name for record in caplog.records if record.levelno < logging.WARNING] == []


@BOTH
@pytest.mark.parametrize("fields", [{"model": f"m {KEY}"}, {"text": f"You said {KEY}."}])
def test_a_reply_with_the_key_in_it_is_not_kept(kind: ProviderKind, fields: dict[str, str]) -> None:
    fault = _fault(kind, _body(kind, **fields))
    assert fault.kind is ErrorKind.REQUEST
    assert KEY not in str(fault)


@BOTH
def test_a_models_odd_name_can_be_written_down(kind: ProviderKind) -> None:
    reply, _ = asyncio.run(_reply(kind, _body(kind, model="m\ud800" + "x" * 10_000)))
    assert len(reply.model) == 200
    assert reply.model_dump_json()


@BOTH
def test_a_count_of_tokens_that_cannot_be_is_no_count(kind: ProviderKind) -> None:
    counts = {"prompt_tokens": 10**400, "completion_tokens": 1, "input_tokens": 10**400, "output_tokens": 1}
    fault = _fault(kind, _body(kind, usage=counts))
    assert fault.kind is ErrorKind.INVALID_REPLY
    assert "usage" in str(fault)
