"""What the two makers' wire formats have in common: what is asked and said, and the protocol of a format."""

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from factory.models.fake.scenarios import Outcome

Json = dict[str, object]

CHARACTERS_PER_TOKEN = 4
CACHEABLE_TOKENS = 1024
"""The shortest system message that counts as cached; shorter ones no maker keeps."""
REFUSAL_TEXT = "I can't help with that."


@dataclass(frozen=True)
class Asked:
    """A request, whichever maker's.

    Attributes:
        system: The system message; empty where there is none.
        messages: Texts behind it, in order; the first is the prompt, later ones repair.
        schema: JSON schema of the reply; None for plain text.
        name: Name of the reply's form; its title, or what the request calls it.
        max_tokens: The longest reply; None where the request says nothing.
        caches: Whether the system message is kept in a cache.
        seed: As sent.
    """

    model: str
    system: str
    messages: tuple[str, ...]
    schema: Json | None
    name: str
    max_tokens: int | None
    caches: bool
    seed: int | None = None

    @property
    def input_tokens(self) -> int:
        """Tokens of the prompt, as this server counts."""
        return tokens(self.system) + sum(map(tokens, self.messages))

    @property
    def cached_tokens(self) -> int:
        """Of these, tokens that count as read from a cache: never a matter of what was asked before."""
        system = tokens(self.system)
        return system // 128 * 128 if self.caches and system >= CACHEABLE_TOKENS else 0


@dataclass(frozen=True)
class Said:
    """What a reply says, whichever maker's.

    Attributes:
        cut: Whether it ends because it would become too long.
        refusal: Whether the text is a refusal.
    """

    text: str
    cut: bool = False
    refusal: bool = False


class BadRequest(ValueError):
    """A request that the maker would refuse; says what is wrong with it."""


def tokens(text: str) -> int:
    """Length of a text in tokens, as this server counts."""
    return math.ceil(len(text) / CHARACTERS_PER_TOKEN)


class Wire(Protocol):
    """One maker's format."""

    def read(self, body: Json) -> Asked:
        """Reads a request; raises `BadRequest` if the maker would refuse it."""
        ...

    def reply(self, asked: Asked, said: Said, number: int) -> Json:
        """The body of a reply."""
        ...

    def without(self, reply: Json, outcome: Outcome) -> Json:
        """A reply that lacks its usage, or all that it says."""
        ...

    def error(self, outcome: Outcome, message: str, number: int) -> tuple[int, Json]:
        """Status and body of an error."""
        ...

    def headers(self, number: int, retry_after_s: float | None) -> list[tuple[bytes, bytes]]:
        """Headers beside the content's."""
        ...

    def missing(self, message: str, number: int) -> tuple[int, Json]:
        """Status and body for a model that does not exist."""
        ...

    def models(self, names: tuple[str, ...]) -> Json:
        """The list of models."""
        ...


def retry_after(seconds: float | None) -> list[tuple[bytes, bytes]]:
    """The header that says how long to wait, if anything says so."""
    return [] if seconds is None else [(b"retry-after", f"{seconds:g}".encode())]


def model_of(body: Json) -> str:
    """The model that a request asks for."""
    model = body.get("model")
    if not isinstance(model, str):
        raise BadRequest("you must provide a model parameter")
    return model


def objects(body: Json, key: str) -> list[Json]:
    """A list of objects that a request has to hold; raises `BadRequest` if it does not."""
    value = body.get(key)
    if not isinstance(value, list) or not value or not all(isinstance(item, dict) for item in value):
        raise BadRequest(f"{key}: a list of objects is required")
    return value


def object_of(body: Json, key: str) -> Json:
    """An object that a request has to hold; raises `BadRequest` if it does not."""
    value = body.get(key)
    if not isinstance(value, dict):
        raise BadRequest(f"{key}: an object is required")
    return value


def text_of(message: Json) -> str:
    """What a message says, whichever way its content is written."""
    content = message.get("content")
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        return "\n".join(str(part.get("text", "")) for part in content if isinstance(part, dict))
    raise BadRequest("messages: every message needs a content")


def check_closed(schema: object, place: str) -> None:
    """Both makers take only closed objects of which every property is required (OpenAI) or declared (Anthropic)."""
    if not isinstance(schema, dict):
        return
    if schema.get("type") == "object":
        properties = schema.get("properties")
        if schema.get("additionalProperties") is not False:
            raise BadRequest(f"{place}: for 'object' type, 'additionalProperties' must be supplied and be false")
        if not isinstance(properties, dict) or set(properties) != set(schema.get("required", ())):
            raise BadRequest(f"{place}: 'required' must be supplied and name every key in properties")
        for part in properties.values():
            check_closed(part, place)
    check_closed(schema.get("items"), place)


def encoded(body: Mapping[str, object]) -> bytes:
    """A body as sent."""
    return json.dumps(body, separators=(",", ":")).encode()
