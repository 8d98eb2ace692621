"""The page on the freeze: done as it says."""

import json
from pathlib import Path

import pytest

from tests.docs.pages import UPDATE, page
from tests.docs.reader import followed, run
from tests.docs.test_tutorial import OF_FREEZE, documented_files

PAGE = page("freeze.md")


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where somebody has done all that the page says."""
    folder = tmp_path_factory.mktemp("reader")
    assert followed(PAGE, folder) == PAGE, UPDATE
    return folder


def test_the_reader_sees_what_the_page_shows(reader: Path) -> None:
    assert run("factory verify outputs/frozen", reader).code == 0


def test_what_the_page_leaves_to_the_reader_works(reader: Path) -> None:
    """The commands with a root, which is another whenever a workflow changes."""
    manifest = json.loads((reader / "outputs/frozen/manifest.json").read_text())
    assert run(f"factory verify outputs/frozen --root {manifest['root']}", reader).code == 0
    assert run(f"factory verify proof.json --root {manifest['earlier'][0]['root']}", reader).code == 0
    assert run(f"factory verify proof.json --root {manifest['root']}", reader).code == 1


def test_the_files_of_commitments_and_versions_are_documented_and_there(reader: Path) -> None:
    frozen = reader / "outputs" / "frozen"
    build = "factory build demo --limit 2 --out outputs/frozen --engine inline --no-audio --seed 1"
    assert run(f"{build} --commit", reader).code == 0
    files = {path.relative_to(frozen).as_posix() for path in frozen.rglob("*") if path.is_file()}
    patterns = documented_files()
    assert all(any(patterns[name].fullmatch(file) for file in files) for name in OF_FREEZE)
    assert {file for file in files if not any(pattern.fullmatch(file) for pattern in patterns.values())} == set()
