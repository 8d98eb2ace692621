"""What a rewinder's line must hold: a reason of the closed list, all that stood by then, and what was decided."""

from collections.abc import Sequence
from dataclasses import dataclass

from factory.audit.course.attempt import ENDINGS, Attempt
from factory.audit.course.behind import Reading, Verdict, hold_reads, read_items
from factory.audit.findings import Add, Kind, shown
from factory.audit.graph.itemid import id_of
from factory.records.conversation import Rerun, RerunReason
from factory.records.ledger import Label, LedgerLine, Read
from factory.simulate.ledger import data_item

FOUND = frozenset(
    {
        RerunReason.FOUND_IN_AGENT_WORDS,
        RerunReason.FOUND_IN_CALLER_WORDS,
        RerunReason.FOUND_BEYOND_REPAIR,
    }
)
"""Reasons that a reader of the finished call gives."""


@dataclass(frozen=True)
class Rewind:
    """A decision to run something again.

    Attributes:
        reason: Why; None where the line names no reason of the closed list.
        dropped: Whether the whole draw was given up, and not only what stands from the round on.
    """

    reason: RerunReason | None
    dropped: bool


def read_rewind(line: LedgerLine, standing: Sequence[Attempt], reading: Reading | None, add: Add) -> Rewind:
    """Reads a rewinder's line and holds it against the calls before it.

    Args:
        line: The line; its round is one of those that stand.
        standing: The attempts that stand before it.
        reading: What a reader found in them right before; None where nobody has read them.
        add: Gets what does not hold.
    """
    reason = next((known for known in RerunReason if known.value == line.branch), None)
    if reason is None:
        add(Kind.REASON_DIFFERS, f"{shown(line.branch)} is not on the list of reasons")
    else:
        _hold_reason(line, reason, standing[-1], reading, add)
    stood = standing[line.round].attempt
    if line.attempt != stood:
        add(Kind.ATTEMPT_DIFFERS, f"the rewinder rejects attempt {line.attempt}, but attempt {stood} stood")
    hold_reads(line, read_items(standing), add)
    if line.view != _view(line.reads):
        add(Kind.VIEW_DIFFERS, "the rewinder's view is not made of what it read")
    dropped = _dropped(line, reason, add)
    if reason is RerunReason.FOUND_BEYOND_REPAIR and not dropped:
        add(Kind.REASON_DIFFERS, "a call with a fault beyond repair is drawn anew, but only a round was run again")
    return Rewind(reason, dropped)


def _hold_reason(line: LedgerLine, reason: RerunReason, last: Attempt, reading: Reading | None, add: Add) -> None:
    """The reason against what the calls before show: how the last round ended, what was found, what was edited."""
    ended = last.ended_by
    if ended not in (None, RerunReason.CUT_NOT_POSSIBLE) and line.round != last.round:
        add(Kind.REASON_DIFFERS, f"round {last.round} came to nothing, but round {line.round} is run again")
    if ended is not None and reason is not ended:
        add(Kind.REASON_DIFFERS, f"the reason given is {reason.value}, but the round ended by {ended.value}")
    elif reason in ENDINGS and ended is None:
        add(Kind.REASON_DIFFERS, f"the reason given is {reason.value}, but the last round came to its end")
    faults, edit = reading is not None and reading.verdict is Verdict.FAULTS, reading.edit if reading else None
    if reason in FOUND and not faults:
        add(Kind.REASON_DIFFERS, f"the reason given is {reason.value}, but no reader had found anything")
    elif reason not in FOUND and faults:
        add(Kind.REASON_DIFFERS, f"the reason given is {reason.value}, but a reader had found something else")
    elif (reason is RerunReason.FOUND_IN_AGENT_WORDS) != (edit is not None):
        what = "nobody had edited them" if edit is None else "the modifier had edited the agent's words"
        add(Kind.REASON_DIFFERS, f"the reason given is {reason.value}, but {what}")
    elif edit is not None and edit.round != line.round:
        add(Kind.EDIT_DIFFERS, f"the modifier edited round {edit.round}, but round {line.round} is run again")


def _view(reads: Sequence[Read]) -> str:
    return data_item(Label.RERUN, "view", [read.content for read in reads]).content


def _dropped(line: LedgerLine, reason: RerunReason | None, add: Add) -> bool:
    """Which of the two decisions the line wrote; one that is neither counts as a rewind."""
    if reason is None:
        return False
    decision = Rerun(round=line.round, reason=reason).model_dump(mode="json")
    for dropped in (False, True):
        item = data_item(Label.RERUN, id_of(line.round, line.attempt, "rerun"), {**decision, "dropped": dropped})
        if line.wrote == item:
            return dropped
    add(Kind.CONTENT_DIFFERS, f"the rewinder's decision ({shown(line.wrote.item)}) is not one for its round and reason")
    return False
