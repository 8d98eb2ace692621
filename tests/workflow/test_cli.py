"""`factory workflow …`, as a user types it."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from factory.workflow.library import standard_library

from .base import Edit

IDS = standard_library().ids
HOUSING = "government/housing_inspection"
REPO = Path(__file__).resolve().parents[2]


def factory(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Runs the command line in a process of its own."""
    command = [sys.executable, "-m", "factory", "workflow", *arguments]
    return subprocess.run(command, capture_output=True, text=True, cwd=REPO, check=False)


@pytest.fixture
def broken(tmp_path: Path) -> Path:
    """A workflow file with one error in it."""
    path = tmp_path / "utilities" / "meter_visit.yaml"
    path.parent.mkdir()
    edit = Edit().line("hard_stops.unverified.say[1]", "Why are you unverified?")
    path.write_text(yaml.safe_dump(edit.data, sort_keys=False, width=10_000), encoding="utf-8")
    return path


def test_every_workflow_is_linted_unless_some_are_named() -> None:
    done = factory("lint")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.endswith(f"{len(IDS)} workflows, 0 errors, 0 warnings\n")


def test_an_error_is_told_with_file_and_line_and_by_the_exit_code(broken: Path) -> None:
    done = factory("lint", HOUSING, str(broken))
    assert done.returncode == 1
    told, total = done.stdout.splitlines()
    assert told.startswith(f"{broken}:") and told.endswith("[question-mark]")
    assert total == "2 workflows, 1 error, 0 warnings"


def test_a_file_may_be_named_in_two_ways(broken: Path) -> None:
    done = factory("lint", str(broken), str(broken.parent / ".." / "utilities" / "meter_visit.yaml"))
    assert (done.returncode, done.stdout.splitlines()[-1]) == (1, "2 workflows, 2 errors, 0 warnings")


def test_a_file_that_cannot_be_read_is_told_in_the_words_of_the_reader(broken: Path) -> None:
    broken.write_text(broken.read_text().replace("subject:", "subjekt:"), encoding="utf-8")
    done = factory("lint", HOUSING, str(broken))
    assert (done.returncode, done.stdout) == (2, "")
    assert f"{broken}:" in done.stderr and "subjekt: there is no such field here" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("name", "words"),
    [("nowhere/none.yaml", "there is no such file"), ("nowhere/none", "there is no workflow"), ("workflows", "cannot")],
)
def test_what_is_not_a_workflow_is_refused(name: str, words: str) -> None:
    done = factory("lint", name)
    assert done.returncode == 2
    assert words in done.stderr and "Traceback" not in done.stderr


def test_the_list_names_every_workflow_with_what_it_carries() -> None:
    lines = factory("list").stdout.splitlines()
    assert len(lines) == len(IDS)
    assert all("messages, up to" in line for line in lines)
    assert any(line.startswith(HOUSING) and "outbound" in line for line in lines)


def test_a_workflow_is_shown_by_id_and_by_file(tmp_path: Path) -> None:
    path = tmp_path / "government" / "housing_inspection.yaml"
    path.parent.mkdir()
    shutil.copy(REPO / "workflows" / f"{HOUSING}.yaml", path)
    by_id, by_file = factory("show", HOUSING), factory("show", str(path))
    assert (by_id.returncode, by_file.returncode) == (0, 0)
    assert by_id.stdout == by_file.stdout
    assert by_id.stdout.startswith(f"{HOUSING}: Scheduling a disaster housing inspection (outbound)")


def test_a_workflow_without_a_call_to_carry_is_shown_without_numbers(broken: Path) -> None:
    edit = Edit().put("caller_facts.still_wanted", "no")
    broken.write_text(yaml.safe_dump(edit.data, sort_keys=False), encoding="utf-8")
    assert "  carries no call yet\n" in factory("show", str(broken)).stdout


def test_a_tell_is_shown_with_the_question_that_it_is_left_out_with() -> None:
    [line] = [line for line in factory("show", HOUSING).stdout.splitlines() if line.startswith("   - number_reason:")]
    assert line.endswith("(for ask_contact)")


def test_an_act_is_shown_with_the_answer_that_it_is_for() -> None:
    shown = factory("show", "sales/lead_outreach").stdout.splitlines()
    [line] = [line for line in shown if line.startswith("   ? ask_referral:")]
    assert line.endswith("(if person is colleague, fills referral)")


@pytest.mark.parametrize(("name", "begins"), [("w.mmd", b"---\ntitle:"), ("w.svg", b"<?xml"), ("w.png", b"\x89PNG")])
def test_a_workflow_is_drawn_by_the_ending_of_the_file(tmp_path: Path, name: str, begins: bytes) -> None:
    done = factory("draw", HOUSING, "--out", str(tmp_path / name))
    assert (done.returncode, done.stdout) == (0, f"{tmp_path / name}\n")
    assert (tmp_path / name).read_bytes().startswith(begins)


def test_another_ending_is_refused_and_nothing_is_written(tmp_path: Path) -> None:
    done = factory("draw", HOUSING, "--out", str(tmp_path / "w.pdf"))
    assert done.returncode == 2
    assert "`.svg` or `.png`" in done.stderr and list(tmp_path.iterdir()) == []
