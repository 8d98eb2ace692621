"""The flow report as a page: one self-contained file, readable in ten minutes. Only single calls need its script."""

from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from factory.audit.content import MOST_LEAKS, scan_words
from factory.audit.findings import MOST_KEPT
from factory.audit.flow import FlowReport
from factory.audit.page.explorer import in_page
from factory.audit.page.kinds import grouped
from factory.audit.page.shown_call import Calls
from factory.audit.page.timeline import stops
from factory.audit.policy import may_read
from factory.audit.report_parts import MatrixCell, ScanResult
from factory.audit.scan.findings import LeakKind, Severity
from factory.audit.scan.measured import scan_figures
from factory.audit.verdict import Verdict, answer_words, canary_words
from factory.records.base import canonical_json
from factory.records.ledger import USER_SIDE, Label, Role
from factory.report.labels import words
from factory.report.pages import asset, policy, template

_ROOM = Path(__file__).resolve().parent
_STYLES = ("base.css", "audit.css", "flow.css", "explorer.css")
_SCRIPTS = ("dom.js", "given.js", "turns.js", "graph.js", "flow.js")
_CLEAN = (
    "Nothing that is withheld from the caller’s side reached it but through the declared channels, as far as published "
    "files and ledger can prove it:"
)


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


def flow_page(report: FlowReport, name: str, calls: Calls | None = None) -> str:
    """The whole page; everything that comes from a corpus is escaped, and no script but the page's own is permitted.

    Args:
        report: What the audit came to.
        name: What the corpus is called.
        calls: The calls that can be looked into; without them the page has no script at all.
    """
    shown = _matrix(report)
    style, script = asset(*_STYLES, folder=_ROOM), asset(*_SCRIPTS, folder=_ROOM)
    verdict = Verdict.read(report.verdict)
    sources = {"style_src": style.source} | ({"script_src": script.source} if calls is not None else {})
    return template("flow.html.j2", _ROOM).render(
        report=report,
        name=name,
        verdict_head=words(verdict.head),
        verdict_says=_CLEAN if report.clean else "; ".join(verdict.parts),
        verdict_parts=verdict.parts if report.clean else (),
        roles=shown.roles,
        user_side=USER_SIDE,
        rows=shown.rows,
        folded=shown.folded,
        canary=canary_words(report.canary).partition(": ")[2],
        answers=answer_words(report.order.answers) if report.order.answers else "",
        groups=grouped(report.findings),
        kept=MOST_KEPT,
        scan_words=scan_words(report.scan) if report.scan else "",
        severities=tuple(Severity),
        leaks=_leaks(report.scan) if report.scan else (),
        readers=in_page(canonical_json({label: [role for role in Role if may_read(role, label)] for label in Label})),
        figures=scan_figures(report.scan.paraphrases) if report.scan else None,
        kept_leaks=MOST_LEAKS,
        total=sum(report.findings_by_kind.values()),
        stops=stops(report),
        calls=calls,
        keys=frozenset(call.key for call in calls.listed) if calls else frozenset(),
        found_in=_found_in(report),
        style=style.text,
        script=script.text,
        policy=policy(**sources),
    )


def _found_in(report: FlowReport) -> Counter[str]:
    """How many of the findings that are shown lie in each call, those of the content scan with them."""
    places = [finding.conversation_id for finding in report.findings if finding.conversation_id is not None]
    return Counter([*places, *(leak.conversation_id for leak in (report.scan.findings if report.scan else ()))])


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
