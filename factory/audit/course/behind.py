"""Those who work behind a call: who writes the system message, who reads the finished call, and who edits it.

What they made is not published word by word. So their lines are held against the calls around them: what each of them
read, in which place it stands, and what was done with what it made.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum

from factory.audit.course.attempt import Attempt
from factory.audit.findings import Add, Kind, kind_words, shown
from factory.audit.graph.itemid import id_of
from factory.records.base import canonical_json, sha256
from factory.records.ledger import NOTHING, Label, LedgerLine, Read, Role
from factory.simulate.views import writer_view

NO_FAULT = sha256(canonical_json([]))
"""The content of findings that are none."""


class Verdict(Enum):
    """What a reader of the finished call has come to."""

    CLEAN = "clean"
    FAULTS = "faults"
    NONE = "none"
    """The model that was asked made nothing that can be used."""


@dataclass
class Reading:
    """A finished call that somebody has read, and what came of it so far.

    Attributes:
        line: The verifier's call.
        rounds: How many rounds stood before it.
        edit: The modifier's call behind it.
    """

    line: LedgerLine
    rounds: int
    edit: LedgerLine | None = None

    @property
    def verdict(self) -> Verdict:
        """What the reader has come to."""
        content = self.line.wrote.content
        return {NOTHING: Verdict.NONE, NO_FAULT: Verdict.CLEAN}.get(content, Verdict.FAULTS)


def read_items(standing: Sequence[Attempt]) -> dict[str, Read]:
    """What lies before whoever checks a call: the workflow, and each finished round as its calls made it."""
    finished = standing[:-1] if standing[-1].ended_by else standing
    checked = (read for attempt in finished for read in attempt.checked())
    return {read.item: read for read in (*workflow_of(standing[0]), *checked)}


def workflow_of(attempt: Attempt) -> tuple[Read, ...]:
    """The workflow, as the planner read it."""
    return tuple(r for r in attempt.calls[Role.PLANNER].reads if r.label is Label.WORKFLOW_AGENT_SIDE)


def hold_introduction(line: LedgerLine, first: Attempt, add: Add) -> None:
    """The system-message writer reads the workflow, which is the one that the call is played from."""
    _hold_reads(line, {read.item: read for read in workflow_of(first)}, add)
    _hold_item(line, "system_message", add)
    if (line.round, line.attempt) != (0, 0):
        add(Kind.ATTEMPT_DIFFERS, "the system_writer's call stands before the first round, and its line says otherwise")


def hold_reading(line: LedgerLine, standing: Sequence[Attempt], add: Add) -> None:
    """The verifier reads the workflow and just the rounds that stand."""
    _hold_reads(line, read_items(standing), add)
    _hold_item(line, f"{line.sequence}/findings", add)
    if (line.round, line.attempt) != (0, 0):
        add(Kind.ATTEMPT_DIFFERS, "the verifier's call is about the whole call, and its line says otherwise")


def hold_edit(line: LedgerLine, found: LedgerLine, edited: Attempt, planted: bool, add: Add) -> None:
    """The modifier reads the words of one attempt, what was said before them, and the findings.

    Args:
        line: Its call.
        found: The verifier's.
        edited: The attempt at the round that it names.
        planted: Whether words that get cut held a canary, which the modifier is not shown.
        add: Gets what does not hold.
    """
    if line.attempt != edited.attempt:
        add(Kind.ATTEMPT_DIFFERS, f"the modifier edits attempt {line.attempt}, but attempt {edited.attempt} stood")
    assistant = edited.calls[Role.ASSISTANT]
    said = assistant.wrote.model_copy(update={"item": id_of(edited.round, edited.attempt, "edited_utterance")})
    if planted and edited.is_cut:
        said = next((read for read in line.reads if (read.item, read.label) == (said.item, said.label)), said)
    before = (read for read in assistant.reads if read.label is Label.HISTORY_DELIVERED)
    _hold_reads(line, {read.item: read for read in (*before, said, found.wrote)}, add)
    _hold_item(line, id_of(edited.round, edited.attempt + 1, "edit"), add)


def _hold_reads(line: LedgerLine, wanted: dict[str, Read], add: Add) -> None:
    hold_reads(line, wanted, add)
    if line.view != writer_view(line.reads).digest():
        add(Kind.VIEW_DIFFERS, f"the {line.role.value}'s view is not made of what it read")


def hold_reads(line: LedgerLine, wanted: dict[str, Read], add: Add) -> None:
    """A call has read just these items, as they were made."""
    if {read.item for read in line.reads} != wanted.keys() or len(line.reads) != len(wanted):
        add(Kind.READS_INCOMPLETE, f"the {line.role.value} did not read just {_WHAT[line.role]}")
    for read in differing(line.reads, wanted):
        add(
            Kind.CONTENT_DIFFERS,
            f"the {line.role.value}'s {kind_words(read.label)} ({shown(read.item)}) is not what was made",
        )


def differing(reads: Iterable[Read], wanted: dict[str, Read]) -> Iterable[Read]:
    """The reads that are not what they are wanted to be; those that nobody wants are left out."""
    return (read for read in reads if read != wanted.get(read.item, read))


_WHAT = {
    Role.SYSTEM_WRITER: "the workflow",
    Role.VERIFIER: "the rounds that stood",
    Role.REWINDER: "the rounds that stood",
    Role.MODIFIER: "the words that it edits, what was said before them, and the findings",
}


def _hold_item(line: LedgerLine, item: str, add: Add) -> None:
    if line.wrote.item != item:
        add(Kind.CONTENT_DIFFERS, f"the {line.role.value} wrote {shown(line.wrote.item)}, not {item}")
