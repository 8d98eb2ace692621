"""OpenAI, and every server that speaks its chat format (vLLM, Ollama, llama.cpp): on the official SDK."""

import asyncio
import json
from typing import Annotated

from httpx2 import Response
from openai import APIConnectionError, APIStatusError, APITimeoutError, AsyncOpenAI, DefaultAsyncHttpxClient
from openai.types.shared_params import ResponseFormatJSONSchema
from pydantic import Field

from factory.models.http import BoundedHttp, timeouts
from factory.models.keys import Key
from factory.models.request import Finish, ModelReply, ModelRequest, ReplySchema
from factory.models.wire import Count, Faults, WireName, WireRecord, WireText
from factory.records.models import Provider, Usage

OWN_ADDRESS = "https://api.openai.com/v1"
PATH = "/chat/completions"
MAKERS_WORD, OTHERS_WORD = "max_completion_tokens", "max_tokens"
"""What the longest reply is called: by the maker, and by other servers, which often know the old word only."""

MAKERS_HOSTS = ("api.openai.com", ".api.openai.com", ".openai.azure.com")
"""The maker's host, and ends of the others that it or its partner serves its models at."""


class _Message(WireRecord):
    content: WireText | None = None
    refusal: WireText | None = None


class _Choice(WireRecord):
    message: _Message
    finish_reason: str | None = None


class _Details(WireRecord):
    cached_tokens: Count | None = None
    cache_write_tokens: Count | None = None


class _Usage(WireRecord):
    prompt_tokens: Count
    completion_tokens: Count
    prompt_tokens_details: _Details | None = None


class _Completion(WireRecord):
    choices: Annotated[tuple[_Choice, ...], Field(min_length=1)]
    usage: _Usage
    model: WireName | None = None


class _Http(BoundedHttp, DefaultAsyncHttpxClient):
    """The SDK's own client, bounded."""


class OpenAIClient:
    """Asks one provider that speaks OpenAI's format.

    Attributes:
        address: Where it is.
        limit_word: What the longest reply is called there.
    """

    def __init__(self, name: str, provider: Provider, key: Key) -> None:
        """Takes the provider's name in the roles file, what that says of it, and its key."""
        # Given in any case, or the SDK would take it from the environment.
        self.address = str(provider.base_url or OWN_ADDRESS)
        self._timeout_s = provider.timeout_s
        host = provider.base_url.host or "" if provider.base_url else MAKERS_HOSTS[0]
        is_makers = host == MAKERS_HOSTS[0] or host.endswith(MAKERS_HOSTS[1:])
        self.limit_word = MAKERS_WORD if is_makers else OTHERS_WORD
        self._faults = Faults(name, self.address, key)
        self._sdk = AsyncOpenAI(
            api_key=key.sent,
            base_url=self.address,
            timeout=timeouts(provider.timeout_s),
            max_retries=0,
            http_client=_Http(key.sent, is_makers),
        )

    async def complete(self, request: ModelRequest) -> ModelReply:
        """Sends one request, once; see `ModelClient`.

        By the SDK's `post`: its `create` looks through every message for each of the forms that one can have, which
        takes as long as all the rest, and reads the answer in a way that guarantees nothing and loses text and usage
        when it fails.
        """
        try:
            # The SDK's time-out counts from byte to byte, this one the whole call.
            async with asyncio.timeout(self._timeout_s):
                answer = await self._sdk.post(PATH, cast_to=Response, body=self._body(request))
        except (APITimeoutError, TimeoutError) as exc:
            raise self._faults.timed_out(self._timeout_s, exc.__cause__) from None
        except APIConnectionError as exc:
            raise self._faults.unreachable(exc.__cause__) from None
        except APIStatusError as exc:
            raise self._faults.of_status(exc.status_code, exc.response.headers, exc.body, request) from None
        completion = self._faults.read(answer.content, _Completion, request)
        return self._faults.keyless(_reply(completion, request))

    def _body(self, request: ModelRequest) -> dict[str, object]:
        body: dict[str, object] = {"model": request.model, "messages": _messages(request)}
        body[self.limit_word] = request.max_output_tokens
        if request.reply_schema is not None:
            body["response_format"] = _format(request.reply_schema)
        if request.seed is not None:
            body["seed"] = request.seed
        if request.temperature is not None:
            body["temperature"] = request.temperature
        return body

    async def close(self) -> None:
        """Closes the connections."""
        await self._sdk.close()


def _messages(request: ModelRequest) -> list[dict[str, str]]:
    system = [{"role": "system", "content": request.system}] if request.system else []
    return [*system, *({"role": message.sender.value, "content": message.text} for message in request.messages)]


def _format(schema: ReplySchema) -> ResponseFormatJSONSchema:
    return {
        "type": "json_schema",
        "json_schema": {"name": schema.name, "schema": json.loads(schema.json_schema), "strict": True},
    }


def _reply(completion: _Completion, request: ModelRequest) -> ModelReply:
    choice, usage = completion.choices[0], completion.usage
    details = usage.prompt_tokens_details or _Details()
    return ModelReply(
        text=choice.message.content or choice.message.refusal or "",
        finish=_finish(choice),
        usage=Usage(
            input=usage.prompt_tokens,
            cached=details.cached_tokens or 0,
            written=details.cache_write_tokens or 0,
            output=usage.completion_tokens,
        ),
        model=completion.model or request.model,
    )


def _finish(choice: _Choice) -> Finish:
    if choice.message.refusal or choice.finish_reason == "content_filter":
        return Finish.REFUSED
    # Any other reason than these is no word of the reply's text, which is checked in any case.
    return Finish.CUT if choice.finish_reason == "length" else Finish.DONE
