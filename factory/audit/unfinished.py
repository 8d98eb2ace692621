"""A run whose build was stopped: there is nothing to say of it yet but how it goes on."""

from collections.abc import Iterable
from pathlib import Path

from factory.errors import RunError
from factory.run.folder import RunFolder


def require_finished(folder: RunFolder, needed: Iterable[Path], then: str) -> None:
    """Raises `RunError` if a build is not finished, and says what can be done once it is.

    A build writes its checksums last. Where they alone are gone, it is not the build that lacks something.

    Args:
        folder: The run.
        needed: Files that it has written by then.
        then: What can be done then: `audited`, `verified`.
    """
    if folder.checksums_file.exists():
        return
    for path in needed:
        if not path.exists():
            raise RunError(
                f"{folder.path}: its build is not finished ({folder.name_of(path)} is not there "
                f"yet); the same build command goes on with it, and then it can be {then}"
            )
