"""The system message that a model wrote: the log and the published rows against the line of who wrote it."""

from collections.abc import Iterator

from factory.dataset.system_message import SLOT
from factory.records.ledger import NOTHING, Label, LedgerLine
from factory.simulate.ledger import data_item


def introduction_faults(line: LedgerLine | None, written: str | None) -> Iterator[str]:
    """The system message in a conversation's log, against the line of who wrote it."""
    made = line is not None and line.wrote.content != NOTHING
    if made != (written is not None):
        yield "the log holds a system message that nobody wrote, or lacks the one that was written"
    elif line is not None and written is not None:
        wanted = data_item(Label.SYSTEM_MESSAGE, "system_message", written)
        if line.wrote != wanted:
            yield "the log's system message is not the one that was written"


def is_filled_from(message: str, template: str) -> bool:
    """Whether a published system message is this template, with something in the place of its slot."""
    before, slot, behind = template.partition(SLOT)
    return (
        bool(slot) and len(message) >= len(before + behind) and message.startswith(before) and message.endswith(behind)
    )
