"""How many calls are under way at a provider at once: as many as it bears, and no more than the roles file allows."""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

from factory.models.errors import ErrorKind, ModelError


class Limiter:
    """Lets calls through in the order in which they came.

    A rate limit halves the number that is let through, and nothing goes out before the time that the server asked to
    wait is over; every call that succeeds wins a part of it back, one more call for each round of them. A call that
    was under way when the number was last halved does not halve it again: one wave of calls is refused as one.
    """

    def __init__(
        self,
        at_once: int,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        """Takes the most calls at once, and the clock (seconds) and the sleep that holding back goes by."""
        self._most = at_once
        self._clock = clock
        self._sleep = sleep
        self._allowed = float(at_once)
        self._running = 0
        self._halved = 0
        self._held_until_s = clock()
        self._first_in_line = asyncio.Lock()
        self._room = asyncio.Event()

    @property
    def allowed(self) -> int:
        """Calls that may be under way at once now."""
        return int(self._allowed)

    @property
    def running(self) -> int:
        """Calls under way."""
        return self._running

    @asynccontextmanager
    async def slot(self) -> AsyncIterator[None]:
        """Waits for its turn, and learns from how the call inside ends."""
        await self._enter()
        halved = self._halved
        try:
            yield
            self._allowed = min(self._most, self._allowed + 1 / self._allowed)
        except ModelError as exc:
            if exc.kind is ErrorKind.RATE_LIMIT:
                self._back_off(halved, exc.retry_after_s or 0.0)
            raise
        finally:
            self._running -= 1
            self._room.set()

    async def _enter(self) -> None:
        """Only the first in line looks for room; the lock keeps the line, and lets go of whoever is cancelled."""
        async with self._first_in_line:
            while True:
                held_s = self._held_until_s - self._clock()
                if held_s > 0:
                    await self._sleep(held_s)
                elif self._running < self.allowed:
                    break
                else:
                    self._room.clear()
                    await self._room.wait()
            self._running += 1

    def _back_off(self, halved: int, wait_s: float) -> None:
        self._held_until_s = max(self._held_until_s, self._clock() + wait_s)
        if halved == self._halved:
            self._halved += 1
            self._allowed = max(1.0, self._allowed / 2)
