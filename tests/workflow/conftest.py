from pathlib import Path

import pytest

from factory.records.shared import Shared
from factory.workflow.reader import load_shared


@pytest.fixture(scope="session")
def shared() -> Shared:
    return load_shared(Path(__file__).resolve().parents[2] / "workflows" / "shared.yaml")
