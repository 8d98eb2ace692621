"""The steps of a build, in one list; the flow and the inline engine only say how a step is run.

Every step looks at the run folder for what is already done, so each can be called again after a kill.
"""

import asyncio
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import islice

from factory.audit.options import AuditOptions
from factory.audit.report import write_flow_report
from factory.build.calls import build_call
from factory.build.checksums import read_checksums, write_checksums
from factory.build.conversations import build_conversation
from factory.build.order import Order
from factory.build.stop import go_on_or_stop
from factory.build.together import play_together
from factory.corpus.plan import plan_corpus
from factory.dataset.write import write_dataset
from factory.errors import RunError, WorkflowError
from factory.models.roles_file import BUILD_ROLES
from factory.quality.write import write_quality
from factory.records.blueprint import Blueprint
from factory.records.models import Models
from factory.records.workflow import Workflow
from factory.report.corpus import write_corpus_report
from factory.run.display import Display
from factory.run.files import replacing, write_text
from factory.run.folder import RunFolder
from factory.run.freeze import freeze
from factory.workflow.findings import Severity
from factory.workflow.graph import build_graph, to_node_link
from factory.workflow.lint import lint

Shards = tuple[range, ...]
AT_ONCE = 2
"""Shards of one step that are worked on side by side on one machine."""
MACHINES = "state machines"
"""The step whose parts are domains."""


@dataclass(frozen=True)
class Part:
    """A piece of a step that depends on none of its other pieces.

    Attributes:
        label: Tells it from the step's others; empty where it is the only one.
        size: How often its work advances a display.
        work: Does it, here or in another process.
    """

    label: str
    size: int
    work: Callable[[Display], None]


@dataclass(frozen=True)
class Step:
    """One step of a build; the one before it is done when it begins.

    Attributes:
        title: What a display calls it.
        side_by_side: Whether several of its parts may be worked on at once.
    """

    title: str
    parts: tuple[Part, ...]
    side_by_side: bool = False

    def begin(self, display: Display) -> None:
        """Tells a display that the step begins, unless it is over at once."""
        if total := sum(part.size for part in self.parts):
            display.start(self.title, total)


def steps(order: Order, folder: RunFolder, most_shards: int) -> Iterator[Step]:
    """All steps of a build, in order.

    Args:
        order: What to build.
        folder: Its run folder, opened.
        most_shards: Into how many shards the conversations are divided at the most.
    """
    parts = shards(folder.identity().conversations, most_shards)
    # Models are asked in one event loop, which holds all conversations under way.
    played = parts if order.models is None else shards(folder.identity().conversations, 1)

    def sharded(title: str, work: Callable[[Order, RunFolder, range, Display], None], among: Shards) -> Step:
        each = (Part(str(shard.start), len(shard), partial(work, order, folder, shard)) for shard in among)
        return Step(title, tuple(each), side_by_side=True)

    def whole(title: str, work: Callable[[Order, RunFolder, Display], None], size: int = 1) -> Step:
        return Step(title, (Part("", size, partial(work, order, folder)),))

    yield Step(MACHINES, tuple(Part(d, 1, partial(build_machines, order, folder, d)) for d in domains(order)))
    yield whole("blueprints", plan)
    yield sharded("conversations", simulate, played)
    yield whole("freeze", _freeze, size=0)
    if order.audio:
        yield sharded("calls", speak, parts)
    yield whole("dataset and reports", publish)


def domains(order: Order) -> tuple[str, ...]:
    """The domains that the order draws from."""
    return tuple(sorted({i.split("/")[0] for i in order.library.select(order.spec.workflows)}))


def workflows_of(order: Order, domain: str) -> Iterator[Workflow]:
    """The workflows of one domain that the order draws from; raises `WorkflowError` if one cannot be read."""
    for workflow_id in order.library.select(order.spec.workflows):
        if workflow_id.split("/")[0] == domain:
            yield order.library.workflow(workflow_id)


