"""`--workflows` and `workflow new`, as a user types them: a company's own calls stay in its own folder."""

import shutil
from pathlib import Path

import pytest

from factory.records.enums import Direction
from factory.workflow.skeleton import skeleton
from tests.build.builds import contents, difference, factory
from tests.workflow.filling import filled

SPEC = """\
schema_version: 1
name: tables
conversations: 2
workflows: ["{pattern}"]
interruptions:
  by_type: {{pushback: 6, impatient: 4, normal: 2, topic_switch: 2, filler: 2, correction: 2}}
  by_depth: {{"0-4": 8, "5-9": 6, "10-14": 4}}
messages: {{min: 29, max: 31, mean: 30.0}}
"""
INLINE = ("--engine", "inline", "--no-audio")


@pytest.fixture
def desk(tmp_path: Path) -> Path:
    """A folder with a spec and, in `own`, one workflow that lints clean."""
    add(tmp_path / "own", "dining/book_table")
    (tmp_path / "tables.yaml").write_text(SPEC.format(pattern="dining/*"), encoding="utf-8")
    return tmp_path


def add(folder: Path, workflow_id: str) -> None:
    path = folder / f"{workflow_id}.yaml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(filled(skeleton(workflow_id, Direction.OUTBOUND)), encoding="utf-8")


def test_where_the_folder_is_decides_not_one_byte_and_stands_in_none(desk: Path) -> None:
    hidden = desk / "private_cellar"
    shutil.copytree(desk / "own", hidden / "calls")
    for out, folder in (("one", "own"), ("two", hidden / "calls")):
        done = factory("build", "tables.yaml", "--out", out, "--workflows", folder, *INLINE, cwd=desk)
        assert done.code == 0, done.err
    assert difference(desk / "one", desk / "two") == []
    assert not [name for name, data in contents(desk / "two").items() if b"private_cellar" in data]
    assert factory("verify", "two", cwd=desk).code == 0


def test_a_build_that_goes_on_without_the_folder_is_told_the_flag(desk: Path) -> None:
    assert factory("build", "tables.yaml", "--out", "run", "--workflows", "own", *INLINE, cwd=desk).code == 0
    done = factory("build", "tables.yaml", "--out", "run", *INLINE, cwd=desk)
    assert done.code == 2
    assert "no workflow fits `dining/*`" in done.error and "--workflows DIR" in done.error


def test_a_build_whose_pattern_still_fits_others_is_told_the_flag_too(desk: Path) -> None:
    add(desk / "mine", "government/book_table")
    (desk / "tables.yaml").write_text(SPEC.format(pattern="government/*"), encoding="utf-8")
    assert factory("build", "tables.yaml", "--out", "run", "--workflows", "mine", *INLINE, cwd=desk).code == 0
    done = factory("build", "tables.yaml", "--out", "run", *INLINE, cwd=desk)
    assert done.code == 2
    assert "workflows.government/book_table" in done.error and "with --workflows" in done.error
    assert "--workflows" not in factory("build", "demo", "--out", "run", "--workflows", "mine", *INLINE, cwd=desk).error


@pytest.mark.parametrize(
    ("verb", "shown"),
    [
        ("plan tables.yaml", "dining-book-table-0002"),
        ("preview dining/book_table", "dining/book_table, seed 0"),
        ("workflow list", "dining/book_table "),
        ("workflow show dining/book_table", "dining/book_table: Booking a table"),
        ("workflow lint dining/*", "1 workflow, 0 errors, 0 warnings"),
        ("workflow draw dining/book_table --out table.svg", "table.svg"),
    ],
)
def test_every_verb_that_reads_workflows_takes_the_folder(verb: str, shown: str, desk: Path) -> None:
    done = factory(*verb.split(), "--workflows", "own", cwd=desk)
    assert (done.code, done.err) == (0, "")
    assert shown in done.out


@pytest.mark.parametrize("verb", ["preview", "workflow lint", "workflow show"])
def test_a_file_with_another_ending_is_refused_with_the_right_one(verb: str, desk: Path) -> None:
    (desk / "own" / "dining" / "book_table.yaml").rename(desk / "own" / "dining" / "book_table.yml")
    done = factory(*verb.split(), "own/dining/book_table.yml", cwd=desk)
    assert done.code == 2
    assert done.error.endswith("the name of a workflow file ends in `.yaml`; rename it to book_table.yaml")


