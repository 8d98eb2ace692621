"""The one way to open a file that somebody else may have made: a regular one, and no more of it than belongs there.

A pipe would be waited for without end, a device never ends, and a file of any size would fill the memory. What is wrong
is an `OSError` as any other file gives, so that a reader has one kind of error to tell of.
"""

import errno
import os
import stat
from io import BufferedReader
from pathlib import Path

from factory.errors import RunError

MOST_RECORD_BYTES = 4 * 2**20
"""Largest record of a run as a whole: `run.json` with the digests of hundreds of workflows has a hundredth of it."""
MOST_LIST_BYTES = 64 * 2**20
"""Largest file with an entry for each conversation, item or file: a hundred thousand items take half of it."""
MOST_LOG_BYTES = 64 * 2**20
"""Largest log of one conversation, or of the replies to one side of it."""


def open_regular(path: Path) -> BufferedReader:
    """Opens a file to read.

    Raises:
        OSError: if it is not there, cannot be read, or is a folder, a pipe or a device.
    """
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)  # a pipe is not waited for
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError(errno.EINVAL, "it is no regular file", str(path))
    return os.fdopen(descriptor, "rb")


def open_given(path: Path) -> BufferedReader:
    """Opens a file that a user names, who may give a pipe as well.

    Raises:
        OSError: if it is not there, cannot be read, or is a folder or a device.
    """
    if stat.S_ISFIFO(path.stat().st_mode):
        return path.open("rb")
    return open_regular(path)


def require_given(path: Path) -> None:
    """Sees to it that a file that a user names can be read, before anything is done.

    Raises:
        RunError: if it cannot.
    """
    try:
        mode = path.stat().st_mode
        if not stat.S_ISFIFO(mode):  # what comes through a pipe comes once
            require_regular(path)
    except OSError as exc:
        raise RunError(f"{path}: cannot be read: {exc.strerror}") from None


def require_regular(path: Path) -> None:
    """Sees to it that what is opened by name elsewhere is a regular file; raises as `open_regular`."""
    open_regular(path).close()


def read_bytes(path: Path, most: int) -> bytes:
    """A file as a whole.

    Args:
        path: The file.
        most: Bytes that belong there at the most; no more than one beyond them is read.

    Raises:
        OSError: as `open_regular`, or if it is larger.
    """
    with open_regular(path) as file:
        data = file.read(min(os.fstat(file.fileno()).st_size, most) + 1)
    if len(data) > most:
        raise OSError(errno.EFBIG, f"it has more than {most:,} bytes", str(path))
    return data


def refuse_links_out(folder: Path, names: tuple[str, ...]) -> None:
    """Sees to it that nothing of a folder, or of a folder in it, lies elsewhere: neither is it read then, nor written.

    Args:
        folder: The folder.
        names: What of it is looked at.

    Raises:
        RunError: names the first link that leads out of the folder.
    """
    inside = folder.resolve()
    try:
        for entry in (folder / name for name in names):
            if entry.is_symlink():
                _refuse_outside(entry, inside)
            if entry.is_dir():
                with os.scandir(entry) as entries:
                    links = [Path(each.path) for each in entries if each.is_symlink()]
                for link in sorted(links):
                    _refuse_outside(link, inside)
    except OSError as exc:
        raise RunError(f"{exc.filename or folder}: cannot be read: {exc.strerror or exc}") from None


def _refuse_outside(link: Path, inside: Path) -> None:
    try:
        target = link.resolve()
    except RuntimeError:  # as Python before 3.13 tells of links that lead round in a circle
        target = None
    if target is None or not target.is_relative_to(inside):
        raise RunError(f"{link}: is a link that leads out of the folder; put the file itself in its place")
