"""The command line: one thin function for each verb. What is heavy is imported by the verb that needs it."""

import asyncio
import io
import shlex
import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from factory import __version__
from factory.build.stop import INTERRUPTED
from factory.errors import FactoryError, WorkflowError
from factory.records.enums import Direction, Way

if TYPE_CHECKING:
    from factory.workflow.library import Library

app = typer.Typer(
    name="factory",
    help="Builds corpora of interrupted voice-agent calls: ordered exactly, blinded by construction, frozen.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
workflow_app = typer.Typer(help="The workflows: list, show, lint and draw them.", no_args_is_help=True)
app.add_typer(workflow_app, name="workflow")

USAGE_ERROR, FINDINGS = 2, 1


class BuildEngine(StrEnum):
    """What carries a build out."""

    PREFECT = "prefect"
    INLINE = "inline"


SpecArg = Annotated[str, typer.Argument(metavar="SPEC", help="A spec file, or the name of one under flows/specs/.")]
WorkflowArg = Annotated[str, typer.Argument(metavar="WORKFLOW", help="A workflow's id, or its file.")]
FoldersOpt = Annotated[
    list[Path] | None,
    typer.Option("--workflows", metavar="DIR", help="A folder of your own workflows; may be given more than once."),
]
SeedOpt = Annotated[int, typer.Option(help="Decides every draw; the same seed gives the same corpus.")]
RunArg = Annotated[Path, typer.Argument(metavar="DIR", help="A run folder.")]


def main() -> None:
    """Runs the command line; a user's mistake is one line on stderr and exit code 2, never a traceback."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal that cannot show a character shows another
    try:
        code = app(standalone_mode=False)
        sys.exit(code if isinstance(code, int) else 0)
    except FactoryError as exc:
        _fail(str(exc))
    except typer.Abort:
        sys.exit(INTERRUPTED)
    except OSError as exc:
        _fail(f"{exc.filename or 'a file'}: {exc.strerror or exc}")
    except Exception as exc:
        _usage(exc)


def _fail(message: str) -> None:
    first, *more = message.splitlines() or [message]
    others = f" (and {len(more)} more)" if more else ""
    print(f"error: {_plain(first)}{others}", file=sys.stderr)
    sys.exit(USAGE_ERROR)


def _plain(text: str) -> str:
    """A line with what a terminal would obey, not show, written out: file content may stand in it."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def _usage(exc: Exception) -> None:
    """Shows a mistake in the command itself; anything else is a defect and keeps its traceback."""
    show = getattr(exc, "show", None)
    if show is None:
        raise exc
    show()
    sys.exit(USAGE_ERROR)


def _version(wanted: bool) -> None:
    if wanted:
        print(f"blueprint-factory {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """Builds corpora of interrupted voice-agent calls."""


@app.command()
def build(
    spec: SpecArg,
    out: Annotated[Path | None, typer.Option(help="The run folder; default: outputs/<name of the spec>.")] = None,
    seed: SeedOpt = 0,
    engine: Annotated[BuildEngine, typer.Option(help="What carries the build out.")] = BuildEngine.PREFECT,
    tts: Annotated[str | None, typer.Option(metavar="NAME", help="Speech engine instead of the spec's.")] = None,
    no_audio: Annotated[bool, typer.Option("--no-audio", help="Leave the caller's turns unvoiced.")] = False,
    limit: Annotated[int | None, typer.Option(min=1, help="Build only the first N conversations.")] = None,
    canaries: Annotated[
        bool, typer.Option("--canaries", help="Plant nonsense words where callers must not look.")
    ] = False,
    fresh: Annotated[bool, typer.Option("--fresh", help="Start the folder anew if it holds another run.")] = False,
    workflows: FoldersOpt = None,
) -> None:
    """Builds a corpus, or continues the build that the folder holds."""
    from factory.build.order import Order
    from factory.build.progress import Bar
    from factory.build.summary import summarise
    from factory.corpus.specs import load_spec
    from factory.workflow.library import library_with

    order = Order(
        spec=load_spec(spec),
        library=library_with(workflows or ()),
        seed=seed,
        limit=limit,
        audio=not no_audio,
        tts=tts,
        canaries=canaries,
    )
    folder = out or Path("outputs") / order.spec.name
    with Bar() as progress:
        if engine is BuildEngine.PREFECT:
            from flows.build import run_with_prefect

            run_with_prefect(order, folder, fresh, progress)
        else:
            from factory.build.inline import run_inline

            run_inline(order, folder, fresh, progress)
    print(summarise(folder))


@app.command()
def plan(spec: SpecArg, seed: SeedOpt = 0, workflows: FoldersOpt = None) -> None:
    """Shows what would be built: quotas by type, depth and domain, and the conversations. Writes nothing."""
    from factory.corpus.plan import plan_corpus
    from factory.corpus.specs import load_spec
    from factory.corpus.table import show_plan
    from factory.speech import require_known
    from factory.workflow.library import library_with

    loaded = load_spec(spec)
    require_known(loaded.tts)
    print(show_plan(loaded, plan_corpus(loaded, library_with(workflows or ()), seed)))


@app.command()
def preview(
    workflow: WorkflowArg,
    seed: SeedOpt = 0,
    rubrics: Annotated[bool, typer.Option("--rubrics", help="Show the rubric of each interruption.")] = False,
    intent: Annotated[str | None, typer.Option(metavar="ID", help="Who calls; anybody unless named.")] = None,
    way: Annotated[Way, typer.Option(help="Straight, with a failed question, or stopped early.")] = Way.STRAIGHT,
    workflows: FoldersOpt = None,
) -> None:
    """Plays one conversation in the terminal: what was cut off is struck out."""
    from factory.build.preview import count_errors
    from factory.build.preview import preview as play

    library, workflow_id = _library_for(workflow, workflows)
    if errors := count_errors(library, workflow_id):
        shows = _command("factory workflow lint", workflow, workflows)
        print(f"{_plain(workflow)}: {errors} errors, so it may play wrongly; `{shows}` tells them", flush=True)
    print(asyncio.run(play(library, workflow_id, seed, rubrics, sys.stdout.isatty(), intent, way)))


@app.command()
def verify(folder: RunArg, workflows: FoldersOpt = None) -> None:
    """Re-checks a finished run from its files alone: schema, cuts, quotas, digests. Exit 0 or 1."""
    from factory.build.verify import verify_run
    from factory.workflow.library import library_with

    faults = verify_run(folder, library_with(workflows or ()))
    for fault in faults:
        print(fault)
    print(f"{folder}: faults found: {len(faults)}" if faults else f"{folder}: everything holds")
    raise typer.Exit(FINDINGS if faults else 0)


@app.command()
def audit(folder: RunArg) -> None:
    """Computes the flow report from the published files and the ledger. Exit 0 or 1."""
    from factory.audit.report import write_flow_report
    from factory.run.folder import RunFolder

    report = write_flow_report(RunFolder(folder))
    print(report.verdict)
    for finding in report.findings[:20]:
        print(f"- {finding}")
    print(f"ledger root: {report.chain.root}")
    print(f"the whole report: {RunFolder(folder).flow_report}")
    sys.exit(0 if report.clean else FINDINGS)


@app.command()
def doctor() -> None:
    """Shows what is usable here: speech engines, model keys (never their value), Prefect."""
    from factory.doctor import examine

    print(examine())


@workflow_app.command("list")
def workflow_list(workflows: FoldersOpt = None) -> None:
    """Lists all workflows with direction, stages and what they can carry."""
    from factory.workflow.library import library_with
    from factory.workflow.show import list_workflows

    print(list_workflows(library_with(workflows or ())))


@workflow_app.command("new")
def workflow_new(
    workflow: Annotated[str, typer.Argument(metavar="DOMAIN/GOAL", help="The new workflow's id.")],
    direction: Annotated[Direction, typer.Option(help="Who places the call.")] = Direction.INBOUND,
    folder: Annotated[
        Path | None, typer.Option("--workflows", metavar="DIR", help="Your own folder of workflows; made if missing.")
    ] = None,
) -> None:
    """Writes the frame of a new workflow, with marks where an author has to write."""
    from factory.run.files import write_text
    from factory.workflow.library import BUILT_IN, standard_library
    from factory.workflow.skeleton import place_for, skeleton

    path = place_for(workflow, folder or BUILT_IN, standard_library())
    write_text(path, skeleton(workflow, direction))
    leads = _command("factory workflow lint", workflow, [folder] if folder else None)
    print(f"{path}: written; `{leads}` says what belongs in each gap")


@workflow_app.command("show")
def workflow_show(workflow: WorkflowArg, workflows: FoldersOpt = None) -> None:
    """Shows one workflow: stages, acts, what callers may do, and the range it can carry."""
    from factory.workflow.show import show_workflow

    library, workflow_id = _library_for(workflow, workflows)
    print(show_workflow(library, workflow_id))


@workflow_app.command("lint")
def workflow_lint(
    paths: Annotated[
        list[str] | None,
        typer.Argument(metavar="[PATH…]", help="Files, ids or patterns ('acme/*'); default: all."),
    ] = None,
    workflows: FoldersOpt = None,
) -> None:
    """Proves what a workflow promises, and says what to mend. Exit 0 or 1."""
    from factory.workflow.findings import Severity
    from factory.workflow.library import library_with
    from factory.workflow.lint import lint_files, report

    library = library_with(workflows or ())
    files = [file for name in paths or ["*"] for file in library.files(name)]
    try:
        found = lint_files(files, library.shared, together=not paths)
    except WorkflowError as exc:  # whoever lints wants to see every problem of the files, not only the first
        print("\n".join(_plain(line) for line in f"error: {exc}".splitlines()), file=sys.stderr)
        sys.exit(USAGE_ERROR)
    for file, findings in found.items():
        for line in report(file, findings):
            print(_plain(line))
    told = [finding.severity for findings in found.values() for finding in findings]
    errors = told.count(Severity.ERROR)
    print(f"{len(found)} workflows, {errors} errors, {len(told) - errors} warnings")
    sys.exit(FINDINGS if errors else 0)


@workflow_app.command("draw")
def workflow_draw(
    workflow: WorkflowArg,
    out: Annotated[Path, typer.Option(help="The picture: .mmd, .svg or .png.")],
    workflows: FoldersOpt = None,
) -> None:
    """Draws a workflow's state machine as Mermaid, SVG or PNG, by the file's ending."""
    from factory.workflow.draw import draw

    library, workflow_id = _library_for(workflow, workflows)
    draw(library.workflow(workflow_id), out)
    print(out)


def _command(verb: str, workflow: str, folders: list[Path] | None) -> str:
    """A command about a workflow as a user would type it."""
    words = [workflow, *(word for folder in folders or () for word in ("--workflows", str(folder)))]
    return _plain(f"{verb} {shlex.join(words)}")


def _library_for(workflow: str, folders: list[Path] | None) -> "tuple[Library, str]":
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


if __name__ == "__main__":
    main()
