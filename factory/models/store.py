"""Replies that were paid for, kept so that none is asked for twice.

One append-only file a conversation; a reply is written as soon as it is there, under the digest of the whole request.
"""

from collections.abc import Iterator
from pathlib import Path

from pydantic import ValidationError

from factory.errors import RunError
from factory.models.request import ModelReply, ModelRequest
from factory.records.base import Record
from factory.records.models import ModelRole
from factory.run.files import append_lines, read_lines, truncate_to


class KeptReply(Record):
    """One line: a reply, whom it was from, and the digest of the request."""

    key: str
    provider: str
    asked: str
    role: ModelRole
    reply: ModelReply


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
    for number, text in enumerate(read_lines(path), 1):
        try:
            yield KeptReply.from_json(text)
        except ValidationError:
            raise RunError(
                f"{path}:{number}: not a kept reply; restore the file, or remove it to pay for its replies again"
            ) from None
