"""Plays many conversations at once, as models need it: in one event loop, as many as their providers take.

A conversation that a provider fails is set aside, and the others go on; what a call can be tried for, it was tried for
below (`factory.models.retry`). What does not come out is said at the end, and everything else is kept.
"""

import asyncio
import gc
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from factory.build.conversations import HopelessError, build_conversation
from factory.build.engine import Engine
from factory.build.stop import go_on_or_stop
from factory.errors import Unfinished
from factory.models.errors import ModelError
from factory.records.blueprint import Blueprint
from factory.run.display import Display
from factory.run.folder import RunFolder

YOUNG_OBJECTS = 20_000
"""New objects from which on the garbage collector looks for rings among them: some ten calls' worth."""


@dataclass
class _Played:
    """How it goes with the conversations.

    Attributes:
        waiting: Those still to be begun.
        failed: What the providers said that failed some.
        hopeless: What is to be said of those of which no draw comes out.
        stop: Why none is begun any more.
    """

    waiting: Iterator[Blueprint]
    failed: list[ModelError] = field(default_factory=list)
    hopeless: list[HopelessError] = field(default_factory=list)
    stop: Unfinished | None = None


async def play_together(
    folder: RunFolder, engine: Engine, blueprints: Iterable[Blueprint], at_once: int, display: Display
) -> None:
    """Builds conversations until all are finished, or have failed.

    Args:
        folder: The run folder.
        engine: Who plays, with models.
        blueprints: The conversations; those that are finished are passed over.
        at_once: Conversations under way at the most.
        display: Is told of each that is finished.

    Raises:
        Unfinished: if a conversation did not come out; says which and why.
        FactoryError: whatever is wrong with folder or material.
    """
    now = _Played(iter(blueprints))
    with _what_stands_set_apart():
        try:
            async with asyncio.TaskGroup() as group:
                for _ in range(at_once):
                    group.create_task(_work(now, folder, engine, display))
        except ExceptionGroup as errors:  # the first says what is wrong; the others were under way beside it
            raise errors.exceptions[0] from None
    if now.stop is not None:
        raise now.stop
    if now.failed or now.hopeless:
        raise _unfinished(now)


@contextmanager
def _what_stands_set_apart() -> Iterator[None]:
    """Keeps the garbage collector off what is there by now, such as workflows: it would go through it over and over.

    What comes is collected in larger heaps too: a call leaves few rings behind, and many objects that stay for a while.
    """
    before = gc.get_threshold()
    gc.freeze()
    gc.set_threshold(YOUNG_OBJECTS, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()


async def _work(now: _Played, folder: RunFolder, engine: Engine, display: Display) -> None:
    """Builds one conversation after the other, as long as there are any."""
    for blueprint in now.waiting:
        go_on_or_stop()
        if now.stop is not None:
            return
        try:
            await build_conversation(folder, engine, blueprint)
            display.advance()
        except ModelError as exc:
            now.failed.append(exc)
        except HopelessError as exc:
            now.hopeless.append(exc)
        except Unfinished as exc:
            now.stop = exc


def _unfinished(played: _Played) -> Unfinished:
    every = [*played.failed, *played.hopeless]
    also = f" ({len(every)} conversations failed in all)" if len(every) > 1 else ""
    # What no draw brought out will not come out of the same replies either.
    goes_on = ", and the same command goes on from it" if played.failed else ""
    return Unfinished(f"{every[0]}{also}; what is there is kept{goes_on}")
