"""One attempt at a round, as its calls in the ledger show it."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from factory.records.ledger import Label, LedgerLine, Read, Role

ORDER = (Role.PLANNER, Role.ASSISTANT, Role.CUTTER, Role.REACTION_PLANNER, Role.USER)
"""The calls of one round, in order."""


@dataclass
class Attempt:
    """One attempt at a round: its calls by role."""

    round: int
    attempt: int
    calls: dict[Role, LedgerLine] = field(default_factory=dict)

    @property
    def was_not_cut(self) -> bool:
        """Whether it was to be cut and ended before it was: its words left no place for the cut."""
        planner = self.calls[Role.PLANNER]
        return planner.branch == "interrupted" and Role.CUTTER not in self.calls

    def checked(self) -> Iterator[Read]:
        """What a verifier reads of it: its order, what was said on both sides, and the cut."""
        planner = self.calls[Role.PLANNER]
        yield from (read for read in planner.reads if read.label is Label.BLUEPRINT_ROUND)
        for role in (Role.ASSISTANT, Role.CUTTER, Role.USER):
            if role in self.calls:
                yield self.calls[role].wrote
