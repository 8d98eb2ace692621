"""The build as a Prefect flow: the steps of `factory.run.steps`, orchestrated and nothing more.

One task for each stage of the work and shard of conversations, never one for a turn. What is done and how
often is read from the run folder, never from Prefect.
"""

import asyncio
import math
from pathlib import Path

from prefect import flow, task
from prefect.artifacts import create_markdown_artifact
from prefect.cache_policies import NO_CACHE

from factory.run.folder import RunFolder
from factory.run.freeze import freeze
from factory.run.progress import Progress
from factory.run.steps import Order, build_machines, domains, plan, prepare, publish, shards, simulate, voice
from factory.workflow.graph import build_graph
from factory.workflow.mermaid import mermaid
from flows.server import flow_server

MOST_SHARDS = 1000
"""Tasks per stage at the most; more conversations make larger shards."""
AT_ONCE = 2
"""Shards of one stage that run side by side."""


@task(name="state-machines", cache_policy=NO_CACHE)
async def machines_task(order: Order, folder: RunFolder, domain: str) -> None:
    """Lints a domain's workflows, writes their state machines, and shows the drawn graphs."""
    build_machines(order, folder, domain)
    for workflow_id in order.library.select(order.spec.workflows):
        workflow = order.library.workflow(workflow_id)
        if workflow.domain == domain:
            await create_markdown_artifact(
                key=workflow_id.replace("/", "-").replace("_", "-"),
                markdown=f"```mermaid\n{mermaid(build_graph(workflow))}\n```",
                description=workflow.title,
            )


@task(name="blueprints", cache_policy=NO_CACHE)
async def plan_task(order: Order, folder: RunFolder) -> None:
    """Plans every conversation."""
    await asyncio.to_thread(plan, order, folder)


@task(name="conversations", cache_policy=NO_CACHE)
async def simulate_task(order: Order, folder: RunFolder, shard: tuple[int, ...], progress: Progress) -> None:
    """Plays, checks and repairs the conversations of a shard."""
    await simulate(order, folder, shard, progress)


@task(name="freeze", cache_policy=NO_CACHE)
async def freeze_task(folder: RunFolder) -> str:
    """Freezes every item; returns the manifest's root."""
    return await asyncio.to_thread(freeze, folder)


@task(name="caller-voices", cache_policy=NO_CACHE)
async def voice_task(folder: RunFolder, shard: tuple[int, ...], progress: Progress) -> None:
    """Voices the caller turns of a shard."""
    await asyncio.to_thread(voice, folder, shard, progress)


@task(name="dataset-and-reports", cache_policy=NO_CACHE)
async def publish_task(order: Order, folder: RunFolder) -> None:
    """Writes dataset, reports and checksums."""
    await asyncio.to_thread(publish, order, folder)


@flow(name="build-corpus", validate_parameters=False)
async def build_corpus(order: Order, folder: RunFolder, progress: Progress) -> None:
    """Builds or continues a run in a folder that has been prepared."""
    names = domains(order)
    progress.start("state machines", len(names))
    for domain in names:
        await machines_task(order, folder, domain)
        progress.advance()
    progress.start("blueprints", 1)
    await plan_task(order, folder)
    progress.advance()
    count = sum(map(len, shards(folder, 1)))
    parts = shards(folder, max(1, math.ceil(count / MOST_SHARDS)))
    gate = asyncio.Semaphore(AT_ONCE)

    async def gated(part: tuple[int, ...], speaking: bool) -> None:
        async with gate:
            if speaking:
                await voice_task(folder, part, progress)
            else:
                await simulate_task(order, folder, part, progress)

    progress.start("conversations", count)
    await asyncio.gather(*(gated(part, False) for part in parts))
    await freeze_task(folder)
    if order.audio:
        progress.start("caller voices", count)
        await asyncio.gather(*(gated(part, True) for part in parts))
    progress.start("dataset and reports", 1)
    await publish_task(order, folder)
    progress.advance()


def run_with_prefect(order: Order, out: Path, fresh: bool, progress: Progress) -> RunFolder:
    """Builds or continues a run under Prefect: on the server of `PREFECT_API_URL`, or on one of its own.

    Raises:
        FactoryError: whatever is wrong with order, folder or material; nothing is left half written.
    """
    folder = prepare(order, out, fresh)
    with flow_server(folder.path / ".prefect"):
        asyncio.run(build_corpus(order, folder, progress))
    return folder
