"""The reference corpus has nothing that `factory audit --strict` would count."""

from factory.audit.columns.published import overlap_outcomes
from factory.audit.columns.read import call_of
from factory.audit.columns.rules import ColumnRule
from factory.audit.columns.tally import RuleTally
from factory.audit.columns.understood import surest
from factory.audit.content import CallScan
from factory.audit.scan.call import call_of_rows
from factory.dataset.about import domain_of
from factory.dataset.calls import FinishedCall
from factory.dataset.publish import conversation_row, turn_rows
from factory.dataset.rows import ConversationRow, TurnRow
from factory.workflow.library import standard_library
from tests.composed import Call, reference


def rows_of(call: Call) -> tuple[ConversationRow, tuple[TurnRow, ...]]:
    workflow = standard_library().workflow(call.blueprint.workflow)
    finished = FinishedCall(call.blueprint, workflow, call.rounds, {item.turn: item for item in call.items})
    return conversation_row(finished, domain_of(workflow, [workflow]), "", {}), tuple(turn_rows(finished))


def test_nothing_in_the_reference_corpus_counts_as_a_finding_with_strict() -> None:
    published = [rows_of(call) for call in reference()]
    tally, scan = RuleTally(rubrics=True), CallScan(call_of_rows(*rows) for rows in published)
    for number, (conversation, messages) in enumerate(published, 1):
        call = call_of(number, conversation)
        tally.add(call, overlap_outcomes(messages))
        scan.scan(call_of_rows(conversation, messages), surest(call))
    rules, leaks = tally.result(), scan.result()
    assert (tally.calls, rules.interruptions) == (45, 428)
    assert rules.examples == ()
    assert (leaks.strong, leaks.cut_short) == (0, 0)
    assert tally.checked(ColumnRule.TOLD_BEFORE_VERIFIED) > 30
