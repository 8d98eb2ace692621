"""A model that says what it was given to say, for the tests of the writers behind the call."""

import asyncio
from collections.abc import Awaitable
from pathlib import Path
from typing import TypeVar

import pytest

from factory.models.ask import MOST_REPAIRS, Asker
from factory.models.errors import UnusableReply
from factory.models.prompt import Prompts
from factory.models.request import Finish, ModelReply, ModelRequest
from factory.models.store import ReplyStore
from factory.records.base import Record
from factory.records.models import ModelChoice, ModelRole, Models, Provider, ProviderKind, Usage
from factory.simulate.roles import Made

T = TypeVar("T")

MODEL = "stub-1"
PROMPTS = Prompts()


class Says:
    """Answers with some replies in turn, and with the last one from then on; keeps what it was asked."""

    def __init__(self, *replies: Record) -> None:
        self.replies = [reply.model_dump_json() for reply in replies]
        self.requests: list[ModelRequest] = []

    async def send(self, request: ModelRequest) -> ModelReply:
        text = self.replies[min(len(self.requests), len(self.replies) - 1)]
        self.requests.append(request)
        return ModelReply(text=text, finish=Finish.DONE, usage=Usage(input=10, output=5), model=MODEL)

    @property
    def told(self) -> str:
        """What it was told about its last reply; empty before a second try."""
        return self.requests[-1].messages[-1].text if len(self.requests) > 1 else ""


def asker(folder: Path, says: Says) -> Asker:
    """Asks that model in every role."""
    provider = Provider(kind=ProviderKind.OPENAI, free=True)
    choice = ModelChoice(provider="here", model=MODEL)
    models = Models(providers={"here": provider}, roles={role: choice for role in ModelRole})
    return Asker(models, says, ReplyStore(folder / "replies.jsonl"))


def run(made: Awaitable[Made[T]]) -> Made[T]:
    """What came of a role."""

    async def wait() -> Made[T]:
        return await made

    return asyncio.run(wait())


def refused(made: Awaitable[Made[T]], says: Says) -> str:
    """What the model was told, where none of its replies could be used: as often as it may mend one, and no more."""
    with pytest.raises(UnusableReply) as caught:
        run(made)
    assert len(says.requests) == MOST_REPAIRS + 1
    assert len(caught.value.call.replies) == MOST_REPAIRS + 1
    return says.told
