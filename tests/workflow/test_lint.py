"""Every check fires on a workflow that breaks exactly its rule, at the right place, and on nothing else."""

import re
import shutil
from pathlib import Path
from time import process_time

import pytest
import yaml

from factory.records.shared import Shared
from factory.workflow.findings import Check, Phase, Severity
from factory.workflow.lint import lint, lint_files, report
from factory.workflow.reader import find_workflows, load_workflow

from .base import HINT, Edit, ask, tell
from .mutants import MUTANTS
from .mutants.edits import BYE, LETTER, VISIT_MOVES, WHO, Change, end_in_two_sentences

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
    over_many = {Check.DIRECTIONS}
    assert {check for check, _, _ in MUTANTS} == set(Check) - over_many


def test_nothing_else_is_said_where_an_id_names_two_things(shared: Shared) -> None:
    edit = Edit().put("stages.arrange.id", "verify").put("title", "TBD").drop("hard_stops.withdrawn")
    assert {finding.check for finding in lint(edit.workflow(), shared)} == {Check.UNIQUE_ID}


def test_errors_come_before_warnings(shared: Shared) -> None:
    edit = Edit().drop("stages.verify.caller_may.normal").line("hard_stops.unverified.say[0]", "Why unverified?")
    assert [finding.severity for finding in lint(edit.workflow(), shared)] == [Severity.ERROR, Severity.WARNING]


def test_findings_lead_from_the_structure_over_the_wording_to_the_counts(shared: Shared, tmp_path: Path) -> None:
    """Whatever stands further up in the file, and though the structure here has warnings only."""
    edit = (
        Edit()
        .drop("stages.open_call.caller_may.normal")
        .line("hard_stops.unverified.say[0]", "Why unverified?")
        .line("stages.open_call.acts.who_calls.say[0]", "Hello there. This call is something we do with everyone here.")
        .put("stages.arrange.acts.ask_text.optional", "true")
        .put("stages.open_call.acts.who_calls.optional", "true")
    )
    findings = lint(edit.workflow(), shared)
    phases = [finding.check.phase for finding in findings]
    assert set(phases) == {Phase.STRUCTURE, Phase.WORDING, Phase.COUNTS} and phases == sorted(phases)
    wording = [finding.severity for finding in findings if finding.check.phase is Phase.WORDING]
    assert wording == [Severity.ERROR, Severity.WARNING]
    path = tmp_path / "utilities" / "meter_visit.yaml"
    path.parent.mkdir()
    path.write_text(yaml.safe_dump(edit.data, sort_keys=False), encoding="utf-8")
    told = [line.rpartition("[")[2].rstrip("]") for line in report(path, findings)]
    assert [Check(name).phase for name in told] == phases


def test_counts_wait_for_the_last_gap_and_a_part_with_a_gap_is_left_alone(shared: Shared) -> None:
    edit = (
        Edit()
        .drop("intents.caller_8")
        .line("hard_stops.unverified.say[0]", "Why unverified?")
        .line("stages.open_call.acts.who_calls.brief[0]", "Who?")
        .line("stages.open_call.acts.who_calls.say[0]", "GAP: a way to say it")
    )
    assert [finding.check for finding in lint(edit.workflow(), shared)] == [Check.GAP, Check.QUESTION_MARK]
    edit.line("stages.open_call.acts.who_calls.say[0]", "Just so that you know, this call is one that we make often.")
    places = [finding.place for finding in lint(edit.workflow(), shared)]
    assert "stages.open_call.acts.who_calls.brief[0]" in places and places[-1] == "intents"


def test_a_value_that_is_still_to_be_written_makes_no_repeats(shared: Shared) -> None:
    edit = Edit().put("caller_facts.visit_day", [{"is": "GAP: the day on which they can", "corrected": "Monday"}])
    assert {finding.check for finding in lint(edit.workflow(), shared)} == {Check.GAP}


