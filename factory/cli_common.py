"""What the verbs of all groups need: their common options, exit codes, and how a user's mistake is shown."""

import shlex
import time
from enum import IntEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from factory.errors import FactoryError

if TYPE_CHECKING:
    from datetime import date

    from factory.build.bar import Bar
    from factory.records.enums import SoundFormat
    from factory.records.models import Models
    from factory.workflow.library import Library


LATE_S = 2.0
"""After so many seconds a bar shows how far something is that is mostly done sooner."""


class Exit(IntEnum):
    """Exit codes, beside 130 for Ctrl-C."""

    DONE = 0
    FINDINGS = 1
    """Something was checked, and does not hold."""
    USAGE = 2
    """A mistake of the user's, told in one line."""
    UNFINISHED = 3
    """Stopped before the end; what was made is kept, and the same command goes on."""


SpecArg = Annotated[str, typer.Argument(metavar="SPEC", help="A spec file, or the name of one under flows/specs/.")]
WorkflowArg = Annotated[str, typer.Argument(metavar="WORKFLOW", help="A workflow's id, or its file.")]
FoldersOpt = Annotated[
    list[Path] | None,
    typer.Option("--workflows", metavar="DIR", help="A folder of your own workflows; may be given more than once."),
]
OwnFolderOpt = Annotated[
    Path | None, typer.Option("--workflows", metavar="DIR", help="Your own folder of workflows; made if missing.")
]
SeedOpt = Annotated[int, typer.Option(help="Decides every draw; the same seed gives the same corpus.")]
TargetArg = Annotated[Path, typer.Argument(metavar="DIR", help="A run folder, or the file of an item's proof.")]
AuditArg = Annotated[
    Path, typer.Argument(metavar="TARGET", help="A run folder, a dataset/ folder, or a Parquet file by others.")
]
CanariesOpt = Annotated[bool, typer.Option("--canaries", help="Plant nonsense words where callers must not look.")]
CommitOpt = Annotated[bool, typer.Option("--commit", help="Write a commitment to publish before any target answers.")]
DateOpt = Annotated[
    str | None, typer.Option("--date", metavar="YYYY-MM-DD", help="The day that the commitment states, in UTC.")
]
UnfreezeOpt = Annotated[
    str | None, typer.Option("--unfreeze", metavar="REASON", help="Give the freeze up for a new version; says why.")
]
ItemOpt = Annotated[str | None, typer.Option("--item", metavar="ID", help="Prove only that this item is frozen.")]
ProofOpt = Annotated[Path | None, typer.Option("--proof", metavar="FILE", help="Where the item's proof is written.")]
RootOpt = Annotated[str | None, typer.Option("--root", metavar="ROOT", help="The root that was published.")]
CommitmentOpt = Annotated[
    Path | None, typer.Option("--commitment", metavar="FILE", help="The commitment that was published.")
]
AnswersOpt = Annotated[
    Path | None, typer.Option("--answers", metavar="FILE", help="Answers to the items, one JSON object a line.")
]
ModelsOpt = Annotated[
    str | None,
    typer.Option("--models", metavar="FILE", help="Let language models write: a roles file, or one of flows/models/."),
]
EstimateOpt = Annotated[
    str | None,
    typer.Option("--models", metavar="FILE", help="Estimate calls, tokens and cost with the models of a roles file."),
]
BudgetOpt = Annotated[
    float | None, typer.Option(min=0, metavar="USD", help="Stop before the models cost more, earlier runs included.")
]
FormatsOpt = Annotated[
    str, typer.Option("--formats", metavar="LIST", help="How calls are kept: flac, wav, opus; the first is published.")
]
AsrOpt = Annotated[
    str | None,
    typer.Option("--asr", metavar="MODEL", help="Let a Whisper model hear every caller: its folder, or its hub name."),
]
NoPriceOpt = Annotated[bool, typer.Option("--no-price", help="Take models whose price is not known.")]


