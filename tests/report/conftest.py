from pathlib import Path

import pytest

from factory.workflow.library import Library
from tests.report.runs import WORKFLOW


@pytest.fixture(scope="session")
def library(tmp_path_factory: pytest.TempPathFactory) -> Library:
    """A library that holds one small workflow."""
    home = tmp_path_factory.mktemp("workflows")
    file = home / f"{WORKFLOW}.yaml"
    file.parent.mkdir()
    file.write_text((Path(__file__).parent / "calls.yaml").read_text(encoding="utf-8"), encoding="utf-8")
    return Library((home,))
