"""The steps of a build, as plain functions; the flow and the inline engine call the same ones.

Every step looks at the run folder for what is already done, so each can be called again after a kill.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from importlib import metadata
from itertools import islice
from pathlib import Path

from factory import __version__
from factory.audit.report import write_flow_report
from factory.build.conversations import Engine, build_conversation
from factory.build.progress import Progress
from factory.build.stop import go_on_or_stop
from factory.corpus.plan import plan_corpus
from factory.dataset.write import write_dataset
from factory.errors import FactoryError, RunError, WorkflowError
from factory.records.base import canonical_json
from factory.records.blueprint import Blueprint
from factory.records.run import RunIdentity
from factory.records.spec import Spec
from factory.report.corpus import write_corpus_report
from factory.run.files import replacing, write_text
from factory.run.folder import RunFolder, file_digest
from factory.run.lock import locked
from factory.run.log import read_progress
from factory.speech import SpeechEngine, cast_voice, open_engine, require_known, voice_text
from factory.templates import PROMPTS
from factory.workflow.findings import Severity
from factory.workflow.graph import build_graph, to_node_link
from factory.workflow.library import Library
from factory.workflow.lint import lint


@dataclass(frozen=True)
class Order:
    """What a build is asked for; everything in it decides what comes out.

    Attributes:
        limit: Only the first conversations of the plan.
    """

    spec: Spec
    library: Library
    seed: int = 0
    limit: int | None = None
    audio: bool = True
    tts: str | None = None
    canaries: bool = False

    def identity(self) -> RunIdentity:
        """The run's identity, with the digests of all that it is made from."""
        tts = self.tts or self.spec.tts
        versions = {"blueprint-factory": __version__}
        if self.audio:
            versions[_package(tts)] = metadata.version(_package(tts))
        return RunIdentity(
            spec=self.spec,
            seed=self.seed,
            limit=self.limit,
            audio=self.audio,
            tts=tts,
            canaries=self.canaries,
            versions=versions,
            workflows={i: self.library.digest(i) for i in self.library.select(self.spec.workflows)},
            shared=self.library.shared_digest(),
            templates={
                path.relative_to(PROMPTS).as_posix(): file_digest(path) for path in sorted(PROMPTS.rglob("*.j2"))
            },
        )

    def engine(self) -> Engine:
        """Who plays the conversations."""
        return Engine(self.library, self.seed if self.canaries else None)


def _package(tts: str) -> str:
    return {"hibari": "hibari-tts"}.get(tts, tts)


@contextmanager
def opened_run(order: Order, out: Path, fresh: bool = False) -> Iterator[RunFolder]:
    """Opens the run folder for one build at a time and makes sure that it is this order's.

    The speech engine is checked before anything is written. A new run that fails before its plan stands is taken
    away again, so that the corrected order finds an empty folder.

    Raises:
        RunError: if the folder holds something else, another build is at work in it, or it cannot be written to.
        SpeechError: if the engine is unknown or not usable here.
    """
    require_known(order.tts or order.spec.tts)
    if order.audio:
        open_engine(order.tts or order.spec.tts)
    folder, identity = RunFolder(out), order.identity()
    folder.refuse_strangers()
    with locked(out):
        new = folder.claim(identity, fresh)
        try:
            yield folder
        except FactoryError:
            if new and not folder.blueprints_file.exists():
                folder.discard()
            raise


def build_machines(order: Order, folder: RunFolder, domain: str) -> None:
    """Lints the workflows of one domain and writes their state machines as node-link JSON.

    Raises:
        WorkflowError: with the linter's errors, if there are any.
    """
    for workflow_id in order.library.select(order.spec.workflows):
        workflow = order.library.workflow(workflow_id)
        if workflow.domain != domain:
            continue
        errors = [f for f in lint(workflow, order.library.shared) if f.severity is Severity.ERROR]
        if errors:
            first, path = errors[0], order.library.path(workflow_id)
            raise WorkflowError(
                f"{path}: {first.place}: {first.message}; `factory workflow lint {workflow_id}` shows all "
                f"{len(errors)} errors"
            )
        write_text(folder.machine_file(workflow_id), to_node_link(build_graph(workflow)) + "\n")


