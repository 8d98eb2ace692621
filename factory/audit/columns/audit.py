"""The audit of calls in the reference's columns alone."""

from pathlib import Path

from factory.audit.columns.read import CallFile
from factory.audit.columns.result import RulesResult
from factory.audit.columns.rules import ColumnRule
from factory.audit.columns.tally import RuleTally
from factory.audit.columns.understood import Understood, surest
from factory.audit.content import CallScan
from factory.audit.options import USUAL, AuditOptions
from factory.audit.proofs import foreign_proofs
from factory.audit.result import AuditResult, TargetKind
from factory.audit.verdict import CLEAN, NOT_CLEAN, Verdict
from factory.dataset.parquet import row_count
from factory.errors import RunError
from factory.report.labels import counted
from factory.run.done import Done

MOST_NAMED = 5
"""Rules that a verdict names."""


def audit_foreign(path: Path, options: AuditOptions = USUAL) -> AuditResult:
    """Audits a file of calls, one at a time; it is read twice, the first time for what callers say anyway.

    Args:
        path: The file.
        options: What the audit is made with.

    Raises:
        RunError: if it is no Parquet file, is damaged, has not the reference's columns, or holds no call.
    """
    file = CallFile(path)
    tally, understood = RuleTally(file.columns.has_rubrics), Understood()
    done = Done(options.show, 2 * row_count(path))
    scan = CallScan((call.scanned() for call in done.counting(file.calls())), options.embed)
    for call in done.counting(file.calls()):
        tally.add(call)
        understood.add(call)
        scan.scan(call.scanned(), surest(call))
    if not tally.calls:
        raise RunError(f"{path}: holds no conversation, so there is nothing to audit")
    rules, scanned = tally.result(), scan.result()
    return AuditResult(
        target=TargetKind.FOREIGN,
        clean=not rules.broken,
        verdict=str(_verdict(tally, rules)),
        conversations=tally.calls,
        proofs=foreign_proofs(tally, understood, file.columns.has_rubrics, scanned),
        rules=rules,
        scan=scanned,
    )


def _verdict(tally: RuleTally, rules: RulesResult) -> Verdict:
    of = f"in {counted(rules.interruptions, 'interruption')} of {counted(tally.calls, 'conversation')}"
    rest = (*looks_words(rules), "that callers were blind cannot be proved from these columns")
    if rules.broken:
        return Verdict(NOT_CLEAN, (f"{rules_words(rules, certain=True)} {of}", *rest))
    return Verdict(f"{CLEAN} as far as the columns tell", (f"no rule is broken for certain {of}", *rest))


def looks_words(rules: RulesResult) -> tuple[str, ...]:
    """How often rules look broken, as a part of a verdict; none where none does."""
    return (rules_words(rules, certain=False),) if rules.looks_broken else ()


def rules_words(rules: RulesResult, certain: bool) -> str:
    """How often rules are broken, or look so, with the names of those that are most often."""
    total, counts = (rules.broken, "broken") if certain else (rules.looks_broken, "looks_broken")
    by_rule = {rule: sum(getattr(c, counts) for c in rules.counts if c.rule is rule) for rule in ColumnRule}
    most = sorted((-number, rule.value) for rule, number in by_rule.items() if number)
    named = ", ".join(f"{-number:,} {name}" for number, name in most[:MOST_NAMED])
    more = f", and {counted(len(most) - MOST_NAMED, 'other rule')}" if len(most) > MOST_NAMED else ""
    one, many = ("break of a rule", "breaks of rules") if certain else ("place looks broken", "places look broken")
    what = counted(total, one, many)
    return f"{what} ({named}{more})"
