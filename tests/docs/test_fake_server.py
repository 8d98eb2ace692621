"""The page on the fake server: done as it says, with a server that is up meanwhile."""

import re
from pathlib import Path

from factory.models.fake.scenarios import Outcome, read_scenario
from tests.docs.pages import UPDATE, page
from tests.docs.reader import followed, run
from tests.docs.test_tutorial import OF_MODELS, documented_files

PAGE = page("fake-server.md")


def words() -> set[str]:
    """The words of the page's table, without what stands behind their equals sign."""
    cells = re.findall(r"^\| (`[^|]+) \|", PAGE.split("## Order what goes wrong")[1], re.MULTILINE)
    return {word.partition("=")[0] for cell in cells for word in re.findall(r"`([^`]+)`", cell)}


def test_the_reader_sees_what_the_page_shows(tmp_path: Path) -> None:
    assert followed(PAGE, tmp_path) == PAGE, UPDATE
    written = [
        path.relative_to(tmp_path / "outputs" / "demo").as_posix()
        for path in tmp_path.rglob("*")
        if path.is_relative_to(tmp_path / "outputs" / "demo")
    ]
    patterns = documented_files()
    assert all(any(patterns[name].fullmatch(path) for path in written) for name in OF_MODELS)
    assert not [
        path
        for path in written
        if (tmp_path / "outputs" / "demo" / path).is_file()
        and not any(pattern.fullmatch(path) for pattern in patterns.values())
    ]
    assert run("factory audit outputs/flaky", tmp_path).code == 0


def test_the_same_corpus_comes_out_of_calls_that_fail() -> None:
    [plain, flaky, *_] = re.findall(r"^frozen under .*$", PAGE, re.MULTILINE)
    assert plain.split(";")[0] == flaky.split(";")[0]


def test_every_word_of_a_scenario_stands_in_the_page_and_no_other() -> None:
    faults = {outcome.value for outcome in Outcome if outcome.value in words()}
    for word in words():
        read_scenario(f"player;{word}" if word in faults else f"player;{word}=1")
    asked = {o.value for o in Outcome} - {Outcome.PLAYED.value, Outcome.BAD_REQUEST.value, Outcome.FAILED.value}
    assert asked | {"slow", "retry-after", "after", "until", "findings", "unfixable"} == words()
