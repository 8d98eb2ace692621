"""A server on loopback that gives one answer to every request, and keeps what it was sent."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from pydantic import AnyHttpUrl

from factory.models.clients import open_client
from factory.models.errors import ModelError
from factory.models.request import ChatMessage, ModelReply, ModelRequest, ReplySchema, Sender
from factory.records.models import Provider, ProviderKind

OPENAI, ANTHROPIC = ProviderKind.OPENAI, ProviderKind.ANTHROPIC
KEY = "sk-proj-Zq81mVt6Lw0xRb53"


class Canned:
    """What came, and what goes out."""

    def __init__(self, status: int, body: bytes, content_type: str) -> None:
        self.url = ""
        self.headers: list[dict[str, str]] = []
        self.bodies: list[dict[str, Any]] = []
        lines = [f"HTTP/1.1 {status} Canned", f"content-type: {content_type}", f"content-length: {len(body)}"]
        self._answer = "\r\n".join([*lines, "", ""]).encode() + body

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while head := await reader.readuntil(b"\r\n\r\n"):
                lines = [line.partition(": ") for line in head.decode().split("\r\n")[1:] if line]
                headers = {name.lower(): value for name, _, value in lines}
                self.headers.append(headers)
                self.bodies.append(json.loads(await reader.readexactly(int(headers["content-length"]))))
                writer.write(self._answer)
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()


@asynccontextmanager
async def canned(body: object, status: int = 200, content_type: str = "application/json") -> AsyncIterator[Canned]:
    """Serves an answer: bytes as they are, anything else as JSON."""
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    answer = Canned(status, content, content_type)
    server = await asyncio.start_server(answer.serve, "127.0.0.1", 0)
    answer.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    try:
        yield answer
    finally:
        server.close()


SCHEMA = ReplySchema(
    name="Reply",
    json_schema=(
        '{"additionalProperties":false,"properties":{"text":{"type":"string"}},"required":["text"],"title":"Reply",'
        '"type":"object"}'
    ),
)


def request(model: str = "player", system: str = "Speak kindly.", **fields: Any) -> ModelRequest:
    messages = (ChatMessage(sender=Sender.USER, text="What will you say?"),)
    return ModelRequest(
        **{"provider": "p", "model": model, "system": system, "messages": messages, "max_output_tokens": 500} | fields
    )


async def ask(
    url: str,
    kind: ProviderKind,
    asked: ModelRequest | None = None,
    key: str | None = KEY,
    timeout_s: float = 20.0,
) -> ModelReply:
    """The reply of the server at an address to one request, through the official SDK."""
    provider = Provider(
        kind=kind, base_url=AnyHttpUrl(url), key=None if key is None else "P_KEY", timeout_s=timeout_s, free=True
    )
    client = open_client("p", provider, {} if key is None else {"P_KEY": key})
    try:
        return await client.complete(asked or request())
    finally:
        await client.close()


def openai_body(**choice: Any) -> dict[str, Any]:
    """A whole reply in OpenAI's format."""
    return {
        "id": "c1",
        "object": "chat.completion",
        "created": 1,
        "model": "m-2026",
        "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": "Hi."}} | choice],
        "usage": {
            "prompt_tokens": 70,
            "completion_tokens": 9,
            "total_tokens": 79,
            "prompt_tokens_details": {"cached_tokens": 40, "cache_write_tokens": 10},
        },
    }


def error_body(message: str, code: str | None = None, type_: str = "invalid_request_error") -> dict[str, Any]:
    """An error in either format."""
    return {"type": "error", "error": {"message": message, "type": type_, "code": code}}


def anthropic_body(**fields: Any) -> dict[str, Any]:
    """A whole reply in Anthropic's format."""
    return {
        "id": "m1",
        "type": "message",
        "role": "assistant",
        "model": "m-2026",
        "content": [{"type": "thinking", "thinking": "Hm.", "signature": "s"}, {"type": "text", "text": "Hi."}],
        "stop_reason": "end_turn",
        "stop_sequence": None,
        "usage": {
            "input_tokens": 20,
            "cache_read_input_tokens": 40,
            "cache_creation_input_tokens": 10,
            "output_tokens": 9,
        },
    } | fields


def canned_fault(
    kind: ProviderKind, body: object, status: int = 200, asked: ModelRequest | None = None, **how: Any
) -> ModelError:
    """What becomes of one request that is answered so."""

    async def run() -> None:
        async with canned(body, status, **how) as answer:
            await ask(answer.url, kind, asked)

    with pytest.raises(ModelError) as caught:
        asyncio.run(run())
    return caught.value
