"""The time-line of a run tells what came before what, and which of it is proved."""

from datetime import date

import pytest

from factory.audit.flow import FlowReport
from factory.audit.page.timeline import State, Stop, stops
from factory.audit.report import audit_run
from factory.audit.report_parts import AnswersResult
from factory.records.freeze import Commitment
from factory.records.run import EarlierFreeze
from factory.run.answers import Refusal
from factory.run.folder import RunFolder

DIGEST = "ab" * 32


@pytest.fixture(scope="module")
def report(plain: RunFolder) -> FlowReport:
    return audit_run(plain, plain.identity())


def titles(report: FlowReport) -> list[str]:
    return [stop.title for stop in stops(report)]


def stop_of(report: FlowReport, title: str) -> Stop:
    return next(stop for stop in stops(report) if stop.title.startswith(title))


def with_freeze(report: FlowReport, **values: object) -> FlowReport:
    assert report.order.freeze is not None
    freeze = report.order.freeze.model_copy(update=values)
    return report.model_copy(update={"order": report.order.model_copy(update={"freeze": freeze})})


def test_rounds_come_first_then_rubrics_then_the_freeze_and_last_the_answers(report: FlowReport) -> None:
    assert titles(report) == [
        "Rounds", "Rubrics and controls", "Ledger closed", "Freeze, version 1", "Commitment", "Answers",
    ]  # fmt: skip
    assert [stop.state for stop in stops(report)] == [State.HOLDS] * 4 + [State.OPEN] * 2


def test_where_models_write_their_system_messages_and_readings_are_in_it(modelled: RunFolder) -> None:
    report = audit_run(modelled, modelled.identity())
    assert titles(report)[:3] == ["System messages", "Rounds", "Readings"]


def test_roots_and_seals_stand_in_it_whole(report: FlowReport) -> None:
    assert report.order.freeze is not None
    sealed = with_freeze(report, commitment=commitment())
    assert stop_of(report, "Ledger closed").digest == report.chain.root
    assert stop_of(report, "Freeze").digest == report.order.freeze.root
    assert stop_of(sealed, "Commitment") == Stop(
        "Commitment", "On 2026-01-31, as its author states.", State.HOLDS, DIGEST
    )


def test_a_version_that_was_given_up_stands_before_the_freeze_with_its_reason(report: FlowReport) -> None:
    again = with_freeze(report, version=2, earlier=(EarlierFreeze(version=1, root=DIGEST, reason="a typing error"),))
    at = titles(again).index("Version 1, given up")
    assert titles(again)[at + 1] == "Freeze, version 2"
    assert stops(again)[at].text == "Reason: a typing error"


def test_a_fault_of_the_freeze_and_a_rubric_outside_the_chain_fail(report: FlowReport) -> None:
    faulty = with_freeze(report, faults=("the root is another",))
    assert stop_of(faulty, "Freeze").state is State.FAILS
    assert "the root is another" in stop_of(faulty, "Freeze").text
    order = report.order.model_copy(update={"in_chain": report.order.in_chain - 1})
    assert stop_of(report.model_copy(update={"order": order}), "Rubrics").state is State.FAILS
    chain = report.chain.model_copy(update={"unbroken": 0})
    assert stop_of(report.model_copy(update={"chain": chain}), "Ledger").state is State.FAILS


def test_without_a_manifest_nothing_is_frozen(report: FlowReport) -> None:
    bare = report.model_copy(update={"order": report.order.model_copy(update={"freeze": None})})
    assert stop_of(bare, "Freeze").state is State.FAILS
    assert "Commitment" not in titles(bare)


def test_answers_are_counted_and_the_refused_told_by_reason(report: FlowReport) -> None:
    def answered(accepted: int, **refused: int) -> Stop:
        kinds = {Refusal(name): number for name, number in refused.items()}
        answers = AnswersResult(seen=accepted + sum(refused.values()), accepted=accepted, refused=kinds)
        return stop_of(report.model_copy(update={"order": report.order.model_copy(update={"answers": answers})}), "Ans")

    assert answered(3) == Stop("Answers", "3 of 3 answers accepted under the root.", State.HOLDS)
    late = answered(1, older_than_freeze=2)
    assert late.state is State.FAILS
    assert late.text == "1 of 3 answers accepted under the root. Refused: older than freeze (2)."


def commitment() -> Commitment:
    return Commitment(seal=DIGEST, items=3, spec="small", factory_version="1", committed_on=date(2026, 1, 31))
