"""What of the agent's side is settled when a round is run again.

Where the caller's words were at fault, the caller speaks again to just the same words of the agent's, cut at the same
place. Where the agent's were, they are those of the modifier's edit, if there is one. In every other case the agent
words its turn anew. Words of a caller's are never settled: the caller's side is asked again.
"""

from dataclasses import dataclass

from factory.audit.course.attempt import Attempt
from factory.audit.course.behind import Reading
from factory.audit.course.engines import CONTINUATION, EDITED
from factory.audit.findings import Add, Kind
from factory.records.conversation import RerunReason
from factory.records.ledger import NOTHING, Label, LedgerLine, Read, Role

CALLERS_WORDS = frozenset(
    {RerunReason.CALLER_WORDING, RerunReason.CALLER_KNOWS_TOO_MUCH, RerunReason.FOUND_IN_CALLER_WORDS}
)
"""Reasons that lie in the caller's words alone."""


@dataclass(frozen=True)
class Settled:
    """What the agent's side of the next attempt has to be.

    Attributes:
        edit: The modifier's edit, which the assistant has to read; None where nobody made one.
        kept: The attempt whose words and cut stand; None where they may be others.
    """

    edit: Read | None = None
    kept: Attempt | None = None

    def hold(self, line: LedgerLine, add: Add) -> None:
        """Holds a call of that attempt against it."""
        if line.role is Role.ASSISTANT:
            self._hold_words(line, add)
        elif line.role is Role.CUTTER and self.kept is not None and not _same(line, self.kept):
            add(Kind.EDIT_DIFFERS, "only the caller was to speak anew, but the agent is cut at another place")

    def _hold_words(self, line: LedgerLine, add: Add) -> None:
        if self.edit is not None:
            read = next((read for read in line.reads if read.label is Label.EDIT), None)
            if line.branch != EDITED or read != self.edit:
                add(Kind.EDIT_DIFFERS, "the agent does not say what the modifier made of its words")
        elif self.kept is not None:
            goes_on = self.kept.calls[Role.ASSISTANT].branch == CONTINUATION
            if line.branch != (CONTINUATION if goes_on else EDITED) or not _same(line, self.kept):
                add(
                    Kind.EDIT_DIFFERS,
                    "only the caller was to speak anew, but the agent does not say the same as before",
                )
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
    if (reason in CALLERS_WORDS or rejected.ended_on_the_callers_side) and Role.ASSISTANT in rejected.calls:
        return Settled(kept=rejected)
    return NOTHING_SETTLED


def _same(line: LedgerLine, kept: Attempt) -> bool:
    """Whether a call made the same as the one of its role in another attempt."""
    before = kept.calls.get(line.role)
    return before is not None and line.wrote.content == before.wrote.content
