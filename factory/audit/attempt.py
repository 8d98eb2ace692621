"""One attempt at a round, as its calls in the ledger show it."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from factory.records.conversation import RerunReason
from factory.records.ledger import NOTHING, Label, LedgerLine, Read, Role

ORDER = (Role.PLANNER, Role.ASSISTANT, Role.CUTTER, Role.REACTION_PLANNER, Role.USER)
"""The calls of one round, in order."""


@dataclass
class Attempt:
    """One attempt at a round: its calls by role."""

    round: int
    attempt: int
    calls: dict[Role, LedgerLine] = field(default_factory=dict)

    @property
    def ended_by(self) -> frozenset[RerunReason]:
        """Why it can only have been run again, where it ended before it was whole; empty where it did not.

        A call that made nothing ends it: no usable reply, or a planted word. Else it was to be cut, and its words
        left no place for that.
        """
        last = next(reversed(self.calls.values()))
        if last.wrote.content == NOTHING:
            return frozenset({RerunReason.UNUSABLE_REPLY, RerunReason.CALLER_KNOWS_TOO_MUCH})
        planner = self.calls[Role.PLANNER]
        if planner.branch == "interrupted" and Role.CUTTER not in self.calls:
            return frozenset({RerunReason.CUT_NOT_POSSIBLE})
        return frozenset()

    def checked(self) -> Iterator[Read]:
        """What a verifier reads of it: its order, what was said on both sides, and the cut."""
        planner = self.calls[Role.PLANNER]
        yield from (read for read in planner.reads if read.label is Label.BLUEPRINT_ROUND)
        for role in (Role.ASSISTANT, Role.CUTTER, Role.USER):
            if role in self.calls:
                yield self.calls[role].wrote
