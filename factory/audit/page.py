"""The flow report as a page: one self-contained file without script, readable in ten minutes."""

from dataclasses import dataclass
from pathlib import Path

from factory.audit.content import MOST_LEAKS, scan_words
from factory.audit.findings import MOST_KEPT
from factory.audit.flow import FlowReport, MatrixCell, ScanResult
from factory.audit.scan.findings import LeakKind, Severity
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


@dataclass(frozen=True, slots=True)
class Folded:
    """What a matrix leaves out: roles that read nothing, and kinds of data that nobody read."""

    roles: tuple[Role, ...]
    labels: tuple[Label, ...]


@dataclass(frozen=True, slots=True)
class Matrix:
    """Who read what: a column for each role and a row for each kind of data."""

    roles: tuple[Role, ...]
    rows: tuple[MatrixRow, ...]
    folded: Folded


@dataclass(frozen=True, slots=True)
class LeakRow:
    """One kind of the content scan's findings, with how many are of each severity, the surest first."""

    kind: LeakKind
    counts: tuple[int, ...]


def flow_page(report: FlowReport, name: str) -> str:
    """The whole page; everything that comes from a corpus is escaped, and the page permits no script at all.

    Args:
        report: What the audit came to.
        name: What the corpus is called.
    """
    shown = _matrix(report)
    style = asset("base.css", "flow.css", folder=_ROOM)
    head, _, rest = report.verdict.partition(": ")
    return template("flow.html.j2", _ROOM).render(
        report=report,
        name=name,
        verdict_head=words(head),
        verdict_rest=rest,
        roles=shown.roles,
        user_side=USER_SIDE,
        rows=shown.rows,
        folded=shown.folded,
        canary=canary_words(report.canary).partition(": ")[2],
        kept=MOST_KEPT,
        scan_words=scan_words(report.scan) if report.scan else "",
        severities=tuple(Severity),
        leaks=_leaks(report.scan) if report.scan else (),
        kept_leaks=MOST_LEAKS,
        total=sum(report.findings_by_kind.values()),
        style=style.text,
        policy=policy(style_src=style.source),
    )


def _matrix(report: FlowReport) -> Matrix:
    """The matrix as it is shown: who read something, and what was read by anybody; the others are named below it."""
    used = [cell for cell in report.matrix if cell.used]
    roles = tuple(role for role in Role if any(cell.role is role for cell in used))
    labels = tuple(label for label in Label if any(cell.label is label for cell in used))
    return Matrix(
        roles=roles,
        rows=tuple(
            MatrixRow(label, tuple(c for c in report.matrix if c.label is label and c.role in roles))
            for label in labels
        ),
        folded=Folded(
            roles=tuple(role for role in Role if role not in roles),
            labels=tuple(label for label in Label if label not in labels),
        ),
    )


def _leaks(scan: ScanResult) -> tuple[LeakRow, ...]:
    """The content scan's counts, a row for each kind that was found."""
    counts = {(count.kind, count.severity): count.count for count in scan.counts}
    found = (LeakRow(kind, tuple(counts.get((kind, severity), 0) for severity in Severity)) for kind in LeakKind)
    return tuple(row for row in found if any(row.counts))
