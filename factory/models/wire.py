"""What both wire formats share: a body read as what it must be, and failures told apart."""

import json
import re
import time
from collections.abc import Callable, Iterable, Mapping
from typing import Annotated, TypeVar

from httpx2 import (
    ConnectError,
    ConnectTimeout,
    LocalProtocolError,
    PoolTimeout,
    ProxyError,
    UnsupportedProtocol,
    WriteError,
    WriteTimeout,
)
from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from factory.models.errors import ErrorKind, ModelError
from factory.models.keys import Key, without_secrets
from factory.models.request import ModelReply, ModelRequest
from factory.retry_after import retry_after_s

_LONGEST_DETAIL = 200
"""Characters of a server's own words that an error shows."""

_LONGEST_NAME = 200
_LEAST_SECRET = 12
"""Characters of a key that can be no word of a reply; local servers like to take one such as `ollama`."""
_MOST_TOKENS = 1_000_000_000
"""A server that counts more for one call does not count."""

_NEVER_SENT_WHOLE = (
    ConnectError,
    ConnectTimeout,
    LocalProtocolError,
    PoolTimeout,
    ProxyError,
    UnsupportedProtocol,
    WriteError,
    WriteTimeout,
)
"""Ends of a call of which the provider cannot have read all, so that it takes nothing for it."""

_TIMED_OUT_BEHIND = frozenset({408, 504, 524})
"""Statuses that say that an answer took too long: somebody may have been at work on it."""

_SHOWN_CHARACTERS = re.compile(r"[^\x20-\x7e\u00a0-\u024f\u2026]+")
_TOO_LONG = re.compile(
    r"context.?(length|window|size)|maximum context|(prompt|input|request) (is )?too (long|large)", re.I
)
_NO_MONEY = re.compile(r"insufficient.(quota|funds|credit|balance)|billing_|credit balance", re.I)
_FILTERED = re.compile(r"content.?(filter|policy|management)|usage polic", re.I)


def _sound(text: object) -> object:
    """A text without lone surrogates, which JSON can hold and no file can."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace") if isinstance(text, str) else text


WireText = Annotated[str, BeforeValidator(_sound)]
WireName = Annotated[WireText, AfterValidator(lambda text: text[:_LONGEST_NAME])]
"""A model's own name, as far as it may be one."""
Count = Annotated[int, Field(ge=0, le=_MOST_TOKENS)]


class WireRecord(BaseModel):
    """A part of a provider's answer: what we read of it; the rest is passed over."""

    model_config = ConfigDict(frozen=True, extra="ignore")


W = TypeVar("W", bound=WireRecord)


