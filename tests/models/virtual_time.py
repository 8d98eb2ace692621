"""Time that passes only when everybody waits, so that tests of waiting need not wait."""

import asyncio
import heapq


class VirtualTime:
    """A clock and a sleep; a sleeper wakes in the order of its time, once nothing else can run."""

    def __init__(self) -> None:
        self.now_s = 0.0
        self.slept_s: list[float] = []
        self._sleepers: list[tuple[float, int, asyncio.Future[None]]] = []
        self._waker: asyncio.Task[None] | None = None

    def clock(self) -> float:
        return self.now_s

    async def sleep(self, seconds: float) -> None:
        self.slept_s.append(seconds)
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        heapq.heappush(self._sleepers, (self.now_s + seconds, len(self.slept_s), future))
        if self._waker is None or self._waker.done():
            self._waker = asyncio.create_task(self._wake())
        await future

    async def _wake(self) -> None:
        while self._sleepers:
            for _ in range(50):  # lets everybody go as far as they can before time passes
                await asyncio.sleep(0)
            when_s, _, future = heapq.heappop(self._sleepers)
            self.now_s = max(self.now_s, when_s)
            if not future.done():
                future.set_result(None)
