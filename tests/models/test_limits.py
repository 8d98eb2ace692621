"""The limiter: never too many calls at once, fewer when told so, in the order in which they came."""

import asyncio
import random

import pytest

from factory.models.errors import ErrorKind, ModelError
from factory.models.limits import Limiter

from .virtual_time import VirtualTime


def _limited(retry_after_s: float | None = None) -> ModelError:
    return ModelError(ErrorKind.RATE_LIMIT, "p: too many", retry_after_s)


async def _call(limiter: Limiter, error: ModelError | None = None) -> None:
    try:
        async with limiter.slot():
            if error is not None:
                raise error
    except ModelError:
        pass


def test_no_more_calls_than_allowed_are_under_way() -> None:
    async def run() -> int:
        limiter, most = Limiter(7), 0

        async def call(rng: random.Random) -> None:
            nonlocal most
            async with limiter.slot():
                most = max(most, limiter.running)
                assert limiter.running <= 7
                for _ in range(rng.randrange(5)):
                    await asyncio.sleep(0)

        await asyncio.gather(*(call(random.Random(n)) for n in range(200)))
        assert limiter.running == 0
        return most

    assert asyncio.run(run()) == 7


def test_calls_go_in_the_order_in_which_they_came() -> None:
    async def run() -> list[int]:
        limiter, order = Limiter(2), list[int]()

        async def call(number: int) -> None:
            async with limiter.slot():
                order.append(number)
                await asyncio.sleep(0)

        await asyncio.gather(*(call(n) for n in range(50)))
        return order

    assert asyncio.run(run()) == list(range(50))


def test_a_rate_limit_halves_and_successes_win_it_back_one_by_one() -> None:
    async def run() -> None:
        limiter = Limiter(16)
        await _call(limiter, _limited())
        assert limiter.allowed == 8
        for _ in range(9):  # a round of calls: one more
            await _call(limiter)
        assert limiter.allowed == 9
        for _ in range(500):
            await _call(limiter)
        assert limiter.allowed == 16

    asyncio.run(run())


def test_it_never_falls_below_one_call() -> None:
    async def run() -> None:
        limiter = Limiter(4)
        for _ in range(20):
            await _call(limiter, _limited())
        assert limiter.allowed == 1
        await _call(limiter)
        assert limiter.running == 0

    asyncio.run(run())


def test_a_wave_that_is_refused_as_one_halves_once() -> None:
    async def run() -> None:
        limiter, gate = Limiter(32), asyncio.Event()

        async def call() -> None:
            async with limiter.slot():
                await gate.wait()
                raise _limited()

        wave = asyncio.gather(*(call() for _ in range(32)), return_exceptions=True)
        await asyncio.sleep(0.01)
        gate.set()
        await wave
        assert limiter.allowed == 16

    asyncio.run(run())


@pytest.mark.parametrize("kind", [kind for kind in ErrorKind if kind is not ErrorKind.RATE_LIMIT])
def test_other_failures_change_nothing(kind: ErrorKind) -> None:
    async def run() -> None:
        limiter = Limiter(8)
        await _call(limiter, ModelError(kind, "p: failed", 30.0))
        assert (limiter.allowed, limiter.running) == (8, 0)
        await asyncio.wait_for(_call(limiter), 1)

    asyncio.run(run())


def test_all_new_calls_are_held_back_for_as_long_as_the_server_asks() -> None:
    async def run() -> list[float]:
        time = VirtualTime()
        limiter, begun_s = Limiter(8, time.clock, time.sleep), list[float]()
        await _call(limiter, _limited(12.0))

        async def call() -> None:
            async with limiter.slot():
                begun_s.append(time.now_s)

        await asyncio.gather(*(call() for _ in range(10)))
        return begun_s

    assert asyncio.run(run()) == [12.0] * 10


def test_a_longer_wait_that_comes_later_holds_as_well() -> None:
    async def run() -> float:
        time = VirtualTime()
        limiter = Limiter(8, time.clock, time.sleep)
        under_way = asyncio.Event()

        async def refused_late() -> None:
            async with limiter.slot():
                under_way.set()
                await time.sleep(5.0)
                raise _limited(20.0)

        late = asyncio.create_task(refused_late())
        await under_way.wait()
        await _call(limiter, _limited(10.0))
        await _call(limiter)
        await asyncio.gather(late, return_exceptions=True)
        return time.now_s

    assert asyncio.run(run()) == 25.0


def test_a_cancelled_call_leaves_its_place_to_others_wherever_it_stood() -> None:
    async def run() -> None:
        rng, limiter, done = random.Random(3), Limiter(3), 0

        async def call() -> None:
            nonlocal done
            async with limiter.slot():
                await asyncio.sleep(rng.random() / 500)
                done += 1

        tasks = [asyncio.create_task(call()) for _ in range(300)]
        for _ in range(40):
            await asyncio.sleep(0.001)
            for task in rng.sample(tasks, 5):
                task.cancel()
        ended = await asyncio.wait_for(asyncio.gather(*tasks, return_exceptions=True), 20)
        assert done == ended.count(None) > 50
        assert limiter.running == 0
        await asyncio.wait_for(_call(limiter), 1)

    asyncio.run(run())
