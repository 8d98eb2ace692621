"""A build without Prefect: the same steps, one after the other."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from factory.build.progress import Progress
from factory.build.steps import (
    Order,
    build_machines,
    domains,
    opened_run,
    plan,
    publish,
    shards,
    simulate,
    voice,
)
from factory.build.stop import stoppable
from factory.run.folder import RunFolder
from factory.run.freeze import freeze

WORKERS = 2
"""Shards that are voiced side by side."""


def run_inline(order: Order, out: Path, fresh: bool, progress: Progress) -> RunFolder:
    """Builds or continues a run in this process.

    Raises:
        FactoryError: whatever is wrong with order, folder or material; nothing is left half written.
    """
    with stoppable(), opened_run(order, out, fresh) as folder:
        names = domains(order)
        progress.start("state machines", len(names))
        for domain in names:
            build_machines(order, folder, domain)
            progress.advance()
        progress.start("blueprints", 1)
        plan(order, folder)
        progress.advance()
        parts = shards(folder, 1)
        progress.start("conversations", len(parts))
        asyncio.run(simulate(order, folder, range(len(parts)), progress))
        freeze(folder)
        if order.audio:
            progress.start("caller voices", len(parts))
            with ThreadPoolExecutor(WORKERS) as pool:
                list(pool.map(lambda part: voice(folder, part, progress), parts))
        progress.start("dataset and reports", 1)
        publish(order, folder)
        progress.advance()
    return folder
