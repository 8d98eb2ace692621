"""The one way to write a file whole, and the one way to append to a log."""

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from factory.errors import RunError
from factory.run.reading import MOST_LOG_BYTES, read_bytes


@contextmanager
def replacing(path: Path) -> Iterator[BinaryIO]:
    """Writes a file beside its place and moves it there once it is whole; on any error nothing is left.

    Raises:
        RunError: if the disk is full, the folder missing or not writable.
    """
    partial = path.with_name(f".{path.name}.partial")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        partial.unlink(missing_ok=True)
        with partial.open("xb") as file:  # never through a link that someone left in its place
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.replace(partial, path)
    except OSError as exc:
        _remove(partial)
        raise write_error(path, exc) from None
    except BaseException:
        _remove(partial)
        raise


def write_text(path: Path, text: str) -> None:
    """Replaces a file by a text."""
    with replacing(path) as file:
        file.write(text.encode())


def append_lines(path: Path, lines: Iterable[str]) -> None:
    """Appends lines to a log at once, so that a kill leaves at most one unfinished line at its end.

    Raises:
        RunError: if the disk is full or the file not writable; the log is then as it was before.
    """
    data = memoryview("".join(f"{line}\n" for line in lines).encode())
    if not data:
        return
    try:
        with path.open("ab", buffering=0) as file:
            before = file.seek(0, os.SEEK_END)
            try:
                while data:  # a disk that fills up takes a part before it refuses the rest
                    data = data[file.write(data) :]
            except OSError:
                file.truncate(before)
                raise
    except OSError as exc:
        raise write_error(path, exc) from None


def read_lines(path: Path) -> list[str]:
    """The finished lines of a log; an unfinished last line (a kill in mid-write) is left out.

    Raises:
        RunError: if it is there and cannot be read, is no regular file, or larger than any log.
    """
    try:
        data = read_bytes(path, MOST_LOG_BYTES)
    except FileNotFoundError:
        return []
    except OSError as exc:
        raise RunError(f"{path}: cannot be read: {exc.strerror}") from None
    end = data.rfind(b"\n") + 1
    return data[:end].decode(errors="replace").split("\n")[:-1]


def truncate_to(path: Path, lines: int) -> None:
    """Cuts a log back to its first lines; whatever stands behind them is gone. A log of just these is not touched."""
    if not path.exists():
        return
    with path.open("rb+") as file:
        for _ in range(lines):
            file.readline()
        if file.read(1):
            file.seek(-1, os.SEEK_CUR)
            file.truncate()


def _remove(partial: Path) -> None:
    """Removes what was begun; where not even that can be done, the first error is the one to tell."""
    with suppress(OSError):
        partial.unlink(missing_ok=True)


def write_error(path: Path, exc: OSError) -> RunError:
    """What went wrong with a file, and what to do about it."""
    return RunError(
        f"{path}: cannot be written: {exc.strerror or exc}; free space or choose another folder, then run again"
    )
