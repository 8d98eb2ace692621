import os
import shutil
from pathlib import Path

import pytest

from factory.dataset.write import write_dataset
from factory.run.folder import RunFolder
from factory.workflow.library import Library

from .runs import build_run, make_library

# Read by `datasets` when it is imported: nothing may leave the machine.
os.environ |= {"HF_HUB_OFFLINE": "1", "HF_DATASETS_OFFLINE": "1", "HF_HUB_DISABLE_TELEMETRY": "1"}


@pytest.fixture(scope="session")
def library(tmp_path_factory: pytest.TempPathFactory) -> Library:
    return make_library(tmp_path_factory.mktemp("workflows"))


@pytest.fixture(scope="session")
def spoken(tmp_path_factory: pytest.TempPathFactory, library: Library) -> RunFolder:
    """A run with audio and its dataset; tests read it and leave it as it is."""
    folder = build_run(tmp_path_factory.mktemp("spoken") / "run", library, audio=True)
    write_dataset(folder, library)
    return folder


@pytest.fixture
def own_run(spoken: RunFolder, tmp_path: Path) -> RunFolder:
    """The same run, for a test to change; its dataset is still to be written."""
    folder = RunFolder(Path(shutil.copytree(spoken.path, tmp_path / "run")))
    shutil.rmtree(folder.dataset)
    return folder
