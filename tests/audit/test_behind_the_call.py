"""Who writes the system message, who reads the finished call, and who edits it: each in its place, and in no other.

The first conversation is edited, then its caller speaks again, then it is drawn anew, and edited once more. In the
second, the caller's side makes nothing once.
"""

from collections.abc import Callable

import pytest

from factory.audit.findings import Kind
from factory.audit.report import write_flow_report
from factory.run.folder import RunFolder

from .forgeries import FORGERIES, Forgery, before, forge_reason, verdict_of
from .runs import OTHER, Line, kinds, ledgers, read_ledger, reseal


@pytest.fixture
def run(modelled: RunFolder, copied: Callable[[RunFolder], RunFolder]) -> RunFolder:
    """A run that models wrote, for a test to tamper with."""
    return copied(modelled)


@pytest.mark.parametrize(("forge", "caught"), FORGERIES)
def test_what_a_new_chain_and_root_cannot_hide(run: RunFolder, forge: Forgery, caught: set[Kind]) -> None:
    path = ledgers(run)[0]
    lines = read_ledger(path)
    forge(lines)
    reseal(run, path, lines)
    report = write_flow_report(run)

    assert kinds(report) == caught, report.findings
    assert {finding.conversation_id for finding in report.findings} == {path.stem}
    assert all(len(finding.message) < 200 for finding in report.findings)


def _where_nothing_was_made(run: RunFolder) -> tuple[list[Line], Callable[[], None]]:
    path = next(path for path in ledgers(run) if '"unusable_reply"' in path.read_text())
    lines = read_ledger(path)
    return lines, lambda: reseal(run, path, lines)


def test_another_reason_for_a_call_that_made_nothing(run: RunFolder) -> None:
    lines, seal = _where_nothing_was_made(run)
    forge_reason(verdict_of(lines, "unusable_reply"), "caller_knows_too_much")
    seal()
    assert write_flow_report(run).findings_by_kind == {Kind.REASON_DIFFERS: 1}


def test_another_round_than_the_one_that_came_to_nothing(run: RunFolder) -> None:
    lines, seal = _where_nothing_was_made(run)
    line = verdict_of(lines, "unusable_reply")
    line["round"] = int(str(line["round"])) - 1
    line["wrote"]["item"] = f"r{line['round']}.0/rerun"  # type: ignore[index]
    forge_reason(line, "unusable_reply")
    seal()
    assert Kind.REASON_DIFFERS in kinds(write_flow_report(run))


def test_other_words_of_the_agents_behind_a_caller_who_made_nothing(run: RunFolder) -> None:
    lines, seal = _where_nothing_was_made(run)
    before(lines, verdict_of(lines, "unusable_reply"), "assistant")["wrote"]["content"] = OTHER  # type: ignore[index]
    seal()
    assert Kind.EDIT_DIFFERS in kinds(write_flow_report(run))


def test_another_cut_behind_a_caller_who_made_nothing(run: RunFolder) -> None:
    """It would be a second draw of what the caller gets to hear."""
    for path in ledgers(run):
        lines = read_ledger(path)
        line = next((line for line in lines if line["branch"] in ("unusable_reply", "found_in_caller_words")), None)
        if line is None or lines[lines.index(line) + 1]["branch"] != "interrupted":
            continue
        rejected = next(
            o for o in reversed(lines[: lines.index(line)]) if (o["role"], o["round"]) == ("cutter", line["round"])
        )
        rejected["wrote"]["content"] = OTHER  # type: ignore[index]
        reseal(run, path, lines)
        assert Kind.EDIT_DIFFERS in kinds(write_flow_report(run))
        return
    raise AssertionError("no round that is cut was run again for the caller's words")
