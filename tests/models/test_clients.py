"""The adapters: what they send, what they read, and which kind a failure has; through the official SDKs."""

import asyncio
import json
import re
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import pytest

from factory.models.clients import open_client
from factory.models.errors import ErrorKind, ModelError
from factory.models.keys import Key
from factory.models.request import ChatMessage, Finish, ModelReply, ModelRequest, Sender
from factory.records.models import Provider, ProviderKind, Usage

from .canned import (
    ANTHROPIC,
    KEY,
    OPENAI,
    SCHEMA,
    anthropic_body,
    ask,
    canned,
    canned_fault,
    error_body,
    openai_body,
    request,
)
from .servers import RunningServer, running_server

BOTH = pytest.mark.parametrize("kind", [OPENAI, ANTHROPIC])


@pytest.fixture(scope="module")
def server() -> Iterator[RunningServer]:
    with running_server() as running:
        yield running


def _url(server: RunningServer, kind: ProviderKind) -> str:
    return server.openai_url if kind is OPENAI else server.anthropic_url


def _fault(server: RunningServer, kind: ProviderKind, model: str, **more: Any) -> ModelError:
    with pytest.raises(ModelError) as caught:
        asyncio.run(ask(_url(server, kind), kind, request(model, reply_schema=SCHEMA), **more))
    return caught.value


def _exchange(
    kind: ProviderKind, body: object, asked: ModelRequest
) -> tuple[ModelReply, dict[str, Any], dict[str, str]]:
    async def run() -> tuple[ModelReply, dict[str, Any], dict[str, str]]:
        async with canned(body) as answer:
            reply = await ask(answer.url, kind, asked)
            assert len(answer.bodies) == 1
            return reply, answer.bodies[0], answer.headers[0]

    return asyncio.run(run())


