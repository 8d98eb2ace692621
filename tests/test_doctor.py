"""The doctor tells of every engine whether it can speak here, what it asks for, and what is missing."""

import pytest

from factory.doctor import examine
from factory.speech import available_engines

SECRET = "sk-proj-Zq81mVb7Lr"


def line_of(name: str) -> str:
    (line,) = (line for line in examine().splitlines() if line.split()[:1] == [name])
    return line


def test_every_engine_has_a_line() -> None:
    for status in available_engines():
        assert ("not usable: " in line_of(status.name)) == (not status.usable)


def test_a_recogniser_has_a_line() -> None:
    assert line_of("faster-whisper").split()[1][0].isdigit()


def test_an_engine_over_a_network_tells_what_it_asks_for_and_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    assert "not usable: no key: set the environment variable OPENAI_API_KEY" in line_of("openai")
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)
    assert line_of("openai").endswith("  usable (asks for network, OPENAI_API_KEY)")
    assert line_of("gtts").endswith("  usable (asks for network)")
    assert "asks for" not in line_of("hibari")
    assert SECRET not in examine()
