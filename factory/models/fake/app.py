"""The application: takes calls in both wire formats, and ends each as its scenario says."""

import asyncio
import hashlib
import json
import socket
import struct
import sys
import time
import traceback
from collections.abc import Awaitable, Callable, MutableMapping
from dataclasses import dataclass
from typing import Any

from factory.models.fake.anthropic_wire import AnthropicWire
from factory.models.fake.journal import Journal, Line
from factory.models.fake.openai_wire import OpenAIWire
from factory.models.fake.player import play
from factory.models.fake.scenarios import ERRORS, PAID, Outcome, Scenario, UnknownScenario, read_scenario
from factory.models.fake.wire import (
    REFUSAL_TEXT,
    Asked,
    BadRequest,
    Said,
    Wire,
    encoded,
    tokens,
)

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]

MOST_BODY_BYTES = 32_000_000

_WIRES: dict[str, Wire] = {"/v1/chat/completions": OpenAIWire(), "/v1/messages": AnthropicWire()}
_MODELS = ("player", "player;slow=0.2", "player;429=0.5;retry-after=1", "player;500", "player;cut", "player;refusal")
_MESSAGES = {
    Outcome.RATE_LIMIT: "Too many calls for now; ask again later.",
    Outcome.SERVER: "The server had an error while it worked on this call.",
    Outcome.OVERLOADED: "The server has too much to do.",
    Outcome.QUOTA: "The account has no credit left; see its plan and billing.",
    Outcome.CONTEXT: "The prompt is too long: this model's maximum context length is 200000 tokens.",
}
_HTML = b"<!DOCTYPE html>\n<html><head><title>Bad gateway</title></head><body><h1>Bad gateway</h1></body></html>\n"
_JSON = (b"content-type", b"application/json")


@dataclass(frozen=True)
class _Answer:
    """How one call is going to be answered.

    Attributes:
        usage: Input, cached and output tokens, of a reply that counts as paid.
    """

    outcome: Outcome
    status: int
    content: bytes
    headers: tuple[tuple[bytes, bytes], ...] = (_JSON,)
    model: str = ""
    form: str = ""
    slow_s: float = 0.0
    usage: tuple[int, int, int] = (0, 0, 0)


