"""Commits to a corpus that was just built."""

import secrets
from datetime import date
from pathlib import Path

from factory.run.commitment import write_commitment
from factory.run.folder import RunFolder
from factory.run.lock import locked


def commit_to(path: Path, committed_on: date | None, salt: str | None = None) -> None:
    """Writes `commitment.json` and `opening.json` into a run folder, or finds them there.

    Args:
        path: The run folder.
        committed_on: The day that the commitment states, in UTC.
        salt: 32 random bytes, as hex digits; drawn here if None.

    Raises:
        RunError: if the run is not frozen, or holds a commitment to something else.
    """
    with locked(path):
        write_commitment(RunFolder(path), salt or secrets.token_hex(32), committed_on)
