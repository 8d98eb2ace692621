"""What a damaged file does to a check: the check ends there, and that is one more fault."""

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from factory.errors import FactoryError

T = TypeVar("T")

_DAMAGED = (OSError, ValueError, LookupError, AssertionError, RuntimeError)
"""What the readers and rules may stumble over in files that no build wrote."""


def guarded(name: str, faults: Iterable[str]) -> Iterator[str]:
    """The faults that a check finds; where a damaged file ends the check, that is one more."""
    try:
        yield from faults
    except FactoryError as exc:
        yield str(exc)
    except _DAMAGED as exc:
        reason = next(iter(str(exc).splitlines()), "")
        yield f"{name}: damaged, it cannot be checked to its end ({type(exc).__name__}: {reason})"


def read(name: str, reader: Callable[[], T], faults: list[str]) -> T | None:
    """What a reader gives; None where it cannot, and the reason is added to the faults."""
    found: list[T] = []

    def reading() -> Iterator[str]:
        found.append(reader())
        yield from ()

    faults += guarded(name, reading())
    return found[0] if found else None
