"""How much of a reply goes back to its writer: all that it was allowed to be, and no more."""

import asyncio
from pathlib import Path

import pytest

from factory.models.ask import Asker
from factory.models.replies import WorkflowReply
from factory.models.request import Finish, ModelReply, ModelRequest
from factory.models.store import ReplyStore
from factory.records.models import ModelChoice, ModelRole, Models, Provider, ProviderKind, Usage
from tests.models.writers import PROMPTS

WRITER = ModelRole.WORKFLOW_WRITER


class Unfitting:
    """Answers once in another form, as long as wanted, and then as asked."""

    def __init__(self, characters: int) -> None:
        self._replies = iter(("x" * characters, WorkflowReply(yaml="id: a/b").model_dump_json()))
        self.shown = 0

    async def send(self, request: ModelRequest) -> ModelReply:
        """Notes how long the reply is that is shown again."""
        self.shown = sum(len(message.text) for message in request.messages[1:2])
        return ModelReply(text=next(self._replies), finish=Finish.DONE, usage=Usage(), model="stub")


@pytest.mark.parametrize(("characters", "shown"), [(180_000, 180_000), (1_000_000, 320_000)])
def test_a_whole_workflow_is_shown_again_and_a_megabyte_is_not(tmp_path: Path, characters: int, shown: int) -> None:
    models = Models(
        providers={"here": Provider(kind=ProviderKind.OPENAI, free=True)},
        roles={WRITER: ModelChoice(provider="here", model="stub", max_output_tokens=64_000)},
    )
    says = Unfitting(characters)
    asker = Asker(models, says, ReplyStore(tmp_path / "replies.jsonl"))
    prompt = PROMPTS.render("modifier/edit.md.j2", history=(), segments=(), finding={})  # any
    assert asyncio.run(asker.ask(WRITER, prompt, WorkflowReply, 0)).reply.yaml == "id: a/b"
    assert says.shown == shown
