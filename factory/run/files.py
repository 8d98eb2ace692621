"""The one way to write a file whole, and the one way to append to a log."""

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from factory.errors import RunError


@contextmanager
def replacing(path: Path) -> Iterator[BinaryIO]:
    """Writes a file beside its place and moves it there once it is whole; on any error nothing is left.

    Raises:
        RunError: if the disk is full, the folder missing or not writable.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(f".{path.name}.partial")
    try:
        with partial.open("wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.replace(partial, path)
    except OSError as exc:
        partial.unlink(missing_ok=True)
        raise write_error(path, exc) from None
    except BaseException:
        partial.unlink(missing_ok=True)
        raise


def write_text(path: Path, text: str) -> None:
    """Replaces a file by a text."""
    with replacing(path) as file:
        file.write(text.encode())


def append_lines(path: Path, lines: Iterable[str]) -> None:
    """Appends lines to a log in one write, so that a kill leaves at most one unfinished line at its end."""
    data = "".join(f"{line}\n" for line in lines).encode()
    if not data:
        return
    try:
        with path.open("ab", buffering=0) as file:
            file.write(data)
    except OSError as exc:
        raise write_error(path, exc) from None


def read_lines(path: Path) -> list[str]:
    """The finished lines of a log; an unfinished last line (a kill in mid-write) is left out."""
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return []
    end = data.rfind(b"\n") + 1
    return data[:end].decode(errors="replace").split("\n")[:-1]


def truncate_to(path: Path, lines: int) -> None:
    """Cuts a log back to its first lines; whatever stands behind them is gone."""
    if not path.exists():
        return
    with path.open("rb+") as file:
        for _ in range(lines):
            file.readline()
        file.truncate()


def write_error(path: Path, exc: OSError) -> RunError:
    """What went wrong with a file, and what to do about it."""
    return RunError(
        f"{path}: cannot be written: {exc.strerror or exc}; free space or choose another --out, then run again"
    )