class TestAgainstTheFakeServer:
    @BOTH
    def test_a_reply_comes_whole_with_its_usage(self, server: RunningServer, kind: ProviderKind) -> None:
        reply = asyncio.run(ask(_url(server, kind), kind, request(reply_schema=SCHEMA)))
        assert reply.finish is Finish.DONE
        assert list(json.loads(reply.text)) == ["text"]
        assert reply.model == "player"
        assert reply.usage.input > 0 and reply.usage.output > 0

    @BOTH
    @pytest.mark.parametrize(("model", "finish"), [("player;cut", Finish.CUT), ("player;refusal", Finish.REFUSED)])
    def test_a_cut_or_refused_reply_keeps_text_and_usage(
        self, server: RunningServer, kind: ProviderKind, model: str, finish: Finish
    ) -> None:
        reply = asyncio.run(ask(_url(server, kind), kind, request(model, reply_schema=SCHEMA)))
        assert reply.finish is finish
        assert reply.text or kind is ANTHROPIC
        assert reply.usage.output > 0

    @BOTH
    @pytest.mark.parametrize(
        ("model", "expected"),
        [
            ("player;429", ErrorKind.RATE_LIMIT),
            ("player;500", ErrorKind.SERVER),
            ("player;529", ErrorKind.SERVER),
            ("player;quota", ErrorKind.QUOTA),
            ("player;auth", ErrorKind.AUTHENTICATION),
            ("player;context", ErrorKind.CONTEXT_TOO_LONG),
            ("player;html", ErrorKind.SERVER),
            ("player;no-usage", ErrorKind.INVALID_REPLY),
            ("player;reset", ErrorKind.CONNECTION),
            ("nobody", ErrorKind.REQUEST),
        ],
    )
    def test_failures_are_told_apart(
        self, server: RunningServer, kind: ProviderKind, model: str, expected: ErrorKind
    ) -> None:
        error = _fault(server, kind, model)
        assert error.kind is expected
        assert str(error).startswith("p: ") and "\n" not in str(error)

    @BOTH
    def test_one_call_is_one_request_even_when_it_fails(self, server: RunningServer, kind: ProviderKind) -> None:
        before = len(server.log())
        _fault(server, kind, "player;429")
        _fault(server, kind, "player;500")
        assert len(server.log()) == before + 2

    @BOTH
    def test_the_wait_that_the_server_asks_for_comes_along(self, server: RunningServer, kind: ProviderKind) -> None:
        assert _fault(server, kind, "player;429;retry-after=7").retry_after_s == 7.0
        assert _fault(server, kind, "player;429").retry_after_s is None

    @BOTH
    def test_a_call_that_takes_too_long_is_a_time_out(self, server: RunningServer, kind: ProviderKind) -> None:
        error = _fault(server, kind, "player;hang", timeout_s=0.3)
        assert error.kind is ErrorKind.TIMEOUT and error.maybe_billed
        assert re.fullmatch(r"p: no answer from http://127\.0\.0\.1:\d+\S* within 0\.3 s", str(error))

    @BOTH
    @pytest.mark.parametrize(
        ("model", "billed"),
        [("reset", True), ("no-usage", True), ("no-choices", True), ("500", False), ("429", False), ("html", False)],
    )
    def test_what_the_provider_may_take_money_for_is_told_apart(
        self, server: RunningServer, kind: ProviderKind, model: str, billed: bool
    ) -> None:
        assert _fault(server, kind, f"player;{model}").maybe_billed is billed

    @BOTH
    def test_a_connection_that_does_not_come_about_costs_nothing(self, kind: ProviderKind) -> None:
        with socket.create_server(("127.0.0.1", 0), backlog=0) as full, ExitStack() as waiting:
            for _ in range(4):
                line = waiting.enter_context(socket.socket())
                line.setblocking(False)
                line.connect_ex(full.getsockname())
            host, port = full.getsockname()
            with pytest.raises(ModelError) as caught:
                asyncio.run(ask(f"http://{host}:{port}", kind, timeout_s=0.6))
        assert caught.value.kind is ErrorKind.TIMEOUT and not caught.value.maybe_billed

    def test_a_server_that_is_not_there(self) -> None:
        with pytest.raises(ModelError, match=r"no answer from http://127\.0\.0\.1:9/") as caught:
            asyncio.run(ask("http://127.0.0.1:9/v1", OPENAI))
        assert caught.value.kind is ErrorKind.CONNECTION and not caught.value.maybe_billed


