"""What was paid for: replies, kept so that none is asked for twice, and calls that were lost on the way.

Replies lie in one append-only file for each side of a conversation; each is written as soon as it is there, under the
digest of the whole request. A lost call is one that may have been billed though no reply of it can be kept.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Self, TypeVar

from pydantic import Field, ValidationError

from factory.errors import RunError
from factory.models.request import ModelReply, ModelRequest
from factory.records.base import Record
from factory.records.models import ModelRole
from factory.run.files import append_lines, read_lines, truncate_to

R = TypeVar("R", bound=Record)

LOST_CALLS = "lost-calls.jsonl"
"""The file of a run's lost calls, among those of its replies."""


class KeptReply(Record):
    """One line: a reply, whom it was from, and the digest of the request."""

    key: str
    provider: str
    asked: str
    role: ModelRole
    reply: ModelReply


class LostCall(Record):
    """One line: a call that may have been billed, with the most tokens that it can be billed for."""

    provider: str
    asked: str
    input: Annotated[int, Field(ge=0)]
    output: Annotated[int, Field(ge=0)]


@dataclass(frozen=True)
class Books:
    """The files that tell what was paid for.

    Attributes:
        replies: The kept replies; a file that is not there holds none.
        lost: The lost calls.
    """

    replies: tuple[Path, ...]
    lost: Path

    @classmethod
    def of_run(cls, replies: Path) -> Self:
        """Those in a run's folder of replies."""
        lost = replies / LOST_CALLS
        return cls(tuple(sorted(path for path in replies.glob("*.jsonl") if path != lost)), lost)


class ReplyStore:
    """The replies of one conversation."""

    def __init__(self, path: Path) -> None:
        """Reads what is there; a line that a kill left half written is cut off.

        Raises:
            RunError: if a line is damaged; names file and line.
        """
        self._path = path
        kept = list(read_kept(path))
        truncate_to(path, len(kept))
        self._replies = {line.key: line.reply for line in kept}

    def find(self, key: str) -> ModelReply | None:
        """The reply to the request of that digest, if it was ever answered."""
        return self._replies.get(key)

    def keep(self, key: str, request: ModelRequest, role: ModelRole, reply: ModelReply) -> None:
        """Writes a reply down under its request's digest."""
        line = KeptReply(key=key, provider=request.provider, asked=request.model, role=role, reply=reply)
        append_lines(self._path, (line.model_dump_json(),))
        self._replies[key] = reply


def read_kept(path: Path) -> Iterator[KeptReply]:
    """The kept replies of a file, in order; none where there is no file.

    Raises:
        RunError: if a line is damaged; names file and line.
    """
    return _read(path, KeptReply, "not a kept reply; restore the file, or remove it to pay for its replies again")


def read_lost(path: Path) -> Iterator[LostCall]:
    """The lost calls of a file, in order; none where there is no file.

    Raises:
        RunError: if a line is damaged; names file and line.
    """
    otherwise = "not a lost call; restore the file, or remove it, and what such calls may have cost counts no more"
    return _read(path, LostCall, otherwise)


def keep_lost(path: Path, call: LostCall) -> None:
    """Writes a lost call down; a line that a kill left half written is cut off first."""
    truncate_to(path, len(read_lines(path)))
    append_lines(path, (call.model_dump_json(),))


def _read(path: Path, record: type[R], otherwise: str) -> Iterator[R]:
    """The lines of a file as records; what is to be said of a line that is none stands behind its place."""
    for number, text in enumerate(read_lines(path), 1):
        try:
            yield record.from_json(text)
        except ValidationError:
            raise RunError(f"{path}:{number}: {otherwise}") from None
