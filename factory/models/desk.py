"""Where a workflow that is being drafted lies until it is finished, beside the domains of its folder.

The best draft lies there, for a person to mend or for the next run to go on from, and the replies that were paid for.
The folder is hidden, so that no verb takes what is in it for a workflow; a file of it can be linted where it is.
"""

import os
import shlex
from contextlib import suppress
from itertools import dropwhile
from pathlib import Path
from types import TracebackType
from typing import Self

from factory.errors import FactoryError
from factory.models.review import Review
from factory.models.store import Books
from factory.run.files import append_lines, read_lines, write_error, write_text
from factory.workflow.reader import SUFFIX, leads_inside

UNFINISHED = ".drafts"
"""Name of the folder."""

_MARK = "# A draft that is not finished: "


class Desk:
    """The place of one workflow; a context manager that makes its folders, and takes them away if nothing is left.

    Attributes:
        draft: The best draft, what is left to mend on top of it.
        replies: What the writer answered in a run that is under way, or that was killed: nothing of it is asked again.
        answered: What it answered in runs that came to their end; it only tells what was spent.
        lost: Its calls that were lost on the way.
    """

    def __init__(self, folder: Path, workflow_id: str) -> None:
        """Takes the folder of the domains, and the id.

        Raises:
            FactoryError: if the place leads out of the folder.
        """
        self.draft = folder / UNFINISHED / f"{workflow_id}{SUFFIX}"
        self.replies = self.draft.with_suffix(".jsonl")
        self.answered = self.draft.with_suffix(".answered.jsonl")
        self.lost = self.draft.with_suffix(".lost.jsonl")
        self._folder = folder
        self._made_folder = False
        if not leads_inside(self.draft.parent, folder):
            raise FactoryError(f"{self.draft.parent}: is a link that leads out of {folder}; put a folder in its place")

    def __enter__(self) -> Self:
        """Makes the folders; raises `RunError` where that cannot be done."""
        self._made_folder = not self._folder.exists()
        try:
            self.draft.parent.mkdir(parents=True, exist_ok=True)
        except OSError as exc:
            raise write_error(self.draft.parent, exc) from None
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Takes the folders away that are empty."""
        with suppress(OSError):  # something lies there
            for folder in (self.draft.parent, self.draft.parent.parent, *(self._folder,) * self._made_folder):
                folder.rmdir()

    @property
    def books(self) -> Books:
        """Where it is written what was paid for."""
        return Books((self.answered, self.replies), self.lost)

    def begun(self) -> str | None:
        """The draft that an earlier run left, with what a person has mended in it since; None if there is none.

        Raises:
            FactoryError: if it cannot be read.
        """
        if not os.path.lexists(self.draft):
            return None
        try:
            text = self.draft.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError):
            raise FactoryError(f"{self.draft}: is no text that can be read; restore it, or remove it") from None
        if text.startswith(_MARK):
            text = "".join(dropwhile(lambda line: line.startswith("#"), text.splitlines(keepends=True)))
        return text

    def keep(self, best: Review) -> None:
        """Writes a draft down, what is left to mend on top of it, and sets the replies that led to it aside."""
        told = "".join(f"# {fault.line}\n" for fault in best.faults)
        head = f"{_MARK}{best.counted()}, the most important first.\n# {self._ways_on()}\n#\n{told}\n"
        write_text(self.draft, head + best.text)
        self.set_aside()

    def set_aside(self) -> None:
        """Lets the next run ask anew, and yet know what was spent."""
        append_lines(self.answered, read_lines(self.replies))
        self.replies.unlink(missing_ok=True)

    def asked_before(self) -> int:
        """How many replies were set aside, so that no run asks with the seeds of an earlier one."""
        return len(read_lines(self.answered))

    def clear(self) -> None:
        """Takes everything away that was kept."""
        for path in (self.draft, self.replies, self.answered, self.lost):
            path.unlink(missing_ok=True)

    def leads(self) -> str:
        """What is kept, and how to go on, for a person."""
        return f"the best draft is at {self.draft}, with what is left to mend on top of it. {self._ways_on()}"

    def _ways_on(self) -> str:
        lint = f"factory workflow lint {shlex.quote(str(self.draft))}"
        return (
            f"Either mend it until `{lint}` finds no error and move it into its domain's folder, or run the same "
            "command again, which goes on from it."
        )
