"""What a build is asked for, and the run folder that it is built in."""

import os
from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

from factory import __version__
from factory.build.engine import Engine, ModelSide
from factory.corpus.callers import selected
from factory.corpus.conditions import ordered_condition
from factory.dataset.system_message import TEMPLATE
from factory.errors import FactoryError, RunError
from factory.models.cost import write_cost_report
from factory.models.keys import require_keys
from factory.models.outage import Tell
from factory.models.prompt import Prompts
from factory.models.retry import Patience
from factory.models.roles_file import BUILD_ROLES
from factory.models.service import Terms, service
from factory.models.store import Books
from factory.records.enums import SoundFormat
from factory.records.models import Models
from factory.records.run import RunIdentity
from factory.records.spec import Spec
from factory.run.folder import RunFolder
from factory.run.lock import locked
from factory.run.versions import unfreeze
from factory.speech import open_engine, require_known
from factory.speech.hearing import recogniser_digest, recogniser_name, require_listener
from factory.templates import PROMPTS
from factory.workflow.library import Library

COMPOSED = TEMPLATE.relative_to(PROMPTS).as_posix()
"""The template of system messages that no model writes, as a run's identity names it."""


@dataclass(frozen=True)
class Order:
    """What a build is asked for; what is not said to be otherwise decides what comes out.

    Attributes:
        limit: Only the first conversations of the plan.
        tts: The speech engine instead of the spec's.
        formats: In which formats each call is kept; the first is the published one.
        recogniser: The speech recogniser that listens to the callers: a model's folder or its name on a hub.
        models: Who plays the roles; the composer where it is None.
        budget_usd: What the models may cost, in US dollars; decides how far the build goes, not what comes out.
        no_price: Whether models may be used whose price is not known; as the budget.
        patience: How long a call that fails is tried again; as the budget.
        unfreeze: Why the freeze that the folder holds is given up for a new version; None where it is not.
    """

    spec: Spec
    library: Library
    seed: int = 0
    limit: int | None = None
    audio: bool = True
    tts: str | None = None
    formats: tuple[SoundFormat, ...] = (SoundFormat.FLAC,)
    recogniser: str | None = None
    canaries: bool = False
    models: Models | None = None
    budget_usd: float | None = None
    no_price: bool = False
    patience: Patience | None = None
    unfreeze: str | None = None

    @property
    def speech_engine(self) -> str:
        """Name of the engine that is asked to speak."""
        return self.tts or self.spec.tts

    @property
    def speech_engines(self) -> tuple[str, ...]:
        """That engine, and the one that may stand in for it."""
        stand_in = self.spec.sound.stand_in
        return (self.speech_engine,) if stand_in in (None, self.speech_engine) else (self.speech_engine, stand_in)

    @property
    def recogniser_name(self) -> str | None:
        """What the recogniser is called where it is published: never a path."""
        return None if self.recogniser is None else recogniser_name(self.recogniser)

    def identity(self) -> RunIdentity:
        """The run's identity, with the digests of all that it is made from."""
        prompts = Prompts()
        versions = {"blueprint-factory": __version__}
        if self.audio:
            versions |= {name: open_engine(name).version for name in self.speech_engines}
            versions |= {package: metadata.version(package) for package in self._sound_packages()}
            if self.recogniser is not None:
                versions["recogniser"] = recogniser_digest(self.recogniser)
        return RunIdentity(
            spec=self.spec,
            seed=self.seed,
            limit=self.limit,
            audio=self.audio,
            tts=self.speech_engine,
            formats=self.formats if self.audio else RunIdentity.model_fields["formats"].default,
            recogniser=self.recogniser_name if self.audio else None,
            canaries=self.canaries,
            versions=versions,
            workflows={i: self.library.digest(i) for i in selected(self.spec, self.library)},
            shared=self.library.shared_digest(),
            templates={name: prompts.digest(name) for name in self._templates(prompts)},
            models={role: self.models.played_by(role) for role in BUILD_ROLES} if self.models else None,
        )

    def _sound_packages(self) -> Iterator[str]:
        """The packages that decide where words are, how a call is made of clips, and what is heard in it."""
        yield from ("num2words", "numpy", "onnxruntime", "pocketsphinx", "pyloudnorm", "scipy", "soundfile", "soxr")
        if self.recogniser is not None:
            yield from ("ctranslate2", "faster-whisper", "rapidfuzz", "whisper-normalizer")

    def _templates(self, prompts: Prompts) -> Iterator[str]:
        """The templates that decide what comes out."""
        yield COMPOSED
        if self.models is not None:
            yield from (name for name in prompts.all() if name.split("/")[0] in BUILD_ROLES and name != COMPOSED)

    @property
    def canary_seed(self) -> int | None:
        """What the canaries are drawn from; None in an ordinary build."""
        return self.seed if self.canaries else None

    def engine(self, side: ModelSide | None = None) -> Engine:
        """Who plays the conversations: models, where there is a side of theirs."""
        return Engine(self.library, self.canary_seed, side)

    @asynccontextmanager
    async def model_engine(self, folder: RunFolder, tell: Tell | None = None) -> AsyncIterator[Engine]:
        """The engine whose roles are played by models, for one event loop; what it spent is told when it ends.

        Args:
            folder: The run folder.
            tell: Told when a provider does not answer, and when it does again.

        Raises:
            ModelError: if a key is missing.
            PriceError: if a price is not known and has to be.
        """
        assert self.models is not None
        terms = Terms(self.budget_usd, self.no_price, self.patience)
        ready = service(self.models, BUILD_ROLES, os.environ, Books.of_run(folder.replies), terms, tell)
        try:
            async with ready.pool as pool:
                yield self.engine(ModelSide(self.models, pool, folder.replies))
        except BaseException:
            with suppress(RunError):  # where the disk is full, say, what came first is the thing to tell
                write_cost_report(folder.replies, folder.reports, ready.prices)
            raise
        write_cost_report(folder.replies, folder.reports, ready.prices)


def require_sound(spec: Spec, engines: Iterable[str]) -> None:
    """Makes sure that there are the engines that are asked for, and the conditions that a spec orders.

    Raises:
        SpeechError: if one is not known, or a figure does not fit its condition.
    """
    for engine in engines:
        require_known(engine)
    for share in spec.sound.conditions:
        ordered_condition(share)


@contextmanager
def opened_run(order: Order, out: Path, fresh: bool = False) -> Iterator[RunFolder]:
    """Opens the run folder for one build at a time and makes sure that it is this order's.

    Speech engine and keys are checked before anything is written. A new run that fails before its plan stands is taken
    away again, so that the corrected order finds an empty folder.

    Raises:
        ModelError: if the key of a model's provider is missing.
        RunError: if the folder holds something else, another build is at work in it, or it cannot be written to.
        SpeechError: if the engine is unknown or not usable here.
    """
    require_sound(order.spec, order.speech_engines)
    if order.models is not None:
        require_keys(order.models, BUILD_ROLES, os.environ)
    if order.audio:
        for engine in order.speech_engines:
            open_engine(engine)
        if order.recogniser is not None:
            require_listener(order.recogniser)
    folder, identity = RunFolder(out), order.identity()
    folder.refuse_strangers()
    with locked(out):
        reason = order.unfreeze
        new = folder.claim(identity, fresh) if reason is None else unfreeze(folder, identity, reason)
        try:
            yield folder
        except FactoryError:
            if new and not folder.blueprints_file.exists():
                folder.discard()
            raise
