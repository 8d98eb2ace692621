"""The audit of whatever somebody names, with one result for all of it."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from factory.audit.columns.audit import audit_foreign
from factory.audit.columns.dataset import audit_dataset
from factory.audit.columns.published import PublishedRules, found_words
from factory.audit.done import ShowDone, show_nothing
from factory.audit.findings import Findings
from factory.audit.flow import FlowReport
from factory.audit.page.result_page import result_page
from factory.audit.proofs import run_proofs
from factory.audit.report import Unwritten, require_auditable, vouched, write_flow_report
from factory.audit.result import AuditResult, TargetKind
from factory.audit.scan.meaning import Embedder
from factory.audit.target import Target
from factory.errors import RunError
from factory.run.files import write_text
from factory.run.folder import RunFolder

Carry = Callable[[RunFolder, Callable[[], FlowReport]], FlowReport]
"""What carries out the audit of a run, which is given to it."""


def here(folder: RunFolder, audit: Callable[[], FlowReport]) -> FlowReport:
    """Carries an audit out at once, with nothing around it."""
    return audit()


def audit_target(
    target: Target,
    embed: Embedder | None = None,
    answers: Path | None = None,
    show: ShowDone = show_nothing,
    carry: Carry = here,
) -> AuditResult:
    """Audits a run, and writes its flow report; or published files or foreign calls, and writes nothing.

    Args:
        target: What to audit.
        embed: The sentence model; without it no paraphrases are looked for.
        answers: Of a run: answers to its items, which have to be younger than its rubrics.
        show: Told how far it is.
        carry: Of a run: what carries the audit out.

    Raises:
        RunError: if the target cannot be read, or holds nothing to audit.
    """
    if target.kind is TargetKind.RUN:
        return _audit_run(RunFolder(target.path), embed, answers, show, carry)
    audit = audit_dataset if target.kind is TargetKind.DATASET else audit_foreign
    return audit(target.path, embed, show)


def _audit_run(
    folder: RunFolder, embed: Embedder | None, answers: Path | None, show: ShowDone, carry: Carry
) -> AuditResult:
    """The flow report of a run, and beside it the rules that its published files have to keep."""
    require_auditable(folder, answers)
    with vouched(folder):
        published = PublishedRules(folder.dataset, Findings())
    unwritten = None
    try:
        report = carry(
            folder, partial(write_flow_report, folder, embed=embed, answers=answers, show=show, beside=published.add)
        )
    except Unwritten as exc:
        report, unwritten = exc.report, str(exc)
    with vouched(folder):
        published.close()
    rules, findings = published.tally.result(), published.findings
    holds = not rules.broken and not findings.total
    return AuditResult(
        target=TargetKind.RUN,
        clean=report.clean and holds,
        verdict=report.verdict if holds else f"not clean: {found_words(rules, findings)}; the flow: {report.verdict}",
        conversations=report.conversations,
        proofs=run_proofs(report, published.tally, published.understood, published.items),
        rules=rules,
        flow=report,
        item_findings=tuple(findings.kept),
        unwritten=unwritten,
    )


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
