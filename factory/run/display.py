"""How long work tells what it is doing; the command line shows it, tests and flows may ignore it."""

from typing import Protocol


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
