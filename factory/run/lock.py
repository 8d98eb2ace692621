"""One build at a time in a run folder."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from factory.errors import RunError
from factory.run.files import write_error

LOCK_NAME = ".lock"
"""An empty file in the run folder; it stays there, for what counts is who holds it."""


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Keeps other builds out of a folder while the body runs; makes the folder if it is not there.

    The system lets the lock go when the process ends, however it ends. A folder in which nothing came to be is
    left as it was found.

    Raises:
        RunError: if another build holds the lock, or the folder cannot be written to.
    """
    made = not folder.exists()
    lock = _acquire(folder)
    try:
        yield
    finally:
        with suppress(OSError):
            if os.listdir(folder) == [LOCK_NAME]:
                (folder / LOCK_NAME).unlink()
                if made:
                    folder.rmdir()
        os.close(lock)


def _acquire(folder: Path) -> int:
    """The lock's file descriptor; a lock file that its last holder removed meanwhile does not count."""
    path = folder / LOCK_NAME
    while True:
        try:
            folder.mkdir(parents=True, exist_ok=True)
            lock = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        except OSError as exc:
            raise write_error(folder, exc) from None
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if path.exists() and os.path.samestat(os.fstat(lock), path.stat()):
                return lock
        except BlockingIOError:
            os.close(lock)
            raise RunError(
                f"{folder}: another build is at work in this folder; wait until it is done, or name another --out"
            ) from None
        except OSError as exc:
            os.close(lock)
            raise RunError(f"{folder}: cannot be locked: {exc.strerror}; name an --out on another disk") from None
        os.close(lock)
