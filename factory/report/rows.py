"""The rows of the list of calls, kept on disk between counting and writing, so that memory stays flat."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO

from factory.records.base import Record
from factory.records.blueprint import Blueprint, ReplyKind
from factory.records.enums import Direction, InterruptionType, Profile
from factory.records.workflow import Workflow
from factory.report.history import CallHistory
from factory.report.labels import TYPES
from factory.run.files import write_error


class Row(Record):
    """One call in the list.

    Attributes:
        interruptions: How many of each type, in the order of the types; types that do not occur are left out.
        asked_again: Whether a question failed and was asked again.
        reruns: Rewinds and dropped draws on the way to it.
    """

    conversation_id: str
    domain: str
    title: str
    direction: Direction
    profile: Profile
    messages: int
    interruptions: dict[InterruptionType, int]
    outcome: str
    asked_again: bool
    reruns: int


def row_of(blueprint: Blueprint, history: CallHistory, workflow: Workflow) -> Row:
    """What the list says about a call."""
    kinds = [r.caller.type for r in history.rounds if r.caller is not None]
    return Row(
        conversation_id=blueprint.conversation_id,
        domain=workflow.domain,
        title=workflow.title,
        direction=workflow.goal.direction,
        profile=workflow.intent(blueprint.intent).profile,
        messages=sum(1 if r.caller is None else 2 for r in history.rounds),
        interruptions={kind: kinds.count(kind) for kind in TYPES if kind in kinds},
        outcome=blueprint.outcome,
        asked_again=any(r.reply is not None and r.reply.kind is ReplyKind.FAIL for r in blueprint.rounds),
        reruns=len(history.reruns) + len(history.drops),
    )


class RowSpool:
    """Rows on their way into the page: added one by one, then read back in the same order."""

    def __init__(self, file: IO[str]) -> None:
        """Keeps rows in an open file."""
        self._file = file

    def add(self, row: Row) -> None:
        """Keeps one more row."""
        self._file.write(row.model_dump_json() + "\n")

    def __iter__(self) -> Iterator[Row]:
        self._file.seek(0)
        return map(Row.from_json, self._file)


@contextmanager
def row_spool(folder: Path) -> Iterator[RowSpool]:
    """A spool in a nameless file on the disk of a folder; gone when the block is left, or the process is killed.

    Raises:
        RunError: if the folder cannot be written to or its disk is full, at the latest when the block is left.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with TemporaryFile("w+", encoding="utf-8", newline="\n", dir=folder) as file:
            yield RowSpool(file)
    except OSError as exc:
        raise write_error(folder, exc) from None
