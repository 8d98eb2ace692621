"""What the ledger must hold of each item: a rubric for every interruption, and controls written behind it.

A rubric is written once the canaries are out, so it is the published utterance as meant that counts. What of the
blueprint a writer read is not published; it has to be what the planner read of the same rounds.
"""

from collections.abc import Sequence

from factory.audit.course.course import Course
from factory.audit.expected import FOLLOWING_READS, WRITER_READS, ExpectedRound, interrupted_rounds
from factory.audit.findings import AddIn, Kind, kind_words, shown
from factory.records.ledger import LedgerLine, Read, Role
from factory.simulate.views import writer_view

WRITERS = {Role.RUBRIC_WRITER: "rubric", Role.CONTROL_WRITER: "controls"}
"""Who writes an item, in order, and the part that each writes."""

SEED = "control_seed"
"""What the control writer draws from; it is not published."""


class ItemAudit:
    """Holds the calls of both writers against the published rounds, and against the calls that made these."""

    def __init__(self, rounds: Sequence[ExpectedRound], course: Course, add: AddIn) -> None:
        """Takes the published rounds, and the calls that stand."""
        self._course = course
        self._add = add
        self._interrupted = {now.agent.round: (now, following) for now, following in interrupted_rounds(rounds)}
        self._known = _known(rounds, course)

    def run(self) -> None:
        """Makes every check."""
        missing = [(role, number) for number in self._interrupted for role in WRITERS]
        for line in self._course.rubrics:
            now, following = self._interrupted.get(line.round, (None, None))
            due = (line.role, line.round) in missing
            if due:
                missing.remove((line.role, line.round))
            if now is None or not due or now.agent.attempt != line.attempt:
                self._add(
                    Kind.CALL_UNPUBLISHED, f"the {line.role.value} wrote for no published interruption", line.round
                )
            elif following is not None:
                self._call(line, now, following)
        for role, number in missing:
            self._add(Kind.CALL_MISSING, f"the ledger has no call of the {role.value}", number)

    def _call(self, line: LedgerLine, now: ExpectedRound, following: ExpectedRound) -> None:
        wanted = {now.item_id(name) for name in WRITER_READS} | {following.item_id(name) for name in FOLLOWING_READS}
        if line.role is Role.CONTROL_WRITER:
            wanted |= {now.item_id(WRITERS[Role.RUBRIC_WRITER]), now.item_id(SEED)}
        if {read.item for read in line.reads} != wanted or len(line.reads) != len(wanted):
            self._add(
                Kind.READS_INCOMPLETE, f"the {line.role.value} did not read just what its view is made of", line.round
            )
        for read in line.reads:
            if read.item in wanted - {now.item_id(SEED)} and read != self._known.get(read.item):
                self._add(
                    Kind.CONTENT_DIFFERS,
                    f"the {line.role.value}'s {kind_words(read.label)} ({shown(read.item)}) is not what is published "
                    f"or was made before",
                    line.round,
                )
        if now.type is not None and line.branch != now.type.value:
            self._add(Kind.ENGINE_DIFFERS, f"the {line.role.value} wrote for another type of interruption", line.round)
        if line.view != writer_view(line.reads).digest():
            self._add(Kind.VIEW_DIFFERS, f"the {line.role.value}'s view is not made of what it read", line.round)
        if line.wrote.item != now.item_id(WRITERS[line.role]):
            self._add(Kind.CALL_UNPUBLISHED, f"the {line.role.value} wrote {shown(line.wrote.item)}", line.round)
        self._known.setdefault(line.wrote.item, line.wrote)


def _known(rounds: Sequence[ExpectedRound], course: Course) -> dict[str, Read]:
    """Every item that is published, or that a call which stands has read."""
    known = {read.item: read for attempt in course.standing for call in attempt.calls.values() for read in call.reads}
    for expected in rounds:
        known |= expected.items
    return known
