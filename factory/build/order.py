"""What a build is asked for, and the run folder that it is built in."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

from factory import __version__
from factory.build.conversations import Engine
from factory.errors import FactoryError
from factory.records.run import RunIdentity
from factory.records.spec import Spec
from factory.run.folder import RunFolder, file_digest
from factory.run.lock import locked
from factory.speech import open_engine, require_known
from factory.templates import PROMPTS
from factory.workflow.library import Library


@dataclass(frozen=True)
class Order:
    """What a build is asked for; everything in it decides what comes out.

    Attributes:
        limit: Only the first conversations of the plan.
        tts: The speech engine instead of the spec's.
    """

    spec: Spec
    library: Library
    seed: int = 0
    limit: int | None = None
    audio: bool = True
    tts: str | None = None
    canaries: bool = False

    @property
    def speech_engine(self) -> str:
        """Name of the engine that voices the callers."""
        return self.tts or self.spec.tts

    def identity(self) -> RunIdentity:
        """The run's identity, with the digests of all that it is made from."""
        tts = self.speech_engine
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
    require_known(order.speech_engine)
    if order.audio:
        open_engine(order.speech_engine)
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
