from pathlib import Path

import pytest

from factory.dataset.counts import DatasetCounts
from factory.dataset.write import write_dataset
from factory.run.folder import RunFolder
from factory.workflow.library import Library

from .runs import build_run, make_library


@pytest.fixture(scope="session")
def library(tmp_path_factory: pytest.TempPathFactory) -> Library:
    return make_library(tmp_path_factory.mktemp("workflows"))


@pytest.fixture(scope="session")
def spoken(tmp_path_factory: pytest.TempPathFactory, library: Library) -> RunFolder:
    """A run with audio and its dataset; tests read it and leave it as it is."""
    folder = build_run(tmp_path_factory.mktemp("spoken") / "run", library, audio=True)
    write_dataset(folder, library)
    return folder


@pytest.fixture(scope="session")
def counts(spoken: RunFolder, library: Library, tmp_path_factory: pytest.TempPathFactory) -> DatasetCounts:
    """What writing that dataset reports."""
    return write_dataset(copy_of(spoken, tmp_path_factory.mktemp("counted")), library)


def copy_of(folder: RunFolder, place: Path) -> RunFolder:
    """A run folder that a test may change."""
    import shutil

    return RunFolder(Path(shutil.copytree(folder.path, place / "run")))
