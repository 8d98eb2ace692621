"""Ways to change a ledger after the fact, each caught by name."""

import json
from collections.abc import Callable

import pytest

from factory.audit.findings import Kind
from factory.audit.report import write_flow_report
from factory.records.ledger import Read
from factory.run.folder import RunFolder
from factory.simulate.views import writer_view

from .runs import Line, first_of, kinds, ledgers, read_ledger, read_of, rechain, reseal, write_ledger

OTHER = "0123456789abcdef" * 4


def test_an_edited_line_breaks_the_chain(run: RunFolder) -> None:
    path = ledgers(run)[0]
    lines = read_ledger(path)
    lines[3]["engine"] = "another"
    write_ledger(path, lines)
    report = write_flow_report(run)

    assert kinds(report) == {Kind.CHAIN_BROKEN}
    assert report.findings[0].message == "line 5 of the ledger does not hold the digest of line 4"
    assert report.findings[0].conversation_id == path.stem
    assert report.chain.unbroken == 3


def test_a_dropped_line_leaves_a_gap(run: RunFolder) -> None:
    path = ledgers(run)[0]
    lines = read_ledger(path)
    write_ledger(path, [*lines[:4], *lines[5:]])
    assert kinds(write_flow_report(run)) >= {Kind.CHAIN_BROKEN, Kind.SEQUENCE_BROKEN}


def test_a_dropped_last_line_is_missed_by_the_head(run: RunFolder) -> None:
    path = ledgers(run)[0]
    write_ledger(path, read_ledger(path)[:-1])
    assert kinds(write_flow_report(run)) == {Kind.HEAD_DIFFERS, Kind.CALL_MISSING}


def test_swapped_lines_are_out_of_order(run: RunFolder) -> None:
    path = ledgers(run)[0]
    lines = read_ledger(path)
    lines[5], lines[6] = lines[6], lines[5]
    write_ledger(path, lines)
    assert kinds(write_flow_report(run)) >= {Kind.CHAIN_BROKEN, Kind.SEQUENCE_BROKEN}


def test_swapped_lines_with_a_new_chain_have_no_place_in_a_round(run: RunFolder) -> None:
    path = ledgers(run)[0]
    lines = read_ledger(path)
    lines[2], lines[3] = lines[3], lines[2]
    reseal(run, path, lines)
    assert kinds(write_flow_report(run)) == {Kind.ORDER_BROKEN}


def test_a_new_chain_does_not_lead_to_the_old_head(run: RunFolder) -> None:
    path = ledgers(run)[0]
    lines = read_ledger(path)
    lines[3]["engine"] = "another"
    rechain(path, lines)
    assert kinds(write_flow_report(run)) == {Kind.HEAD_DIFFERS}


def test_new_heads_do_not_fit_the_old_root(run: RunFolder) -> None:
    path, old = ledgers(run)[0], run.ledger_root().root
    lines = read_ledger(path)
    lines[3]["engine"] = "another"
    reseal(run, path, lines)
    root = json.loads(run.ledger_root_file.read_text())
    run.ledger_root_file.write_text(json.dumps(root | {"root": old}))
    assert kinds(write_flow_report(run)) == {Kind.ROOT_DIFFERS}


def test_a_ledger_forged_all_the_way_up_shows_another_root(run: RunFolder) -> None:
    path, old = ledgers(run)[0], run.ledger_root().root
    lines = read_ledger(path)
    lines[3]["engine"] = "another"
    reseal(run, path, lines)
    report = write_flow_report(run)
    # No finding: that is why the root is in the report, to be held against the published one.
    assert report.clean
    assert report.chain.root != old
    assert report.chain.root[:16] in report.verdict


def test_a_line_of_another_conversation_is_noticed(run: RunFolder) -> None:
    path, other = ledgers(run)[:2]
    lines = read_ledger(path)
    lines[3]["conversation_id"] = other.stem
    reseal(run, path, lines)
    assert kinds(write_flow_report(run)) == {Kind.LEDGER_FOREIGN}


def test_a_whole_ledger_in_anothers_place_is_noticed(run: RunFolder) -> None:
    path, other = ledgers(run)[:2]
    reseal(run, path, read_ledger(other))
    assert kinds(write_flow_report(run)) >= {Kind.LEDGER_FOREIGN, Kind.VIEW_DIFFERS}


def _label(lines: list[Line], role: str, old: str, new: str) -> None:
    read_of(first_of(lines, role), old)["label"] = new


def _replace_view(lines: list[Line]) -> None:
    first_of(lines, "user")["view"] = OTHER


def _forbidden_label(lines: list[Line]) -> None:
    _label(lines, "reaction_planner", "history_heard", "history_as_meant")


def _another_allowed_label(lines: list[Line]) -> None:
    _label(lines, "user", "released_facts", "reaction_plan")