def domains(order: Order) -> tuple[str, ...]:
    """The domains that the order draws from."""
    return tuple(sorted({i.split("/")[0] for i in order.library.select(order.spec.workflows)}))


def plan(order: Order, folder: RunFolder) -> None:
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
        return
    planned = plan_corpus(order.spec, order.library, order.seed)
    with replacing(folder.blueprints_file) as file:
        for line in planned.lines:
            file.write(line.encode() + b"\n")


def shards(folder: RunFolder, size: int) -> tuple[range, ...]:
    """Ordinals of the conversations to build, in shards of a size."""
    identity = folder.identity()
    count = identity.spec.conversations if identity.limit is None else identity.limit
    ordinals = range(min(count, identity.spec.conversations))
    return tuple(ordinals[i : i + size] for i in range(0, len(ordinals), size))


def blueprints_of(folder: RunFolder, shard: range) -> Iterator[Blueprint]:
    """The blueprints of a shard, one at a time; the lines before it are skipped unread."""
    return islice(folder.blueprints(shard.start), len(shard))


async def simulate(order: Order, folder: RunFolder, shard: range, progress: Progress) -> None:
    """Builds the conversations of a shard to their end."""
    engine = order.engine()
    for blueprint in blueprints_of(folder, shard):
        go_on_or_stop()
        await build_conversation(folder, engine, blueprint)
        progress.advance()


def voice(folder: RunFolder, shard: range, progress: Progress) -> None:
    """Voices the caller turns of a shard, each clip checked and then written; those that are there are kept."""
    identity = folder.identity()
    engine = _speaker(identity.tts)
    for blueprint in blueprints_of(folder, shard):
        spoken = read_progress(folder.conversation_file(blueprint.conversation_id))
        voice_of_call = cast_voice(engine, blueprint.ordinal, identity.seed)
        for number, done in enumerate(spoken.rounds, 1):
            go_on_or_stop()
            path = folder.audio_file(blueprint.conversation_id, number)
            if done.caller is None or path.exists():
                continue
            clip = voice_text(engine, done.caller.text, voice_of_call, blueprint.seed + number)
            with replacing(path) as file:
                file.write(clip.to_wav_bytes())
        progress.advance()


@lru_cache(maxsize=1)
def _speaker(name: str) -> SpeechEngine:
    """Opened once in a process: the model takes half a second to load."""
    return open_engine(name)


def publish(order: Order, folder: RunFolder) -> None:
    """Writes the dataset, the flow report and the corpus report, and the checksums over everything.

    Raises:
        RunError: if a file is damaged, or what was played does not agree with its ledger.
    """
    write_dataset(folder, order.library)
    report = write_flow_report(folder)
    if not report.clean:
        raise RunError(
            f"{folder.reports / 'flow-report.html'}: what was played and the ledger do not agree "
            f"({report.findings[0]}); a file was changed: build with --fresh"
        )
    write_corpus_report(folder, order.library)
    write_checksums(folder)


def write_checksums(folder: RunFolder) -> None:
    """Writes the digest of every finished file but the reports, for `verify` to name what was changed."""
    digests: dict[str, str] = {}
    for pattern in (
        "run.json",
        "manifest.json",
        "blueprints.jsonl",
        "machines/*",
        "conversations/*",
        "ledger/*",
        "dataset/*",
    ):
        for path in sorted(folder.path.glob(pattern)):
            digests[path.relative_to(folder.path).as_posix()] = file_digest(path)
    write_text(folder.checksums_file, canonical_json(digests).replace(",", ",\n") + "\n")
