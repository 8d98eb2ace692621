"""The one way to ask a model: what was paid for is kept, what does not hold is mended, a failure keeps all of it."""

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from factory.models.ask import MOST_REPAIRS, Answered, Asker, Question
from factory.models.errors import ErrorKind, ModelError, UnusableReply
from factory.models.replies import UserReply, WorkflowReply
from factory.models.request import Finish, ModelReply, ModelRequest
from factory.models.scripted import Scripted, ScriptedClient
from factory.models.store import ReplyStore
from factory.records.base import sha256
from factory.records.models import ModelChoice, ModelRole, Models, Provider, ProviderKind, Usage
from tests.models.writers import PROMPTS

MODELS = Models(
    providers={"here": Provider(kind=ProviderKind.OPENAI, free=True)},
    roles={role: ModelChoice(provider="here", model="stub", max_output_tokens=64_000) for role in ModelRole},
)
PROMPT = PROMPTS.render("modifier/edit.md.j2", history=(), segments=(), finding={})  # any
GOOD = UserReply(rationale="It fits.", utterance="Hold on.").model_dump_json()
USAGE = Usage(input=10, output=5)


class Says(ScriptedClient):
    """A scripted model in the place of a pool."""

    async def send(self, request: ModelRequest) -> ModelReply:
        return await self.complete(request)


def ended(text: str, finish: Finish) -> ModelReply:
    return ModelReply(text=text, finish=finish, usage=USAGE, model="stub")


def no_hurry(reply: UserReply) -> list[str]:
    return ["sounds hurried"] if "!" in reply.utterance else []


def ask(folder: Path, says: Says, role: ModelRole = ModelRole.PLANNER, seed: int = 0) -> Answered[UserReply]:
    folder.mkdir(exist_ok=True)
    asker = Asker(MODELS, says, ReplyStore(folder / "replies.jsonl"))
    return asyncio.run(asker.ask(Question(role, PROMPT, UserReply, seed, no_hurry)))


def fails(folder: Path, says: Says) -> UnusableReply:
    with pytest.raises(UnusableReply) as caught:
        ask(folder, says)
    return caught.value


def behind(request: ModelRequest) -> list[str]:
    """What stands behind the prompt."""
    return [message.text for message in request.messages[1:]]


def test_what_was_answered_is_found_again_and_not_sent(tmp_path: Path) -> None:
    says = Says(["{}", GOOD])
    first = ask(tmp_path, says)
    assert ask(tmp_path, Says([])) == first
    assert [use.fault is None for use in first.call.replies] == [False, True]
    with pytest.raises(ModelError, match="no reply left"):
        ask(tmp_path, Says([]), seed=1)  # another call, though with the same prompt


def test_a_reply_that_does_not_hold_goes_back_with_its_faults_and_nothing_older(tmp_path: Path) -> None:
    hurried = GOOD.replace("on.", "on!")
    says = Says(["{}", hurried, GOOD])
    ask(tmp_path, says)
    assert [behind(request)[:1] for request in says.requests] == [[], ["{}"], [hurried]]
    assert "`utterance`" in behind(says.requests[1])[1] and "sounds hurried" in behind(says.requests[2])[1]
    assert len({request.messages[0] for request in says.requests}) == 1


@pytest.mark.parametrize(
    ("reply", "kind"),
    [
        (ended(GOOD[:9], Finish.CUT), ErrorKind.REPLY_CUT),
        (ended("I cannot help with that.", Finish.REFUSED), ErrorKind.REFUSAL),
        (ended("{}", Finish.DONE), ErrorKind.INVALID_REPLY),
    ],
)
def test_a_call_that_fails_keeps_text_and_usage_of_every_reply(
    tmp_path: Path, reply: ModelReply, kind: ErrorKind
) -> None:
    says = Says([reply] * (MOST_REPAIRS + 1))
    error = fails(tmp_path, says)
    assert error.kind is kind and len(says.requests) == MOST_REPAIRS + 1
    assert error.call is not None
    assert [(use.text, use.usage) for use in error.call.replies] == [(sha256(reply.text), USAGE)] * (MOST_REPAIRS + 1)
    # Nothing can be mended in half a reply or a refusal, so the same prompt is sent again.
    assert all(bool(behind(request)) == (kind is ErrorKind.INVALID_REPLY) for request in says.requests[1:])
    kept = (tmp_path / "replies.jsonl").read_text("utf-8").splitlines()
    assert [json.loads(line)["reply"]["text"] for line in kept] == [reply.text] * (MOST_REPAIRS + 1)


def test_a_fault_of_one_call_is_told_apart_from_one_of_the_provider(tmp_path: Path) -> None:
    assert fails(tmp_path, Says([ModelError(ErrorKind.CONTEXT_TOO_LONG, "too long")])).kind is (
        ErrorKind.CONTEXT_TOO_LONG
    )
    for kind in (ErrorKind.QUOTA, ErrorKind.SERVER):
        with pytest.raises(ModelError) as caught:
            ask(tmp_path, Says([ModelError(kind, "away")]))
        assert caught.value.kind is kind and not isinstance(caught.value, UnusableReply)


def test_only_the_callers_side_is_not_shown_a_planted_word_of_its_own(tmp_path: Path) -> None:
    planted = GOOD.replace("on.", "zqbadefigo!")
    for role, shown in ((ModelRole.USER, False), (ModelRole.REACTION_PLANNER, False), (ModelRole.ASSISTANT, True)):
        says = Says([planted, GOOD])
        ask(tmp_path / role, says, role)
        assert bool(behind(says.requests[1])) == shown


@pytest.mark.parametrize(("characters", "shown"), [(180_000, 180_000), (1_000_000, 320_000)])
def test_a_whole_workflow_is_shown_again_and_a_megabyte_is_not(tmp_path: Path, characters: int, shown: int) -> None:
    script: Sequence[Scripted] = ("x" * characters, WorkflowReply(yaml="id: a/b").model_dump_json())
    says = Says(script)
    asker = Asker(MODELS, says, ReplyStore(tmp_path / "replies.jsonl"))
    answered = asyncio.run(asker.ask(Question(ModelRole.WORKFLOW_WRITER, PROMPT, WorkflowReply, 0)))
    assert answered.reply.yaml == "id: a/b"
    assert len(behind(says.requests[1])[0]) == shown
