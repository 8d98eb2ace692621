"""The audit of published files without their ledger: all that can be shown of them, and nothing more."""

from pathlib import Path

from factory.audit.calls import published_calls
from factory.audit.columns.audit import looks_words
from factory.audit.columns.published import PublishedRules, found_words
from factory.audit.columns.result import RulesResult
from factory.audit.content import CallScan
from factory.audit.conversation import ConversationAudit
from factory.audit.findings import Findings, Kind
from factory.audit.options import USUAL, AuditOptions
from factory.audit.proofs import dataset_proofs
from factory.audit.result import AuditResult, PublishedInputs, PublishedResult, TargetKind
from factory.audit.scan.call import call_of_rows
from factory.audit.tally import Tally
from factory.audit.verdict import CLEAN, NOT_CLEAN, Verdict
from factory.dataset.parquet import row_count
from factory.dataset.write import CONVERSATIONS
from factory.errors import RunError
from factory.report.labels import counted
from factory.run.done import Done


def audit_dataset(folder: Path, options: AuditOptions = USUAL) -> AuditResult:
    """Audits the published files of a run, one conversation at a time; they are read twice, as for a run.

    Args:
        folder: The `dataset/` folder.
        options: What the audit is made with.

    Raises:
        RunError: if a file is missing, damaged or not of the published schema, or holds no call.
    """
    findings, counts = Findings(), Tally()
    rules = PublishedRules(folder, findings)
    done = Done(options.show, 2 * row_count(folder / CONVERSATIONS))
    calls = done.counting(published_calls(folder, Findings()))  # what does not fit is found when they are read again
    scan = CallScan((call_of_rows(row, messages) for row, messages in calls), options.embed)
    for conversation, rows in done.counting(published_calls(folder, findings)):
        counts.conversations += 1
        ConversationAudit(conversation, rows, counts, findings).run()
        rules.add(conversation, rows)
        scan.scan(call_of_rows(conversation, rows))
    rules.close()
    if not counts.conversations and not findings.total:
        raise RunError(f"{folder}: holds no conversation, so there is nothing to audit")
    return _result(findings, counts, rules, scan)


def _result(findings: Findings, counts: Tally, held: PublishedRules, scan: CallScan) -> AuditResult:
    rules, scanned, heard = held.tally.result(), scan.result(), counts.heard()
    differing = findings.counts.get(Kind.RECORDED_VIEW_DIFFERS, 0)
    inputs = PublishedInputs(rebuilt=counts.rebuilt, equal=counts.rebuilt - differing, unmoved=counts.unmoved)
    return AuditResult(
        target=TargetKind.DATASET,
        clean=not findings.total and not rules.broken and inputs.rebuilt > 0,
        verdict=str(_verdict(findings, inputs, rules)),
        conversations=counts.conversations,
        proofs=dataset_proofs(held.tally, held.understood, inputs, heard, held.items, scanned),
        published=PublishedResult(
            inputs=inputs,
            heard=heard,
            findings=tuple(findings.kept),
            findings_by_kind=findings.by_kind(),
        ),
        rules=rules,
        scan=scanned,
    )


def _verdict(findings: Findings, inputs: PublishedInputs, rules: RulesResult) -> Verdict:
    found = found_words(rules, findings)
    if not found and not inputs.rebuilt:
        found = "no caller says a word, so there is no input to make again"
    if found:
        return Verdict(NOT_CLEAN, (found, *looks_words(rules)))
    parts = (
        f"{inputs.equal:,} of {inputs.rebuilt:,} caller-side inputs made again with the published digest, "
        f"{inputs.unmoved:,} unmoved by other undelivered words",
        f"no rule is broken for certain in {counted(rules.interruptions, 'interruption')}",
        *looks_words(rules),
        "there is no ledger, so nothing proves that these inputs are those that were used",
    )
    return Verdict(f"{CLEAN} as far as published files tell", parts)
