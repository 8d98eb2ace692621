"""A build without Prefect: every step in this process."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from factory.build.order import Order, opened_run
from factory.build.steps import AT_ONCE, Part, steps
from factory.build.stop import stoppable
from factory.run.display import Display
from factory.run.folder import RunFolder

MOST_SHARDS = 32
"""Enough for all workers to end at about the same time; each shard reads the blueprints from their start."""


def run_inline(order: Order, out: Path, fresh: bool, display: Display) -> RunFolder:
    """Builds or continues a run in this process.

    Raises:
        FactoryError: whatever is wrong with order, folder or material; nothing is left half written.
    """

    def work(part: Part) -> None:
        part.work(display)

    with stoppable(), opened_run(order, out, fresh) as folder, ThreadPoolExecutor(AT_ONCE) as pool:
        for step in steps(order, folder, MOST_SHARDS):
            step.begin(display)
            for _ in (pool.map if step.side_by_side else map)(work, step.parts):
                pass
    return folder
