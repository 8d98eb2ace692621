"""What somebody names to be audited: a run, its published files alone, or a file of calls by anybody."""

from dataclasses import dataclass
from pathlib import Path

from factory.audit.result import TargetKind
from factory.dataset.write import CONVERSATIONS, TURNS
from factory.errors import RunError
from factory.run.folder import RunFolder

PARQUET = b"PAR1"
"""How every Parquet file begins."""
_NAME = "name a run folder, a dataset/ folder or a Parquet file"


@dataclass(frozen=True)
class Target:
    """A target, of which nothing has been read but what it is.

    Attributes:
        kind: What it is.
        path: The folder of a run or a dataset; the file of foreign calls.
        named: What was named: the same, or the folder of that file.
    """

    kind: TargetKind
    path: Path
    named: Path

    def holds(self, path: Path) -> bool:
        """Whether a path is what was named, or lies in it."""
        return path.resolve().is_relative_to(self.named.resolve())


def find_target(path: Path) -> Target:
    """What a path leads to.

    Raises:
        RunError: if it is nothing that can be audited.
    """
    if path.is_dir():
        if RunFolder(path).identity_file.exists():
            return Target(TargetKind.RUN, path, path)
        if (path / CONVERSATIONS).is_file():
            if (path / TURNS).exists():
                return Target(TargetKind.DATASET, path, path)
            return _of_file(path / CONVERSATIONS, path)
        raise RunError(
            f"{path}: is neither a run folder, which has a run.json, nor a dataset, which has a {CONVERSATIONS}; "
            "name one of them, or a Parquet file"
        )
    return _of_file(path, path)


def _of_file(path: Path, named: Path) -> Target:
    if not path.exists():
        raise RunError(f"{path}: there is no such file or folder")
    if not path.is_file():
        raise RunError(f"{path}: is neither a folder nor a file; {_NAME}")
    try:
        with path.open("rb") as file:
            begins = file.read(len(PARQUET))
    except OSError as exc:
        raise RunError(f"{path}: cannot be read: {exc.strerror}") from None
    if begins != PARQUET:
        raise RunError(f"{path}: is not a Parquet file; {_NAME}")
    return Target(TargetKind.FOREIGN, path, named)
