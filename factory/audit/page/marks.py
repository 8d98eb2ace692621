"""Where in a call something does not hold, so that the page marks the very place: cells of a turn, nodes of a graph.

What is marked is found again from the same rows and lines as the findings, so a mark can quote what differs.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from factory.audit.course.attempt import Attempt
from factory.audit.course.course import Course
from factory.audit.expected import CALLER_ROLES, WRITES, ExpectedRound
from factory.audit.findings import Findings, Kind, shown
from factory.audit.policy import may_read, may_write
from factory.audit.published import agent_row_fits, transcript_differences
from factory.dataset.rows import ConversationRow
from factory.records.base import Record
from factory.records.ledger import LedgerLine, Role

_DIGITS = 16


class Cell(StrEnum):
    """A cell of a turn that can be marked; what the caller was given has its digest taken on the page itself."""

    MEANT = "meant"
    HEARD = "heard"
    SAID = "said"


class Mark(Record):
    """What does not hold in a cell, in words."""

    cell: Cell
    text: str


@dataclass(frozen=True)
class NodeMarks:
    """Which nodes of a call's graph are not as they have to be.

    Attributes:
        items: Ids of items with the digests under which role calls that stand read or wrote them, where something else
            is published.
        differing: Numbers of the lines of role calls whose input or reads are not what follows from the published rows.
        not_allowed: Numbers of those in which a role read or wrote what it may not.
    """

    items: frozenset[tuple[str, str]]
    differing: frozenset[int]
    not_allowed: frozenset[int]


NO_MARKS = NodeMarks(frozenset(), frozenset(), frozenset())

_CELL_OF = {
    "assistant_transcript": Cell.MEANT, "assistant_original": Cell.MEANT,
    "user_transcript": Cell.SAID, "interruption_type": Cell.SAID,
}  # fmt: skip
_WRITTEN = {
    Role.ASSISTANT: (Cell.MEANT, "the utterance"),
    Role.CUTTER: (Cell.MEANT, "the cut"),
    Role.USER: (Cell.SAID, "the caller’s words"),
}


def cell_marks(
    conversation: ConversationRow, rounds: Sequence[ExpectedRound], standing: Sequence[Attempt]
) -> Mapping[int, tuple[Mark, ...]]:
    """The marks of a call's turns, by round: file against file, rows in themselves, and rows against the ledger."""
    marks: dict[int, list[Mark]] = defaultdict(list)
    rows = [row for expected in rounds for row in (expected.agent, expected.caller) if row is not None]
    for number, field, message in transcript_differences(conversation, rows):
        marks[number].append(Mark(cell=_CELL_OF[field], text=message))
    for expected in rounds:
        marks[expected.agent.round] += _in_itself(expected)
    for expected, attempt in zip(rounds, standing, strict=False):
        marks[expected.agent.round] += _against_ledger(expected, attempt)
    return {number: tuple(found) for number, found in marks.items() if found}


def _in_itself(expected: ExpectedRound) -> Iterator[Mark]:
    found = Findings()
    agent_row_fits(expected.agent, found)
    for finding in found.kept:
        yield Mark(cell=Cell.HEARD if finding.kind is Kind.HEARD_DIFFERS else Cell.MEANT, text=finding.message)


def _against_ledger(expected: ExpectedRound, attempt: Attempt) -> Iterator[Mark]:
    for role, (cell, what) in _WRITTEN.items():
        line, true = attempt.calls.get(role), expected.items.get(expected.item_id(WRITES[role]))
        if line is not None and true is not None and line.wrote.content != true.content:
            has = shown(line.wrote.content[:_DIGITS])
            text = f"the digest of {what} in turns.parquet is {true.content[:_DIGITS]}, but the ledger has {has}"
            yield Mark(cell=cell, text=text)


def node_marks(rounds: Sequence[ExpectedRound], course: Course) -> NodeMarks:
    """The marks of a call's graph."""
    published = {name: read.content for expected in rounds for name, read in expected.items.items()}
    played = [
        (expected, line)
        for expected, attempt in zip(rounds, course.standing, strict=False)
        if expected.agent.attempt == attempt.attempt
        for line in attempt.calls.values()
        if line.role in expected.roles
    ]
    used = (item for line in (*(line for _, line in played), *course.rubrics) for item in (*line.reads, line.wrote))
    differing = {id(line) for expected, line in played if _is_other(expected, line)}
    return NodeMarks(
        items=frozenset((one.item, one.content) for one in used if published.get(one.item, one.content) != one.content),
        differing=frozenset(number for number, line in enumerate(course.lines) if id(line) in differing),
        not_allowed=frozenset(
            number
            for number, line in enumerate(course.lines)
            if not may_write(line.role, line.wrote.label) or not all(may_read(line.role, r.label) for r in line.reads)
        ),
    )


def _is_other(expected: ExpectedRound, line: LedgerLine) -> bool:
    """Whether a role call had another input than the one that is made again, or one that is made of other items."""
    digests = dict(zip(CALLER_ROLES, expected.digests, strict=False))
    is_other_view = line.view != digests.get(line.role, line.view)
    return is_other_view or {read.item for read in line.reads} != expected.reads(line.role, line.branch)
