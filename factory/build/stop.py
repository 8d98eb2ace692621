"""Ctrl-C: the main thread stops where it is, its helpers at their next clip, and soon the process goes anyway."""

import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

GRACE_S = 0.8
"""Seconds from the first Ctrl-C to the hard end; a run folder bears an end at any moment."""
INTERRUPTED = 130
"""Exit code after Ctrl-C, as shells have it: 128 and the signal's number."""
STOPPED = "stopped; the same command continues where this one was"
"""What the user is told."""
_SHOW_CURSOR = "\x1b[?25h"

_asked = threading.Event()
_told = threading.Event()


@contextmanager
def stoppable() -> Iterator[None]:
    """Lets Ctrl-C end the body at once: `KeyboardInterrupt` in the main thread, and an end of the process in any case.

    Outside the main thread, where signals cannot be had, the body simply runs.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    _asked.clear()
    _told.clear()
    before = signal.signal(signal.SIGINT, _stop)
    try:
        yield
    except KeyboardInterrupt:
        _tell()
        raise
    finally:
        signal.signal(signal.SIGINT, before)


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


def _tell() -> None:
    """The last word to the user, once."""
    if not _told.is_set():
        _told.set()
        print(STOPPED, file=sys.stderr, flush=True)


def _leave() -> None:
    """Ends the process here and now, with the cursor back that a progress bar hides."""
    if sys.stderr.isatty():
        print(_SHOW_CURSOR, end="", file=sys.stderr)
    _tell()
    os._exit(INTERRUPTED)
