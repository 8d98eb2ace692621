"""Logs and ledgers that end at any byte, as after a kill between two writes, are carried on from there."""

import asyncio
import random
import shutil
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from factory.build.conversations import build_conversation
from factory.build.engine import Engine
from factory.errors import RunError
from factory.records.base import sha256
from factory.records.ledger import GENESIS
from factory.run.folder import RunFolder
from factory.run.log import read_progress
from factory.workflow.library import standard_library
from tests.build.builds import factory

ENGINE = Engine(standard_library())


def _files(folder: Path) -> tuple[Path, Path]:
    blueprint = next(RunFolder(folder).blueprints())
    run = RunFolder(folder)
    return run.conversation_file(blueprint.conversation_id), run.ledger_file(blueprint.conversation_id)


def _resume(folder: Path) -> None:
    asyncio.run(build_conversation(RunFolder(folder), ENGINE, next(RunFolder(folder).blueprints())))


@pytest.fixture(scope="module")
def whole(silent: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return Path(shutil.copytree(silent, tmp_path_factory.mktemp("whole") / "run"))


@settings(max_examples=60, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(share=st.floats(0, 1), extra=st.floats(0, 1))
def test_a_log_cut_anywhere_grows_to_the_same_bytes(whole: Path, share: float, extra: float) -> None:
    """The ledger is written first: it holds what the log counts, and up to one call's lines more."""
    log, ledger = _files(whole)
    log_bytes, ledger_bytes = log.read_bytes(), ledger.read_bytes()
    try:
        log.write_bytes(log_bytes[: round(share * len(log_bytes))])
        counted = _counted(log, ledger_bytes)
        ledger.write_bytes(ledger_bytes[: counted + round(extra * (len(ledger_bytes) - counted))])
        _resume(whole)
        assert log.read_bytes() == log_bytes
        assert ledger.read_bytes() == ledger_bytes
    finally:
        log.write_bytes(log_bytes)
        ledger.write_bytes(ledger_bytes)


def _counted(log: Path, ledger: bytes) -> int:
    """Bytes of the ledger that the log counts in."""
    head, length = read_progress(log).head, 0
    if head == GENESIS:
        return 0
    for line in ledger.splitlines(keepends=True):
        length += len(line)
        if sha256(line.decode().rstrip("\n")) == head:
            return length
    raise AssertionError("the ledger lacks the log's head")


def test_a_ledger_that_lost_what_the_log_counts_is_refused(whole: Path, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(whole, tmp_path / "run"))
    log, ledger = _files(folder)
    log.write_bytes(log.read_bytes()[:-10])  # not finished any more
    ledger.write_bytes(ledger.read_bytes()[: len(ledger.read_bytes()) // 2])
    with pytest.raises(RunError, match="does not hold what"):
        _resume(folder)


@pytest.mark.parametrize("name", ["manifest.json", "ledger/root.json", "checksums.json", "dataset/turns.parquet"])
def test_a_file_that_is_not_there_yet_is_made_again(name: str, spec: Path, silent: Path, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(silent, tmp_path / "run"))
    (folder / name).unlink()
    ended = factory("build", spec, "--out", folder, "--engine", "inline", "--no-audio")
    assert ended.code == 0, ended.err
    assert (folder / name).read_bytes() == (silent / name).read_bytes()


def test_a_part_that_a_kill_left_beside_a_file_is_gone_afterwards(spec: Path, silent: Path, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(silent, tmp_path / "run"))
    part = folder / "dataset" / ".conversations.parquet.partial"
    part.write_bytes(random.Random(0).randbytes(1000))
    assert factory("build", spec, "--out", folder, "--engine", "inline", "--no-audio").code == 0
    assert not part.exists()
