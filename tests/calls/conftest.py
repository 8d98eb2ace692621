"""A call of a real conversation, made once by the real command, for the tests that look at it and listen to it."""

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
import pytest
import soundfile
from numpy.typing import NDArray

from factory.records.blueprint import Blueprint
from factory.records.call import CallTimeline
from factory.records.conversation import Round
from factory.run.finished import read_finished
from factory.run.folder import RunFolder
from factory.speech import SAMPLE_RATE, SpeechEngine, Voicer, open_engine
from tests.build.builds import factory

ORDER = ("build", "demo", "--limit", "1", "--engine", "inline")


@dataclass(frozen=True)
class RealCall:
    """A run of one call."""

    folder: RunFolder

    @cached_property
    def blueprint(self) -> Blueprint:
        return next(self.folder.built())

    @cached_property
    def rounds(self) -> tuple[Round, ...]:
        return tuple(read_finished(self.folder, self.blueprint.conversation_id).rounds)

    @cached_property
    def timeline(self) -> CallTimeline:
        return self.folder.timeline(self.blueprint.conversation_id)

    @cached_property
    def clean(self) -> NDArray[np.float32]:
        """The whole call as it was mixed, shape (samples, 2)."""
        original = self.folder.call_file(self.blueprint.conversation_id, "clean.flac")
        return _read(original) if original.exists() else self.recorded

    @cached_property
    def recorded(self) -> NDArray[np.float32]:
        """The same as it was recorded, under its condition."""
        return _read(self.folder.call_file(self.blueprint.conversation_id, "flac"))


def _read(path: Path) -> NDArray[np.float32]:
    samples, rate_hz = soundfile.read(path, dtype="float32", always_2d=True)
    assert rate_hz == SAMPLE_RATE
    return np.asarray(samples)


@pytest.fixture(scope="session")
def real(tmp_path_factory: pytest.TempPathFactory) -> RealCall:
    out = tmp_path_factory.mktemp("call") / "run"
    ended = factory(*ORDER, "--out", out)
    assert ended.code == 0, ended.err
    return RealCall(RunFolder(out))


@pytest.fixture(scope="session")
def hibari() -> SpeechEngine:
    return open_engine("hibari")


@pytest.fixture(scope="session")
def voicer(hibari: SpeechEngine) -> Voicer:
    return Voicer(hibari)