def refuse(why: str, **options: object) -> None:
    """Raises `FactoryError` if one of these options is given, and says why it cannot stand here."""
    for name, value in options.items():
        if value not in (None, False):
            raise FactoryError(f"--{name} {why}")


def commitment_day(commit: bool, text: str | None) -> "date | None":
    """The day that a commitment states; None where it states none.

    Raises:
        FactoryError: if there is to be no commitment, or the text is no day.
    """
    from datetime import date

    if not commit:
        refuse("is the day of a commitment; give --commit too, or leave it out", date=text)
    try:
        return None if text is None else date.fromisoformat(text)
    except ValueError:
        raise FactoryError(f"--date: {text!r} is no day; write it as 2026-01-31") from None


def formats_of(text: str) -> "tuple[SoundFormat, ...]":
    """What `--formats` names, each once.

    Raises:
        FactoryError: if it names something else, or nothing.
    """
    from factory.records.enums import SoundFormat

    known = {sound_format.value: sound_format for sound_format in SoundFormat}
    wanted = dict.fromkeys(name.strip() for name in text.split(","))
    strange = [name for name in wanted if name not in known]
    if strange:
        raise FactoryError(
            f"--formats: {strange[0] or 'nothing'} is no format of sound; name some of: {', '.join(known)}"
        )
    return tuple(known[name] for name in wanted)


def plain(text: str) -> str:
    """A line with what a terminal would obey, not show, written out: file content may stand in it."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def command_for(verb: str, workflow: str, folders: list[Path] | None) -> str:
    """A command about a workflow as a user would type it."""
    words = [workflow, *(word for folder in folders or () for word in ("--workflows", str(folder)))]
    return plain(f"{verb} {shlex.join(words)}")


def library_for(workflow: str, folders: list[Path] | None) -> "tuple[Library, str]":
    """The library and id behind what a user typed: an id, or the path of a file."""
    from factory.workflow.library import Library, library_with
    from factory.workflow.reader import id_of, load_workflow

    library = library_with(folders or ())
    path = Path(workflow)
    if path.suffix and path.is_file():
        load_workflow(path)  # says what is wrong with file or name
        return Library.of_file(path, library.shared_path), id_of(path)
    library.path(workflow)
    return library, workflow


def models_for(name: str | None, budget: float | None, no_price: bool) -> "Models | None":
    """The models that a user asked for by `--models`; None where they did not.

    Raises:
        FactoryError: if the file cannot be read, if a price is not known and has to be, or if an option stands there
            that only matters with models.
    """
    if name is None:
        for option, given in (("--budget", budget is not None), ("--no-price", no_price)):
            if given:
                raise FactoryError(
                    f"{option} is about what models cost; name a roles file with --models, or leave it out"
                )
        return None
    from factory.models.roles_file import BUILD_ROLES, load_models
    from factory.models.service import Terms, known_prices

    models = load_models(name)
    known_prices(models, BUILD_ROLES, Terms(budget, no_price))  # before anything is written
    return models


class LateBar:
    """A progress bar for what may be done at once: it shows itself only after two seconds."""

    def __init__(self, step: str) -> None:
        """Takes what the step is called."""
        self._step = step
        self._begun = time.monotonic()
        self._bar: Bar | None = None
        self._shown = 0

    def __enter__(self) -> "LateBar":
        """Shows nothing yet."""
        return self

    def __exit__(self, *_: object) -> None:
        """Ends the display."""
        if self._bar is not None:
            self._bar.__exit__()

    def __call__(self, done: int, total: int) -> None:
        """Shows how many parts of how many are done."""
        from factory.build.bar import Bar

        if self._bar is None:
            if time.monotonic() - self._begun < LATE_S:
                return
            self._bar = Bar().__enter__()
            self._bar.start(self._step, total)
        while self._shown < done:
            self._bar.advance()
            self._shown += 1