def test_a_domain_with_calls_in_one_direction_only_is_told_once(tmp_path: Path, shared: Shared) -> None:
    paths = []
    for name in ("meter_visit", "meter_reading"):
        edit = Edit().put("id", f"utilities/{name}")
        paths.append(tmp_path / "utilities" / f"{name}.yaml")
        paths[-1].parent.mkdir(exist_ok=True)
        paths[-1].write_text(yaml.safe_dump(edit.data, sort_keys=False), encoding="utf-8")
    first, second = lint_files(paths, shared, together=True).values()
    assert [(f.check, f.place, f.severity) for f in first] == [(Check.DIRECTIONS, "goal.direction", Severity.WARNING)]
    assert "no inbound call" in first[0].message and second == []
    assert lint_files(paths[:1], shared, together=True) == {paths[0]: []}, "one call has one direction"
    assert lint_files(paths, shared) == {path: [] for path in paths}
    inbound = edit.put("goal.direction", "inbound")
    paths[-1].write_text(yaml.safe_dump(inbound.data, sort_keys=False), encoding="utf-8")
    assert lint_files(paths, shared, together=True) == {path: [] for path in paths}


@pytest.mark.parametrize("without", ["hints and tells", "questions"])
def test_what_is_not_there_is_never_told_as_a_number(without: str, shared: Shared) -> None:
    edit = Edit()
    if without == "questions":
        edit.add("stages.open_call.acts", *(ask(f"more_{i}", f"point {i}") for i in range(16)))
    for stage in edit.data["stages"]:
        stage.pop("caller_may", None)
        for act in stage["acts"]:
            act.pop("hint", None)
            act["say"] = [f"So, {line[:20]}." for line in act["say"]]
    messages = [f.message for f in lint(edit.workflow(), shared) if f.check.phase is Phase.COUNTS]
    assert any("none of them with a `hint`" in message for message in messages)
    assert not [message for message in messages if re.search(r"(?<![\w-])-\d|(?<!\d)0(?!\d)", message)]


@pytest.mark.parametrize("name", ["José Müller", "Łukasz Gałązka", "Nguyễn Văn Đức", "Zoë O’Dell", "Þóra Ångström"])
def test_names_with_accents_are_heard(name: str, shared: Shared) -> None:
    edit = Edit().put("agent.name", name).line(f"{WHO}.brief[0]", f"A quick word on this call, {name} says.")
    assert lint(edit.workflow(), shared) == []


def test_what_nobody_says_may_be_written_in_any_script(shared: Shared) -> None:
    edit = Edit().line("guidelines[0]", "Be kind. Будь добрым. ☎").put("goal.statement", "預約 a visit →")
    assert lint(edit.workflow(), shared) == []


def test_a_slot_asked_and_read_under_the_same_condition_is_certain(shared: Shared) -> None:
    """The base reads `{mobile}` where `wants_text` is yes, and asks for it in a stage skipped when it is no."""
    other = Edit().put("stages.close_call.acts.text_goes.if", {"slot": "wants_text", "is": "no"})
    places = {f.place for f in lint(other.workflow(), shared) if f.check is Check.UNFILLED}
    assert "stages.close_call.acts.text_goes.say[0]" in places


def test_an_answer_that_ends_the_call_may_be_asked_about_before_it_ends(shared: Shared) -> None:
    """The base ends at a hard stop where `still_wanted` is no."""
    reason = ask("ask_reason", "your reason", hint=HINT, **{"if": {"slot": "still_wanted", "is": "no"}})
    assert lint(Edit().insert("stages.arrange.acts", 99, reason).workflow(), shared) == []


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
    allowed_s = 10 / 51  # all 51 workflows are to be linted in ten seconds
    for _ in range(3):
        start = process_time()
        findings = lint(load_workflow(path), shared)
        if (spent_s := process_time() - start) < allowed_s:
            break
    assert [finding for finding in findings if finding.severity is Severity.ERROR] == []
    assert spent_s < allowed_s


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """The base workflow as a file, with one error in it and the shared phrases beside its folder."""
    shutil.copy(SHARED, tmp_path / "shared.yaml")
    path = tmp_path / "utilities" / "meter_visit.yaml"
    path.parent.mkdir()
    edit = Edit().line("hard_stops.unverified.say[1]", "Why are you unverified?")
    path.write_text(yaml.safe_dump(edit.data, sort_keys=False, width=10_000), encoding="utf-8")
    return path


def test_a_report_names_file_and_line(file: Path, shared: Shared) -> None:
    [told] = report(file, lint(load_workflow(file), shared))
    line = next(i for i, text in enumerate(file.read_text().splitlines(), 1) if "Why are you unverified?" in text)
    assert told.startswith(f"{file}:{line}: error: hard_stops.unverified.say[1]: the call ends here")
    assert told.endswith("[question-mark]")


