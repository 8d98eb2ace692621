"""A real language model plays a whole call in every role; what it writes is poor, and everything around it holds.

The model is small enough to come in a wheel (`small_model.py`). It answers on loopback, by llama.cpp's own server and
through the official SDK. Alone on a machine this takes a few minutes, of which most goes into reading prompts.
"""

import json
import shutil
from collections import Counter
from pathlib import Path

import pytest
import yaml

from factory.build.inline import run_inline
from factory.build.order import Order
from factory.models import pool
from factory.models.keys import Key
from factory.models.openai_client import OpenAIClient
from factory.models.request import ModelReply, ModelRequest
from factory.models.roles_file import BUILD_ROLES
from factory.records.enums import InterruptionType
from factory.records.ledger import LedgerLine, Role
from factory.records.models import ModelChoice, Models, Provider, ProviderKind, ReplyUse
from factory.records.spec import Spec
from factory.run.display import Silent
from factory.run.folder import RunFolder
from factory.run.log import read_progress
from factory.workflow.library import Library
from tests.dataset.runs import SHARED
from tests.workflow.base import Edit

from .engine_builds import assert_holds
from .small_model import CONTEXT_TOKENS, NAME, running_model

TYPES = {InterruptionType.PUSHBACK: 1, InterruptionType.FILLER: 1}
MESSAGES = 11
SPEC = Spec.model_validate(
    {
        "schema_version": 1,
        "name": "real",
        "conversations": 1,
        "workflows": ["utilities/meter_visit"],
        "interruptions": {"by_type": TYPES, "by_depth": {"0-4": len(TYPES)}},
        "messages": {"min": MESSAGES, "max": MESSAGES, "mean": MESSAGES},
        "variations": {"hard_stops": 1},
    }
)
SEED = 1
ROLES = frozenset(Role) - {Role.CUTTER, Role.CONTROL_WRITER, Role.REWINDER}
"""All who are played by models; the others are code."""


class _FindsAFault:
    """The small model, but for one thing: when it first reads the call, it may not say that the call has no fault.

    Whether it would by itself is a matter of luck, and then there were nothing to mend. It has to find a fault with
    the goodbye, behind which nothing is to be played again; which one it is, is its own choice.
    """

    def __init__(self, client: OpenAIClient) -> None:
        self._client = client
        self._has_read = False

    async def complete(self, request: ModelRequest) -> ModelReply:
        form = request.reply_schema
        if form is not None and form.name == "VerifierReply" and not self._has_read:
            self._has_read = True
            schema = json.loads(form.json_schema)
            findings = schema["properties"]["findings"]
            findings["minItems"] = 1
            findings["items"] = findings["items"]["anyOf"][-1]
            narrower = form.model_copy(update={"json_schema": json.dumps(schema)})
            request = request.model_copy(update={"reply_schema": narrower})
        return await self._client.complete(request)

    async def close(self) -> None:
        await self._client.close()


@pytest.fixture
def library(tmp_path: Path) -> Library:
    """One workflow with few acts and moves: every word of it is read again in most of the prompts."""
    folder = tmp_path / "workflows"
    (folder / "utilities").mkdir(parents=True)
    shutil.copy(SHARED, folder / "shared.yaml")
    edit = Edit()
    for stage in ("verify", "arrange", "texting"):
        edit.drop(f"stages.{stage}.caller_may")
    for move in ("pushback.long", "normal.dog", "topic_switch.bill"):
        edit.drop(f"stages.open_call.caller_may.{move}")
    for act in ("engineer", "which_meter", "parking", "pets"):
        edit.drop(f"stages.arrange.acts.{act}")
    (folder / "utilities" / "meter_visit.yaml").write_text(yaml.safe_dump(edit.data, sort_keys=False))
    return Library((folder,))


def models_at(url: str) -> Models:
    """Every role played by the small model, by schemas that leave it little room."""
    provider = Provider.model_validate(
        {"kind": ProviderKind.OPENAI, "base_url": url, "at_once": 1, "timeout_s": 600, "free": True}
    )
    choice = ModelChoice(
        provider="local", model=NAME, max_output_tokens=1500, temperature=0.4, seeded=True, patterns=True
    )
    return Models(providers={"local": provider}, roles=dict.fromkeys(BUILD_ROLES, choice))


@pytest.mark.real_model
def test_a_call_comes_out_whole(tmp_path: Path, library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    def open_client(name: str, provider: Provider, _: object) -> _FindsAFault:
        return _FindsAFault(OpenAIClient(name, provider, Key(None)))

    monkeypatch.setattr(pool, "open_client", open_client)
    with running_model(tmp_path / "server.log") as url:
        order = Order(spec=SPEC, library=library, seed=SEED, audio=False, models=models_at(url))
        folder = run_inline(order, tmp_path / "run", False, Silent())
    assert_holds(folder, library)
    _assert_as_ordered(folder)
    _assert_played_by_the_model(folder)


def _assert_as_ordered(folder: RunFolder) -> None:
    (blueprint,) = folder.blueprints()
    call = read_progress(folder.conversation_file(blueprint.conversation_id))
    callers = [done.caller for done in call.rounds if done.caller is not None]
    assert call.finished
    assert len(call.rounds) + len(callers) == MESSAGES
    assert Counter(caller.type for caller in callers if caller.type) == TYPES
    assert len(call.items) == len(TYPES)
    assert call.system_message is not None


def _assert_played_by_the_model(folder: RunFolder) -> None:
    (blueprint,) = folder.blueprints()
    path = folder.ledger_file(blueprint.conversation_id)
    calls = [line for line in map(LedgerLine.from_json, path.read_text("utf-8").splitlines()) if line.call is not None]
    answered = Counter(line.role for line in calls if _was_taken(line))
    assert answered.keys() == ROLES, answered
    fullest = max(reply.usage.input + reply.usage.output for line in calls for reply in _replies(line))
    assert fullest < CONTEXT_TOKENS


def _was_taken(line: LedgerLine) -> bool:
    """Whether a reply of the model's was taken."""
    replies = _replies(line)
    return bool(replies) and replies[-1].fault is None


def _replies(line: LedgerLine) -> tuple[ReplyUse, ...]:
    return line.call.replies if line.call else ()
