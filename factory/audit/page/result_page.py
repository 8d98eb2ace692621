"""The audit of published files or foreign calls as a page: one self-contained file without script."""

from dataclasses import dataclass
from pathlib import Path

from factory.audit.columns.result import BrokenRule, RuleCount, RulesResult
from factory.audit.columns.rules import ColumnRule
from factory.audit.columns.tally import MOST_EXAMPLES
from factory.audit.content import MOST_LEAKS, scan_words
from factory.audit.findings import shown
from factory.audit.result import AuditResult
from factory.audit.verdict import Verdict
from factory.records.enums import InterruptionType
from factory.report.pages import asset, policy, template

_ROOM = Path(__file__).resolve().parent


@dataclass(frozen=True, slots=True)
class Cell:
    """One rule for interruptions of one type, or for all together."""

    checked: int
    broken: int
    looks_broken: int


@dataclass(frozen=True, slots=True)
class RuleRow:
    """One rule: all together first, then by type; with its examples."""

    rule: ColumnRule
    cells: tuple[Cell, ...]
    examples: tuple[BrokenRule, ...]


def result_page(result: AuditResult, name: str) -> str:
    """The whole page; everything that comes from a file is escaped, and the page permits no script at all.

    Args:
        result: What the audit of published files or foreign calls came to.
        name: What was audited is called.
    """
    style = asset("base.css", "audit.css", "result.css", folder=_ROOM)
    verdict = Verdict.read(result.verdict)
    types = _types(result.rules) if result.rules is not None else ()
    return template("result.html.j2", _ROOM).render(
        result=result,
        name=shown(name),
        verdict_head=verdict.head[:1].upper() + verdict.head[1:],
        verdict_parts=verdict.parts,
        kinds=types,
        rows=_rows(result.rules, types) if result.rules is not None else (),
        findings=result.published.findings if result.published is not None else (),
        scan_words=scan_words(result.scan) if result.scan is not None else "",
        most_examples=MOST_EXAMPLES,
        most_leaks=MOST_LEAKS,
        style=style.text,
        policy=policy(style_src=style.source),
    )


def _types(rules: RulesResult) -> tuple[InterruptionType, ...]:
    return tuple(kind for kind in InterruptionType if kind in rules.by_type)


def _rows(rules: RulesResult, types: tuple[InterruptionType, ...]) -> tuple[RuleRow, ...]:
    rows = []
    for rule in ColumnRule:
        counts = [count for count in rules.counts if count.rule is rule]
        if counts:
            cells = (_cell(counts), *(_cell([c for c in counts if c.type is kind]) for kind in types))
            rows.append(RuleRow(rule, cells, tuple(e for e in rules.examples if e.rule is rule)))
    return tuple(rows)


def _cell(counts: list[RuleCount]) -> Cell:
    return Cell(
        checked=sum(count.checked for count in counts),
        broken=sum(count.broken for count in counts),
        looks_broken=sum(count.looks_broken for count in counts),
    )
