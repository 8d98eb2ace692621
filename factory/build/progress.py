"""How a build tells what it is doing; the command line shows it, tests and flows may ignore it."""

import sys
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from rich.progress import TaskID


class Progress(Protocol):
    """Receives the steps of a build."""

    def start(self, step: str, total: int) -> None:
        """A step begins that consists of `total` equal parts."""
        ...

    def advance(self) -> None:
        """One part of the step is done."""
        ...


class Silent:
    """Shows nothing."""

    def start(self, step: str, total: int) -> None:
        """Does nothing."""

    def advance(self) -> None:
        """Does nothing."""


class Bar:
    """A progress bar on stderr; on a pipe one line for each step instead."""

    def __enter__(self) -> "Bar":
        """Starts the display."""
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

        console = Console(stderr=True)
        self._plain = not console.is_terminal
        self._bar = Progress(
            TextColumn("{task.description:<24}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            console=console,
            disable=self._plain,
        )
        self._bar.start()
        self._task: TaskID | None = None
        return self

    def __exit__(self, *_: object) -> None:
        """Ends the display."""
        self._bar.stop()

    def start(self, step: str, total: int) -> None:
        """Shows the next step."""
        if self._plain:
            print(f"{step} ({total}) …" if total > 1 else f"{step} …", file=sys.stderr, flush=True)
        self._task = self._bar.add_task(step, total=total)

    def advance(self) -> None:
        """Moves the step's bar on."""
        if self._task is not None:
            self._bar.advance(self._task)
