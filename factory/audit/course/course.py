"""From a chain of calls to the rounds that stand: which attempt of a round counts, and which were run again.

A planner's call begins an attempt at the next round. A rewinder's line takes the conversation back to a round, or
to its beginning with another draw: that round and all behind it no longer stand, and a planner's call comes next.
Where models write, the first call of all is the system-message writer's, and once all rounds of a draw stand the
verifier reads them. Behind faults comes a rewind, and before it the modifier's edit where the agent's words are at
fault.
"""

from collections import Counter
from collections.abc import Sequence
from functools import partial

from factory.audit.course.attempt import ORDER, Attempt
from factory.audit.course.behind import Reading, Verdict, hold_edit, hold_introduction, hold_reading
from factory.audit.course.rewinds import read_rewind
from factory.audit.course.settled import NOTHING_SETTLED, Settled, settled_behind
from factory.audit.course.whole import hold_calls, hold_taken_back, whole_call_items
from factory.audit.findings import Findings, Kind
from factory.records.conversation import RerunReason
from factory.records.ledger import USER_SIDE, LedgerLine, Role


class Course:
    """Follows one conversation's calls.

    Attributes:
        lines: All calls, in the order of the ledger.
        standing: The attempts that stand, one for each round from 0.
        introduction: The system-message writer's call, where one was made.
        rubrics: The calls of rubric and control writer, made once all rounds stood.
        rewinds: Times that a round was run again.
        redrawn: Times that the conversation was begun anew.
        reasons: Rewinds and redraws by reason.
        rewound_inputs: Calls of the caller's side in attempts that do not stand.
        followed: Whether every call so far had its place; after one that had not, the rest tells nothing.
    """

    def __init__(self, conversation_id: str, findings: Findings, modelled: bool = False, planted: bool = False) -> None:
        """Begins before the first call.

        Args:
            conversation_id: Whose calls they are.
            findings: Gets what does not hold.
            modelled: Whether models write in this run.
            planted: Whether it was built with canaries.
        """
        self._conversation_id = conversation_id
        self._findings = findings
        self._modelled = modelled
        self._planted = planted
        self._begun = False
        self._attempts: Counter[int] = Counter()
        self._rewound: LedgerLine | None = None
        self._settled: Settled = NOTHING_SETTLED
        self._reading: Reading | None = None
        self._readings: list[Reading] = []
        self._taken_back: list[Attempt] = []
        self.lines: list[LedgerLine] = []
        self.standing: list[Attempt] = []
        self.introduction: LedgerLine | None = None
        self.rubrics: list[LedgerLine] = []
        self.rewinds = 0
        self.redrawn = 0
        self.reasons: Counter[RerunReason] = Counter()
        self.rewound_inputs = 0
        self.followed = True

    @property
    def is_unread(self) -> bool:
        """Whether a reader was asked for its verdict on what stands in the end, and gave none."""
        return self._reading is not None and self._reading.verdict is Verdict.NONE

    def add(self, line: LedgerLine) -> None:
        """Takes the next call."""
        self.lines.append(line)
        if self.followed and not self._has_its_place(line):
            self._lost(
                f"line {line.sequence + 1} of the ledger: no call of the {line.role.value} can stand here", line.round
            )
        self._begun = True

    def close(self) -> None:
        """Takes the end of the ledger, behind which nothing can be run again."""
        if not self.followed:
            return
        if self._rewound is not None:
            self._lost("the ledger ends with a rewind behind which nothing was run again", self._rewound.round)
        elif self._is_faulty:
            self._lost("the ledger ends with faults that were found, and nothing was run again", 0)
        for reading in self._readings:
            if reading.rounds != len(self.standing):
                self._lost(f"the verifier read {reading.rounds} of {len(self.standing)} rounds", 0)
        self._hold_whole(self.standing, may_end=False)
        whole_call = whole_call_items(self.standing)
        for attempt in self._taken_back:
            hold_taken_back(attempt, whole_call, partial(self._add_to, attempt.round))
        if self._modelled and self.introduction is None:
            self._add(Kind.CALL_MISSING, "the ledger has no call of the system_writer", 0)
        if self._modelled and self._reading is None:
            self._add(Kind.CALL_MISSING, "the ledger has no call of the verifier on the rounds that stand", 0)

    def _hold_whole(self, attempts: Sequence[Attempt], may_end: bool) -> None:
        """Attempts that stood at the same time, one after the other."""
        for attempt, behind in zip(attempts, (*attempts[1:], None), strict=False):
            hold_calls(attempt, behind, may_end, partial(self._add_to, attempt.round))

    @property
    def _is_faulty(self) -> bool:
        """Whether a reader has found faults in what stands."""
        return self._reading is not None and self._reading.verdict is Verdict.FAULTS

    def _add(self, kind: Kind, message: str, round: int) -> None:
        self._findings.add(kind, message, self._conversation_id, round)

    def _add_to(self, round: int, kind: Kind, message: str) -> None:
        self._add(kind, message, round)

    def _lost(self, message: str, round: int) -> None:
        self.followed = False
        self._add(Kind.ORDER_BROKEN, message, round)

    def _has_its_place(self, line: LedgerLine) -> bool:
        if line.role is Role.SYSTEM_WRITER:
            self.introduction = line
            return not self._begun
        if line.role is Role.PLANNER:
            return not self.rubrics and self._reading is None and self._begins(line)
        if self._rewound is not None or not self.standing:
            return False
        if line.role in (Role.RUBRIC_WRITER, Role.CONTROL_WRITER):
            self.rubrics.append(line)
            return not self._is_faulty
        if self.rubrics:
            return False
        if line.role is Role.REWINDER:
            return self._rewinds(line)
        if line.role is Role.VERIFIER:
            return self._reads(line)
        if line.role is Role.MODIFIER:
            return self._edits(line)
        return self._reading is None and self._continues(line)

    def _begins(self, line: LedgerLine) -> bool:
        """Begins an attempt, if this round is the next one."""
        if line.round != len(self.standing):
            return False
        self._settled = self._settled if self._rewound is not None else NOTHING_SETTLED
        self._rewound = None
        if line.attempt != self._attempts[line.round]:
            self._add(
                Kind.ATTEMPT_DIFFERS,
                f"the ledger calls this attempt {line.attempt}, but it is number {self._attempts[line.round]}",
                line.round,
            )
        self.standing.append(Attempt(line.round, line.attempt, {Role.PLANNER: line}))
        if self.introduction is not None and not self.rewinds + self.redrawn + line.round:
            hold_introduction(self.introduction, self.standing[0], partial(self._add_to, 0))
        return True

    def _reads(self, line: LedgerLine) -> bool:
        """Takes a reader of the finished call, if it is finished and nobody has read it yet."""
        if self._reading is not None or not self.standing[-1].is_whole:
            return False
        hold_reading(line, self.standing, partial(self._add_to, line.round))
        self._reading = Reading(line, len(self.standing))
        self._readings.append(self._reading)
        return True

    def _edits(self, line: LedgerLine) -> bool:
        """Takes an edit, if faults were found right before and the round stands."""
        reading = self._reading
        if reading is None or not self._is_faulty or reading.edit is not None:
            return False
        if not 0 <= line.round < len(self.standing):
            return False
        edited = self.standing[line.round]
        hold_edit(line, reading.line, edited, self._planted, partial(self._add_to, line.round))
        reading.edit = line
        return True

    def _rewinds(self, line: LedgerLine) -> bool:
        """Takes back what a rewinder rejects, if it stands."""
        if not 0 <= line.round < len(self.standing):
            return False
        rewind = read_rewind(line, self.standing, self._reading, partial(self._add_to, line.round))
        place = 0 if rewind.dropped else line.round
        self.rewound_inputs += sum(len(USER_SIDE & attempt.calls.keys()) for attempt in self.standing[place:])
        self._hold_whole(self.standing[place:], may_end=True)
        self._taken_back += self.standing[place:]
        if rewind.dropped:
            self.redrawn += 1
            self._attempts.clear()
            self._settled = NOTHING_SETTLED
        else:
            self.rewinds += 1
            self._attempts[line.round] += 1
            self._settled = settled_behind(rewind.reason, self.standing[line.round], self._reading)
        del self.standing[place:]
        if rewind.reason is not None:
            self.reasons[rewind.reason] += 1
        self._rewound, self._reading = line, None
        return True

    def _continues(self, line: LedgerLine) -> bool:
        """Adds a call to the attempt that is going on, if it belongs there."""
        now = self.standing[-1]
        last = ORDER.index(now.last.role)
        if (line.round, line.attempt) != (now.round, now.attempt) or ORDER.index(line.role) <= last:
            return False
        self._settled.hold(line, partial(self._add_to, line.round))
        now.calls[line.role] = line
        return True
