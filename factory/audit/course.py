"""From a chain of calls to the rounds that stand: which attempt of a round counts, and which were run again.

A planner's call begins an attempt. One for a round that is there already rewinds the conversation to it: that
round and all behind it no longer stand.
"""

from dataclasses import dataclass, field

from factory.audit.findings import Findings, Kind
from factory.records.conversation import RerunReason
from factory.records.ledger import USER_SIDE, LedgerLine, Role

ORDER = (Role.PLANNER, Role.ASSISTANT, Role.CUTTER, Role.REACTION_PLANNER, Role.USER)
"""The calls of one round, in order."""

NOT_TOLD = "not told by the ledger"
"""Stands for the reasons that the order of the calls does not give away."""


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


class Course:
    """Follows one conversation's calls.

    Attributes:
        standing: The attempts that stand, one for each round from 0.
        rubrics: The rubric writer's calls, made once all rounds stood.
        rewinds: Times that a round was run again.
        redrawn: Times that the conversation was begun anew.
        reasons: Rewinds and redraws by reason.
        rewound_inputs: Calls of the caller's side in attempts that do not stand.
        followed: Whether every call so far had its place; after one that had not, the rest tells nothing.
    """

    def __init__(self, conversation_id: str, findings: Findings) -> None:
        """Begins before the first call."""
        self._conversation_id = conversation_id
        self._findings = findings
        self._attempts: dict[int, int] = {}
        self.standing: list[Attempt] = []
        self.rubrics: list[LedgerLine] = []
        self.rewinds = 0
        self.redrawn = 0
        self.reasons: dict[str, int] = {}
        self.rewound_inputs = 0
        self.followed = True

    def add(self, line: LedgerLine) -> None:
        """Takes the next call."""
        if not self.followed:
            return
        if line.role is Role.RUBRIC_WRITER:
            self.rubrics.append(line)
        elif self.rubrics or not (self._begins(line) if line.role is Role.PLANNER else self._continues(line)):
            self.followed = False
            self._findings.add(
                Kind.ORDER_BROKEN,
                f"line {line.sequence + 1} of the ledger: no call of the {line.role.value} can stand here",
                self._conversation_id,
                line.round,
            )

    def _begins(self, line: LedgerLine) -> bool:
        """Begins an attempt, if this round can be the next one or be run again."""
        if not 0 <= line.round <= len(self.standing):
            return False
        if line.round < len(self.standing):
            self._rewind(line)
        if line.attempt != self._attempts.get(line.round, 0):
            self._findings.add(
                Kind.ATTEMPT_DIFFERS,
                f"the ledger calls this attempt {line.attempt}, but it is number {self._attempts.get(line.round, 0)}",
                self._conversation_id,
                line.round,
            )
        self.standing.append(Attempt(line.round, line.attempt, {Role.PLANNER: line}))
        return True

    def _rewind(self, line: LedgerLine) -> None:
        dropped = self.standing[line.round :]
        del self.standing[line.round :]
        self.rewound_inputs += sum(len(USER_SIDE & attempt.calls.keys()) for attempt in dropped)
        if line.round == 0 and line.attempt == 0:
            self.redrawn += 1
            self._attempts.clear()
        else:
            self.rewinds += 1
            self._attempts[line.round] = self._attempts.get(line.round, 0) + 1
        reason = RerunReason.CUT_NOT_POSSIBLE.value if dropped[-1].was_not_cut else NOT_TOLD
        self.reasons[reason] = self.reasons.get(reason, 0) + 1

    def _continues(self, line: LedgerLine) -> bool:
        """Adds a call to the attempt that is going on, if it belongs there."""
        if not self.standing:
            return False
        now = self.standing[-1]
        last = ORDER.index(next(reversed(now.calls)))
        if (line.round, line.attempt) != (now.round, now.attempt) or ORDER.index(line.role) <= last:
            return False
        now.calls[line.role] = line
        return True
