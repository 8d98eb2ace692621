import fcntl
import os
import re
import shutil
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.docs.pages import UPDATE, blocks, page
from tests.docs.reader import followed, run

OF_SOUND = {"clips/", "calls/<conversation>.clean.flac"}
"""Files that only an engine over a network, or a condition, brings; `tests/build/test_calls*.py` look for them."""
OF_MODELS = {"replies/<conversation>.<side>.jsonl", "replies/lost-calls.jsonl", "reports/cost.json"}
"""Files that only a build with models has; `test_fake_server.py` looks for them."""
OF_FREEZE = {"commitment.json", "opening.json", "earlier/"}
"""Files that only a commitment or a new version of the freeze makes; `test_freeze.py` looks for them."""
PAGE = page("first-corpus.md")
FILES = page("files.md")


@dataclass(frozen=True)
class Followed:
    """What comes of doing everything that the tutorial says: the page as it has to be, and the folder."""

    text: str
    folder: Path


@pytest.fixture(scope="session")
def tutorial(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Followed:
    """Followed once, however many workers the tests run on; tests leave the folder as it is."""
    base = tmp_path_factory.getbasetemp()
    home = (base if worker_id == "master" else base.parent) / "tutorial"
    home.mkdir(exist_ok=True)
    done = home / "page.md"
    with (home / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not done.exists():
            (home / "reader").mkdir(exist_ok=True)
            done.write_text(followed(PAGE, home / "reader"), encoding="utf-8")
    return Followed(done.read_text(encoding="utf-8"), home / "reader")


def test_the_reader_sees_what_the_tutorial_shows(tutorial: Followed) -> None:
    assert tutorial.text == PAGE, UPDATE


def test_no_command_and_no_program_of_the_tutorial_goes_unchecked() -> None:
    marked = sum(block.language in ("console", "python") for block in blocks(PAGE))
    fences = re.findall(r"^```(?:console|python)$", PAGE, re.MULTILINE)
    assert len(fences) == marked + 1, "only `source .venv/bin/activate` is not run"


def test_the_programs_among_the_files_print_what_is_shown(tutorial: Followed) -> None:
    assert followed(FILES, tutorial.folder) == FILES, UPDATE


def documented_files() -> dict[str, re.Pattern[str]]:
    """Each path of the table of a run folder, as a pattern."""
    table = FILES.split("## A run folder\n")[1].split("\n## ")[0]
    paths = re.findall(r"^\| `([^`]+)` \|", table, re.MULTILINE)
    return {
        path: re.compile("(?!root)[^/]+".join(map(re.escape, re.split(r"<\w+>", path.rstrip("/")))) + "(/.*)?")
        for path in paths
    }


def test_every_file_of_a_run_is_documented_and_every_documented_file_is_there(tutorial: Followed) -> None:
    voiced = tutorial.folder / "outputs" / "two-calls"
    files = {path.relative_to(voiced).as_posix() for path in voiced.rglob("*") if path.is_file()}
    patterns = documented_files()
    assert {f for f in files if not any(p.fullmatch(f) for p in patterns.values())} == set()
    absent = {n for n, p in patterns.items() if not any(p.fullmatch(f) for f in files)}
    assert absent == {".prefect/", *OF_SOUND, *OF_MODELS, *OF_FREEZE}


class TestExitCodes:
    """As `docs/commands.md` tells them."""

    @pytest.fixture
    def finished(self, tutorial: Followed, tmp_path: Path) -> Path:
        shutil.copytree(tutorial.folder / "outputs" / "two-calls", tmp_path / "run")
        return tmp_path

    def test_0_where_nothing_is_wrong(self, finished: Path) -> None:
        assert run("factory verify run", finished).code == 0
        assert run("factory audit run", finished).code == 0

    def test_1_where_a_frozen_byte_was_changed_and_the_file_is_named(self, finished: Path) -> None:
        (log,) = (finished / "run" / "conversations").glob("*-0001.jsonl")
        text = log.read_text(encoding="utf-8")
        log.write_text(text.replace("In this one response", "In this own response", 1), encoding="utf-8")
        ran = run("factory verify run", finished)
        assert ran.code == 1
        assert f"conversations/{log.name}" in ran.output

    def test_1_where_the_audit_is_not_clean(self, finished: Path) -> None:
        (ledger,) = (finished / "run" / "ledger").glob("*-0001.jsonl")
        lines = ledger.read_text(encoding="utf-8").splitlines(keepends=True)
        ledger.write_text("".join(lines[:-1]), encoding="utf-8")
        assert run("factory audit run", finished).code == 1

    @pytest.mark.parametrize(
        "command",
        [
            "factory verify nowhere",
            "factory audit nowhere",
            "factory plan nothing",
            "factory build demo --tts nobody --engine inline",
            "factory preview nothing/here",
            "factory workflow lint missing.yaml",
            "factory workflow draw government/housing_inspection --out picture.gif",
            "factory biuld demo",
        ],
    )
    def test_2_where_the_command_is_not_usable(self, command: str, tmp_path: Path) -> None:
        ran = run(command, tmp_path)
        assert (ran.code, ran.output) == (2, "")
        assert ran.errors
        assert "Traceback" not in ran.errors
        assert not [name for name in os.listdir(tmp_path) if name != ".huggingface"]
