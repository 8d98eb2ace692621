"""What a corpus visits of its workflows, as the corpus report shows it: a table, and a picture of each machine."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from factory.corpus.coverage import Coverage, Kind, WorkflowCoverage
from factory.run.files import write_text
from factory.run.folder import RunFolder
from factory.workflow.graph import build_graph
from factory.workflow.library import Library
from factory.workflow.svg import to_svg

MACHINES = "machines"
"""Folder of the pictures beside the report; each is loaded when it is looked at."""


@dataclass(frozen=True, slots=True)
class Visited:
    """How much of one kind is visited.

    Attributes:
        count: How many are visited.
        of: How many there are.
        width: The share, in per cent of a bar's width.
        missing: Names of those that are not visited.
    """

    kind: Kind
    count: int
    of: int
    width: str
    missing: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CoverageRow:
    """One workflow in the table.

    Attributes:
        visited: One entry for each kind.
        picture: File name of its state machine's picture, in `MACHINES`.
    """

    workflow: str
    title: str
    calls: int
    visited: tuple[Visited, ...]
    picture: str


@dataclass(frozen=True, slots=True)
class CoverageTable:
    """The whole table: all workflows together, and each alone.

    Attributes:
        used: How many workflows have a call.
    """

    total: tuple[Visited, ...]
    calls: int
    used: int
    rows: tuple[CoverageRow, ...]


def write_pictures(folder: RunFolder, library: Library, coverage: Coverage) -> CoverageTable:
    """Draws the state machine of every workflow with its visits, and makes the table that links the pictures.

    Args:
        folder: The run; the pictures go beside its report.
        library: Where its workflows are.
        coverage: What its calls visit.

    Raises:
        RunError: if a picture cannot be written.
    """
    found = coverage.workflows()
    rows = []
    for workflow in found:
        picture = f"{folder.machine_file(workflow.workflow).stem}.svg"
        drawn = to_svg(build_graph(library.workflow(workflow.workflow)), workflow.visits)
        write_text(folder.reports / MACHINES / picture, drawn)
        rows.append(
            CoverageRow(
                workflow=workflow.workflow,
                title=workflow.title,
                calls=workflow.calls,
                visited=tuple(
                    _visited(k, workflow.visited(k), len(workflow.counts[k]), workflow.unvisited(k)) for k in Kind
                ),
                picture=picture,
            )
        )
    return CoverageTable(
        total=tuple(_totals(found)),
        calls=sum(row.calls for row in rows),
        used=sum(row.calls > 0 for row in rows),
        rows=tuple(rows),
    )


def _totals(found: Sequence[WorkflowCoverage]) -> Iterator[Visited]:
    for kind in Kind:
        yield _visited(kind, sum(w.visited(kind) for w in found), sum(len(w.counts[kind]) for w in found))


def _visited(kind: Kind, count: int, of: int, missing: tuple[str, ...] = ()) -> Visited:
    return Visited(kind, count, of, f"{100 * count / (of or 1):.1f}".removesuffix(".0"), missing)