def test_two_folders_are_two_flags(desk: Path) -> None:
    add(desk / "mine", "retail/return_shoes")
    done = factory("workflow", "lint", "dining/*", "retail/*", "--workflows", "own", "--workflows", "mine", cwd=desk)
    assert done.out == "2 workflows, 0 errors, 0 warnings\n"


@pytest.mark.parametrize("direction", list(Direction))
def test_a_new_workflow_is_written_into_folders_that_are_made(direction: Direction, tmp_path: Path) -> None:
    done = factory(
        "workflow", "new", "dining/book_table", "--direction", direction, "--workflows", "my calls", cwd=tmp_path
    )
    assert done.code == 0, done.err
    [path] = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert path == tmp_path / "my calls" / "dining" / "book_table.yaml"
    assert path.read_text(encoding="utf-8") == skeleton("dining/book_table", direction)
    assert "`factory workflow lint dining/book_table --workflows 'my calls'`" in done.out
    lint = factory("workflow", "lint", "dining/book_table", "--workflows", "my calls", cwd=tmp_path)
    *gaps, total = lint.out.splitlines()
    assert lint.code == 1 and all(line.endswith("[gap]") for line in gaps)
    assert total == f"1 workflow, {len(gaps)} errors, 0 warnings"


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("dining/book_table", "is there already and stays as it is"),
        ("../dining/book_table", "is no id of a workflow"),
        ("government/housing_inspection", "has the id `government/housing_inspection` already"),
    ],
)
def test_a_new_workflow_that_cannot_be_is_refused_and_nothing_changes(name: str, message: str, desk: Path) -> None:
    before = {path: path.read_bytes() for path in desk.rglob("*") if path.is_file()}
    done = factory("workflow", "new", name, "--workflows", "own", cwd=desk)
    assert done.code == 2 and message in done.error
    assert {path: path.read_bytes() for path in desk.rglob("*") if path.is_file()} == before


def test_a_place_that_is_no_folder_is_refused(desk: Path) -> None:
    done = factory("workflow", "new", "dining/other", "--workflows", "tables.yaml", cwd=desk)
    assert done.code == 2 and "tables.yaml" in done.error


def test_a_build_refuses_what_is_still_to_be_written(desk: Path) -> None:
    path = desk / "own" / "dining" / "book_table.yaml"
    path.write_text(skeleton("dining/book_table", Direction.OUTBOUND), encoding="utf-8")
    done = factory("build", "tables.yaml", "--out", "run", "--workflows", "own", *INLINE, cwd=desk)
    assert done.code == 2 and "title: still to be written: what the call is" in done.error


def test_a_preview_says_first_that_there_are_errors_and_how_to_see_them(desk: Path) -> None:
    path = desk / "own" / "dining" / "book_table.yaml"
    path.write_text(path.read_text(encoding="utf-8").replace("Great, there we are.", "Great, are we there?"))
    done = factory("preview", "dining/book_table", "--workflows", "own", cwd=desk)
    first, second, *_ = done.out.splitlines()
    assert first.startswith("dining/book_table: 2 errors, so it may play wrongly; `factory workflow lint dining/")
    assert second.startswith("dining/book_table, seed 0")
    assert factory(*first.split("`")[1].split()[1:], cwd=desk).out.endswith("1 workflow, 2 errors, 0 warnings\n")


def test_a_preview_of_what_cannot_be_played_ends_with_a_message(desk: Path) -> None:
    path = desk / "own" / "dining" / "book_table.yaml"
    path.write_text(path.read_text(encoding="utf-8").replace("then: unverified", "then: nowhere"))
    for seed in range(3):
        done = factory("preview", "dining/book_table", "--workflows", "own", "--seed", str(seed), cwd=desk)
        assert "errors, so it may play wrongly" in done.out.splitlines()[0]
        assert "Traceback" not in done.err


def test_files_that_cannot_be_read_are_told_together(desk: Path) -> None:
    for name in ("first", "second"):
        (desk / "own" / "dining" / f"{name}.yaml").write_text("id: [never closed\n", encoding="utf-8")
    done = factory("workflow", "lint", "dining/*", "--workflows", "own", cwd=desk)
    assert (done.code, done.out) == (2, "")
    for name in ("first", "second"):
        assert f"{name}.yaml:2: not valid YAML" in done.err
