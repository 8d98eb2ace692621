"""The build as a Prefect flow: the steps of `factory.build.steps`, orchestrated and nothing more.

One task for each stage of the work and shard of conversations, never one for a turn. What is done and how
often is read from the run folder, never from Prefect.
"""

import base64
import tempfile
from collections.abc import Iterable
from pathlib import Path

from prefect import Flow, flow, task
from prefect.artifacts import create_markdown_artifact
from prefect.cache_policies import NO_CACHE
from prefect.futures import PrefectFuture, as_completed
from prefect.task_runners import TaskRunner, ThreadPoolTaskRunner

from factory.build.order import Order, opened_run
from factory.build.steps import AT_ONCE, MACHINES, Part, Step, steps, workflows_of
from factory.build.stop import stoppable
from factory.records.workflow import Workflow
from factory.run.display import Display, Silent
from factory.run.folder import RunFolder
from factory.workflow.draw import draw
from flows.runs import flow_run_id, server_failures
from flows.server import flow_server

MOST_SHARDS = 1000
"""Tasks per stage at the most; more conversations make larger shards."""

Runner = TaskRunner[PrefectFuture[int]]


@task(cache_policy=NO_CACHE)
def do_part(order: Order, title: str, part: Part, aside: Display) -> int:
    """Does a part of a step and returns its size; for state machines, shows the drawn graphs too."""
    part.work(aside)
    if title == MACHINES:
        for workflow in workflows_of(order, part.label):
            create_markdown_artifact(
                key=workflow.id.replace("/", "-").replace("_", "-"),
                markdown=f"![State machine of {workflow.id}]({_drawing(workflow)})",
                description=workflow.title,
            )
    return part.size


def _drawing(workflow: Workflow) -> str:
    """The state machine as an SVG in a data URI: shown by both of Prefect's UIs, run as a script by neither."""
    with tempfile.TemporaryDirectory(prefix="machine-") as place:
        picture = Path(place) / "machine.svg"
        draw(workflow, picture)
        return f"data:image/svg+xml;base64,{base64.b64encode(picture.read_bytes()).decode()}"


class _Here:
    """A display that stays in this process: a worker elsewhere, which gets the whole flow, shows nothing."""

    def __init__(self, shown: Display) -> None:
        self.start, self.advance, self.note = shown.start, shown.advance, shown.note

    def __reduce__(self) -> tuple[type[Silent], tuple[()]]:
        return Silent, ()


class _Aside(Silent):
    """What a task shows: what has to be said at once. How far its step is, the flow tells."""

    def __init__(self, shown: Display) -> None:
        self._shown = shown

    def note(self, line: str) -> None:
        self._shown.note(line)


def corpus_flow(order: Order, folder: RunFolder, display: Display) -> Flow[..., tuple[str, int]]:
    """The flow that builds or continues a run in a folder that has been opened.

    Its own parameters are only what Prefect shows of the order. It returns its run's id and how many task
    runs it had.
    """

    @flow(name="build-corpus", flow_run_name="{corpus}-seed-{seed}", validate_parameters=False)
    def build_corpus(corpus: str, seed: int, conversations: int, audio: bool) -> tuple[str, int]:
        task_runs = 0
        for step in steps(order, folder, MOST_SHARDS):
            step.begin(display)
            for size in _run(order, step, _Aside(display)):
                task_runs += 1
                for _ in range(size):
                    display.advance()
        return flow_run_id(), task_runs

    return build_corpus


def _run(order: Order, step: Step, aside: Display) -> Iterable[int]:
    """Runs a step's parts as tasks; gives each one's size when it is done.

    The first that fails ends the flow; others that wait are not begun.
    """
    name = step.title.replace(" ", "-")
    each = [
        (do_part.with_options(name=name, task_run_name=f"{name}-{part.label}" if part.label else name), part)
        for part in step.parts
    ]
    if step.side_by_side:
        runs = [named.submit(order, step.title, part, aside) for named, part in each]
        return (run.result() for run in as_completed(runs))
    return (named(order, step.title, part, aside) for named, part in each)


def _threads() -> Runner:
    return ThreadPoolTaskRunner(max_workers=AT_ONCE)  # type: ignore[return-value]


def run_with_prefect(
    order: Order,
    out: Path,
    fresh: bool,
    display: Display,
    runner: Runner | None = None,
) -> RunFolder:
    """Builds or continues a run under Prefect: on the server of `PREFECT_API_URL`, or on one of its own.

    Args:
        order: What to build.
        out: The run folder.
        fresh: Whether to start a folder anew that holds another run.
        display: Is told about each step.
        runner: What runs the tasks; threads of this process if None.

    Raises:
        FactoryError: whatever is wrong with order, folder or material; nothing is left half written.
    """
    with stoppable(), opened_run(order, out, fresh) as folder, flow_server(folder.path / ".prefect") as server:
        build = corpus_flow(order, folder, _Here(display)).with_options(task_runner=runner or _threads())
        count = folder.identity().conversations
        with server_failures("the same command goes on where this one was, --engine inline builds without it"):
            run_id, task_runs = build(order.spec.name, order.seed, count, order.audio)
        server.wait_until_recorded(run_id, task_runs)
    return folder
