"""Distinct-n: the share of runs of n words that are different from one another.

A run of words lies within one turn. The share falls with the size of a text, so corpora are compared on
windows of equal size: turns in a seeded order, cut into stretches of `WINDOW` words.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from factory.quality.measured import Measured
from factory.quality.sample import draw
from factory.quality.turns import Turn, Turns, Words, of_side
from factory.records.enums import Speaker

WINDOW: Final = 1_000
"""Words of a window."""
FEWEST_CALLS: Final = 10
"""Calls below which the share is only an indication: what a few of them repeat says little about the next."""

Window = list[tuple[Turn, Words]]


def distinct(calls: Sequence[Turns], side: Speaker, length: int) -> Measured | None:
    """Distinct-n of one side, as the mean over all full windows; of what there is where not one is full.

    Args:
        calls: The calls.
        side: Whose turns.
        length: The n.

    Returns:
        The share, with the turn that says the most repeated run; None where there is no run at all.
    """
    turns = [turn for call in calls for turn in of_side(call, side)]
    turns.sort(key=lambda turn: draw(turn.conversation_id, turn.message))
    windows = list(_windows(turns))
    full = [window for window in windows if _size(window) == WINDOW]
    counted = [_runs(window, length) for window in full or windows]
    shares = [len(runs) / runs.total() for runs in counted if runs]
    if not shares:
        return None
    often: Counter[Words] = Counter()
    for runs in counted:
        often.update(runs)
    run, times = max(often.items(), key=lambda item: (item[1], item[0]))
    turn = next(t for t in turns if run in set(runs_of(t.words, length)))
    about = f"“{' '.join(run)}” stands {times} times in {sum(map(_size, full or windows)):,} words"
    return Measured(sum(shares) / len(shares), turn.place(about), enough=bool(full) and len(calls) >= FEWEST_CALLS)


def distinct_whole(calls: Sequence[Turns], side: Speaker, length: int) -> Measured | None:
    """Distinct-n of one side over all of the calls together; it depends on how many they are."""
    runs = Counter(run for call in calls for turn in of_side(call, side) for run in runs_of(turn.words, length))
    return Measured(len(runs) / runs.total()) if runs else None


def runs_of(words: Words, length: int) -> Iterator[Words]:
    """All runs of so many words."""
    return (words[i : i + length] for i in range(len(words) - length + 1))


def _windows(turns: Sequence[Turn]) -> Iterator[Window]:
    """Windows of exactly `WINDOW` words, the last one shorter; the turn at a window's end is cut off there."""
    window, left = Window(), WINDOW
    for turn in turns:
        words = turn.words[:left]
        window.append((turn, words))
        left -= len(words)
        if not left:
            yield window
            window, left = Window(), WINDOW
    if window:
        yield window


def _runs(window: Window, length: int) -> Counter[Words]:
    return Counter(run for _, words in window for run in runs_of(words, length))


def _size(window: Window) -> int:
    return sum(len(words) for _, words in window)
