from pathlib import Path

import pytest

from factory.run.folder import RunFolder
from factory.workflow.library import Library
from tests.dataset.runs import build_run, make_library


@pytest.fixture(scope="session")
def library(tmp_path_factory: pytest.TempPathFactory) -> Library:
    """Three small goals in two domains."""
    return make_library(tmp_path_factory.mktemp("workflows"))


@pytest.fixture(scope="session")
def run(tmp_path_factory: pytest.TempPathFactory, library: Library) -> RunFolder:
    """A finished run of four calls, without audio."""
    return build_run(Path(tmp_path_factory.mktemp("runs")) / "run", library, audio=False)
