"""Anthropic, and every server that speaks its messages format: on the official SDK."""

import asyncio
import json

from anthropic import (
    APIConnectionError,
    APIStatusError,
    APITimeoutError,
    AsyncAnthropic,
    DefaultAsyncHttpxClient,
    omit,
)
from anthropic.types import MessageParam, OutputConfigParam, TextBlockParam

from factory.models.http import BoundedHttp, timeouts
from factory.models.keys import Key
from factory.models.request import Finish, ModelReply, ModelRequest, ReplySchema, Sender
from factory.models.wire import Count, Faults, WireName, WireRecord, WireText
from factory.records.models import Provider, Usage

OWN_ADDRESS = "https://api.anthropic.com"
OWN_HOST = "api.anthropic.com"

_FINISH = {
    "max_tokens": Finish.CUT,
    "model_context_window_exceeded": Finish.CUT,
    "refusal": Finish.REFUSED,
}
"""Reasons to stop that mean something; with any other the reply is done, and its text is checked in any case."""


class _Block(WireRecord):
    type: str
    text: WireText = ""


class _Usage(WireRecord):
    input_tokens: Count
    output_tokens: Count
    cache_creation_input_tokens: Count | None = None
    cache_read_input_tokens: Count | None = None


class _Message(WireRecord):
    content: tuple[_Block, ...]
    usage: _Usage
    stop_reason: str | None = None
    model: WireName | None = None


class _Http(BoundedHttp, DefaultAsyncHttpxClient):
    """The SDK's own client, bounded."""


class AnthropicClient:
    """Asks one provider that speaks Anthropic's format.

    Temperature and seed are not sent: the format has neither any more.

    Attributes:
        address: Where it is.
    """

    def __init__(self, name: str, provider: Provider, key: Key) -> None:
        """Takes the provider's name in the roles file, what that says of it, and its key."""
        # Given in any case, or the SDK would take it from the environment.
        self.address = str(provider.base_url or OWN_ADDRESS)
        self._timeout_s = provider.timeout_s
        self._faults = Faults(name, self.address, key)
        is_makers = provider.base_url is None or provider.base_url.host == OWN_HOST
        self._sdk = AsyncAnthropic(
            api_key=key.sent,
            base_url=self.address,
            timeout=timeouts(provider.timeout_s),
            max_retries=0,
            http_client=_Http(key.sent, is_makers),
        )
        # The raw answer: the SDK's own reading of it guarantees nothing, and loses text and usage when it fails.
        self._create = self._sdk.messages.with_raw_response.create

    async def complete(self, request: ModelRequest) -> ModelReply:
        """Sends one request, once; see `ModelClient`."""
        try:
            # The SDK's time-out counts from byte to byte, this one the whole call.
            async with asyncio.timeout(self._timeout_s):
                answer = await self._create(
                    model=request.model,
                    system=_system(request) if request.system else omit,
                    messages=_messages(request),
                    output_config=_output(request.reply_schema) if request.reply_schema else omit,
                    max_tokens=request.max_output_tokens,
                )
                content = await answer.read()
        except (APITimeoutError, TimeoutError) as exc:
            raise self._faults.timed_out(self._timeout_s, exc.__cause__) from None
        except APIConnectionError as exc:
            raise self._faults.unreachable(exc.__cause__) from None
        except APIStatusError as exc:
            raise self._faults.of_status(exc.status_code, exc.response.headers, exc.body, request) from None
        return self._faults.keyless(_reply(self._faults.read(content, _Message, request), request))

    async def close(self) -> None:
        """Closes the connections."""
        await self._sdk.close()


def _system(request: ModelRequest) -> list[TextBlockParam]:
    """The system message, marked to be kept: it stays the same from call to call."""
    return [{"type": "text", "text": request.system, "cache_control": {"type": "ephemeral"}}]


def _messages(request: ModelRequest) -> list[MessageParam]:
    messages: list[MessageParam] = []
    for message in request.messages:
        if message.sender is Sender.USER:
            messages.append({"role": "user", "content": message.text})
        else:
            messages.append({"role": "assistant", "content": message.text})
    return messages


def _output(schema: ReplySchema) -> OutputConfigParam:
    return {"format": {"type": "json_schema", "schema": json.loads(schema.json_schema)}}


def _reply(message: _Message, request: ModelRequest) -> ModelReply:
    usage = message.usage
    read, written = usage.cache_read_input_tokens or 0, usage.cache_creation_input_tokens or 0
    return ModelReply(
        text="".join(block.text for block in message.content if block.type == "text"),
        finish=_FINISH.get(message.stop_reason or "", Finish.DONE),
        usage=Usage(
            input=usage.input_tokens + read + written,  # which the server counts apart
            cached=read,
            written=written,
            output=usage.output_tokens,
        ),
        model=message.model or request.model,
    )
