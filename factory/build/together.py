"""Plays many conversations at once, as models need it: in one event loop, as many as their providers take.

A conversation that a provider fails is set aside and tried again in the next pass; as long as passes bring anything
forward, there is another. What does not come out is said at the end, and everything else is kept.
"""

import asyncio
import gc
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from factory.build.conversations import HopelessError, build_conversation
from factory.build.engine import Engine
from factory.build.progress import Progress
from factory.build.stop import go_on_or_stop
from factory.errors import Unfinished
from factory.models.errors import ModelError
from factory.records.blueprint import Blueprint
from factory.run.folder import RunFolder

MOST_PASSES = 8
"""Times that what a provider has failed is tried again, at the most."""
YOUNG_OBJECTS = 20_000
"""New objects from which on the garbage collector looks for rings among them: some ten calls' worth."""


@dataclass
class _Pass:
    """One time through the conversations that are not finished.

    Attributes:
        waiting: Those still to be begun.
        failed: Those that a provider failed, with what it said.
        hopeless: Those of which no draw comes out.
        stop: Why none is begun any more.
    """

    waiting: Iterator[Blueprint]
    failed: list[tuple[Blueprint, ModelError]] = field(default_factory=list)
    hopeless: list[HopelessError] = field(default_factory=list)
    stop: Unfinished | None = None


async def play_together(
    folder: RunFolder, engine: Engine, blueprints: Iterable[Blueprint], at_once: int, progress: Progress
) -> None:
    """Builds conversations until all are finished, or nothing goes on.

    Args:
        folder: The run folder.
        engine: Who plays, with models.
        blueprints: The conversations; those that are finished are passed over.
        at_once: Conversations under way at the most.
        progress: Is told of each that is finished.

    Raises:
        Unfinished: if a conversation did not come out; says which and why.
        FactoryError: whatever is wrong with folder or material.
    """
    with _what_stands_set_apart():
        await _play_in_passes(folder, engine, blueprints, at_once, progress)


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


async def _play_in_passes(
    folder: RunFolder, engine: Engine, blueprints: Iterable[Blueprint], at_once: int, progress: Progress
) -> None:
    hopeless: list[HopelessError] = []
    waiting: Iterable[Blueprint] = blueprints
    assert engine.side is not None
    for _ in range(MOST_PASSES):
        before = engine.side.answered
        now = _Pass(iter(waiting))
        try:
            async with asyncio.TaskGroup() as group:
                for _ in range(at_once):
                    group.create_task(_work(now, folder, engine, progress))
        except ExceptionGroup as errors:  # the first says what is wrong; the others were under way beside it
            raise errors.exceptions[0] from None
        hopeless += now.hopeless
        if now.stop is not None:
            raise now.stop
        waiting = [blueprint for blueprint, _ in now.failed]
        if not waiting or engine.side.answered == before:
            break
    if waiting or hopeless:
        raise _unfinished(now.failed, hopeless)


async def _work(now: _Pass, folder: RunFolder, engine: Engine, progress: Progress) -> None:
    """Builds one conversation after the other, as long as there are any."""
    for blueprint in now.waiting:
        go_on_or_stop()
        if now.stop is not None:
            return
        try:
            await build_conversation(folder, engine, blueprint)
            progress.advance()
        except ModelError as exc:
            now.failed.append((blueprint, exc))
        except HopelessError as exc:
            now.hopeless.append(exc)
        except Unfinished as exc:
            now.stop = exc


def _unfinished(failed: list[tuple[Blueprint, ModelError]], hopeless: list[HopelessError]) -> Unfinished:
    told = str(failed[0][1]) if failed else str(hopeless[0])
    more = len(failed) + len(hopeless)
    also = f" ({more} conversations failed in all)" if more > 1 else ""
    # What no draw brought out will not come out of the same replies either.
    goes_on = ", and the same command goes on from it" if failed else ""
    return Unfinished(f"{told}{also}; what is there is kept{goes_on}")
