"""The verbs of `factory workflow`, as thin as those of `factory.cli`."""

import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from factory.cli_common import (
    BudgetOpt,
    Exit,
    FoldersOpt,
    NoPriceOpt,
    OwnFolderOpt,
    WorkflowArg,
    command_for,
    library_for,
    plain,
)
from factory.errors import WorkflowError
from factory.records.enums import Direction

app = typer.Typer(help="The workflows: list, show, lint, draw and write them.", no_args_is_help=True)


@app.command("list")
def workflow_list(workflows: FoldersOpt = None) -> None:
    """Lists all workflows with direction, stages and what they can carry."""
    from factory.workflow.library import library_with
    from factory.workflow.show import list_workflows

    print(list_workflows(library_with(workflows or ())))


@app.command("new")
def workflow_new(
    workflow: Annotated[str, typer.Argument(metavar="DOMAIN/GOAL", help="The new workflow's id.")],
    direction: Annotated[Direction, typer.Option(help="Who places the call.")] = Direction.INBOUND,
    folder: OwnFolderOpt = None,
) -> None:
    """Writes the frame of a new workflow, with marks where an author has to write."""
    from factory.run.files import write_text
    from factory.workflow.library import BUILT_IN, standard_library
    from factory.workflow.skeleton import place_for, skeleton

    path = place_for(workflow, folder or BUILT_IN, standard_library())
    write_text(path, skeleton(workflow, direction))
    leads = command_for("factory workflow lint", workflow, [folder] if folder else None)
    print(f"{path}: written; `{leads}` says what belongs in each gap")


@app.command("draft")
def workflow_draft(
    description: Annotated[str, typer.Argument(metavar="DESCRIPTION", help="What the call is about, in your words.")],
    workflow: Annotated[str, typer.Option("--id", metavar="DOMAIN/GOAL", help="The new workflow's id.")],
    models: Annotated[str, typer.Option("--models", metavar="FILE", help="A roles file, or one of flows/models/.")],
    folder: OwnFolderOpt = None,
    budget: BudgetOpt = None,
    no_price: NoPriceOpt = False,
) -> None:
    """Has a model write a whole workflow that passes the linter, for you to edit."""
    from factory.build.bar import Bar
    from factory.build.stop import stoppable
    from factory.models.budget import dollars
    from factory.models.draft import draft
    from factory.models.roles_file import load_models
    from factory.report.labels import counted
    from factory.workflow.library import BUILT_IN

    place, chosen = folder or BUILT_IN, load_models(models)
    with stoppable(), Bar() as bar:
        done = draft(description, workflow, chosen, place, os.environ, bar, budget, no_price)
    plays = command_for("factory preview", workflow, [folder] if folder else None)
    cost = "" if done.spent_usd is None else f", {dollars(done.spent_usd)} spent"
    written = f"written in {counted(done.rounds, 'draft')}, {counted(done.warnings, 'warning')}{cost}"
    print(f"{done.path}: {written}; read it, and `{plays}`")


@app.command("show")
def workflow_show(workflow: WorkflowArg, workflows: FoldersOpt = None) -> None:
    """Shows one workflow: stages, acts, what callers may do, and the range it can carry."""
    from factory.workflow.show import show_workflow

    library, workflow_id = library_for(workflow, workflows)
    print(show_workflow(library, workflow_id))


@app.command("lint")
def workflow_lint(
    paths: Annotated[
        list[str] | None,
        typer.Argument(metavar="[PATH…]", help="Files, ids or patterns ('acme/*'); default: all."),
    ] = None,
    workflows: FoldersOpt = None,
) -> None:
    """Proves what a workflow promises, and says what to mend. Exit 0 or 1."""
    from factory.report.labels import counted
    from factory.workflow.findings import Severity
    from factory.workflow.library import library_with
    from factory.workflow.lint import lint_files, report

    library = library_with(workflows or ())
    files = [file for name in paths or ["*"] for file in library.files(name)]
    try:
        found = lint_files(files, library.shared, together=not paths)
    except WorkflowError as exc:  # whoever lints wants to see every problem of the files, not only the first
        print("\n".join(plain(line) for line in f"error: {exc}".splitlines()), file=sys.stderr)
        raise typer.Exit(Exit.USAGE) from None
    for file, findings in found.items():
        for line in report(file, findings):
            print(plain(line))
    told = [finding.severity for findings in found.values() for finding in findings]
    errors = told.count(Severity.ERROR)
    counts = counted(len(found), "workflow"), counted(errors, "error"), counted(len(told) - errors, "warning")
    print(", ".join(counts))
    raise typer.Exit(Exit.FINDINGS if errors else Exit.DONE)


@app.command("draw")
def workflow_draw(
    workflow: WorkflowArg,
    out: Annotated[Path, typer.Option(help="The picture: .mmd, .svg or .png.")],
    workflows: FoldersOpt = None,
) -> None:
    """Draws a workflow's state machine as Mermaid, SVG or PNG, by the file's ending."""
    from factory.workflow.draw import draw

    library, workflow_id = library_for(workflow, workflows)
    draw(library.workflow(workflow_id), out)
    print(out)
