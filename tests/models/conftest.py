"""What the tests of whole builds share: three small workflows, and one fake server in a process of its own."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from factory.workflow.library import Library
from tests.dataset.runs import make_library

from .servers import RunningServer, running_server


@pytest.fixture(scope="session")
def workflows(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of three small workflows, with their shared phrases."""
    folder = tmp_path_factory.mktemp("workflows")
    make_library(folder)
    return folder


@pytest.fixture(scope="session")
def small(workflows: Path) -> Library:
    """Three small workflows."""
    return Library((workflows,))


@pytest.fixture(scope="session")
def up() -> Iterator[RunningServer]:
    """A server for all tests that do not count its calls."""
    with running_server() as server:
        yield server
