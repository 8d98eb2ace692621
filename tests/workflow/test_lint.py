"""Every check fires on a workflow that breaks exactly its rule, at the right place, and on nothing else."""

import shutil
from pathlib import Path
from time import process_time

import pytest
import yaml

from factory.records.shared import Shared
from factory.workflow.carry import carry_range
from factory.workflow.findings import Check, Severity
from factory.workflow.lint import lint, main, report
from factory.workflow.reader import find_workflows, load_workflow

from .base import Edit
from .mutants import MUTANTS, Change

SHARED = Path(__file__).resolve().parents[2] / "workflows" / "shared.yaml"


def test_the_base_workflow_has_no_finding(shared: Shared) -> None:
    assert lint(Edit().workflow(), shared) == []


@pytest.mark.parametrize(("check", "place", "change"), MUTANTS, ids=[f"{m[0]}-{i}" for i, m in enumerate(MUTANTS)])
def test_a_broken_rule_is_found_and_nothing_else(check: Check, place: str, change: Change, shared: Shared) -> None:
    findings = lint(change(Edit()).workflow(), shared)
    assert {finding.check for finding in findings} == {check}, findings
    assert place in [finding.place for finding in findings]
    assert all(";" in finding.message or ":" in finding.message for finding in findings)


def test_every_check_has_a_workflow_that_breaks_it() -> None:
    assert {check for check, _, _ in MUTANTS} == set(Check)


def test_nothing_else_is_said_where_an_id_names_two_things(shared: Shared) -> None:
    edit = Edit().put("stages.arrange.id", "verify").put("title", "TBD").drop("hard_stops.withdrawn")
    assert {finding.check for finding in lint(edit.workflow(), shared)} == {Check.UNIQUE_ID}


def test_errors_come_before_warnings(shared: Shared) -> None:
    edit = Edit().drop("stages.verify.caller_may.normal").line("hard_stops.unverified.say[0]", "Why?")
    assert [finding.severity for finding in lint(edit.workflow(), shared)] == [Severity.ERROR, Severity.WARNING]


def test_a_slot_asked_and_read_under_the_same_condition_is_certain(shared: Shared) -> None:
    """The base reads `{mobile}` where `wants_text` is yes, and asks for it in a stage skipped when it is no."""
    other = Edit().put("stages.close_call.acts.text_goes.if", {"slot": "wants_text", "is": "no"})
    places = {f.place for f in lint(other.workflow(), shared) if f.check is Check.UNFILLED}
    assert "stages.close_call.acts.text_goes.say[0]" in places


def test_a_condition_on_a_revisable_slot_is_told(shared: Shared) -> None:
    edit = (
        Edit()
        .put("caller_facts.wants_text", [{"is": "yes", "corrected": "no"}, {"is": "no", "corrected": "yes"}])
        .put("stages.arrange.acts.ask_text.corrects", ["Wait, make that {wants_text.corrected}."])
        .put("stages.arrange.acts.ask_text.called", "text reminder")
    )
    found = {f.check for f in lint(edit.workflow(), shared)}
    assert found == {Check.CONDITION_REVISED}


def test_what_a_stage_is_called_may_be_said_in_a_sentence(shared: Shared) -> None:
    edit = Edit().line("stages.arrange.acts.letter.brief[0]", "With the letter we send you arrange the visit.")
    assert lint(edit.workflow(), shared) == []


def test_a_sensitive_slot_is_free_once_verification_is_over(shared: Shared) -> None:
    spoken = "Your dog is welcome during the {visit_length} of it, and the dog in the visit is no trouble."
    edit = Edit().line("stages.arrange.caller_may.normal.dog.answer.say[0]", spoken)
    assert lint(edit.workflow(), shared) == []


def test_a_value_heard_in_every_form_of_the_grounding_act_may_be_taken_up(shared: Shared) -> None:
    edit = Edit().line("stages.arrange.caller_may.pushback.why.says[0]", "Why does it take {visit_length}?")
    assert lint(edit.workflow(), shared) == []


@pytest.mark.parametrize("path", find_workflows((SHARED.parent,)).values(), ids=lambda path: path.stem)
def test_the_workflows_of_the_project_have_no_errors_and_are_linted_quickly(path: Path, shared: Shared) -> None:
    workflow = load_workflow(path)
    spent_s = []
    for _ in range(3):
        start = process_time()
        findings = lint(workflow, shared)
        spent_s.append(process_time() - start)
    assert [finding for finding in findings if finding.severity is Severity.ERROR] == []
    assert min(spent_s) < 0.3


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """The base workflow as a file, with one error in it and the shared phrases beside its folder."""
    shutil.copy(SHARED, tmp_path / "shared.yaml")
    path = tmp_path / "utilities" / "meter_visit.yaml"
    path.parent.mkdir()
    edit = Edit().line("hard_stops.unverified.say[1]", "Why do I have to go?")
    path.write_text(yaml.safe_dump(edit.data, sort_keys=False, width=10_000), encoding="utf-8")
    return path


def test_a_report_names_file_and_line(file: Path, shared: Shared) -> None:
    [told] = report(file, lint(load_workflow(file), shared))
    line = next(i for i, text in enumerate(file.read_text().splitlines(), 1) if "Why do I have to go?" in text)
    assert told.startswith(f"{file}:{line}: error: hard_stops.unverified.say[1]: the call ends here")
    assert told.endswith("[question-mark]")


def test_the_module_tells_by_its_status_what_it_found(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(file)]) == 1
    assert capsys.readouterr().out.endswith("1 errors, 0 warnings\n")
    file.write_text(file.read_text().replace("Why do I have to go?", "I have to go now."), encoding="utf-8")
    assert main([str(file)]) == 0
    assert main([str(file.with_name("none.yaml"))]) == 2
    assert "there is no such file" in capsys.readouterr().err


def test_the_range_follows_the_accounting() -> None:
    carried = carry_range(Edit().workflow())
    assert (carried.min_questions, carried.max_questions) == (5, 7)
    assert (carried.min_answerable, carried.max_answerable) == (3, 4)
    assert (carried.min_messages, carried.max_messages) == (12, 40)
    assert carried.max_interruptions == 20 - 1 - 7 + 4
    assert carried.holds(30, 9) and carried.holds(12, 0) and carried.holds(16, 4)
    assert not carried.holds(12, 4) and not carried.holds(31, 9) and not carried.holds(40, 20)


def test_a_workflow_in_which_nobody_can_cut_in_holds_no_interruption() -> None:
    edit = Edit()
    for stage in edit.get("stages"):
        for act in stage["acts"]:
            act.pop("hint", None)
            act["say"] = [f"{line[:30]}." for line in act["say"]]
    carried = carry_range(edit.workflow())
    assert (carried.max_places, carried.max_interruptions, carried.max_messages) == (0, 0, 16)
    assert carried.holds(16, 0) and not carried.holds(16, 1)


def test_a_workflow_without_success_carries_nothing() -> None:
    edit = Edit().put("caller_facts.still_wanted", "no")
    assert set(carry_range(edit.workflow()).model_dump().values()) == {0}
