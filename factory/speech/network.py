"""What engines over a network share: turns, time limits, and trying again where that can help."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from factory.retry_after import retry_after_s
from factory.speech.errors import SpeechError

if TYPE_CHECKING:
    from httpx2 import Client

T = TypeVar("T")

_MOST_BYTES = 64_000_000  # ten minutes of 16-bit sound at 48 kHz
_MOST_CONNECT_S = 10.0
_OWN_HOSTS = ("localhost", "127.0.0.1", "[::1]")


@dataclass(frozen=True, slots=True)
class Terms:
    """How a service is asked.

    Attributes:
        limit_s: Seconds that one request may take, from its start to the last byte of the answer.
        interval_s: Seconds between the starts of two requests, at the least, whatever number of threads ask.
        tries: Tries of one request at the most.
        first_wait_s: Seconds before the second try; each further wait is twice as long.
        patience_s: Seconds after which a text is not tried again; a service that asks to wait longer has failed.
    """

    limit_s: float = 30.0
    interval_s: float = 0.0
    tries: int = 4
    first_wait_s: float = 1.0
    patience_s: float = 120.0


class ServiceError(SpeechError):
    """A request that failed.

    Attributes:
        heals: Whether the same request may succeed later.
        asked_s: Seconds to wait that the service asks for.
    """

    def __init__(self, message: str, *, heals: bool, asked_s: float = 0.0) -> None:
        super().__init__(message)
        self.heals = heals
        self.asked_s = asked_s


class Service:
    """Asks one service, for any number of threads."""

    def __init__(
        self,
        name: str,
        terms: Terms,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
        day_s: Callable[[], float] = time.time,
    ) -> None:
        """Takes the name for errors, the terms, the clock and the sleep (seconds), the time of day (Unix seconds)."""
        self.name = name
        self._terms = terms
        self._clock = clock
        self._sleep = sleep
        self._day_s = day_s
        self._turns = threading.Lock()
        self._next_s = clock()

    def ask(self, attempt: Callable[[], T], begun_s: float) -> T:
        """Return what the attempt gives, tried again after growing waits while that can help.

        Args:
            attempt: One request.
            begun_s: When the text was begun, by the clock: patience counts from there.

        Raises:
            ServiceError: The attempt's own; says how often it was tried.
        """
        wait_s = self._terms.first_wait_s
        for tried in range(1, self._terms.tries + 1):
            self._take_turn()
            try:
                return attempt()
            except ServiceError as error:
                pause_s = max(wait_s, error.asked_s)
                over = tried == self._terms.tries or self._clock() + pause_s > begun_s + self._terms.patience_s
                if not error.heals or over:
                    raise ServiceError(f"{error} Tried {_times(tried)}.", heals=False) from None
            self._sleep(pause_s)
            wait_s *= 2
        raise ValueError(f"{self.name} is to be tried {_times(self._terms.tries)}")

    def _take_turn(self) -> None:
        with self._turns:
            now_s = self._clock()
            start_s = max(now_s, self._next_s)
            self._next_s = start_s + self._terms.interval_s
        if start_s > now_s:
            self._sleep(start_s - now_s)

    def read(self, begun_s: float, chunks: Iterable[bytes]) -> bytes:
        """Return an answer's body, whole; a service that sends byte by byte for ever is left.

        Args:
            begun_s: When the request started, by the clock.
            chunks: The body as it comes.

        Raises:
            ServiceError: It takes longer than the terms allow, or is larger than any speech.
        """
        body = bytearray()
        for chunk in chunks:
            body += chunk
            if self._clock() - begun_s > self._terms.limit_s:
                raise self.timed_out()
            if len(body) > _MOST_BYTES:
                raise ServiceError(
                    f"{self.name} sends more than {_MOST_BYTES // 1_000_000} MB for a text.", heals=False
                )
        return bytes(body)

    def now_s(self) -> float:
        """The time by the clock."""
        return self._clock()

    def timed_out(self) -> ServiceError:
        """The error of a request that took too long."""
        return ServiceError(
            f"{self.name} did not answer within {self._terms.limit_s:g} s; try later or use `--tts hibari`.", heals=True
        )

    def unreachable(self, why: BaseException) -> ServiceError:
        """The error of a request that did not get through or whose answer broke off."""
        return ServiceError(
            f"{self.name} cannot be reached ({type(why).__name__}); see the network, or use `--tts hibari`.", heals=True
        )

    def refused(self, status: int, headers: Mapping[str, str]) -> ServiceError:
        """The error of an answer with a status that is no success; its text may hold anything and is not shown."""
        return ServiceError(
            f"{self.name} answered with HTTP status {status}{_MEANINGS.get(status, '')}; "
            "try later or use `--tts hibari`.",
            heals=status in (408, 409, 429) or status >= 500,
            asked_s=retry_after_s(headers, self._day_s()) or 0.0,
        )


def open_http(limit_s: float) -> Client:
    """Return an HTTP client with that time limit on each of a request's parts; it follows no redirects.

    This machine's own addresses are asked directly: what the environment names as a proxy has others of that name.
    """
    from httpx2 import Client, Timeout

    return Client(
        timeout=Timeout(limit_s, connect=min(_MOST_CONNECT_S, limit_s)),
        follow_redirects=False,
        mounts={f"all://{host}": None for host in _OWN_HOSTS},
    )


_MEANINGS = {
    400: " (it does not take the request)",
    401: " (it does not take the key)",
    403: " (it does not let this key or address in)",
    404: " (it has no such page or model)",
    429: " (too many requests, or no credit left)",
}


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count} times"
