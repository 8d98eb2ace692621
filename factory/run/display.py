"""How long work tells what it is doing; the command line shows it, tests and flows may ignore it."""

import threading
import time
from collections.abc import Callable
from typing import Protocol

EVERY_S = 10.0
"""A log is told so often how far a step is."""
LATE_S = 2.0
"""A step that takes no longer is told once, when it begins."""


class Display(Protocol):
    """Receives the steps of some work, and what has to be said in the midst of one."""

    def start(self, step: str, total: int) -> None:
        """A step begins that consists of `total` equal parts."""
        ...

    def advance(self) -> None:
        """One part of the step is done."""
        ...

    def note(self, line: str) -> None:
        """Something that a person should know at once: one plain line."""
        ...


class Silent:
    """Shows nothing."""

    def start(self, step: str, total: int) -> None:
        """Does nothing."""

    def advance(self) -> None:
        """Does nothing."""

    def note(self, line: str) -> None:
        """Does nothing."""


class Lines:
    """A display for a log: a line for each step, and where it takes long, how far it is and when it is over.

    A line is written when a part of the step is done, by whichever thread has done it.
    """

    def __init__(self, write: Callable[[str], None], clock: Callable[[], float] = time.monotonic) -> None:
        """Takes what writes a line, and what tells the time in seconds."""
        self._write = write
        self._clock = clock
        self._alone = threading.Lock()
        self._step, self._done, self._total = "", 0, 0
        self._begun_s = self._told_s = 0.0

    def start(self, step: str, total: int) -> None:
        """Writes the step, and of how many parts."""
        with self._alone:
            self._step, self._done, self._total = step, 0, total
            self._begun_s = self._told_s = self._clock()
            self._write(f"{step} ({total}) …" if total > 1 else f"{step} …")

    def advance(self) -> None:
        """Writes how far the step is, if it is time to, or if it is over and took long."""
        with self._alone:
            self._done += 1
            now_s = self._clock()
            over = self._done == self._total and now_s - self._begun_s > LATE_S
            if over or now_s - self._told_s >= EVERY_S:
                self._told_s = now_s
                self._write(f"{self._step} {self._done} of {self._total}, {now_s - self._begun_s:.0f} s")

    def note(self, line: str) -> None:
        """Writes the line."""
        with self._alone:
            self._write(line)
