"""The retry layer: what can heal is tried again, for a bounded time, and not before the server wants it."""

import asyncio
import random
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager

import pytest

from factory.models.errors import HEALS, ErrorKind, ModelError
from factory.models.retry import Patience, Retry

from .virtual_time import VirtualTime

HEALING = sorted(HEALS)
FINAL = [kind for kind in ErrorKind if kind not in HEALS]


class Attempts:
    """An attempt that fails as told, and then succeeds."""

    def __init__(self, failures: Iterator[ModelError | None], time: VirtualTime, takes_s: float = 0.0) -> None:
        self.made = 0
        self.at_s: list[float] = []
        self._failures = failures
        self._time = time
        self._takes_s = takes_s

    async def __call__(self) -> str:
        self.made += 1
        self.at_s.append(self._time.now_s)
        if self._takes_s:
            await self._time.sleep(self._takes_s)
        failure = next(self._failures, None)
        if failure is not None:
            raise failure
        return "reply"


def _failing(kind: ErrorKind, times: int | None = None, retry_after_s: float | None = None) -> Iterator[ModelError]:
    count = 0
    while times is None or count < times:
        count += 1
        yield ModelError(kind, f"p: {kind.value}", retry_after_s)


def _run(attempts: Attempts, time: VirtualTime, patience: Patience | None = None, seed: int = 1) -> str:
    retry = Retry(random.Random(seed), patience, time.clock, time.sleep)
    return asyncio.run(retry.run(attempts))


@pytest.mark.parametrize("kind", HEALING)
def test_what_heals_is_tried_again(kind: ErrorKind) -> None:
    time = VirtualTime()
    attempts = Attempts(_failing(kind, times=3), time)
    assert _run(attempts, time) == "reply"
    assert attempts.made == 4


@pytest.mark.parametrize("kind", FINAL)
def test_what_cannot_heal_fails_at_once(kind: ErrorKind) -> None:
    time = VirtualTime()
    attempts = Attempts(_failing(kind), time)
    with pytest.raises(ModelError) as caught:
        _run(attempts, time)
    assert (attempts.made, time.slept_s, str(caught.value)) == (1, [], f"p: {kind.value}")


def test_half_of_all_calls_failing_is_survived() -> None:
    """4,000 calls, each try of which fails with a probability of one half: all come through, in 20 runs of 20."""
    assert 4_000 * 0.5 ** Patience().tries < 0.001
    for seed in range(20):
        rng = random.Random(seed)
        waited_s = []
        for _ in range(4_000):
            tries, paused_s = 1, 0.0
            while rng.random() < 0.5:
                paused_s += Patience().pause_s(tries, rng)
                tries += 1
            assert tries <= Patience().tries and paused_s <= Patience().paused_s
            waited_s.append(paused_s)
        assert sum(waited_s) / len(waited_s) < 1.0


@pytest.mark.parametrize("seed", range(10))
def test_a_provider_that_always_fails_ends_within_about_a_minute(seed: int) -> None:
    time = VirtualTime()
    attempts = Attempts(_failing(ErrorKind.SERVER), time)
    with pytest.raises(ModelError, match=r"p: server \(given up after \d+ tries and \d+ s of waiting\)") as caught:
        _run(attempts, time, seed=seed)
    assert caught.value.kind is ErrorKind.SERVER
    assert 25 < time.now_s <= 60
    assert 15 < attempts.made <= 24


def test_pauses_grow_and_differ() -> None:
    rng = random.Random(0)
    first = [Patience().pause_s(1, rng) for _ in range(500)]
    late = [Patience().pause_s(1_000, rng) for _ in range(500)]
    assert 0 <= min(first) < 0.02 and 0.23 < max(first) <= 0.25
    assert 0 <= min(late) < 0.2 and 4.8 < max(late) <= 5.0


def test_no_try_is_made_before_the_time_that_the_server_asked_for() -> None:
    time = VirtualTime()
    attempts = Attempts(_failing(ErrorKind.RATE_LIMIT, times=4, retry_after_s=20.0), time)
    assert _run(attempts, time) == "reply"
    assert all(later - earlier >= 20 for earlier, later in zip(attempts.at_s, attempts.at_s[1:], strict=False))


def test_a_server_that_asks_for_too_long_a_wait_is_not_waited_for() -> None:
    time = VirtualTime()
    attempts = Attempts(_failing(ErrorKind.RATE_LIMIT, retry_after_s=3_600.0), time)
    with pytest.raises(ModelError, match="asks to wait 3600 s, and more than 60 s is not waited"):
        _run(attempts, time)
    assert (attempts.made, time.slept_s) == (1, [])


def test_waits_that_are_asked_for_have_an_end_as_well() -> None:
    time = VirtualTime()
    with pytest.raises(ModelError, match="given up after 11 tries"):
        _run(Attempts(_failing(ErrorKind.RATE_LIMIT, retry_after_s=30.0), time), time)
    assert time.now_s <= 360


def test_a_server_that_lets_every_call_time_out_has_an_end() -> None:
    time = VirtualTime()
    attempts = Attempts(_failing(ErrorKind.TIMEOUT), time, takes_s=60.0)
    with pytest.raises(ModelError, match="given up after 10 tries"):
        _run(attempts, time)


def test_pauses_are_made_outside_the_turn_and_waiting_for_it_is_not_counted() -> None:
    time = VirtualTime()
    inside = 0

    @asynccontextmanager
    async def turn() -> AsyncIterator[None]:
        nonlocal inside
        await time.sleep(1_000.0)  # a long queue
        inside += 1
        try:
            yield
        finally:
            inside -= 1

    async def sleep(seconds: float) -> None:
        assert inside == 0
        await time.sleep(seconds)

    attempts = Attempts(_failing(ErrorKind.SERVER, times=5), time)
    retry = Retry(random.Random(0), None, time.clock, sleep)
    assert asyncio.run(retry.run(attempts, turn)) == "reply"
    assert attempts.made == 6


def test_a_cancelled_call_is_not_tried_again() -> None:
    async def run() -> int:
        made = 0

        async def attempt() -> str:
            nonlocal made
            made += 1
            raise ModelError(ErrorKind.SERVER, "p: server")

        task = asyncio.create_task(Retry(random.Random(0), Patience(first_s=30, longest_s=30)).run(attempt))
        await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        return made

    assert asyncio.run(run()) == 1
