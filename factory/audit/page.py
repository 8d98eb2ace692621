"""The flow report as a page: one self-contained file without script, readable in ten minutes."""

from dataclasses import dataclass
from pathlib import Path

from factory.audit.findings import MOST_KEPT
from factory.audit.flow import FlowReport, MatrixCell
from factory.audit.verdict import canary_words
from factory.records.ledger import USER_SIDE, Label, Role
from factory.report.labels import words
from factory.report.pages import asset, policy, template

_ROOM = Path(__file__).resolve().parent


@dataclass(frozen=True, slots=True)
class MatrixRow:
    """One kind of data with its cell for every role."""

    label: Label
    cells: tuple[MatrixCell, ...]


def flow_page(report: FlowReport, name: str) -> str:
    """The whole page; everything that comes from a corpus is escaped, and the page permits no script at all.

    Args:
        report: What the audit came to.
        name: What the corpus is called.
    """
    style = asset("base.css", "flow.css", folder=_ROOM)
    head, _, rest = report.verdict.partition(": ")
    return template("flow.html.j2", _ROOM).render(
        report=report,
        name=name,
        verdict_head=words(head),
        verdict_rest=rest,
        roles=tuple(Role),
        user_side=USER_SIDE,
        rows=_rows(report),
        canary=canary_words(report.canary).partition(": ")[2],
        kept=MOST_KEPT,
        total=sum(report.findings_by_kind.values()),
        style=style.text,
        policy=policy(style_src=style.source),
    )


def _rows(report: FlowReport) -> tuple[MatrixRow, ...]:
    """The matrix, a row for each kind of data; kinds that nobody may or did read are left out."""
    rows = (MatrixRow(label, tuple(c for c in report.matrix if c.label is label)) for label in Label)
    return tuple(row for row in rows if any(cell.allowed or cell.used for cell in row.cells))
