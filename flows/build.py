"""The build as a Prefect flow: the steps of `factory.build.steps`, orchestrated and nothing more.

One task for each stage of the work and shard of conversations, never one for a turn. What is done and how
often is read from the run folder, never from Prefect.
"""

import asyncio
import base64
import math
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from httpx import HTTPError
from prefect import Flow, flow, task
from prefect.artifacts import create_markdown_artifact
from prefect.cache_policies import NO_CACHE
from prefect.context import get_run_context
from prefect.exceptions import PrefectException
from prefect.futures import PrefectFuture, as_completed
from prefect.task_runners import TaskRunner, ThreadPoolTaskRunner

from factory.build.progress import Progress, Silent
from factory.build.steps import Order, build_machines, domains, opened_run, plan, publish, shards, simulate, voice
from factory.build.stop import stoppable
from factory.errors import RunError
from factory.records.workflow import Workflow
from factory.run.folder import RunFolder
from factory.run.freeze import freeze
from factory.workflow.draw import draw
from flows.server import flow_server

MOST_SHARDS = 1000
"""Tasks per stage at the most; more conversations make larger shards."""
AT_ONCE = 2
"""Tasks of one stage that run side by side on this machine."""


@task(name="state-machines", task_run_name="state-machines-{domain}", cache_policy=NO_CACHE)
def machines_task(order: Order, folder: RunFolder, domain: str) -> None:
    """Lints a domain's workflows, writes their state machines, and shows the drawn graphs."""
    build_machines(order, folder, domain)
    for workflow_id in order.library.select(order.spec.workflows):
        workflow = order.library.workflow(workflow_id)
        if workflow.domain == domain:
            create_markdown_artifact(
                key=workflow_id.replace("/", "-").replace("_", "-"),
                markdown=f"![State machine of {workflow_id}]({_drawing(workflow)})",
                description=workflow.title,
            )


def _drawing(workflow: Workflow) -> str:
    """The state machine as an SVG in a data URI: shown by both of Prefect's UIs, run as a script by neither."""
    with tempfile.TemporaryDirectory(prefix="machine-") as place:
        picture = Path(place) / "machine.svg"
        draw(workflow, picture)
        return f"data:image/svg+xml;base64,{base64.b64encode(picture.read_bytes()).decode()}"


@task(name="blueprints", task_run_name="blueprints", cache_policy=NO_CACHE)
def plan_task(order: Order, folder: RunFolder) -> None:
    """Plans every conversation."""
    plan(order, folder)


@task(name="conversations", task_run_name="conversations-{shard.start}", cache_policy=NO_CACHE)
def simulate_task(order: Order, folder: RunFolder, shard: range) -> int:
    """Plays, checks and repairs the conversations of a shard; returns how many they are."""
    asyncio.run(simulate(order, folder, shard, Silent()))
    return len(shard)


@task(name="freeze", task_run_name="freeze", cache_policy=NO_CACHE)
def freeze_task(folder: RunFolder) -> str:
    """Freezes every item; returns the manifest's root."""
    return freeze(folder)


@task(name="caller-voices", task_run_name="caller-voices-{shard.start}", cache_policy=NO_CACHE)
def voice_task(folder: RunFolder, shard: range) -> int:
    """Voices the caller turns of a shard of conversations; returns how many these are."""
    voice(folder, shard, Silent())
    return len(shard)


@task(name="dataset-and-reports", task_run_name="dataset-and-reports", cache_policy=NO_CACHE)
def publish_task(order: Order, folder: RunFolder) -> None:
    """Writes dataset, reports and checksums."""
    publish(order, folder)


class _Here:
    """A display that stays in this process: a worker elsewhere, which gets the whole flow, shows nothing."""

    def __init__(self, shown: Progress) -> None:
        self.start, self.advance = shown.start, shown.advance

    def __reduce__(self) -> tuple[type[Silent], tuple[()]]:
        return Silent, ()


def corpus_flow(order: Order, folder: RunFolder, progress: Progress) -> Flow[..., tuple[str, int]]:
    """The flow that builds or continues a run in a folder that has been opened.

    Its own parameters are only what Prefect shows of the order. It returns its run's id and how many task
    runs it had.
    """

    @flow(name="build-corpus", flow_run_name="{corpus}-seed-{seed}", validate_parameters=False)
    def build_corpus(corpus: str, seed: int, conversations: int, audio: bool) -> tuple[str, int]:
        names = domains(order)
        progress.start("state machines", len(names))
        for name in names:
            machines_task(order, folder, name)
            progress.advance()
        progress.start("blueprints", 1)
        plan_task(order, folder)
        progress.advance()
        parts = shards(folder, max(1, math.ceil(conversations / MOST_SHARDS)))
        progress.start("conversations", conversations)
        _advance([simulate_task.submit(order, folder, part) for part in parts], progress)
        freeze_task(folder)
        if audio:
            progress.start("caller voices", conversations)
            _advance([voice_task.submit(folder, part) for part in parts], progress)
        progress.start("dataset and reports", 1)
        publish_task(order, folder)
        progress.advance()
        return _run_id(), len(names) + len(parts) * (2 if audio else 1) + 3

    return build_corpus


def _advance(shard_runs: Iterable[PrefectFuture[int]], progress: Progress) -> None:
    """Waits for the shards of a stage, the first that fails ends the flow; the others are not begun."""
    for done in as_completed(list(shard_runs)):
        for _ in range(done.result()):
            progress.advance()


def _told(exc: Exception) -> str:
    """What Prefect says, without the addresses behind it."""
    return (str(exc) or type(exc).__name__).splitlines()[0].split(" for url ")[0]


def _threads() -> TaskRunner[PrefectFuture[Any]]:
    return ThreadPoolTaskRunner(max_workers=AT_ONCE)  # type: ignore[return-value]


def _run_id() -> str:
    context: Any = get_run_context()
    return str(context.flow_run.id)


def run_with_prefect(
    order: Order,
    out: Path,
    fresh: bool,
    progress: Progress,
    runner: TaskRunner[PrefectFuture[Any]] | None = None,
) -> RunFolder:
    """Builds or continues a run under Prefect: on the server of `PREFECT_API_URL`, or on one of its own.

    Args:
        order: What to build.
        out: The run folder.
        fresh: Whether to start a folder anew that holds another run.
        progress: Is told about each step.
        runner: What runs the tasks; threads of this process if None.

    Raises:
        FactoryError: whatever is wrong with order, folder or material; nothing is left half written.
    """
    with stoppable(), opened_run(order, out, fresh) as folder, flow_server(folder.path / ".prefect") as server:
        build = corpus_flow(order, folder, _Here(progress)).with_options(task_runner=runner or _threads())
        count = sum(map(len, shards(folder, 1)))
        try:
            flow_run, task_runs = build(order.spec.name, order.seed, count, order.audio)
        except (PrefectException, HTTPError) as exc:
            raise RunError(
                f"Prefect's server failed ({_told(exc)}); the same command goes on where this one was, "
                "--engine inline builds without it"
            ) from None
        server.wait_until_recorded(flow_run, task_runs)
    return folder
