"""Ctrl-C: the main thread stops where it is, its helpers before their next call, and soon the process goes anyway."""

import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

from factory.interrupt import leave, tell

GRACE_S = 0.8
"""Seconds from the first Ctrl-C to the hard end; a run folder bears an end at any moment."""
STOPPED = "stopped; the same command continues where this one was"
"""What the user is told."""

_Hook = Callable[["sys.UnraisableHookArgs"], object]

_asked = threading.Event()
_told = threading.Event()


@contextmanager
def stoppable() -> Iterator[None]:
    """Lets Ctrl-C end the body at once: `KeyboardInterrupt` in the main thread, and an end of the process in any case.

    Whoever meets the `KeyboardInterrupt` says the last word, `tell_stopped`, once no progress bar is there any more.
    Outside the main thread, where signals cannot be had, the body simply runs.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    _asked.clear()
    _told.clear()
    before, hook = signal.signal(signal.SIGINT, _stop), sys.unraisablehook
    sys.unraisablehook = _unless_interrupted(hook)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
        sys.unraisablehook = hook


def go_on_or_stop() -> None:
    """Called by helper threads between small pieces of work.

    Raises:
        KeyboardInterrupt: if Ctrl-C was pressed.
    """
    if _asked.is_set():
        raise KeyboardInterrupt


def _stop(number: int, frame: FrameType | None) -> None:
    if _asked.is_set():
        _leave()
    _asked.set()
    deadline = threading.Timer(GRACE_S, _leave)
    deadline.daemon = True
    deadline.start()
    raise KeyboardInterrupt


def _unless_interrupted(hook: _Hook) -> _Hook:
    """Tells nothing of a `KeyboardInterrupt` that fell into a place where none can be raised: the deadline ends all."""

    def quiet(unraisable: "sys.UnraisableHookArgs") -> None:
        if unraisable.exc_type is not KeyboardInterrupt:
            hook(unraisable)

    return quiet


def tell_stopped() -> None:
    """The last word to the user, once."""
    if not _told.is_set():
        _told.set()
        tell(STOPPED)


def _leave() -> None:
    """Ends the process here and now."""
    leave(None if _told.is_set() else STOPPED)
