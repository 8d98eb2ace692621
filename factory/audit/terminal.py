"""What an audit came to, as a short text for a terminal: the verdict, a table, examples, and the proofs."""

from collections.abc import Iterator

from factory.audit.columns.result import RuleCount, RulesResult
from factory.audit.columns.rules import ColumnRule
from factory.audit.content import scan_words
from factory.audit.flow import FlowReport, ScanResult
from factory.audit.result import AuditResult
from factory.audit.target import Target
from factory.records.enums import InterruptionType
from factory.run.folder import RunFolder

MOST_SHOWN = 20
"""Findings, examples and leaks that are written out; `--json` has more."""
_EACH = 3
"""Examples of one rule that are written out."""


def result_text(result: AuditResult, target: Target, strict: bool) -> str:
    """The text.

    Args:
        result: What the audit came to.
        target: What was audited.
        strict: Whether what is not certain counts, so that leaks are listed too.
    """
    lines = _of_run(result.flow, target, strict) if result.flow is not None else _of_columns(result, strict)
    return "\n".join(lines)


def _of_run(report: FlowReport, target: Target, strict: bool) -> Iterator[str]:
    yield report.verdict
    yield from (f"- {finding}" for finding in report.findings[:MOST_SHOWN])
    yield from _scan(report.scan, strict)
    yield f"ledger root: {report.chain.root}"
    yield f"the whole report: {RunFolder(target.path).flow_report}"


def _of_columns(result: AuditResult, strict: bool) -> Iterator[str]:
    yield result.verdict
    if result.published is not None:
        yield from (f"- {finding}" for finding in result.published.findings[:MOST_SHOWN])
    if result.rules is not None:
        yield ""
        yield from _table(result.rules)
        yield from _examples(result.rules)
    yield ""
    yield from _proofs(result)
    yield from _scan(result.scan, strict)


def _scan(scan: ScanResult | None, strict: bool) -> Iterator[str]:
    if scan is not None:
        yield f"content scan: {scan_words(scan)}"
        yield from (f"- {leak}" for leak in scan.findings[: MOST_SHOWN if strict else 0])


def _table(rules: RulesResult) -> Iterator[str]:
    """A row for each rule that was checked: how often it is broken, of how many checks, in all and by type."""
    types = [kind for kind in InterruptionType if kind in rules.by_type]
    head = ["rule: broken/checked, +N looks broken", "all", *(kind.value for kind in types)]
    rows = [head]
    for rule in ColumnRule:
        counts = [count for count in rules.counts if count.rule is rule]
        if counts:
            by_type = [[count for count in counts if count.type is kind] for kind in types]
            rows.append([rule.value, _cell(counts), *map(_cell, by_type)])
    widths = [max(len(row[column]) for row in rows) for column in range(len(head))]
    for first, *others in rows:
        cells = [cell.rjust(width) for cell, width in zip(others, widths[1:], strict=True)]
        yield "  ".join((first.ljust(widths[0]), *cells)).rstrip()


def _cell(counts: list[RuleCount]) -> str:
    checked, broken, looks = (sum(getattr(c, n) for c in counts) for n in ("checked", "broken", "looks_broken"))
    if not checked:
        return "-"
    return f"{broken:,}{f'+{looks:,}' if looks else ''}/{checked:,}"


def _examples(rules: RulesResult) -> Iterator[str]:
    shown = [example for rule in ColumnRule for example in [e for e in rules.examples if e.rule is rule][:_EACH]]
    if shown:
        yield ""
    yield from (f"- {example}" for example in shown)


def _proofs(result: AuditResult) -> Iterator[str]:
    for made, head in ((True, "checked:"), (False, "cannot be shown:")):
        chosen = [proof for proof in result.proofs if proof.made is made]
        if chosen:
            yield head
        for proof in chosen:
            number = f" ({proof.number:,})" if proof.made else ""
            yield f"- {proof.proof.value}{number}: {proof.why}"
