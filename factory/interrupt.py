"""Ctrl-C before and outside of a build: the process goes at once, with one line; nothing needs an end of its own.

It imports next to nothing, so that a command can meet Ctrl-C before it imports all the rest.
"""

import os
import signal
from contextlib import suppress

INTERRUPTED = 130
"""Exit code after Ctrl-C, as shells have it: 128 and the signal's number."""
_STDERR = 2
_SHOW_CURSOR = "\x1b[?25h"


def leave_at_ctrl_c() -> None:
    """Lets Ctrl-C end the process from now on.

    Where a shell has a background job ignore Ctrl-C, it stays ignored.
    """
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, lambda number, frame: leave("stopped"))


def raise_at_ctrl_c() -> None:
    """Takes `leave_at_ctrl_c` back, for what ends well by `KeyboardInterrupt`."""
    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def leave(word: str | None) -> None:
    """Ends the process here and now, with a last word, if any, below a progress bar that has hidden the cursor."""
    if os.isatty(_STDERR):
        _write(f"{_SHOW_CURSOR}\n")
    if word is not None:
        tell(word)
    os._exit(INTERRUPTED)


def tell(word: str) -> None:
    """Shows a line on stderr."""
    _write(f"{word}\n")


def _write(text: str) -> None:
    """Below Python's own buffers, which may be in use just now."""
    with suppress(OSError):  # nobody reads it
        os.write(_STDERR, text.encode())
