"""A provider that is down: told once and soon, told once when it is back, and never for bad luck."""

import asyncio
import random
import time
from collections.abc import Iterable
from pathlib import Path

import pytest

from factory.models.errors import ErrorKind, ModelError
from factory.models.outage import FAILED_IN_A_ROW, NOTICE_S, Outage
from factory.models.pool import Pool
from factory.models.roles_file import load_models
from tests.build.builds import start, wait_for_step, write_spec

from .canned import request
from .servers import roles_file, running_server

FAILED = [ErrorKind.CONNECTION] * FAILED_IN_A_ROW
TOLD_S = 20.0
"""What a starved machine needs; a build that is silent ends after a minute."""


@pytest.fixture(autouse=True)
def _soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("factory.models.outage.NOTICE_S", 0.02)


def told(*happens: ErrorKind | float | None) -> list[str]:
    """What a person is told of tries that failed with a kind, that were answered (None), and of seconds between."""
    lines: list[str] = []

    async def run() -> None:
        outage = Outage("p", lines.append)
        for one in happens:
            if isinstance(one, float):
                await asyncio.sleep(one)
            elif one is None:
                outage.answered()
            else:
                outage.failed(ModelError(one, f"p: {one.value}"))
        outage.close()

    asyncio.run(run())
    return lines


def test_an_outage_is_told_once_and_its_end_once() -> None:
    lines = told(*FAILED, 0.04, *FAILED * 5, 0.04, None, None, 0.04)
    assert lines == ["p: connection; trying again", "p: answers again"]


def test_the_next_outage_is_told_again() -> None:
    assert len(told(*FAILED, 0.04, None, *FAILED, 0.04, None)) == 4


def test_a_time_out_says_as_much_as_many_errors() -> None:
    assert told(ErrorKind.TIMEOUT, 0.04) == ["p: time-out; trying again"]


@pytest.mark.parametrize(
    "happens",
    [
        (*FAILED, None, 0.04),  # back before anybody would notice
        (*FAILED[1:], 0.04),  # bad luck
        (*FAILED[1:], 0.04, None, *FAILED[1:], 0.04),
        (*[ErrorKind.RATE_LIMIT] * 9, 0.04),  # it is there, and asks to wait
        (*[ErrorKind.REFUSAL, ErrorKind.QUOTA] * 9, 0.04),
    ],
)
def test_nothing_else_is_told(happens: Iterable[ErrorKind | float | None]) -> None:
    assert told(*happens) == []


def test_a_call_that_waits_through_an_outage_gets_its_reply_and_two_lines_are_told(tmp_path: Path) -> None:
    lines: list[str] = []
    with running_server() as server:
        models = load_models(roles_file(tmp_path, server, model="player;500;until=6"))

        async def run() -> None:
            async with Pool(models, {}, rng=random.Random(1), tell=lines.append) as pool:
                await pool.send(request("player;500;until=6", provider="fake"))

        asyncio.run(run())
    assert len(lines) == 2 and lines[0].startswith("fake: server: status 500") and lines[0].endswith("; trying again")
    assert lines[1] == "fake: answers again"


@pytest.mark.parametrize("engine", ["inline", "prefect"])
def test_a_user_is_told_within_two_seconds_of_the_first_call(engine: str, tmp_path: Path) -> None:
    assert NOTICE_S < 2
    with running_server() as gone:
        file = roles_file(tmp_path, gone, model="player")
    build = start(
        *("build", write_spec(tmp_path), "--models", file, "--engine", engine, "--no-audio", "--out", tmp_path / "run")
    )
    assert build.stderr is not None
    try:
        wait_for_step(build, "conversations")
        begun_s = time.monotonic()
        assert build.stderr.readline().startswith("fake: no answer from http://127.0.0.1:")
        assert time.monotonic() - begun_s < TOLD_S
    finally:
        build.kill()
        build.communicate()
