"""What an audit came to, as a short text for a terminal: the verdict, a table, examples, and the proofs."""

from collections.abc import Iterator, Sequence

from factory.audit.columns.audit import rules_words
from factory.audit.columns.result import RuleCount, RulesResult
from factory.audit.columns.rules import Certainty, ColumnRule
from factory.audit.content import scan_words
from factory.audit.flow import FlowReport
from factory.audit.report_parts import AnswersResult, ScanResult
from factory.audit.result import AuditResult
from factory.audit.target import Target
from factory.audit.verdict import answer_words
from factory.records.enums import InterruptionType
from factory.report.labels import counted
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
    lines = _of_run(result, result.flow, target, strict) if result.flow is not None else _of_columns(result, strict)
    return "\n".join(lines)


def _of_run(result: AuditResult, report: FlowReport, target: Target, strict: bool) -> Iterator[str]:
    yield result.verdict
    yield from _listed(report.findings, sum(report.findings_by_kind.values()), "the whole report")
    yield from _answers(report.order.answers)
    yield f"columns: {_rule_words(result.rules)}"
    yield from (f"- {finding}" for finding in result.item_findings)
    yield from _examples(result.rules, strict)
    yield from _scan(report.scan, strict)
    yield f"ledger root: {report.chain.root}"
    if result.unwritten is None:
        yield f"the whole report: {RunFolder(target.path).flow_report}"


def _of_columns(result: AuditResult, strict: bool) -> Iterator[str]:
    yield result.verdict
    if result.published is not None:
        yield from _listed(result.published.findings, sum(result.published.findings_by_kind.values()))
    yield ""
    yield from _table(result.rules)
    if examples := tuple(_examples(result.rules)):
        yield from ("", *examples)
    yield ""
    yield from _proofs(result)
    yield from _scan(result.scan, strict)


def _scan(scan: ScanResult | None, strict: bool) -> Iterator[str]:
    if scan is not None:
        yield f"content scan: {scan_words(scan)}"
        if strict:
            yield from _listed(scan.findings, scan.strong)


def _answers(answers: AnswersResult | None) -> Iterator[str]:
    if answers is not None:
        yield answer_words(answers)
        yield from _listed(answers.refusals, sum(answers.refused.values()), "the whole report")


def _listed(found: Sequence[object], total: int, more_in: str = "--json") -> Iterator[str]:
    """The first of what was found, a line each, and how many there are beside these."""
    yield from (f"- {each}" for each in found[:MOST_SHOWN])
    if total > MOST_SHOWN:
        kept = "them" if len(found) == total else f"the first {len(found):,}"
        yield f"- … and {total - MOST_SHOWN:,} more; {more_in} has {kept}"


def _rule_words(rules: RulesResult) -> str:
    broken = rules_words(rules, certain=True) if rules.broken else "no rule is broken for certain"
    looks = f"; {rules_words(rules, certain=False)}" if rules.looks_broken else ""
    return f"{broken} in {counted(rules.interruptions, 'interruption')}{looks}"


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


def _examples(rules: RulesResult, looks: bool = True) -> Iterator[str]:
    """The first places of each rule, and how many there are beside these; without `looks` the certain ones."""
    for rule in ColumnRule:
        counts = [count for count in rules.counts if count.rule is rule]
        total = sum(count.broken + (count.looks_broken if looks else 0) for count in counts)
        shown = [e for e in rules.examples if e.rule is rule and (looks or e.certainty is Certainty.CERTAIN)][:_EACH]
        yield from (f"- {example}" for example in shown)
        if total > len(shown):
            yield f"- {rule}: … and {total - len(shown):,} more; --json has the first places of each rule"


def _proofs(result: AuditResult) -> Iterator[str]:
    for made, head in ((True, "checked:"), (False, "cannot be shown:")):
        chosen = [proof for proof in result.proofs if proof.made is made]
        if chosen:
            yield head
        for proof in chosen:
            number = f" ({proof.number:,})" if proof.made else ""
            yield f"- {proof.proof.value}{number}: {proof.why}"