def build_machines(order: Order, folder: RunFolder, domain: str, display: Display) -> None:
    """Lints the workflows of one domain and writes their state machines as node-link JSON.

    Raises:
        WorkflowError: with the linter's errors, if there are any.
    """
    for workflow in workflows_of(order, domain):
        errors = [f for f in lint(workflow, order.library.shared) if f.severity is Severity.ERROR]
        if errors:
            first, path = errors[0], order.library.path(workflow.id)
            shows = "it" if len(errors) == 1 else f"all {len(errors)} errors"
            raise WorkflowError(
                f"{path}: {first.place}: {first.message}; `factory workflow lint {workflow.id}` shows {shows}"
            )
        write_text(folder.machine_file(workflow.id), to_node_link(build_graph(workflow)) + "\n")
    display.advance()


def plan(order: Order, folder: RunFolder, display: Display) -> None:
    """Writes the blueprints, unless a start before this one has.

    Raises:
        SpecError: if the order cannot be met.
    """
    if folder.blueprints_file.exists():
        there = sum(1 for _ in folder.blueprints())
        if there != order.spec.conversations:
            raise RunError(
                f"{folder.blueprints_file}: holds {there} blueprints, not {order.spec.conversations}; restore it, "
                f"or build with --fresh"
            )
    else:
        planned = plan_corpus(order.spec, order.library, order.seed)
        with replacing(folder.blueprints_file) as file:
            for line in planned.lines:
                file.write(line.encode() + b"\n")
    display.advance()


def shards(conversations: int, most: int) -> tuple[range, ...]:
    """The ordinals of so many conversations, in shards of a size, `most` of them at the most."""
    size = max(1, math.ceil(conversations / most))
    return tuple(range(first, min(first + size, conversations)) for first in range(0, conversations, size))


def blueprints_of(folder: RunFolder, shard: range) -> Iterator[Blueprint]:
    """The blueprints of a shard, one at a time; the lines before it are skipped unread."""
    return islice(folder.blueprints(shard.start), len(shard))


def simulate(order: Order, folder: RunFolder, shard: range, display: Display) -> None:
    """Plays, checks and repairs the conversations of a shard to their end."""

    async def play() -> None:
        engine = order.engine()
        for blueprint in blueprints_of(folder, shard):
            go_on_or_stop()
            await build_conversation(folder, engine, blueprint)
            display.advance()

    async def play_with(models: Models) -> None:
        at_once = max(models.provider_of(role).at_once for role in BUILD_ROLES)
        async with order.model_engine(folder, display.note) as engine:
            await play_together(folder, engine, blueprints_of(folder, shard), at_once, display)

    asyncio.run(play() if order.models is None else play_with(order.models))


def _freeze(order: Order, folder: RunFolder, display: Display) -> None:
    freeze(folder)


def speak(order: Order, folder: RunFolder, shard: range, display: Display) -> None:
    """Makes the calls of a shard; those that are there, as they were made, are kept."""
    checksums = read_checksums(folder) or {}
    for blueprint in blueprints_of(folder, shard):
        go_on_or_stop()
        build_call(order, folder, blueprint, checksums, display.note)
        display.advance()


def publish(order: Order, folder: RunFolder, display: Display) -> None:
    """Writes the dataset, the flow report, the figures of quality and the corpus report, and the checksums.

    Raises:
        RunError: if a file is damaged, or what was played does not agree with its ledger.
    """
    write_dataset(folder, order.library)
    report = write_flow_report(folder, AuditOptions(scanned=False))
    if not report.clean:
        raise RunError(
            f"{folder.flow_report}: what was played and the ledger do not agree "
            f"({report.findings[0]}); a file was changed: build with --fresh"
        )
    write_quality(folder, order.library)
    write_corpus_report(folder, order.library)
    write_checksums(folder)
    display.advance()
