"""The one retry layer of the models: the same request again, for as long as that can help.

Services that speak are waited for by a rule of their own (`factory.speech.network`): there, a text has a time by which
it must be done; here, thousands of calls must not come back as one.
"""

import asyncio
import random
import time
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager, nullcontext
from dataclasses import dataclass
from typing import TypeVar

from factory.models.errors import ModelError

T = TypeVar("T")


@dataclass(frozen=True)
class Patience:
    """How long a call is tried.

    With 24 tries, 4,000 calls come through a provider that fails every second time with a probability of 99.97 %
    (1 - 4000 / 2^24). A provider that always fails at once has been waited for 49 seconds in the mean by then.

    Attributes:
        tries: Tries at the most.
        first_s: The longest pause after the first try; it doubles with every try.
        longest_s: The longest pause of our own between two tries.
        paused_s: All pauses of our own together, at the most.
        asked_s: The longest wait that a server may ask for; one that asks for more has failed.
        all_asked_s: All waits together that a server may ask for.
        tried_s: All tries together, at the most: what ends a server that lets every call time out.
    """

    tries: int = 24
    first_s: float = 0.25
    longest_s: float = 5.0
    paused_s: float = 60.0
    asked_s: float = 60.0
    all_asked_s: float = 300.0
    tried_s: float = 600.0

    def pause_s(self, tries: int, rng: random.Random) -> float:
        """A pause after so many tries: anything from nothing to the longest, so that calls do not come back as one."""
        return rng.uniform(0.0, min(self.longest_s, self.first_s * 2.0 ** min(tries - 1, 30)))


@dataclass
class _Spent:
    """What one call has taken so far."""

    tries: int = 0
    paused_s: float = 0.0
    asked_s: float = 0.0
    tried_s: float = 0.0


class Retry:
    """Sends a call until it succeeds, cannot heal, or has been tried for long enough."""

    def __init__(
        self,
        rng: random.Random,
        patience: Patience | None = None,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        """Takes what draws the pauses, how long to try, and the clock (seconds) and the sleep that it goes by."""
        self._rng = rng
        self._patience = patience or Patience()
        self._clock = clock
        self._sleep = sleep

    async def run(
        self,
        attempt: Callable[[], Awaitable[T]],
        turn: Callable[[], AbstractAsyncContextManager[None]] = nullcontext,
    ) -> T:
        """What the attempt gives, tried again while that can help.

        Args:
            attempt: Sends the call once.
            turn: What every try is made inside of; the time until it is entered does not count as tried. Pauses are
                spent outside of it, so that a call that waits keeps no other one waiting.

        Raises:
            ModelError: the attempt's own where asking again cannot help, or helped too seldom; of the same kind, and
                says how often and how long it was tried.
        """
        spent = _Spent()
        while True:
            try:
                async with turn():
                    begun_s = self._clock()
                    try:
                        return await attempt()
                    finally:
                        spent.tries += 1
                        spent.tried_s += self._clock() - begun_s
            except ModelError as exc:
                if not exc.heals:
                    raise
                pause_s = self._patience.pause_s(spent.tries, self._rng)
                asked_s = exc.retry_after_s or 0.0
                over = self._over(spent, pause_s, asked_s)
                if over:
                    raise ModelError(exc.kind, f"{exc} ({over})", exc.retry_after_s) from None
            spent.paused_s += pause_s
            spent.asked_s += asked_s
            await self._sleep(asked_s + pause_s)

    def _over(self, spent: _Spent, pause_s: float, asked_s: float) -> str | None:
        """Why a call is not tried again; None while it is."""
        most = self._patience
        if asked_s > most.asked_s:
            return f"given up: it asks to wait {asked_s:.0f} s, and more than {most.asked_s:.0f} s is not waited"
        waited = f"given up after {spent.tries} tries and {spent.paused_s + spent.asked_s:.0f} s of waiting"
        if (
            spent.tries >= most.tries
            or spent.paused_s + pause_s > most.paused_s
            or spent.asked_s + asked_s > most.all_asked_s
            or spent.tried_s >= most.tried_s
        ):
            return waited
        return None
