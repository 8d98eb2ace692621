"""Undisturbed runs, built once, that others are compared with."""

from pathlib import Path

import pytest

from tests.build.builds import factory, write_spec
from tests.build.spoken import brief_spec


@pytest.fixture(scope="session")
def spec(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_spec(tmp_path_factory.mktemp("spec"))


@pytest.fixture(scope="session")
def voiced(spec: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return _built(spec, tmp_path_factory.mktemp("voiced"))


@pytest.fixture(scope="session")
def silent(spec: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return _built(spec, tmp_path_factory.mktemp("silent"), "--no-audio")


@pytest.fixture(scope="session")
def brief_order(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A spec of three short calls, one of them clean."""
    return brief_spec(tmp_path_factory.mktemp("brief"))


@pytest.fixture(scope="session")
def brief(brief_order: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return _built(brief_order, tmp_path_factory.mktemp("spoken"))


def _built(order: Path, folder: Path, *options: str) -> Path:
    out = folder / "run"
    ended = factory("build", order, "--out", out, "--engine", "inline", *options)
    assert ended.code == 0, ended.err
    return out