class FakeServer:
    """An ASGI application; its server puts the connection's transport into the scope's state."""

    def __init__(self, journal: Journal, seed: int = 0, clock: Callable[[], float] = time.monotonic) -> None:
        """Takes where calls are written down, the seed of the scenarios' draws, and a clock in seconds."""
        self._journal = journal
        self._seed = seed
        self._clock = clock

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers one request."""
        method, path = scope["method"], scope["path"]
        headers = dict(scope["headers"])
        if method == "POST" and path in _WIRES:
            await self._call(_WIRES[path], headers, scope["state"]["transport"], receive, send)
        elif method == "GET" and path == "/_log":
            await _send(send, 200, (_JSON,), self._journal.log())
        elif method == "GET" and path == "/_stats":
            await _send(send, 200, (_JSON,), self._journal.stats())
        elif method == "GET" and path == "/v1/models":
            wire = _WIRES["/v1/messages" if b"anthropic-version" in headers else "/v1/chat/completions"]
            await _send(send, 200, (_JSON,), encoded(wire.models(_MODELS)))
        else:
            error = {"error": {"message": f"there is no {method} {path}", "type": "invalid_request_error"}}
            await _send(send, 404, (_JSON,), encoded(error))

    async def _call(
        self,
        wire: Wire,
        headers: dict[bytes, bytes],
        transport: asyncio.Transport,
        receive: Receive,
        send: Send,
    ) -> None:
        body = await _body(receive)
        if body is None:
            return
        number, arrived_s = self._journal.begin(), self._clock()
        digest = hashlib.sha256(body).hexdigest()
        try:
            answer = self._answer(wire, headers, body, digest, number)
        except Exception as exc:  # a fault of ours must not look like a scenario
            place = traceback.extract_tb(exc.__traceback__)[-1]
            where = f"{place.filename}:{place.lineno}"
            print(f"fake-server: call {number}: {type(exc).__name__} at {where}", file=sys.stderr, flush=True)
            status, error = wire.error(Outcome.SERVER, f"the player failed: {type(exc).__name__}", number)
            answer = _Answer(Outcome.FAILED, status, encoded(error))
        handed_over = False
        try:
            if answer.slow_s:
                await asyncio.sleep(max(0.0, arrived_s + answer.slow_s - self._clock()))
            handed_over = await _hand_over(answer, transport, receive, send)
        finally:
            used = answer.usage if handed_over else (0, 0, 0)
            answered, ended_s = handed_over and answer.outcome in PAID, self._clock()
            self._journal.end(
                Line(number, digest, answer.model, answer.form, answer.outcome, answered, arrived_s, ended_s, *used)
            )

    def _answer(self, wire: Wire, headers: dict[bytes, bytes], body: bytes, digest: str, number: int) -> _Answer:
        try:
            asked = wire.read(_object(body))
        except BadRequest as exc:
            status, error = wire.error(Outcome.BAD_REQUEST, str(exc), number)
            return _Answer(Outcome.BAD_REQUEST, status, encoded(error), _headers(wire, number))
        self._journal.keep_body(number, digest, asked.model, asked.name, (asked.system, *asked.messages))
        try:
            scenario = read_scenario(asked.model)
        except UnknownScenario as exc:
            status, error = wire.missing(str(exc), number)
            return _Answer(Outcome.BAD_REQUEST, status, encoded(error), _headers(wire, number), asked.model)
        outcome = scenario.outcome(number, self._seed)
        if outcome in ERRORS:
            status, content = self._error(wire, outcome, headers, number)
            wait_s = scenario.retry_after_s if outcome in (Outcome.RATE_LIMIT, Outcome.OVERLOADED) else None
            made = _headers(wire, number, wait_s)
            return _Answer(outcome, status, content, made, asked.model, asked.name, scenario.slow_s)
        return self._reply(wire, asked, scenario, outcome, number)

    def _error(self, wire: Wire, outcome: Outcome, headers: dict[bytes, bytes], number: int) -> tuple[int, bytes]:
        message = _MESSAGES.get(outcome, "")
        if outcome is Outcome.AUTHENTICATION:
            # Some servers echo the key: clients have to cut it out.
            key = headers.get(b"x-api-key", headers.get(b"authorization", b"")).decode("latin-1")
            message = f"Incorrect API key provided: {key.removeprefix('Bearer ')}."
        status, error = wire.error(outcome, message, number)
        return status, encoded(error)

    def _reply(self, wire: Wire, asked: Asked, scenario: Scenario, outcome: Outcome, number: int) -> _Answer:
        said = _said(asked, scenario, outcome)
        reply = wire.reply(asked, said, number)
        if outcome in (Outcome.NO_USAGE, Outcome.NO_CHOICES):
            reply = wire.without(reply, outcome)
        content, headers = encoded(reply), _headers(wire, number)
        if outcome is Outcome.HTML:
            content, headers = _HTML, ((b"content-type", b"text/html; charset=utf-8"),)
        usage = (asked.input_tokens, asked.cached_tokens, tokens(said.text)) if outcome in PAID else (0, 0, 0)
        return _Answer(outcome, 200, content, headers, asked.model, asked.name, scenario.slow_s, usage)


def _said(asked: Asked, scenario: Scenario, outcome: Outcome) -> Said:
    """What the model says, as the outcome has it."""
    if outcome is Outcome.REFUSAL:
        return Said(REFUSAL_TEXT, refusal=True)
    if outcome is Outcome.EMPTY:
        return Said("")
    if outcome is Outcome.WRONG_SCHEMA:
        return Said('{"answer": "something else", "confidence": 0.9}')
    text = play(asked, scenario)
    if outcome is Outcome.INVALID_JSON:
        return Said(f"Sure, here it is:\n{text[:-1]}")
    if outcome is Outcome.CUT:
        return Said(text[: len(text) // 2], cut=True)
    if asked.max_tokens is not None and tokens(text) > asked.max_tokens:
        return Said(text[: 4 * asked.max_tokens], cut=True)
    return Said(text)


async def _hand_over(answer: _Answer, transport: asyncio.Transport, receive: Receive, send: Send) -> bool:
    """Whether a client that was still there got the last byte."""
    if answer.outcome is Outcome.HANG:
        while (await receive())["type"] != "http.disconnect":
            pass
        return False
    if transport.is_closing():
        return False
    if answer.outcome is Outcome.RESET:
        await send(_start(answer.status, answer.headers, len(answer.content)))
        half = answer.content[: len(answer.content) // 2]
        await send({"type": "http.response.body", "body": half, "more_body": True})
        _reset(transport)
        return False
    await _send(send, answer.status, answer.headers, answer.content)
    return not transport.is_closing()


def _reset(transport: asyncio.Transport) -> None:
    """Drops the connection so that the other end sees a reset, not an end."""
    transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    transport.abort()


async def _send(send: Send, status: int, headers: tuple[tuple[bytes, bytes], ...], content: bytes) -> None:
    await send(_start(status, headers, len(content)))
    await send({"type": "http.response.body", "body": content})


def _start(status: int, headers: tuple[tuple[bytes, bytes], ...], length: int) -> dict[str, object]:
    sized = [*headers, (b"content-length", str(length).encode())]
    return {"type": "http.response.start", "status": status, "headers": sized}


def _headers(wire: Wire, number: int, retry_after_s: float | None = None) -> tuple[tuple[bytes, bytes], ...]:
    return (_JSON, *wire.headers(number, retry_after_s))


async def _body(receive: Receive) -> bytes | None:
    """The whole body; None if the client left before it was there."""
    parts, size = [], 0
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            return None
        size += len(message["body"])
        if size <= MOST_BODY_BYTES:
            parts.append(message["body"])
        if not message["more_body"]:
            return b"".join(parts) if size <= MOST_BODY_BYTES else b""


def _object(body: bytes) -> dict[str, object]:
    try:
        value = json.loads(body)
    except ValueError:
        value = None
    if not isinstance(value, dict):
        raise BadRequest("the body is no JSON object, or is too long")
    return value