class Faults:
    """Words the failures of one provider."""

    def __init__(self, name: str, address: str, key: Key, now_s: Callable[[], float] = time.time) -> None:
        """Takes the provider's name, where it is, its key (to keep it out), and the time of day in Unix seconds."""
        self._name = name
        self._address = address
        self._key = key
        self._now_s = now_s

    def timed_out(self, seconds: float, cause: BaseException | None) -> ModelError:
        """No answer in time."""
        sent = not isinstance(cause, _NEVER_SENT_WHOLE)
        return ModelError(
            ErrorKind.TIMEOUT, f"{self._name}: no answer from {self._address} within {seconds:g} s", maybe_billed=sent
        )

    def unreachable(self, cause: BaseException | None) -> ModelError:
        """No connection, or one that broke."""
        words = _SHOWN_CHARACTERS.sub(" ", str(cause or "")[: 4 * _LONGEST_DETAIL])
        why = without_secrets(words, self._key)[:_LONGEST_DETAIL] or "the connection broke"
        sent = not isinstance(cause, _NEVER_SENT_WHOLE)
        return ModelError(
            ErrorKind.CONNECTION, f"{self._name}: no answer from {self._address}: {why}", maybe_billed=sent
        )

    def of_status(self, status: int, headers: Mapping[str, str], body: object, request: ModelRequest) -> ModelError:
        """An answer that is an error.

        Args:
            status: The HTTP status.
            headers: Read for `retry-after-ms` and `retry-after`.
            body: The JSON body, or its `error` part; anything else says nothing.
            request: What was asked; no piece of it is shown.
        """
        code, message = _told_by(body)
        kind = _kind(status, code, message)
        if status == 401:  # such a message shows parts of the key, whatever was cut out of it
            return ModelError(kind, f"{self._name}: {self._key_fault()} (status 401)")
        if 300 <= status < 400:
            whither = self._detail(headers.get("location", ""), request)
            told = f"{self._name}: {self._address} sends on to another address (status {status}){whither}"
            return ModelError(kind, f"{told}; no redirect is followed: set base_url to where the models are")
        detail = self._detail(" ".join(filter(None, (f"({code})" if code else "", message))), request)
        wait_s = retry_after_s(headers, self._now_s()) if kind is ErrorKind.RATE_LIMIT or status >= 500 else None
        told = f"{self._name}: {kind.value}: status {status}{detail}"
        return ModelError(kind, told, wait_s, maybe_billed=status in _TIMED_OUT_BEHIND)

    def read(self, content: bytes, record: type[W], request: ModelRequest) -> W:
        """The body of an answer, as the record that it must be.

        Raises:
            ModelError: `SERVER` if it is no JSON or tells of an error; `INVALID_REPLY` if something is missing in it.
        """
        try:
            body = json.loads(content)
        except (ValueError, RecursionError):
            kind = "a web page" if content.lstrip()[:1] == b"<" else "something that is no JSON"
            raise ModelError(
                ErrorKind.SERVER, f"{self._name}: {self._address} answered with {kind}; check its base_url"
            ) from None
        if isinstance(body, dict) and body.get("error"):
            code, message = _told_by(body)
            detail = self._detail(message or code, request)
            raise ModelError(ErrorKind.SERVER, f"{self._name}: the answer is an error{detail}")
        try:
            return record.model_validate(body)
        except ValidationError as exc:
            fault = exc.errors(include_url=False, include_input=False, include_context=False)[0]
            place = ".".join(map(str, fault["loc"])) or "the body"
            problem = "is missing" if fault["type"] == "missing" else "is not what it must be"
            raise ModelError(
                ErrorKind.INVALID_REPLY,
                f"{self._name}: the answer of {request.model} cannot be used: {place} {problem}",
                maybe_billed=True,
            ) from None

    def keyless(self, reply: ModelReply) -> ModelReply:
        """The reply, which goes to the disk as it is.

        Raises:
            ModelError: `REQUEST` if it holds the key: a server that says back what it was sent.
        """
        secret = self._key.secret
        if len(secret) >= _LEAST_SECRET and (secret in reply.text or secret in reply.model):
            raise ModelError(
                ErrorKind.REQUEST,
                f"{self._name}: {self._address} writes the key into its replies; ask another server",
                maybe_billed=True,
            )
        return reply

    def _key_fault(self) -> str:
        if self._key.variable is None:
            return f"{self._address} wants a key; name its environment variable as `key` of this provider"
        return f"the key in {self._key.variable} is not taken; set it to a valid one"

    def _detail(self, words: str, request: ModelRequest) -> str:
        prompt: Iterable[str] = (request.system, *(message.text for message in request.messages))
        shown = without_secrets(_SHOWN_CHARACTERS.sub(" ", words[: 4 * _LONGEST_DETAIL]), self._key, prompt)
        return f": {shown[:_LONGEST_DETAIL]}" if shown else ""


def _told_by(body: object) -> tuple[str, str]:
    """Code, type and message of an error body, in whichever of the usual places they are."""
    if not isinstance(body, dict):
        return "", ""
    error = body.get("error", body)
    if isinstance(error, str):
        return "", error
    if not isinstance(error, dict):
        return "", ""
    codes = dict.fromkeys(error[key] for key in ("code", "type") if isinstance(error.get(key), str))
    return " ".join(codes), str(error.get("message") or "")


def _kind(status: int, code: str, message: str) -> ErrorKind:
    told = f"{code} {message}"
    if status in (401, 403):
        return ErrorKind.AUTHENTICATION
    if status == 402 or (400 <= status < 500 and _NO_MONEY.search(told)):
        return ErrorKind.QUOTA
    if status == 408:
        return ErrorKind.TIMEOUT
    if 400 <= status < 500 and (status == 413 or _TOO_LONG.search(told)):
        return ErrorKind.CONTEXT_TOO_LONG
    if status == 429:
        return ErrorKind.RATE_LIMIT
    if 300 <= status < 400:
        return ErrorKind.REQUEST
    if 400 <= status < 500:
        return ErrorKind.REFUSAL if _FILTERED.search(told) else ErrorKind.REQUEST
    return ErrorKind.SERVER