class TestWhatIsSent:
    def test_openai(self) -> None:
        repair = (
            ChatMessage(sender=Sender.USER, text="Say."),
            ChatMessage(sender=Sender.ASSISTANT, text="{"),
            ChatMessage(sender=Sender.USER, text="Again."),
        )
        asked = request(messages=repair, reply_schema=SCHEMA, temperature=0.0, seed=0)
        _, body, headers = _exchange(OPENAI, openai_body(), asked)
        assert body == {
            "model": "player",
            "messages": [
                {"role": "system", "content": "Speak kindly."},
                {"role": "user", "content": "Say."},
                {"role": "assistant", "content": "{"},
                {"role": "user", "content": "Again."},
            ],
            "response_format": {
                "type": "json_schema",
                "json_schema": {"name": "Reply", "schema": json.loads(SCHEMA.json_schema), "strict": True},
            },
            "max_tokens": 500,
            "temperature": 0.0,
            "seed": 0,
        }
        assert headers["authorization"] == f"Bearer {KEY}"

    def test_what_is_not_set_is_not_sent(self) -> None:
        _, body, _ = _exchange(OPENAI, openai_body(), request())
        assert set(body) == {"model", "messages", "max_tokens"}

    @pytest.mark.parametrize(
        ("url", "word"),
        [
            (None, "max_completion_tokens"),
            ("https://eu.api.openai.com/v1", "max_completion_tokens"),
            ("https://api.openai.com.example/v1", "max_tokens"),
            ("http://127.0.0.1:11434/v1", "max_tokens"),
        ],
    )
    def test_the_maker_is_told_the_limit_in_its_new_word_and_others_in_the_old_one(
        self, url: str | None, word: str
    ) -> None:
        from factory.models.openai_client import OpenAIClient

        client = OpenAIClient("p", Provider.model_validate({"kind": "openai", "base_url": url}), Key(None))
        assert client.limit_word == word

    def test_anthropic(self) -> None:
        asked = request(reply_schema=SCHEMA, temperature=0.5, seed=1)
        _, body, headers = _exchange(ANTHROPIC, anthropic_body(), asked)
        assert body == {
            "model": "player",
            "system": [{"type": "text", "text": "Speak kindly.", "cache_control": {"type": "ephemeral"}}],
            "messages": [{"role": "user", "content": "What will you say?"}],
            "output_config": {"format": {"type": "json_schema", "schema": json.loads(SCHEMA.json_schema)}},
            "max_tokens": 500,
        }
        assert KEY in headers["authorization"] or headers.get("x-api-key") == KEY

    @BOTH
    def test_nothing_of_the_environment_changes_where_a_call_goes(
        self, kind: ProviderKind, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        for maker in ("OPENAI", "ANTHROPIC"):
            monkeypatch.setenv(f"{maker}_BASE_URL", "http://127.0.0.1:9")
            monkeypatch.setenv(f"{maker}_API_KEY", "not-this-one")
        client = open_client("p", Provider(kind=kind), {})
        assert client.address.startswith(f"https://api.{kind.value}.com")  # type: ignore[attr-defined]

    @BOTH
    def test_a_server_without_a_key_is_sent_none_from_the_environment(
        self, kind: ProviderKind, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("OPENAI_API_KEY", KEY)
        monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)

        async def run() -> list[dict[str, str]]:
            async with canned(openai_body() if kind is OPENAI else anthropic_body()) as answer:
                await ask(answer.url, kind, key=None)
                return answer.headers

        assert KEY not in str(asyncio.run(run()))


class TestWhatIsRead:
    @pytest.mark.parametrize(("kind", "body"), [(OPENAI, openai_body()), (ANTHROPIC, anthropic_body())])
    def test_text_model_and_every_count_of_tokens(self, kind: ProviderKind, body: object) -> None:
        reply, _, _ = _exchange(kind, body, request())
        assert reply == ModelReply(
            text="Hi.",
            finish=Finish.DONE,
            usage=Usage(input=70, cached=40, written=10, output=9),
            model="m-2026",
        )

    @pytest.mark.parametrize(
        ("kind", "body", "finish"),
        [
            (OPENAI, openai_body(finish_reason="length"), Finish.CUT),
            (OPENAI, openai_body(finish_reason="content_filter"), Finish.REFUSED),
            (OPENAI, openai_body(finish_reason=None), Finish.DONE),
            (ANTHROPIC, anthropic_body(stop_reason="max_tokens"), Finish.CUT),
            (ANTHROPIC, anthropic_body(stop_reason="model_context_window_exceeded"), Finish.CUT),
            (ANTHROPIC, anthropic_body(stop_reason="refusal", content=[]), Finish.REFUSED),
            (ANTHROPIC, anthropic_body(stop_reason="stop_sequence"), Finish.DONE),
        ],
    )
    def test_how_a_reply_ended(self, kind: ProviderKind, body: object, finish: Finish) -> None:
        assert _exchange(kind, body, request())[0].finish is finish

    def test_a_refusal_is_read_with_its_words(self) -> None:
        reply, _, _ = _exchange(OPENAI, openai_body(message={"content": None, "refusal": "I will not."}), request())
        assert (reply.text, reply.finish) == ("I will not.", Finish.REFUSED)

    def test_a_text_that_no_file_can_hold_is_mended(self) -> None:
        body = json.dumps(openai_body()).replace("Hi.", "a\\ud800b \\ud83d\\ude00").encode()
        reply, _, _ = _exchange(OPENAI, body, request())
        assert reply.text == "a\ufffdb \N{GRINNING FACE}"
        assert ModelReply.from_json(reply.model_dump_json()) == reply

    @pytest.mark.parametrize(
        ("kind", "body", "expected", "words"),
        [
            (OPENAI, b"<html>Bad gateway</html>", ErrorKind.SERVER, "a web page; check its base_url"),
            (OPENAI, b"{", ErrorKind.SERVER, "no JSON"),
            (OPENAI, b"[" * 100_000, ErrorKind.SERVER, "no JSON"),
            (OPENAI, b"null", ErrorKind.INVALID_REPLY, "the body is not what it must be"),
            (OPENAI, openai_body() | {"choices": []}, ErrorKind.INVALID_REPLY, "choices is not what"),
            (OPENAI, openai_body() | {"usage": None}, ErrorKind.INVALID_REPLY, "usage is not what"),
            (OPENAI, {"error": {"message": "upstream is away"}}, ErrorKind.SERVER, "upstream is away"),
            (ANTHROPIC, b"", ErrorKind.SERVER, "no JSON"),
            (ANTHROPIC, {"type": "message", "content": []}, ErrorKind.INVALID_REPLY, "usage is missing"),
            (
                ANTHROPIC,
                anthropic_body(usage={"input_tokens": -1, "output_tokens": 1}),
                ErrorKind.INVALID_REPLY,
                "usage",
            ),
        ],
    )
    def test_an_answer_that_is_no_reply_is_one_plain_line(
        self, kind: ProviderKind, body: object, expected: ErrorKind, words: str
    ) -> None:
        error = canned_fault(kind, body)
        assert error.kind is expected
        assert words in str(error) and "\n" not in str(error)

    def test_html_that_calls_itself_html(self) -> None:
        error = canned_fault(OPENAI, b"<html>", content_type="text/html")
        assert error.kind is ErrorKind.SERVER


class TestKindsByStatus:
    @BOTH
    @pytest.mark.parametrize(
        ("status", "body", "expected"),
        [
            (401, error_body("no"), ErrorKind.AUTHENTICATION),
            (403, error_body("no access to this model"), ErrorKind.AUTHENTICATION),
            (402, error_body("pay first", type_="billing_error"), ErrorKind.QUOTA),
            (429, error_body("over", "insufficient_quota"), ErrorKind.QUOTA),
            (400, error_body("Your credit balance is too low to use this"), ErrorKind.QUOTA),
            (429, error_body("see the page on billing to be let do more", "rate_limit_exceeded"), ErrorKind.RATE_LIMIT),
            (429, {}, ErrorKind.RATE_LIMIT),
            (429, error_body("Request too large for this model", "rate_limit_exceeded"), ErrorKind.CONTEXT_TOO_LONG),
            (400, error_body("too many", "context_length_exceeded"), ErrorKind.CONTEXT_TOO_LONG),
            (400, error_body("prompt is too long: 210000 tokens"), ErrorKind.CONTEXT_TOO_LONG),
            (413, b"", ErrorKind.CONTEXT_TOO_LONG),
            (400, error_body("stopped by the content filter"), ErrorKind.REFUSAL),
            (400, error_body("unknown field"), ErrorKind.REQUEST),
            (404, b"not here", ErrorKind.REQUEST),
            (422, [], ErrorKind.REQUEST),
            (408, {}, ErrorKind.TIMEOUT),
            (500, b"<html>", ErrorKind.SERVER),
            (503, error_body("context size"), ErrorKind.SERVER),
            (529, error_body("overloaded", type_="overloaded_error"), ErrorKind.SERVER),
        ],
    )
    def test_each_status_has_its_kind(self, kind: ProviderKind, status: int, body: object, expected: ErrorKind) -> None:
        error = canned_fault(kind, body, status)
        assert error.kind is expected
        assert str(status) in str(error)


def test_the_sdks_are_imported_only_when_a_client_is_opened() -> None:
    code = "import sys, factory.cli, factory.models.pool; print({'openai', 'anthropic'} & set(sys.modules))"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout.strip() == "set()"
