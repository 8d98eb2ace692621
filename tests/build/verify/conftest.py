import shutil
from pathlib import Path

import pytest

from tests.build.verify.runs import Run


@pytest.fixture
def run(silent: Path, tmp_path: Path) -> Run:
    """A finished run without audio, to damage."""
    return Run(Path(shutil.copytree(silent, tmp_path / "run")))
