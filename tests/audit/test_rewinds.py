"""What was run again: the ledger says why, and nobody can change that afterwards."""

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from factory.audit.findings import Kind
from factory.audit.policy import Channel, may_read
from factory.audit.report import write_flow_report
from factory.records.conversation import RerunReason
from factory.records.ledger import Label, Role
from factory.run.folder import RunFolder
from factory.run.log import read_progress
from factory.simulate.ledger import data_item
from factory.workflow.library import Library
from tests.faults import faulty, uncut

from .runs import OTHER, Line, finished_run, first_of, kinds, ledgers, read_ledger, read_of, reseal

CHECK, CUTTER = "factory.build.conversations.check_conversation", "factory.simulate.loop.choose_cut"
FAULTS = [
    (5, RerunReason.AGENT_WORDING),
    (2, RerunReason.CALLER_WORDING),
    (4, RerunReason.OLD_VALUE_RETURNS),
    (0, RerunReason.AGENT_WORDING),
    (6, RerunReason.SENSITIVE_TOO_EARLY),
    (6, RerunReason.CALLER_KNOWS_TOO_MUCH),
    (3, RerunReason.AGENT_REPEATS_HEARD),  # the seventh drops the draw
    (1, RerunReason.AGENT_WORDING),
]


@pytest.fixture(scope="module")
def rewound(tmp_path_factory: pytest.TempPathFactory, library: Library) -> RunFolder:
    """A run in which every conversation was rewound, dropped and rewound again; tests read it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(CHECK, faulty(FAULTS))
        patch.setattr(CUTTER, uncut(1, 12))
        return finished_run(tmp_path_factory.mktemp("rewound") / "run", library)


@pytest.fixture
def run(rewound: RunFolder, copied: Callable[[RunFolder], RunFolder]) -> RunFolder:
    """The same for a test to tamper with."""
    return copied(rewound)


def test_reasons_are_those_of_the_logs(run: RunFolder) -> None:
    logs = [read_progress(path) for path in sorted((run.path / "conversations").glob("*.jsonl"))]
    report = write_flow_report(run)

    assert report.clean
    assert report.reruns.rewinds == sum(len(log.reruns) for log in logs) > 4 * 6
    assert report.reruns.redrawn == sum(len(log.drops) for log in logs) >= 4
    told = Counter(event.reason for log in logs for event in (*log.reruns, *log.drops))
    assert report.reruns.reasons == dict(told)
    assert len(told) == 7 and told[RerunReason.CUT_NOT_POSSIBLE] == 2
    assert {c.name: c.count for c in report.channels}[Channel.RERUN] == told.total()


def test_only_attempts_that_stand_are_compared(run: RunFolder) -> None:
    inputs = write_flow_report(run).inputs
    assert inputs.rewound > inputs.rebuilt == inputs.equal == 76
    assert inputs.calls == inputs.rebuilt + inputs.rewound


def test_a_rewind_in_a_canary_build_is_proved_too(
    tmp_path: Path, library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(CHECK, faulty(FAULTS))
    report = write_flow_report(finished_run(tmp_path / "run", library, canaries=True))
    assert report.clean
    assert report.reruns.rewinds == 4 * 7


def test_no_role_may_know_why_a_round_is_run_again() -> None:
    assert not any(may_read(role, Label.RERUN) for role in Role)


def _begins_uncut(path: Path) -> bool:
    """Whether the first reason in a ledger is that no cut was possible, which code can tell by itself."""
    return first_of(read_ledger(path), "rewinder")["branch"] == RerunReason.CUT_NOT_POSSIBLE


def _forge_reason(line: Line, reason: str) -> None:
    """Another reason, with the decision made to fit it."""
    decision = {"round": line["round"], "reason": reason, "dropped": False}
    line["branch"] = reason
    line["wrote"]["content"] = data_item(Label.RERUN, "x", decision).content  # type: ignore[index]


def _long_unknown_reason(lines: list[Line]) -> None:
    _forge_reason(first_of(lines, "rewinder"), "\x1b[31m" * 10_000)


def _another_branch(lines: list[Line]) -> None:
    first_of(lines, "rewinder")["branch"] = "caller_knows_too_much"


def _another_decision(lines: list[Line]) -> None:
    first_of(lines, "rewinder")["wrote"]["content"] = OTHER  # type: ignore[index]


def _decision_under_another_name(lines: list[Line]) -> None:
    first_of(lines, "rewinder")["wrote"]["item"] = "r0.0/plan"  # type: ignore[index]


def _another_attempt(lines: list[Line]) -> None:
    line = first_of(lines, "rewinder")
    line["attempt"] = 7
    decision = {"round": line["round"], "reason": line["branch"], "dropped": False}
    line["wrote"] = data_item(Label.RERUN, f"r{line['round']}.7/rerun", decision).model_dump(mode="json")


def _other_words_read(lines: list[Line]) -> None:
    line = first_of(lines, "rewinder")
    read_of(line, "utterance_as_meant")["content"] = OTHER
    line["view"] = data_item(Label.RERUN, "view", [r["content"] for r in line["reads"]]).content  # type: ignore[attr-defined]


def _read_less(lines: list[Line]) -> None:
    line = first_of(lines, "rewinder")
    line["reads"].pop()  # type: ignore[attr-defined]
    line["view"] = data_item(Label.RERUN, "view", [r["content"] for r in line["reads"]]).content  # type: ignore[attr-defined]


def _another_view(lines: list[Line]) -> None:
    first_of(lines, "rewinder")["view"] = OTHER


def _no_reason_for_a_drop(lines: list[Line]) -> None:
    lines.remove(next(line for line in lines if line["branch"] == "agent_repeats_heard"))


def _rewind_that_never_came(lines: list[Line]) -> None:
    """A reason given in mid-call, behind which the call just goes on."""
    line = first_of(lines, "rewinder")
    place = next(i for i, other in enumerate(lines) if other["role"] == "planner" and other["round"] == 6)
    lines.insert(place, line)


def _reason_given_twice(lines: list[Line]) -> None:
    place = lines.index(first_of(lines, "rewinder"))
    lines.insert(place, lines[place])


def _rewound_twice_at_once(lines: list[Line]) -> None:
    """What was run again after the first reason is taken out."""
    first, second = [i for i, line in enumerate(lines) if line["role"] == "rewinder" and line["round"] != 0][:2]
    del lines[first + 1 : second]


def _reason_behind_the_rubrics(lines: list[Line]) -> None:
    lines.append(first_of(lines, "rewinder"))


def _rewind_of_a_round_to_come(lines: list[Line]) -> None:
    first_of(lines, "rewinder")["round"] = 99


@pytest.mark.parametrize(
    ("attack", "caught"),
    [
        (_long_unknown_reason, {Kind.REASON_DIFFERS}),
        (_another_branch, {Kind.CONTENT_DIFFERS, Kind.EDIT_DIFFERS}),  # the agent was to say the same then
        (_another_decision, {Kind.CONTENT_DIFFERS}),
        (_decision_under_another_name, {Kind.CONTENT_DIFFERS}),
        (_another_attempt, {Kind.ATTEMPT_DIFFERS}),
        (_other_words_read, {Kind.CONTENT_DIFFERS}),
        (_read_less, {Kind.READS_INCOMPLETE}),
        (_another_view, {Kind.VIEW_DIFFERS}),
        (_no_reason_for_a_drop, {Kind.ORDER_BROKEN}),
        (_rewind_that_never_came, {Kind.READS_INCOMPLETE, Kind.ORDER_BROKEN}),
        (_reason_given_twice, {Kind.ORDER_BROKEN}),
        (_rewound_twice_at_once, {Kind.ORDER_BROKEN}),
        (_reason_behind_the_rubrics, {Kind.ORDER_BROKEN}),
        (_rewind_of_a_round_to_come, {Kind.ORDER_BROKEN}),
    ],
)
def test_what_a_new_chain_and_root_cannot_hide(
    run: RunFolder, attack: Callable[[list[Line]], None], caught: set[Kind]
) -> None:
    path = next(path for path in ledgers(run) if not _begins_uncut(path))
    lines = read_ledger(path)
    attack(lines)
    reseal(run, path, lines)
    report = write_flow_report(run)

    assert kinds(report) == caught
    assert {finding.conversation_id for finding in report.findings} == {path.stem}
    assert all(len(finding.message) < 200 and finding.message.isprintable() for finding in report.findings)
    assert set(report.reruns.reasons) <= set(RerunReason)


def test_another_reason_for_a_cut_that_was_not_made(run: RunFolder) -> None:
    for path in ledgers(run):
        lines = read_ledger(path)
        for line in lines:
            if line["branch"] == "cut_not_possible":
                _forge_reason(line, "agent_wording")
        reseal(run, path, lines)
    report = write_flow_report(run)
    assert report.findings_by_kind == {Kind.REASON_DIFFERS: 2}


def test_a_forbidden_read_in_an_attempt_that_does_not_stand_is_a_violation_too(run: RunFolder) -> None:
    path = ledgers(run)[0]
    lines = read_ledger(path)
    user = first_of(lines, "user")
    assert any((o["round"], o["attempt"]) > (user["round"], user["attempt"]) for o in lines if o["role"] == "user")
    read_of(user, "history_heard")["label"] = "history_as_meant"
    reseal(run, path, lines)
    assert kinds(write_flow_report(run)) == {Kind.LABEL_NOT_ALLOWED, Kind.CONTENT_DIFFERS}


def test_a_rewind_at_the_end_of_a_ledger_is_one_that_never_came(run: RunFolder) -> None:
    path = ledgers(run)[0]
    lines = read_ledger(path)
    del lines[lines.index(first_of(lines, "rubric_writer")) :]
    lines.append(first_of(lines, "rewinder"))
    reseal(run, path, lines)
    report = write_flow_report(run)
    assert any(f.message == "the ledger ends with a rewind behind which nothing was run again" for f in report.findings)


def test_reasons_are_on_the_page(run: RunFolder) -> None:
    write_flow_report(run)
    page = (run.reports / "flow-report.html").read_text()
    assert "agent wording (12)" in page
    assert "what the rewinder wrote down then" in page
    assert '<th scope="col">Rewinder</th>' in page
