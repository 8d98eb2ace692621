from pathlib import Path

import pytest

from factory.records.shared import Shared
from factory.workflow.reader import load_shared


@pytest.fixture(scope="session")
def shared() -> Shared:
    """The project's phrases, and one lead-in that the tests may count on."""
    phrases = load_shared(Path(__file__).resolve().parents[2] / "workflows" / "shared.yaml")
    calm = (*phrases.agent.calm, "That's a fair question.")
    return phrases.model_copy(update={"agent": phrases.agent.model_copy(update={"calm": calm})})
