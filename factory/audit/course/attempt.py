"""One attempt at a round, as its calls in the ledger show it."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from factory.audit.course.engines import INTERRUPTED
from factory.records.conversation import RerunReason
from factory.records.ledger import NOTHING, USER_SIDE, Label, LedgerLine, Read, Role

ORDER = (Role.PLANNER, Role.ASSISTANT, Role.CUTTER, Role.REACTION_PLANNER, Role.USER)
"""The calls of one round, in order."""

ENDINGS = frozenset({RerunReason.CUT_NOT_POSSIBLE, RerunReason.UNUSABLE_REPLY})
"""Reasons that only a round which ended before it was whole can have."""


@dataclass
class Attempt:
    """One attempt at a round: its calls by role."""

    round: int
    attempt: int
    calls: dict[Role, LedgerLine] = field(default_factory=dict)

    @property
    def last(self) -> LedgerLine:
        """Its last call so far."""
        return next(reversed(self.calls.values()))

    @property
    def ended_by(self) -> RerunReason | None:
        """Why it can only have been run again, where it ended before it was whole.

        A call that made nothing ends it: no reply of a model's could be used, or the caller's side said a planted
        word. Else it was to be cut, and its words left no place for that.
        """
        if self.last.wrote.content == NOTHING:
            # A planted word is found in what was taken; where nothing could be taken, every reply has a fault.
            call = self.last.call
            taken = call is None or (call.replies and call.replies[-1].fault is None)
            return RerunReason.CALLER_KNOWS_TOO_MUCH if taken else RerunReason.UNUSABLE_REPLY
        if self.is_cut and Role.CUTTER not in self.calls:
            return RerunReason.CUT_NOT_POSSIBLE
        return None

    @property
    def is_cut(self) -> bool:
        """Whether a caller was to cut in."""
        return self.calls[Role.PLANNER].branch == INTERRUPTED

    @property
    def is_whole(self) -> bool:
        """Whether it has come to its end: with the caller's words, or with the agent's where they are the last."""
        ends = (Role.USER,) if self.is_cut else (Role.USER, Role.ASSISTANT)
        return self.ended_by is None and self.last.role in ends

    @property
    def ended_on_the_callers_side(self) -> bool:
        """Whether it was the caller's side that made nothing; what the agent said before can stand then."""
        return self.last.role in USER_SIDE and self.ended_by is not None

    def checked(self) -> Iterator[Read]:
        """What lies before whoever checks it: its order, what was said on both sides, and the cut."""
        planner = self.calls[Role.PLANNER]
        yield from (read for read in planner.reads if read.label is Label.BLUEPRINT_ROUND)
        for role in (Role.ASSISTANT, Role.CUTTER, Role.USER):
            if role in self.calls:
                yield self.calls[role].wrote
