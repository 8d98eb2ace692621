"""A published table, taken call by call beside the plan."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import groupby
from typing import Generic, TypeVar

from factory.build.verify.damage import guarded
from factory.records.base import Record

R = TypeVar("R", bound=Record)
T = TypeVar("T")


class Table(Generic[T]):
    """The rows of one table."""

    def __init__(self, name: str, rows: Callable[[], Iterable[tuple[str, T]]], order: Mapping[str, int]) -> None:
        """Takes the table's name, what reads it (id of the call, its rows), and the order of the calls."""
        self._name = f"dataset/{name}"
        self._rows = iter(_lazily(rows))
        self._order = order
        self._next: tuple[str, T] | None = None
        self._faults: list[str] = []
        self._readable = True
        self._step()

    def take(self, conversation_id: str) -> T | None:
        """The rows of the call that comes next; None if there are none, and that is a fault unless told before."""
        place = self._order[conversation_id]
        while self._next is not None and self._order.get(self._next[0], -1) < place:
            self._surplus(self._next[0])
        if self._next is not None and self._next[0] == conversation_id:
            rows = self._next[1]
            self._step()
            return rows
        return None

    def missing(self, conversation_id: str) -> Iterator[str]:
        """The fault that a call has no rows here; none if the table could not be read so far."""
        if self._readable:
            yield f"{self._name}: {conversation_id}: has no rows, or not in their place"

    def faults(self) -> Iterator[str]:
        """What was found in the table itself; the last thing to ask, as it reads to the table's end."""
        while self._next is not None:
            self._surplus(self._next[0])
        yield from self._faults

    def _surplus(self, conversation_id: str) -> None:
        self._faults.append(f"{self._name}: {conversation_id}: rows that do not belong here")
        self._step()

    def _step(self) -> None:
        def step() -> Iterator[str]:
            self._next = next(self._rows, None)
            yield from ()

        self._next = None
        found = list(guarded(self._name, step()))
        self._faults += found
        self._readable = self._readable and not found


def by_call(rows: Iterable[R], conversation_id: Callable[[R], str]) -> Iterator[tuple[str, tuple[R, ...]]]:
    """Rows that stand one behind the other, call by call."""
    for name, group in groupby(rows, key=conversation_id):
        yield name, tuple(group)


def _lazily(rows: Callable[[], Iterable[T]]) -> Iterator[T]:
    yield from rows()
