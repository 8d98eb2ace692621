"""What a person sees of long work in the terminal."""

import sys
from functools import partial
from typing import TYPE_CHECKING

from factory.run.display import Lines

if TYPE_CHECKING:
    from rich.progress import TaskID


class Bar:
    """A `Display` on stderr: a progress bar; on a pipe `Lines` instead."""

    def __enter__(self) -> "Bar":
        """Starts the display."""
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

        self._console = Console(stderr=True)
        self._lines = None if self._console.is_terminal else Lines(partial(print, file=sys.stderr, flush=True))
        self._bar = Progress(
            TextColumn("{task.description:<24}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            console=self._console,
            disable=self._lines is not None,
        )
        self._bar.start()
        self._task: TaskID | None = None
        return self

    def __exit__(self, *_: object) -> None:
        """Ends the display."""
        self._bar.stop()

    def start(self, step: str, total: int) -> None:
        """Shows the next step."""
        if self._lines is not None:
            self._lines.start(step, total)
        self._task = self._bar.add_task(step, total=total)

    def advance(self) -> None:
        """Moves the step's bar on."""
        if self._lines is not None:
            self._lines.advance()
        elif self._task is not None:
            self._bar.advance(self._task)

    def note(self, line: str) -> None:
        """Shows a line above the bar."""
        if self._lines is not None:
            self._lines.note(line)
        else:
            self._console.print(line, markup=False, highlight=False, emoji=False, soft_wrap=True)
