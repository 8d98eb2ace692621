"""The audit of whatever somebody names, with one result for all of it."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from factory.audit.columns.audit import audit_foreign
from factory.audit.columns.dataset import audit_dataset
from factory.audit.columns.published import PublishedRules, found_words
from factory.audit.findings import Findings
from factory.audit.flow import FlowReport
from factory.audit.options import USUAL, AuditOptions
from factory.audit.page.result_page import result_page
from factory.audit.proofs import run_proofs
from factory.audit.report import Unwritten, require_auditable, vouched, write_flow_report
from factory.audit.result import AuditResult, TargetKind
from factory.audit.target import Target
from factory.audit.verdict import NOT_CLEAN, Verdict
from factory.errors import RunError
from factory.run.files import write_text
from factory.run.folder import RunFolder

Carry = Callable[[RunFolder, Callable[[], FlowReport]], FlowReport]
"""What carries out the audit of a run, which is given to it."""


def here(folder: RunFolder, audit: Callable[[], FlowReport]) -> FlowReport:
    """Carries an audit out at once, with nothing around it."""
    return audit()


def audit_target(target: Target, options: AuditOptions = USUAL, carry: Carry = here) -> AuditResult:
    """Audits a run, and writes its flow report; or published files or foreign calls, and writes nothing.

    Args:
        target: What to audit.
        options: What the audit is made with.
        carry: Of a run: what carries the audit out.

    Raises:
        RunError: if the target cannot be read, or holds nothing to audit.
    """
    if target.kind is TargetKind.RUN:
        return _audit_run(RunFolder(target.path), options, carry)
    audit = audit_dataset if target.kind is TargetKind.DATASET else audit_foreign
    return audit(target.path, options)


def _audit_run(folder: RunFolder, options: AuditOptions, carry: Carry) -> AuditResult:
    """The flow report of a run, and beside it the rules that its published files have to keep."""
    require_auditable(folder, options.answers)
    with vouched(folder):
        published = PublishedRules(folder.dataset, Findings())
    unwritten = None
    try:
        report = carry(folder, partial(write_flow_report, folder, options, published.add))
    except Unwritten as exc:
        report, unwritten = exc.report, str(exc)
    with vouched(folder):
        published.close()
    rules, findings = published.tally.result(), published.findings
    holds = not rules.broken and not findings.total
    return AuditResult(
        target=TargetKind.RUN,
        clean=report.clean and holds,
        verdict=report.verdict if holds else str(_broken(found_words(rules, findings), report)),
        conversations=report.conversations,
        proofs=run_proofs(report, published.tally, published.understood, published.items),
        rules=rules,
        flow=report,
        item_findings=tuple(findings.kept),
        unwritten=unwritten,
    )


def _broken(found: str, report: FlowReport) -> Verdict:
    """The verdict on a run whose published files break rules, whatever its flow."""
    return Verdict(NOT_CLEAN, (found, f"the flow: {report.verdict}"))


def require_outside(target: Target, path: Path) -> None:
    """Sees to it that a page is not to be written into what is audited; raises `RunError` if it is."""
    if target.holds(path):
        raise RunError(f"{path}: lies in what is audited, where nothing is written; name another place")


def write_page(result: AuditResult, target: Target, path: Path) -> None:
    """Writes the result of published files or foreign calls as a page.

    Raises:
        RunError: if it would be written into what was audited, or cannot be written.
    """
    require_outside(target, path)
    write_text(path, result_page(result, target.named.resolve().name))
