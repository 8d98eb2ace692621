"""A new workflow's frame: it says itself what is missing, and is a workflow once that is written."""

from pathlib import Path

import pytest

from factory.errors import WorkflowError
from factory.records.enums import Direction
from factory.records.shared import Shared
from factory.workflow.findings import Check, Severity
from factory.workflow.library import standard_library
from factory.workflow.lint import lint, report
from factory.workflow.reader import load_workflow
from factory.workflow.skeleton import place_for, skeleton
from factory.workflow.texts import GAP

from .filling import filled

BOTH = pytest.mark.parametrize("direction", Direction)


def write(folder: Path, text: str) -> Path:
    path = folder / "dining" / "book_table.yaml"
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


@BOTH
def test_a_new_workflow_has_gaps_and_no_other_finding(direction: Direction, shared: Shared, tmp_path: Path) -> None:
    text = skeleton("dining/book_table", direction)
    path = write(tmp_path, text)
    findings = lint(load_workflow(path), shared)
    assert {(finding.check, finding.severity) for finding in findings} == {(Check.GAP, Severity.ERROR)}
    assert len(findings) == text.count(f'"{GAP}')


@BOTH
def test_each_gap_is_told_with_its_line_and_what_belongs_there(
    direction: Direction, shared: Shared, tmp_path: Path
) -> None:
    text = skeleton("dining/book_table", direction)
    path = write(tmp_path, text)
    lines = text.splitlines()
    told = report(path, lint(load_workflow(path), shared))
    numbers = [int(line.removeprefix(f"{path}:").split(":")[0]) for line in told]
    assert numbers == sorted(numbers)
    for number, line in zip(numbers, told, strict=True):
        wanted = line.split(" still to be written: ")[1].removesuffix(" [gap]")
        assert f'"{GAP} {wanted}"' in lines[number - 1]


@BOTH
def test_a_filled_one_has_no_finding_at_all(direction: Direction, shared: Shared, tmp_path: Path) -> None:
    workflow = load_workflow(write(tmp_path, filled(skeleton("dining/book_table", direction))))
    assert lint(workflow, shared) == []
    assert workflow.goal.direction is direction


@BOTH
def test_it_shows_every_part_once_with_a_comment(direction: Direction) -> None:
    lines = skeleton("dining/book_table", direction).splitlines()
    for part in (
        "verification: true", "on_failure:", "skip_when:", "terminate_when:", "for: ", "fixed: true", "required: true",
        "optional: true", "pushback:", "normal:", "topic_switch:", "hard_stops:", "hint:", "corrects:", "sensitive:",
        "hidden_information:", "facts:", "speaks:",
    ):  # fmt: skip
        first = next(number for number, line in enumerate(lines) if part in line)
        assert any("# " in line for line in lines[first - 3 : first + 2]), part


def test_what_is_finished_is_proved_while_gaps_are_left(shared: Shared, tmp_path: Path) -> None:
    text = skeleton("dining/book_table", Direction.INBOUND)
    done = filled(text).replace("Great, there we are.", "Great, are we there?")
    half = done.replace("does: ask what the caller needs", f"does: '{GAP} what is asked'")
    findings = lint(load_workflow(write(tmp_path, half)), shared)
    assert [finding.check for finding in findings] == [Check.GAP, *[Check.QUESTION_MARK] * 2]


@pytest.mark.parametrize(
    "name", ["", "dining", "Dining/table", "dining/book-table", "a/b/c", "../x/y", "/etc/x", "a/b\n", "a/_b"]
)
def test_what_is_no_id_is_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(WorkflowError, match="is no id of a workflow; write DOMAIN/GOAL"):
        place_for(name, tmp_path, standard_library())


@pytest.mark.parametrize("name", ["dining/book_table.yaml", "dining/book_table.yml"])
def test_nothing_that_is_there_is_written_over(name: str, tmp_path: Path) -> None:
    (tmp_path / "dining").mkdir()
    (tmp_path / name).symlink_to("nowhere")
    with pytest.raises(WorkflowError, match="is there already"):
        place_for("dining/book_table", tmp_path, standard_library())


def test_an_id_of_a_built_in_workflow_is_taken(tmp_path: Path) -> None:
    with pytest.raises(WorkflowError, match=r"card_fraud_alert\.yaml: has the id"):
        place_for("financial_services/card_fraud_alert", tmp_path, standard_library())


def test_a_domain_that_leads_elsewhere_is_refused(tmp_path: Path) -> None:
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "dining").symlink_to(tmp_path)
    with pytest.raises(WorkflowError, match="leads out of"):
        place_for("dining/book_table", tmp_path / "own", standard_library())
