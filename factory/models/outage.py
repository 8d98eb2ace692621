"""Tells a person, once, that a provider does not answer, and once that it does again."""

import asyncio
from collections.abc import Callable

from factory.models.errors import ErrorKind, ModelError

NOTICE_S = 1.5
"""Seconds from the first call that failed until a person is told, if none was answered in between."""

FAILED_IN_A_ROW = 3
"""Calls that have to have failed by then: fewer are bad luck. One that timed out says as much as so many."""

Tell = Callable[[str], None]
"""Shows a person one plain line."""


class Outage:
    """Whether a provider answers; belongs to one event loop."""

    def __init__(self, provider: str, tell: Tell) -> None:
        """Takes the provider's name in the roles file, and what tells a person."""
        self._provider = provider
        self._tell = tell
        self._failed = 0
        self._error: ModelError | None = None
        self._told = False
        self._timer: asyncio.TimerHandle | None = None
        self._due = False

    def failed(self, error: ModelError) -> None:
        """A try failed."""
        if not error.heals or error.kind is ErrorKind.RATE_LIMIT:  # whoever says no, or asks to wait, is there
            self.answered()
            return
        self._failed += FAILED_IN_A_ROW if error.kind is ErrorKind.TIMEOUT else 1
        self._error = error
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(NOTICE_S, self._becomes_due)
        self._tell_once()

    def answered(self) -> None:
        """A try was answered."""
        if self._told:
            self._tell(f"{self._provider}: answers again")
        self.close()
        self._failed, self._told, self._due = 0, False, False

    def close(self) -> None:
        """Tells nothing any more."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _becomes_due(self) -> None:
        self._due = True
        self._tell_once()

    def _tell_once(self) -> None:
        if self._due and not self._told and self._failed >= FAILED_IN_A_ROW:
            self._told = True
            self._tell(f"{self._error}; trying again")
