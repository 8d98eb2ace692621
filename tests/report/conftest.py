from pathlib import Path

import pytest

from factory.workflow.library import Library


@pytest.fixture(scope="session")
def library() -> Library:
    """A library that holds one small workflow."""
    return Library((Path(__file__).parent / "workflows",))
