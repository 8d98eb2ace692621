"""Whole builds by models on three small workflows, against the fake server or a model of a test's own."""

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from factory.audit.report import audit_run
from factory.build.inline import run_inline
from factory.build.order import Order
from factory.build.verify import verify_run
from factory.models.fake.player import play
from factory.models.fake.scenarios import Scenario
from factory.models.fake.wire import Asked
from factory.models.request import ModelRequest
from factory.models.retry import Patience
from factory.models.roles_file import load_models
from factory.models.scripted import ScriptedClient
from factory.records.enums import band_name, depth_band
from factory.records.models import ModelChoice, ModelRole, Models, Provider, ProviderKind
from factory.run.display import Silent
from factory.run.folder import RunFolder
from factory.run.log import Progress, read_progress
from factory.workflow.library import Library
from tests.dataset.runs import SEED, SPEC

from .servers import RunningServer, roles_file

QUICK = Patience(tries=4, first_s=0.01, longest_s=0.02)
"""Gives up on a server that is down in a tenth of a second."""
STUBBORN = Patience(tries=40, first_s=0.005, longest_s=0.02)
"""Gets through a server that fails every second time, without waiting long."""

OWN = Models(
    providers={"own": Provider(kind=ProviderKind.OPENAI, free=True)},
    roles={role: ModelChoice(provider="own", model="own-1", max_output_tokens=32_000) for role in ModelRole},
)
"""Every role played by a model of a test's own; see `playing`."""

CALLERS_FORMS = frozenset({"ReactionReply", "UserReply"})
"""Forms of the replies of the caller's side."""


def models_of(folder: Path, server: RunningServer, model: str, **provider: object) -> Models:
    """Every role played by a scenario of the fake server."""
    return load_models(str(roles_file(folder, server, model=model, provider=provider)))


def order(library: Library, models: Models, limit: int | None = 2, **fields: object) -> Order:
    """Some of four small calls, without audio."""
    return Order(
        spec=SPEC,
        library=library,
        seed=SEED,
        limit=limit,
        audio=False,
        models=models,
        **fields,  # type: ignore[arg-type]
    )


def build(out: Path, library: Library, models: Models, limit: int | None = 2, **fields: object) -> RunFolder:
    """Builds them in this process, or goes on with what is there."""
    return run_inline(order(library, models, limit, **fields), out, False, Silent())


def assert_holds(folder: RunFolder, library: Library) -> None:
    """`verify` and an audit find nothing; the folder stays as it was built."""
    assert verify_run(folder.path, library) == []
    report = audit_run(folder, folder.identity())
    assert report.clean, report.findings[:5]


def assert_as_ordered(folder: RunFolder) -> None:
    """All four calls have the interruptions, by type and by depth, and the lengths that `SPEC` orders."""
    rounds = [progress.rounds for progress in logs(folder).values()]
    cut_in = [done for call in rounds for done in call if done.agent.cut is not None]
    assert all(done.caller is not None and done.caller.type is not None for done in cut_in)
    assert Counter(done.caller.type for done in cut_in if done.caller) == SPEC.interruptions.by_type
    assert Counter(band_name(depth_band(done.index)) for done in cut_in) == SPEC.interruptions.by_depth

    messages = [sum(1 + (done.caller is not None) for done in call) for call in rounds]
    assert len(messages) == SPEC.conversations
    assert (min(messages), max(messages)) == (SPEC.messages.min, SPEC.messages.max)
    assert round(sum(messages) / len(messages), 1) == SPEC.messages.mean


def logs(folder: RunFolder) -> dict[str, Progress]:
    """What the log of every conversation comes to, by its id."""
    return {p.stem: read_progress(p) for p in sorted((folder.path / "conversations").glob("*.jsonl"))}


def kept_replies(folder: RunFolder) -> int:
    """Replies that are on the disk."""
    return sum(len(path.read_text("utf-8").splitlines()) for path in folder.replies.glob("*.jsonl"))


def honest(request: ModelRequest) -> str:
    """What the fake server's player answers."""
    form = request.reply_schema
    asked = Asked(
        model="player",
        system=request.system,
        messages=tuple(message.text for message in request.messages),
        schema=None if form is None else json.loads(form.json_schema),
        name="" if form is None else form.name,
        max_tokens=request.max_output_tokens,
        caches=False,
        seed=request.seed,
    )
    return play(asked, Scenario())


def form_of(request: ModelRequest) -> str:
    """Which form the reply has to have, and so which role is asked."""
    return "" if request.reply_schema is None else request.reply_schema.name


def playing(write: Callable[[ModelRequest], str]) -> Callable[..., ScriptedClient]:
    """Takes the place of `factory.models.pool.open_client`: every provider's model is this function."""
    return lambda *_: ScriptedClient(write)
