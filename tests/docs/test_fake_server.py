"""The page on the fake server: done as it says, with a server that is up meanwhile."""

import re
from pathlib import Path

import pytest

from factory.models.fake.scenarios import Outcome, read_scenario
from factory.run.folder import RunFolder
from tests.docs.pages import UPDATE, page
from tests.docs.reader import followed, run
from tests.docs.test_tutorial import OF_MODELS, documented_files

PAGE = page("fake-server.md")
PUBLISHED = ("dataset/conversations.parquet", "dataset/turns.parquet")


@pytest.fixture(scope="module")
def outputs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What comes of doing all that the page says."""
    folder = tmp_path_factory.mktemp("reader")
    assert followed(PAGE, folder) == PAGE, UPDATE
    return folder / "outputs"


def test_the_reader_sees_what_the_page_shows(outputs: Path) -> None:
    assert run("factory audit flaky", outputs).code == 0


@pytest.mark.parametrize("name", PUBLISHED)
def test_calls_that_fail_change_nothing(outputs: Path, name: str) -> None:
    plain = (outputs / "trial" / name).read_bytes()
    assert (outputs / "flaky" / name).read_bytes() == plain
    assert (outputs / "empty" / name).read_bytes() == plain


def test_other_models_freeze_the_same_items_under_another_ledger(outputs: Path) -> None:
    plain, *others = (RunFolder(outputs / name).manifest() for name in ("trial", "flaky", "empty"))
    for other in others:
        assert other.items == plain.items and other.ledger != plain.ledger and other.root != plain.root


def test_the_files_that_only_models_make_are_documented_and_there(outputs: Path) -> None:
    runs = (outputs / "trial", outputs / "flaky")
    files = {path.relative_to(run).as_posix() for run in runs for path in run.rglob("*") if path.is_file()}
    patterns = documented_files()
    assert all(any(patterns[name].fullmatch(file) for file in files) for name in OF_MODELS)
    assert {file for file in files if not any(pattern.fullmatch(file) for pattern in patterns.values())} == set()


def words() -> set[str]:
    """The words of the page's table, without what stands behind their equals sign."""
    table = PAGE.split("## Order what goes wrong")[1].split("\n## ")[0]
    cells = re.findall(r"^\| (`[^|]+) \|", table, re.MULTILINE)
    return {word.partition("=")[0] for cell in cells for word in re.findall(r"`([^`]+)`", cell)}


def test_every_word_of_a_scenario_stands_in_the_page_and_no_other() -> None:
    unasked = {Outcome.PLAYED, Outcome.BAD_REQUEST, Outcome.FAILED}
    faults = {outcome.value for outcome in Outcome if outcome not in unasked}
    for fault in faults:
        read_scenario(f"player;{fault}")
    parameters = words() - faults
    assert faults < words()
    read_scenario("player;" + ";".join(f"{word}=1" for word in sorted(parameters)))
    assert parameters == {"slow", "retry-after", "after", "until", "findings", "unfixable"}
