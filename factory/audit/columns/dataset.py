"""The audit of published files without their ledger: all that can be shown of them, and nothing more."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from factory.audit.calls import published_calls
from factory.audit.columns.audit import rules_words
from factory.audit.columns.item_files import ListedItems
from factory.audit.columns.read import call_of
from factory.audit.columns.result import RulesResult
from factory.audit.columns.rules import ColumnRule, Outcome, broken, held
from factory.audit.columns.tally import RuleTally
from factory.audit.columns.understood import Understood
from factory.audit.content import CallScan
from factory.audit.conversation import ConversationAudit
from factory.audit.done import Done, ShowDone, show_nothing
from factory.audit.findings import Findings, Kind
from factory.audit.proofs import dataset_proofs
from factory.audit.result import AuditResult, PublishedInputs, PublishedResult, TargetKind
from factory.audit.scan.call import call_of_rows
from factory.audit.scan.meaning import Embedder
from factory.audit.tally import Tally
from factory.dataset.parquet import row_count
from factory.dataset.rows import AgentRow, CallerRow, TurnRow
from factory.dataset.write import CONVERSATIONS
from factory.errors import RunError
from factory.records.conversation import Cut
from factory.report.labels import counted
from factory.simulate.cut import OVERLAP_S, overlap_can_be_had


def audit_dataset(folder: Path, embed: Embedder | None = None, show: ShowDone = show_nothing) -> AuditResult:
    """Audits the published files of a run, one conversation at a time; they are read twice, as for a run.

    Args:
        folder: The `dataset/` folder.
        embed: The sentence model; without it no paraphrases are looked for.
        show: Told of each call that was read.

    Raises:
        RunError: if a file is missing, damaged or not of the published schema, or holds no call.
    """
    findings, counts, rules, understood = Findings(), Tally(), RuleTally(rubrics=True), Understood()
    items = ListedItems.of(folder, findings)
    done = Done(show, 2 * row_count(folder / CONVERSATIONS))
    calls = done.counting(published_calls(folder, Findings()))  # what does not fit is found when they are read again
    scan = CallScan((call_of_rows(row, messages) for row, messages in calls), embed)
    for number, (conversation, rows) in enumerate(done.counting(published_calls(folder, findings)), 1):
        counts.conversations += 1
        ConversationAudit(conversation, rows, None, None, None, counts, findings).run()
        call = call_of(number, conversation)
        rules.add(call, overlap_outcomes(rows))
        understood.add(call)
        scan.scan(call_of_rows(conversation, rows))
        if items is not None:
            items.hold(conversation)
    if items is not None:
        items.close()
    if not counts.conversations and not findings.total:
        raise RunError(f"{folder}: holds no conversation, so there is nothing to audit")
    return _result(findings, counts, rules, understood, items, scan)


def overlap_outcomes(rows: tuple[TurnRow, ...]) -> Iterator[Outcome]:
    """Whether each interruption's onset and cut word leave room for the overlap that its type asks for."""
    for agent, caller in zip(rows[::2], rows[1::2], strict=False):
        if not isinstance(agent, AgentRow) or not isinstance(caller, CallerRow) or caller.interruption_type is None:
            continue
        onset, cut, kind = agent.onset_word, agent.cut_word, caller.interruption_type
        words = agent.as_meant.split(" ")
        if onset is None or cut is None or not onset < cut < len(words):
            continue  # a finding of its own
        outcome = held(ColumnRule.OVERLAP_NOT_POSSIBLE)
        if not overlap_can_be_had(words, Cut(onset_word=onset, cut_word=cut), kind):
            low, high = OVERLAP_S[kind]
            outcome = broken(
                ColumnRule.OVERLAP_NOT_POSSIBLE, f"no overlap of {low} to {high} s is possible at every pace"
            )
        yield replace(outcome, turn=agent.round + 1, type=kind)


def _result(
    findings: Findings,
    counts: Tally,
    tally: RuleTally,
    understood: Understood,
    items: ListedItems | None,
    scan: CallScan,
) -> AuditResult:
    rules, scanned, heard = tally.result(), scan.result(), counts.heard()
    differing = findings.counts.get(Kind.RECORDED_VIEW_DIFFERS, 0)
    inputs = PublishedInputs(rebuilt=counts.rebuilt, equal=counts.rebuilt - differing, unmoved=counts.unmoved)
    return AuditResult(
        target=TargetKind.DATASET,
        clean=not findings.total and not rules.broken and inputs.rebuilt > 0,
        verdict=_verdict(findings, inputs, rules),
        conversations=counts.conversations,
        proofs=dataset_proofs(tally, understood, inputs, heard, items.compared if items else None, scanned),
        published=PublishedResult(
            inputs=inputs,
            heard=heard,
            findings=tuple(findings.kept),
            findings_by_kind=findings.by_kind(),
        ),
        rules=rules,
        scan=scanned,
    )


def _verdict(findings: Findings, inputs: PublishedInputs, rules: RulesResult) -> str:
    looks = f"; {rules_words(rules, certain=False)}" if rules.looks_broken else ""
    found = []
    if findings.total:
        found.append(findings.in_words())
    if rules.broken:
        found.append(rules_words(rules, certain=True))
    if not found and not inputs.rebuilt:
        found.append("no caller says a word, so there is no input to make again")
    if found:
        return f"not clean: {'; '.join(found)}{looks}"
    return (
        f"clean as far as published files tell: {inputs.equal:,} of {inputs.rebuilt:,} caller-side inputs made again "
        f"with the published digest, {inputs.unmoved:,} unmoved by other undelivered words; no rule is broken for "
        f"certain in {counted(rules.interruptions, 'interruption')}{looks}; there is no ledger, so nothing proves that "
        "these inputs are those that were used"
    )
