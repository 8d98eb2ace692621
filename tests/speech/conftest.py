import pytest

from factory.speech import SpeechEngine, open_engine


@pytest.fixture(scope="session")
def hibari() -> SpeechEngine:
    return open_engine("hibari")
