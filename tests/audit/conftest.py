import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from factory.run.folder import RunFolder
from factory.workflow.library import Library
from tests.dataset.runs import make_library

from .modelled import modelled_run
from .runs import finished_run


@pytest.fixture(scope="session")
def library(tmp_path_factory: pytest.TempPathFactory) -> Library:
    return make_library(tmp_path_factory.mktemp("workflows"))


@pytest.fixture(scope="session")
def plain(tmp_path_factory: pytest.TempPathFactory, library: Library) -> RunFolder:
    """A finished run; tests read it and leave it as it is."""
    return finished_run(tmp_path_factory.mktemp("plain") / "run", library)


@pytest.fixture(scope="session")
def canaried(tmp_path_factory: pytest.TempPathFactory, library: Library) -> RunFolder:
    """The same run, built with canaries; tests read it and leave it as it is."""
    return finished_run(tmp_path_factory.mktemp("canaried") / "run", library, canaries=True)


@pytest.fixture(scope="session")
def modelled(tmp_path_factory: pytest.TempPathFactory, library: Library) -> RunFolder:
    """A finished run that models wrote; tests read it and leave it as it is."""
    return modelled_run(tmp_path_factory.mktemp("modelled") / "run", library)


@pytest.fixture
def copied(tmp_path: Path) -> Callable[[RunFolder], RunFolder]:
    """Copies a run for a test to change."""

    def copy(folder: RunFolder) -> RunFolder:
        return RunFolder(Path(shutil.copytree(folder.path, tmp_path / "run")))

    return copy


@pytest.fixture
def run(plain: RunFolder, copied: Callable[[RunFolder], RunFolder]) -> RunFolder:
    """A finished run for a test to tamper with."""
    return copied(plain)
