"""The two files that go item by item, against the interruptions in `conversations.parquet`."""

from collections.abc import Iterator
from pathlib import Path

from factory.audit.findings import Findings, Kind, shown
from factory.dataset.read import read_baseline, read_interruptions
from factory.dataset.rows import ConversationRow
from factory.dataset.write import BASELINE, INTERRUPTIONS

Place = tuple[str, int, str]
"""Conversation, turn from 1, and what else the file says of an item."""


class ListedItems:
    """Follows both files along with the conversations; all three go in the same order.

    Attributes:
        compared: Interruptions that were held against both files.
    """

    def __init__(self, baseline: Iterator[Place], listed: Iterator[Place], findings: Findings) -> None:
        """Begins before the first item."""
        self._files = {BASELINE: baseline, INTERRUPTIONS: listed}
        self._findings = findings
        self.compared = 0

    @classmethod
    def of(cls, folder: Path, findings: Findings) -> "ListedItems | None":
        """Those of a dataset; None where it lacks one of them.

        Raises:
            RunError: if the list is damaged.
        """
        baseline, listed = folder / BASELINE, folder / INTERRUPTIONS
        if not baseline.is_file() or not listed.is_file():
            return None
        recoveries = (
            (row.conversation_id, row.turn, f"message {row.interrupting_user_message_index}")
            for row in read_baseline(baseline)
        )
        entries = (
            (entry.conversation_id, entry.interrupting_turn_index, entry.interruption_type.value)
            for entry in read_interruptions(listed)
        )
        return cls(recoveries, entries, findings)

    def hold(self, conversation: ConversationRow) -> None:
        """Holds the interruptions of the next conversation against both files."""
        for number, turn in enumerate(conversation.turns, 1):
            if turn.interruption_type is not None:
                self.compared += 1
                name = conversation.conversation_id
                self._next(BASELINE, (name, number, f"message {2 * number - 1}"))
                self._next(INTERRUPTIONS, (name, number, turn.interruption_type.value))

    def close(self) -> None:
        """Looks whether either file goes on behind the last interruption."""
        for name in tuple(self._files):
            self._next(name, None)

    def _next(self, name: str, wanted: Place | None) -> None:
        if name not in self._files:
            return
        found = next(self._files[name], None)
        if found != wanted:
            del self._files[name]  # behind such a place nothing says which entry belongs to which
            there, here = _said(found), _said(wanted)
            self._findings.add(
                Kind.DATASET_DAMAGED,
                f"{name} has {there} where conversations.parquet has {here}; nothing behind it was compared",
            )


def _said(place: Place | None) -> str:
    return "no item" if place is None else f"turn {place[1]} of {shown(place[0])} ({place[2]})"
