"""The flow report as a page: one self-contained file without script, readable in ten minutes."""

import base64
import hashlib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template
from markupsafe import Markup

from factory.audit.findings import MOST_KEPT
from factory.audit.flow import FlowReport, MatrixCell
from factory.audit.verdict import canary_words
from factory.records.ledger import USER_SIDE, Label, Role
from factory.report.labels import counted, words
from factory.report.pages import Asset, asset, policy

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
    style = _style()
    head, _, rest = report.verdict.partition(": ")
    return _template().render(
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


@cache
def _style() -> Asset:
    """The look of all reports, and what only this page needs."""
    text = asset("base.css").text + Markup((_ROOM / "flow.css").read_text(encoding="utf-8"))
    digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
    return Asset(text, f"'sha256-{digest}'")


@cache
def _template() -> Template:
    environment = Environment(
        loader=FileSystemLoader(_ROOM),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters.update(words=words)
    environment.globals.update(counted=counted)
    return environment.get_template("flow.html.j2")