def test_mentions_are_found_as_rubrics_find_them_with_known_values_filled_in(shared: Shared) -> None:
    edit = Edit()
    for form in ("say", "resume", "brief"):
        place = f"stages.arrange.acts.which_meter.{form}"
        edit.put(place, [line.replace("{meters.0.kind} meter", "Electricity meters") for line in edit.get(place)])
    assert lint(edit.put("stages.arrange.acts.which_meter.mentions", "{meters.0.kind} meter").workflow(), shared) == []


def test_the_longest_value_that_a_caller_gives_is_what_counts_for_repeats(shared: Shared) -> None:
    """`{visit_day}` stands in every wording of the closing, which a value of five words makes a repeat."""
    edit = Edit().put("caller_facts.visit_day", [{"is": "Friday", "corrected": "the first Tuesday in May"}])
    found = {(f.check, f.place) for f in lint(edit.workflow(), shared)}
    assert {check for check, _ in found} == {Check.RESUME_OVERLAP, Check.FRESH_START}
    assert (Check.RESUME_OVERLAP, f"{BYE}.resume[0]") in found


def lead(edit: Edit, act_id: str, topic: str, **fields: str) -> Edit:
    """Puts a tell that leads to the optional question for a pen right before it."""
    acts = edit.get("stages.arrange.acts")
    place = next(i for i, act in enumerate(acts) if act["id"] == "has_pen")
    return edit.insert("stages.arrange.acts", place, tell(act_id, topic, **{"for": "has_pen", **fields}))


def test_tells_that_lead_to_an_optional_question_need_not_be_optional(shared: Shared) -> None:
    edit = lead(lead(Edit(), "spell", "our spelling"), "reference", "our reference", optional="true")
    move = Edit().get(f"{VISIT_MOVES}.pushback.why") | {"id": "spelling", "after": "spell"}
    assert lint(edit.add(f"{VISIT_MOVES}.pushback", move).workflow(), shared) == []


def test_tells_left_out_with_a_question_do_not_add_to_those_behind_it(shared: Shared) -> None:
    """Three lead to the pen and three come behind it, but where the pen is left out, so are its tells."""
    edit = lead(lead(lead(Edit(), "spell", "our spelling"), "reference", "our reference"), "form", "our form")
    acts = edit.get("stages.arrange.acts")
    edit.insert("stages.arrange.acts", acts.index(edit.get(LETTER)), tell("slot", "our calendar"))
    assert lint(edit.workflow(), shared) == []
    edit = lead(edit, "fourth", "our doorbell")
    assert {f.check for f in lint(edit.workflow(), shared)} == {Check.TELLS_IN_A_ROW}


def test_a_tell_is_never_said_where_its_question_never_comes_up(shared: Shared) -> None:
    edit = lead(Edit(), "spell", "our spelling").put("caller_facts.has_pen", "yes")
    edit.put("stages.arrange.acts.has_pen.if", {"slot": "has_pen", "is": "yes"})
    assert lint(edit.workflow(), shared) == []
    edit.put("known_user_information.pen", "no").put("stages.arrange.acts.has_pen.if", {"slot": "pen", "is": "yes"})
    unreachable = {f.place for f in lint(edit.workflow(), shared) if f.check is Check.UNREACHABLE}
    assert unreachable == {"stages.arrange.acts.spell", "stages.arrange.acts.has_pen"}


def test_a_closing_that_can_be_cut_is_fine_where_a_short_one_stands_for_it(shared: Shared) -> None:
    assert lint(end_in_two_sentences(Edit()).put(f"{BYE}.required", "true").workflow(), shared) == []


def test_a_pushback_on_a_closing_tell_needs_another_behind_it_to_cut_in_on(shared: Shared) -> None:
    move = Edit().get("stages.texting.caller_may.pushback.why") | {"after": "text_goes"}
    edit = Edit().put("stages.close_call.caller_may", {"pushback": [move]})
    assert {f.check for f in lint(edit.workflow(), shared)} == {Check.PUSHBACK_PLACE}
    assert lint(end_in_two_sentences(edit).put(f"{BYE}.required", "true").workflow(), shared) == []
