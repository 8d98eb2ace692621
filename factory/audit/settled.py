"""Which of the agent's words are settled when a round is run again: those of an edit, or those that were said before.

In every other case the agent words its turn anew. Words of a caller's are never settled: the caller's side is asked
again.
"""

from dataclasses import dataclass

from factory.audit.attempt import Attempt
from factory.audit.behind import Reading
from factory.audit.findings import Add, Kind
from factory.records.conversation import RerunReason
from factory.records.ledger import NOTHING, Label, LedgerLine, Read, Role

EDITED, CONTINUATION = "edited", "continuation"
"""The assistant's branches in which code says what was settled before."""


@dataclass(frozen=True)
class Settled:
    """What the assistant's call of the next attempt has to be.

    Attributes:
        edit: The modifier's edit, which it has to read; None where nobody made one.
        kept: The call that said the words which have to be said again; None where they may be others.
    """

    edit: Read | None = None
    kept: LedgerLine | None = None

    def hold(self, line: LedgerLine, add: Add) -> None:
        """Holds the assistant's call of that attempt against it."""
        if self.edit is not None:
            read = next((read for read in line.reads if read.label is Label.EDIT), None)
            if line.branch != EDITED or read != self.edit:
                add(Kind.EDIT_DIFFERS, "the agent does not say what the modifier made of its words")
        elif self.kept is not None:
            branch = CONTINUATION if self.kept.branch == CONTINUATION else EDITED
            if line.branch != branch or line.wrote.content != self.kept.wrote.content:
                add(Kind.EDIT_DIFFERS, "the caller's words were at fault, but the agent's were not said again as they were")
        elif line.branch == EDITED:
            add(Kind.EDIT_DIFFERS, "the agent's words were settled before, but nobody edited or kept them")


NOTHING_SETTLED = Settled()
"""Where the agent words its turn."""


def settled_behind(reason: RerunReason | None, rejected: Attempt, reading: Reading | None) -> Settled:
    """What is settled for the attempt behind a rewind.

    Args:
        reason: Why it was rewound.
        rejected: The attempt at its round that does not stand any more.
        reading: What a reader had found right before.
    """
    if reading is not None and reading.edit is not None:
        wrote = reading.edit.wrote
        return Settled(edit=None if wrote.content == NOTHING else wrote)
    if reason is RerunReason.FOUND_IN_CALLER_WORDS or rejected.ended_on_the_callers_side:
        return Settled(kept=rejected.calls.get(Role.ASSISTANT))
    return NOTHING_SETTLED
