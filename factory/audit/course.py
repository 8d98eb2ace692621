"""From a chain of calls to the rounds that stand: which attempt of a round counts, and which were run again.

A planner's call begins an attempt at the next round. A verifier's line takes the conversation back to a round, or
to its beginning with another draw: that round and all behind it no longer stand, and a planner's call comes next.
"""

from collections import Counter

from factory.audit.attempt import ORDER, Attempt
from factory.audit.findings import Findings, Kind
from factory.audit.rewinds import read_rewind
from factory.records.conversation import RerunReason
from factory.records.ledger import USER_SIDE, LedgerLine, Role


class Course:
    """Follows one conversation's calls.

    Attributes:
        standing: The attempts that stand, one for each round from 0.
        rubrics: The calls of rubric and control writer, made once all rounds stood.
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
        self._attempts: Counter[int] = Counter()
        self._rewound: LedgerLine | None = None
        self.standing: list[Attempt] = []
        self.rubrics: list[LedgerLine] = []
        self.rewinds = 0
        self.redrawn = 0
        self.reasons: Counter[RerunReason] = Counter()
        self.rewound_inputs = 0
        self.followed = True

    def add(self, line: LedgerLine) -> None:
        """Takes the next call."""
        if self.followed and not self._has_its_place(line):
            self._lost(
                f"line {line.sequence + 1} of the ledger: no call of the {line.role.value} can stand here", line.round
            )

    def close(self) -> None:
        """Takes the end of the ledger, behind which nothing can be run again."""
        if self.followed and self._rewound is not None:
            self._lost("the ledger ends with a rewind behind which nothing was run again", self._rewound.round)

    def _add(self, kind: Kind, message: str, round: int) -> None:
        self._findings.add(kind, message, self._conversation_id, round)

    def _lost(self, message: str, round: int) -> None:
        self.followed = False
        self._add(Kind.ORDER_BROKEN, message, round)

    def _has_its_place(self, line: LedgerLine) -> bool:
        if line.role is Role.PLANNER:
            return not self.rubrics and self._begins(line)
        if line.role is Role.SYSTEM_WRITER:
            return line.sequence == 0
        if self._rewound is not None:
            return False
        if line.role in (Role.FAULT_FINDER, Role.MODIFIER):
            return bool(self.standing) and not self.rubrics
        if line.role in (Role.RUBRIC_WRITER, Role.CONTROL_WRITER):
            self.rubrics.append(line)
            return True
        return not self.rubrics and (self._rewinds(line) if line.role is Role.VERIFIER else self._continues(line))

    def _begins(self, line: LedgerLine) -> bool:
        """Begins an attempt, if this round is the next one."""
        if line.round != len(self.standing):
            return False
        self._rewound = None
        if line.attempt != self._attempts[line.round]:
            self._add(
                Kind.ATTEMPT_DIFFERS,
                f"the ledger calls this attempt {line.attempt}, but it is number {self._attempts[line.round]}",
                line.round,
            )
        self.standing.append(Attempt(line.round, line.attempt, {Role.PLANNER: line}))
        return True

    def _rewinds(self, line: LedgerLine) -> bool:
        """Takes back what a verifier rejects, if it stands."""
        if not 0 <= line.round < len(self.standing):
            return False
        rewind = read_rewind(line, self.standing, lambda kind, message: self._add(kind, message, line.round))
        place = 0 if rewind.dropped else line.round
        self.rewound_inputs += sum(len(USER_SIDE & attempt.calls.keys()) for attempt in self.standing[place:])
        del self.standing[place:]
        if rewind.dropped:
            self.redrawn += 1
            self._attempts.clear()
        else:
            self.rewinds += 1
            self._attempts[line.round] += 1
        if rewind.reason is not None:
            self.reasons[rewind.reason] += 1
        self._rewound = line
        return True

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
