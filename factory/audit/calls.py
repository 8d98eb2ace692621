"""The published calls of a dataset, each with its messages, as both files have them."""

from collections.abc import Callable, Iterator
from itertools import zip_longest
from pathlib import Path

from factory.audit.findings import Findings, Kind, shown
from factory.dataset.read import read_conversations, read_turns
from factory.dataset.rows import ConversationRow, TurnRow
from factory.dataset.write import CONVERSATIONS, TURNS

PublishedCall = tuple[ConversationRow, tuple[TurnRow, ...]]
"""A row of `conversations.parquet`, and its rows of `turns.parquet`."""

Beside = Callable[[ConversationRow, tuple[TurnRow, ...]], None]
"""Gets each published call that an audit reads, for a check of its own."""


def nothing_beside(conversation: ConversationRow, rows: tuple[TurnRow, ...]) -> None:
    """Checks nothing."""


def published_calls(dataset: Path, findings: Findings) -> Iterator[PublishedCall]:
    """Each call's row with its messages; both files hold the calls in the same order.

    Raises:
        RunError: if a file is missing, damaged, or not of the published schema.
    """
    seen: set[str] = set()
    conversations = read_conversations(dataset / CONVERSATIONS)
    for conversation, rows in zip_longest(conversations, read_turns(dataset / TURNS)):
        name = conversation.conversation_id if conversation is not None else None
        other = rows[0].conversation_id if rows is not None else None
        if conversation is None or rows is None or name != other or name in seen:
            # Behind such a place nothing says which row belongs to which, so nothing behind it is believed.
            findings.add(
                Kind.DATASET_DAMAGED,
                f"conversations.parquet has {shown(name or 'nothing')} where turns.parquet has "
                f"{shown(other or 'nothing')}; nothing behind it was audited",
            )
            return
        seen.add(conversation.conversation_id)
        yield conversation, rows
