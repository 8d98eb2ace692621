"""What goes to a model and what comes back, the same for every provider."""

from enum import StrEnum
from typing import Protocol

from factory.records.base import Record
from factory.records.models import Usage


class Sender(StrEnum):
    """Who wrote a message of a prompt."""

    USER = "user"
    ASSISTANT = "assistant"


class ChatMessage(Record):
    """One message behind the system message."""

    sender: Sender
    text: str


class ReplySchema(Record):
    """The form that a reply must have.

    Attributes:
        name: Names the form, as `[a-zA-Z0-9_]+`; also its `title`.
        json_schema: JSON text of the schema: closed objects, every property required, in the order of writing.
    """

    name: str
    json_schema: str


class ModelRequest(Record):
    """One call to a model.

    Attributes:
        provider: Name of the provider in the roles file.
        model: The model's name there.
        system: The system message.
        messages: What follows it; the last one is the user's.
        reply_schema: The form of the reply; None for plain text.
        max_output_tokens: The longest reply.
        temperature: Left to the provider where it is None.
        seed: Sent along where the provider takes one.
        sample: Tells several calls with the same prompt apart (draw, attempt, try); not sent.
    """

    provider: str
    model: str
    system: str
    messages: tuple[ChatMessage, ...]
    reply_schema: ReplySchema | None = None
    max_output_tokens: int
    temperature: float | None = None
    seed: int | None = None
    sample: str = "0"


class Finish(StrEnum):
    """How a reply ended."""

    DONE = "done"
    CUT = "cut"
    REFUSED = "refused"


class ModelReply(Record):
    """What a model answered. A reply that was cut or refused is one too: it was paid for.

    Attributes:
        text: The raw text; of a refusal, its words.
        model: The model's name, as the server gives it.
    """

    text: str
    finish: Finish
    usage: Usage
    model: str


class ModelClient(Protocol):
    """Asks one provider; belongs to the event loop that it is first used in."""

    async def complete(self, request: ModelRequest) -> ModelReply:
        """Sends one request, once.

        Raises:
            ModelError: if no reply came back; its kind says whether asking again can help.
        """
        ...

    async def close(self) -> None:
        """Gives its connections back."""
        ...