def _lying_label(lines: list[Line]) -> None:
    """The user read what was meant, and says that it was what was heard."""
    meant = first_of(lines, "assistant")["wrote"]["content"]  # type: ignore[index]
    read_of(first_of(lines, "user"), "history_heard")["content"] = meant


def _read_more(lines: list[Line]) -> None:
    more = {"label": "seed", "item": "r0.0/another", "content": OTHER}
    first_of(lines, "user")["reads"].append(more)  # type: ignore[attr-defined]


def _read_less(lines: list[Line]) -> None:
    first_of(lines, "user")["reads"].pop()  # type: ignore[attr-defined]


def _read_twice(lines: list[Line]) -> None:
    reads = first_of(lines, "user")["reads"]
    reads.append(reads[0])  # type: ignore[attr-defined,index]


def _another_plan_than_made(lines: list[Line]) -> None:
    read_of(first_of(lines, "assistant"), "agent_plan")["content"] = OTHER


def _other_words_written(lines: list[Line]) -> None:
    first_of(lines, "user")["wrote"]["content"] = OTHER  # type: ignore[index]


def _other_words_under_another_name(lines: list[Line]) -> None:
    first_of(lines, "user")["wrote"] |= {"item": "r0.0/elsewhere", "content": OTHER}  # type: ignore[operator]


def _wrong_kind_written(lines: list[Line]) -> None:
    first_of(lines, "reaction_planner")["wrote"]["label"] = "agent_plan"  # type: ignore[index]


def _no_user_call(lines: list[Line]) -> None:
    lines.remove(first_of(lines, "user"))


def _another_cut(lines: list[Line]) -> None:
    first_of(lines, "cutter")["wrote"]["content"] = OTHER  # type: ignore[index]


def _another_round_published(lines: list[Line]) -> None:
    lines[-1]["round"] = 0 if lines[-1]["round"] else 1


def _no_rubric(lines: list[Line]) -> None:
    lines.remove(first_of(lines, "rubric_writer"))


def _rubric_for_other_words(lines: list[Line]) -> None:
    _forge_read(first_of(lines, "rubric_writer"), "utterance_as_meant")


def _forge_read(line: Line, label: str) -> None:
    """Another content, with the view made to fit it."""
    read_of(line, label)["content"] = OTHER
    _fit_view(line)


def _fit_view(line: Line) -> None:
    line["view"] = writer_view(Read.model_validate(read) for read in line["reads"]).digest()  # type: ignore[attr-defined]


def _rubric_for_another_history(lines: list[Line]) -> None:
    _forge_read(first_of(lines, "rubric_writer"), "history_delivered")


def _rubric_for_other_values(lines: list[Line]) -> None:
    _forge_read(first_of(lines, "rubric_writer"), "caller_values")


def _rubric_for_other_acts(lines: list[Line]) -> None:
    entries = [r for r in first_of(lines, "rubric_writer")["reads"] if r["label"] == "blueprint_round"]  # type: ignore[attr-defined]
    assert len(entries) == 2
    entries[-1]["content"] = OTHER
    _fit_view(first_of(lines, "rubric_writer"))


def _rubric_from_another_workflow(lines: list[Line]) -> None:
    _forge_read(first_of(lines, "rubric_writer"), "workflow_agent_side")


def _rubric_without_the_next_acts(lines: list[Line]) -> None:
    first_of(lines, "rubric_writer")["reads"].pop()  # type: ignore[attr-defined]
    _fit_view(first_of(lines, "rubric_writer"))


def _rubric_with_another_view(lines: list[Line]) -> None:
    first_of(lines, "rubric_writer")["view"] = OTHER


def _rubric_that_knew_the_controls(lines: list[Line]) -> None:
    line = first_of(lines, "rubric_writer")
    line["reads"].append(first_of(lines, "control_writer")["wrote"])  # type: ignore[attr-defined]
    _fit_view(line)


def _controls_for_another_rubric(lines: list[Line]) -> None:
    _forge_read(first_of(lines, "control_writer"), "rubric")


def _controls_before_the_rubric(lines: list[Line]) -> None:
    place = lines.index(first_of(lines, "rubric_writer"))
    lines[place], lines[place + 1] = lines[place + 1], lines[place]


def _no_controls(lines: list[Line]) -> None:
    lines.remove(first_of(lines, "control_writer"))


def _rubric_written_twice(lines: list[Line]) -> None:
    lines.append(first_of(lines, "rubric_writer"))


def _other_values_read(lines: list[Line]) -> None:
    read_of(first_of(lines, "assistant"), "caller_values")["content"] = OTHER


def _another_entry_cut(lines: list[Line]) -> None:
    read_of(first_of(lines, "cutter"), "blueprint_round")["content"] = OTHER


def _another_workflow_spoken_from(lines: list[Line]) -> None:
    read_of(first_of(lines, "assistant"), "workflow_agent_side")["content"] = OTHER


