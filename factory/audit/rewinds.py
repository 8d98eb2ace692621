"""What a verifier's line must hold: a reason of the closed list, all that stood by then, and what was decided."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from factory.audit.attempt import Attempt
from factory.audit.findings import Kind, shown
from factory.records.conversation import Rerun, RerunReason
from factory.records.ledger import Label, LedgerLine, Read, Role
from factory.simulate.ledger import data_item

Add = Callable[[Kind, str], None]
"""Takes a finding about the line."""


@dataclass(frozen=True)
class Rewind:
    """A decision to run something again.

    Attributes:
        reason: Why; None where the line names no reason of the closed list.
        dropped: Whether the whole draw was given up, and not only what stands from the round on.
    """

    reason: RerunReason | None
    dropped: bool


def read_rewind(line: LedgerLine, standing: Sequence[Attempt], add: Add) -> Rewind:
    """Reads a verifier's line and holds it against the calls before it.

    Args:
        line: The line; its round is one of those that stand.
        standing: The attempts that stand before it.
        add: Gets what does not hold.
    """
    reason = next((known for known in RerunReason if known.value == line.branch), None)
    if reason is None:
        add(Kind.REASON_DIFFERS, f"{shown(line.branch)} is not on the list of reasons")
    elif (why := standing[-1].ended_by) and reason not in why:
        ended = " or ".join(sorted(known.value for known in why))
        add(Kind.REASON_DIFFERS, f"the reason given is {reason.value}, but the round ended by {ended}")
    stood = standing[line.round].attempt
    if line.attempt != stood:
        add(Kind.ATTEMPT_DIFFERS, f"the verifier rejects attempt {line.attempt}, but attempt {stood} stood")
    _hold_reads(line, standing, add)
    return Rewind(reason, _dropped(line, reason, add))


def _hold_reads(line: LedgerLine, standing: Sequence[Attempt], add: Add) -> None:
    """The verifier has read the workflow and each round that stood, just as the calls before made them."""
    finished = standing[:-1] if standing[-1].ended_by else standing
    workflow = (r for r in standing[0].calls[Role.PLANNER].reads if r.label is Label.WORKFLOW_AGENT_SIDE)
    wanted = {read.item: read for read in (*workflow, *(read for attempt in finished for read in attempt.checked()))}
    if {read.item for read in line.reads} != wanted.keys() or len(line.reads) != len(wanted):
        add(Kind.READS_INCOMPLETE, "the verifier did not read just the rounds that stood")
    for read in line.reads:
        if read != wanted.get(read.item, read):
            add(Kind.CONTENT_DIFFERS, f"the verifier's {read.label.value} ({shown(read.item)}) is not what was made")
    if line.view != _view(line.reads):
        add(Kind.VIEW_DIFFERS, "the verifier's view is not made of what it read")


def _view(reads: Sequence[Read]) -> str:
    return data_item(Label.RERUN, "view", [read.content for read in reads]).content


def _dropped(line: LedgerLine, reason: RerunReason | None, add: Add) -> bool:
    """Which of the two decisions the line wrote; one that is neither counts as a rewind."""
    if reason is None:
        return False
    decision = Rerun(round=line.round, reason=reason).model_dump(mode="json")
    for dropped in (False, True):
        item = data_item(Label.RERUN, f"r{line.round}.{line.attempt}/rerun", {**decision, "dropped": dropped})
        if line.wrote == item:
            return dropped
    add(Kind.CONTENT_DIFFERS, f"the verifier's decision ({shown(line.wrote.item)}) is not one for its round and reason")
    return False
