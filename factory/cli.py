"""The command line: one thin function for each verb. What is heavy is imported by the verb that needs it."""

import asyncio
import io
import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from factory import __version__
from factory.build.stop import tell_stopped
from factory.cli_common import (
    AnswersOpt,
    AsrOpt,
    AuditArg,
    BudgetOpt,
    CanariesOpt,
    CommitmentOpt,
    CommitOpt,
    DateOpt,
    EstimateOpt,
    Exit,
    FoldersOpt,
    FormatsOpt,
    ItemOpt,
    LateBar,
    ModelsOpt,
    NoPriceOpt,
    ProofOpt,
    RootOpt,
    SeedOpt,
    SpecArg,
    TargetArg,
    UnfreezeOpt,
    WorkflowArg,
    command_for,
    commitment_day,
    formats_of,
    library_for,
    models_for,
    plain,
    refuse,
)
from factory.cli_workflow import app as workflow_app
from factory.errors import FactoryError, Unfinished
from factory.interrupt import INTERRUPTED
from factory.records.enums import Way

if TYPE_CHECKING:
    from factory.build.order import Order

app = typer.Typer(
    name="factory",
    help="Builds corpora of interrupted voice-agent calls: ordered exactly, blinded by construction, frozen.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
app.add_typer(workflow_app, name="workflow")


class Orchestrator(StrEnum):
    """What carries a build or an audit out."""

    PREFECT = "prefect"
    INLINE = "inline"


def main() -> None:
    """Runs the command line; a user's mistake is one line on stderr and exit code 2, never a traceback.

    A build that ended before it was done says so in one line too, with exit code 3.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal that cannot show a character shows another
    try:
        code = app(standalone_mode=False)
        if code == INTERRUPTED:  # as newer versions of Typer tell of Ctrl-C
            raise typer.Abort
        sys.exit(code if isinstance(code, int) else 0)
    except Unfinished as exc:
        _fail(str(exc), Exit.UNFINISHED, "not finished")
    except FactoryError as exc:
        _fail(str(exc))
    except typer.Abort:
        tell_stopped()
        sys.exit(INTERRUPTED)
    except OSError as exc:
        _fail(f"{exc.filename or 'a file'}: {exc.strerror or exc}")
    except Exception as exc:
        _usage(exc)


def _fail(message: str, code: Exit = Exit.USAGE, word: str = "error") -> None:
    first, *more = message.splitlines() or [message]
    others = f" (and {len(more)} more)" if more else ""
    print(f"{word}: {plain(first)}{others}", file=sys.stderr)
    sys.exit(code)


def _usage(exc: Exception) -> None:
    """Shows a mistake in the command itself; anything else is a defect and keeps its traceback."""
    show = getattr(exc, "show", None)
    if show is None:
        raise exc
    show()
    sys.exit(Exit.USAGE)


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
    engine: Annotated[Orchestrator, typer.Option(help="What carries the build out.")] = Orchestrator.PREFECT,
    tts: Annotated[str | None, typer.Option(metavar="NAME", help="Speech engine instead of the spec's.")] = None,
    no_audio: Annotated[bool, typer.Option("--no-audio", help="Leave the calls unvoiced.")] = False,
    formats: FormatsOpt = "flac",
    asr: AsrOpt = None,
    limit: Annotated[int | None, typer.Option(min=1, help="Build only the first N conversations.")] = None,
    canaries: CanariesOpt = False,
    fresh: Annotated[bool, typer.Option("--fresh", help="Start the folder anew if it holds another run.")] = False,
    workflows: FoldersOpt = None,
    models: ModelsOpt = None,
    budget: BudgetOpt = None,
    no_price: NoPriceOpt = False,
    commit: CommitOpt = False,
    date: DateOpt = None,
    unfreeze: UnfreezeOpt = None,
) -> None:
    """Builds a corpus, or continues the build that the folder holds."""
    from factory.build.commit import commit_to
    from factory.build.order import Order
    from factory.build.summary import summarise
    from factory.corpus.specs import load_spec, located
    from factory.workflow.library import library_with

    if unfreeze is not None:
        refuse("starts another run, and --unfreeze a new version of this one; give one of them", fresh=fresh)
    if no_audio:
        refuse("listens to voices, and --no-audio makes none; give one of them", asr=asr)
    day = commitment_day(commit, date)
    order = Order(
        spec=load_spec(spec),
        library=library_with(workflows or ()),
        seed=seed,
        limit=limit,
        audio=not no_audio,
        tts=tts,
        formats=formats_of(formats),
        recogniser=asr,
        canaries=canaries,
        models=models_for(models, budget, no_price),
        budget_usd=budget,
        no_price=no_price,
        unfreeze=unfreeze,
    )
    folder = out or Path("outputs") / order.spec.name
    with located(spec):
        _carry_out(engine, order, folder, fresh)
    if commit:
        commit_to(folder, day)
    print(summarise(folder))


def _carry_out(engine: Orchestrator, order: "Order", folder: Path, fresh: bool) -> None:
    from factory.build.bar import Bar

    with Bar() as bar:
        if engine is Orchestrator.PREFECT:
            from flows.build import run_with_prefect

            run_with_prefect(order, folder, fresh, bar)
        else:
            from factory.build.inline import run_inline

            run_inline(order, folder, fresh, bar)


@app.command()
def plan(
    spec: SpecArg,
    seed: SeedOpt = 0,
    workflows: FoldersOpt = None,
    models: EstimateOpt = None,
    no_price: NoPriceOpt = False,
) -> None:
    """Shows what would be built: quotas by type, depth and domain, and the conversations. Writes nothing."""
    from factory.corpus.plan import plan_corpus
    from factory.corpus.specs import load_spec, located
    from factory.corpus.table import show_plan
    from factory.workflow.library import library_with

    loaded, library, chosen = load_spec(spec), library_with(workflows or ()), models_for(models, None, no_price)
    with located(spec):
        planned = plan_corpus(loaded, library, seed)
    print(show_plan(loaded, planned))
    if chosen is not None:
        from factory.build.estimate import estimate_build
        from factory.models.table import show_estimate

        print(f"\n{show_estimate(estimate_build(planned, library, chosen, no_price))}")


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
    from factory.report.labels import counted

    library, workflow_id = library_for(workflow, workflows)
    if errors := count_errors(library, workflow_id):
        shows = command_for("factory workflow lint", workflow, workflows)
        print(
            f"{plain(workflow)}: {counted(errors, 'error')}, so it may play wrongly; `{shows}` tells more", flush=True
        )
    print(asyncio.run(play(library, workflow_id, seed, rubrics, sys.stdout.isatty(), intent, way)))


@app.command()
def verify(
    target: TargetArg,
    workflows: FoldersOpt = None,
    item: ItemOpt = None,
    proof: ProofOpt = None,
    root: RootOpt = None,
    commitment: CommitmentOpt = None,
    answers: AnswersOpt = None,
) -> None:
    """Re-checks a finished run from its files alone: schema, cuts, quotas, digests. Exit 0 or 1.

    With --item, or of a proof, only whether that item is frozen.
    """
    from factory.build.verify import verify_run
    from factory.build.verify.freeze import Published, check_answers, verify_item, verify_proof
    from factory.run.folder import RunFolder
    from factory.workflow.library import library_with

    one = target.is_file() or item is not None
    if target.is_file():
        refuse("is about a run folder, not about a proof", item=item)
    if one:
        refuse("is about a whole run, not about one item", commitment=commitment, answers=answers)
    if item is None:
        refuse("names where the proof of an --item is written; name the item too", proof=proof)
    if one:
        text, faults = verify_proof(target, root) if item is None else verify_item(RunFolder(target), item, root, proof)
        print(text, end="")
    else:
        published = Published.of(root, commitment)
        with LateBar("verify, in two passes") as bar:
            faults = verify_run(target, library_with(workflows or ()), published, bar)
        if answers is not None:
            accepted, refused = check_answers(RunFolder(target), answers, published)
            faults += refused
            print(f"{answers}: answers accepted: {accepted}, refused: {len(refused)}")
    for fault in faults:
        print(fault)
    holds = "the item is frozen under this root" if one else "everything holds"
    print(f"{target}: faults found: {len(faults)}" if faults else f"{target}: {holds}")
    raise typer.Exit(Exit.FINDINGS if faults else Exit.DONE)


@app.command()
def audit(
    target: AuditArg,
    strict: Annotated[
        bool, typer.Option("--strict", help="What is likely or only looks broken counts, too: exit 1.")
    ] = False,
    meaning: Annotated[
        bool, typer.Option("--meaning", help="Look for paraphrases, too; takes the extra `scan`, and time.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document and nothing else.")] = False,
    report: Annotated[
        Path | None, typer.Option("--report", metavar="FILE", help="Write the result as a page; not of a run.")
    ] = None,
    answers: AnswersOpt = None,
    engine: Annotated[
        Orchestrator, typer.Option("--engine", help="What carries it out; Prefect keeps verdict and matrix of a run.")
    ] = Orchestrator.INLINE,
) -> None:
    """Shows who could know what: of a run, of its dataset alone, or of calls by others. Exit 0, 1 or 2."""
    from factory.audit.any_target import audit_target, here, require_outside, write_page
    from factory.audit.content import sentence_model
    from factory.audit.options import AuditOptions
    from factory.audit.result import TargetKind
    from factory.audit.target import find_target
    from factory.audit.terminal import result_text

    found = find_target(target)
    if found.kind is not TargetKind.RUN:
        refuse("is about a run, whose ledger tells when its rubrics were written", answers=answers)
        refuse("keeps the matrix of a run, and this is none", engine=engine if engine is Orchestrator.PREFECT else None)
    elif report is not None:
        refuse("is not about a run: its page is reports/flow-report.html", report=report)
    if report is not None:
        require_outside(found, report)
    embed = sentence_model() if meaning else None
    carry = here
    if engine is Orchestrator.PREFECT:
        from flows.audit import audit_with_prefect as carry
    with LateBar("audit, in two passes") as bar:
        result = audit_target(found, AuditOptions(embed=embed, show=bar, answers=answers), carry)
    print(result.canonical() if as_json else result_text(result, found, strict))
    if report is not None:
        write_page(result, found, report)
    if result.unwritten is not None:
        print(f"not written: {plain(result.unwritten)}", file=sys.stderr)
    raise typer.Exit(Exit.FINDINGS if result.counts_as_finding(strict) else Exit.DONE)


@app.command("fake-server")
def fake_server(
    port: Annotated[int, typer.Option(min=0, max=65535, help="Where it listens; 0 takes any free port.")] = 8765,
    log: Annotated[Path | None, typer.Option(metavar="FILE", help="Where a line is written for each call.")] = None,
    keep_bodies: Annotated[
        Path | None, typer.Option("--keep-bodies", metavar="FILE", help="Where whole requests and replies are kept.")
    ] = None,
    seed: Annotated[int, typer.Option(help="Decides every draw of its scenarios.")] = 0,
) -> None:
    """Serves models that answer at once and cost nothing, in OpenAI's and Anthropic's format; for trying things out."""
    from factory.models.fake.server import run_server

    run_server(port, log, keep_bodies, seed)


@app.command()
def doctor() -> None:
    """Shows what is usable here: speech engines, model keys (never their value), Prefect."""
    from factory.doctor import examine

    print(examine())