def _attempt_that_never_was(lines: list[Line]) -> None:
    last = max(line["round"] for line in lines)  # type: ignore[type-var]
    for line in lines:
        if line["round"] == last:
            line["attempt"] = 1


@pytest.mark.parametrize(
    ("attack", "caught"),
    [
        (_replace_view, {Kind.VIEW_DIFFERS}),
        (_forbidden_label, {Kind.LABEL_NOT_ALLOWED, Kind.CONTENT_DIFFERS}),
        (_another_allowed_label, {Kind.CONTENT_DIFFERS}),
        (_lying_label, {Kind.CONTENT_DIFFERS}),
        (_read_more, {Kind.READS_INCOMPLETE}),
        (_read_less, {Kind.READS_INCOMPLETE}),
        (_read_twice, {Kind.READS_INCOMPLETE}),
        (_another_plan_than_made, {Kind.CONTENT_DIFFERS}),
        (_other_words_written, {Kind.CONTENT_DIFFERS}),
        (_other_words_under_another_name, {Kind.CALL_UNPUBLISHED}),
        (_wrong_kind_written, {Kind.WRITE_NOT_ALLOWED, Kind.CONTENT_DIFFERS}),
        (_no_user_call, {Kind.CALL_MISSING}),
        (_another_cut, {Kind.CONTENT_DIFFERS}),
        (_another_round_published, {Kind.CALL_UNPUBLISHED, Kind.CALL_MISSING}),
        (_no_rubric, {Kind.CALL_MISSING, Kind.CONTENT_DIFFERS}),  # the controls then prove one that is not there
        (_rubric_for_other_words, {Kind.CONTENT_DIFFERS}),
        (_rubric_for_another_history, {Kind.CONTENT_DIFFERS}),
        (_rubric_for_other_values, {Kind.CONTENT_DIFFERS}),
        (_rubric_for_other_acts, {Kind.CONTENT_DIFFERS}),
        (_rubric_from_another_workflow, {Kind.CONTENT_DIFFERS}),
        (_rubric_without_the_next_acts, {Kind.READS_INCOMPLETE}),
        (_rubric_with_another_view, {Kind.VIEW_DIFFERS}),
        (_rubric_that_knew_the_controls, {Kind.LABEL_NOT_ALLOWED, Kind.READS_INCOMPLETE}),
        (_rubric_written_twice, {Kind.CALL_UNPUBLISHED}),
        (_controls_for_another_rubric, {Kind.CONTENT_DIFFERS}),
        (_controls_before_the_rubric, {Kind.CONTENT_DIFFERS}),
        (_no_controls, {Kind.CALL_MISSING}),
        (_other_values_read, {Kind.CONTENT_DIFFERS}),
        (_another_entry_cut, {Kind.CONTENT_DIFFERS}),
        (_another_workflow_spoken_from, {Kind.CONTENT_DIFFERS}),
        (_attempt_that_never_was, {Kind.ATTEMPT_DIFFERS}),
    ],
)
def test_what_a_new_chain_and_root_cannot_hide(
    run: RunFolder, attack: Callable[[list[Line]], None], caught: set[Kind]
) -> None:
    path = ledgers(run)[0]
    lines = read_ledger(path)
    attack(lines)
    reseal(run, path, lines)
    report = write_flow_report(run)

    assert kinds(report) == caught
    assert report.chain.unbroken == 4
    assert {finding.conversation_id for finding in report.findings} == {path.stem}


def test_a_violation_shows_in_the_matrix(run: RunFolder) -> None:
    path = ledgers(run)[0]
    lines = read_ledger(path)
    _forbidden_label(lines)
    reseal(run, path, lines)
    violated = [cell for cell in write_flow_report(run).matrix if cell.violated]
    assert [(c.role, c.label, c.violated) for c in violated] == [("reaction_planner", "history_as_meant", 1)]


def test_a_differing_input_is_counted_as_such(run: RunFolder) -> None:
    path = ledgers(run)[0]
    lines = read_ledger(path)
    _replace_view(lines)
    reseal(run, path, lines)
    inputs = write_flow_report(run).inputs
    assert (inputs.rebuilt, inputs.equal, inputs.differing) == (76, 75, 1)


@pytest.mark.parametrize(
    ("change", "caught"),
    [
        (lambda reads: reads.pop(), Kind.READS_INCOMPLETE),
        (lambda reads: reads[-1].update(content=OTHER), Kind.CONTENT_DIFFERS),
    ],
)
def test_the_rest_of_a_cut_turn_is_a_read_of_the_assistants(
    run: RunFolder, change: Callable[[list[Line]], None], caught: Kind
) -> None:
    for path in ledgers(run):
        lines = read_ledger(path)
        for line in (line for line in lines if line["branch"] == "continuation"):
            assert line["reads"][-1]["label"] == "utterance_as_meant"  # type: ignore[index]
            change(line["reads"])  # type: ignore[arg-type]
        reseal(run, path, lines)
    assert kinds(write_flow_report(run)) == {caught}
