"""One build at a time in a run folder."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from factory.errors import RunError
from factory.run.files import write_error

LOCK_NAME = ".lock"
"""An empty file in the run folder; it stays there, for what counts is who holds it."""


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Keeps other builds out of a folder while the body runs; makes the folder if it is not there.

    The system lets the lock go when the process ends, however it ends.

    Raises:
        RunError: if another build holds the lock, or the folder cannot be written to.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = os.open(folder / LOCK_NAME, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    except OSError as exc:
        raise write_error(folder, exc) from None
    try:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise RunError(
                f"{folder}: another build is at work in this folder; wait until it is done, or name another --out"
            ) from None
        except OSError as exc:
            raise RunError(
                f"{folder}: cannot be locked: {exc.strerror}; name an --out on another file system"
            ) from None
        yield
    finally:
        os.close(lock)
