"""Attempts as wholes: the calls that each consists of, and what can be held of those of which nothing is published.

What was run again is not published, so the contents of what its calls read cannot be made again. What they are is held
all the same: the items of each view under their own ids and labels, the same wherever they were read, and made by the
calls before.
"""

from collections.abc import Sequence

from factory.audit.course.attempt import ORDER, Attempt
from factory.audit.course.engines import CONTINUATION, EDITED, INTERRUPTING, NORMAL
from factory.audit.expected import CONTINUES, EDIT, LABELS, READS, WHOLE_CALL, WRITES
from factory.audit.findings import Add, Kind, kind_words, shown
from factory.audit.graph.itemid import id_of
from factory.records.enums import InterruptionType
from factory.records.ledger import Label, LedgerLine, Read, Role
from factory.simulate.ledger import data_item


def hold_calls(attempt: Attempt, behind: Attempt | None, may_end: bool, add: Add) -> None:
    """An attempt has all calls up to its last one, and has come to its end.

    Args:
        attempt: The attempt.
        behind: The one at the next round that was begun behind it; None where it is the last.
        may_end: Whether it may have come to nothing, because it was run again.
        add: Gets what does not hold.
    """
    wanted = [role for role in ORDER if attempt.is_cut or role is not Role.CUTTER]
    for role in wanted[: wanted.index(attempt.last.role)] if attempt.last.role in wanted else ():
        if role not in attempt.calls:
            add(Kind.CALL_MISSING, f"an attempt has no call of the {role.value}")
    if Role.CUTTER in attempt.calls and not attempt.is_cut:
        add(Kind.CALL_UNPUBLISHED, "a cut was made in a round in which nobody was to cut in")
    if behind is not None and (not attempt.is_whole or attempt.last.role is not Role.USER):
        add(Kind.CALL_MISSING, "a round was begun before the one before it had come to its end")
    elif behind is None and not attempt.is_whole and (attempt.ended_by is None or not may_end):
        add(Kind.CALL_MISSING, "the last round has not come to its end")
    _hold_ways(attempt, add)


def _hold_ways(attempt: Attempt, add: Add) -> None:
    """The caller's side goes the way that the cut says."""
    kind = _type(attempt)
    for role, way in ((Role.REACTION_PLANNER, kind or NORMAL), (Role.USER, INTERRUPTING if kind else NORMAL)):
        line = attempt.calls.get(role)
        if line is not None and line.branch != way:
            add(Kind.ENGINE_DIFFERS, f"{shown(line.branch)} is not the {role.value}'s way in this round")


def hold_taken_back(attempt: Attempt, whole_call: dict[str, Read], add: Add) -> None:
    """The calls of an attempt that was run again, as far as ids, labels and one another's digests tell.

    Args:
        attempt: The attempt.
        whole_call: What is the same in all rounds, as the calls that stand read it.
        add: Gets what does not hold.
    """
    made = dict(whole_call)
    kind = _type(attempt)
    if kind is None or kind in {known.value for known in InterruptionType}:
        name = id_of(attempt.round, attempt.attempt, "type")
        made[name] = data_item(Label.INTERRUPTION_TYPE, name, kind)
    for role, line in attempt.calls.items():
        names = _reads(line)
        if {read.item for read in line.reads} != names.keys() or len(line.reads) != len(names):
            add(Kind.READS_INCOMPLETE, f"the {role.value} did not read just what its view is made of")
        for read in line.reads:
            if read.label is not names.get(read.item, read.label) or read != made.setdefault(read.item, read):
                add(
                    Kind.CONTENT_DIFFERS, f"the {role.value}'s {kind_words(read.label)} ({shown(read.item)}) is another"
                )
        if line.wrote.item != _id(line, WRITES[role]):
            add(Kind.CALL_UNPUBLISHED, f"the {role.value} wrote {shown(line.wrote.item)}")
        made.setdefault(line.wrote.item, line.wrote)
        if role is Role.REACTION_PLANNER and line.call is not None and line.branch == NORMAL:
            wanted = f"{role.value}/{'interrupting_' if kind else ''}{NORMAL}.md.j2"
            if line.call.template != wanted:
                add(Kind.PROMPT_DIFFERS, f"the {role.value} was asked with a template for another situation")


def whole_call_items(standing: Sequence[Attempt]) -> dict[str, Read]:
    """What is the same in all rounds of a call, as the first calls that stand read it."""
    found: dict[str, Read] = {}
    for read in (read for attempt in standing for line in attempt.calls.values() for read in line.reads):
        if read.item in WHOLE_CALL:
            found.setdefault(read.item, read)
    return found


def _type(attempt: Attempt) -> str | None:
    """How a caller cut in, as the cutter's line says; None where nobody did."""
    return attempt.calls[Role.CUTTER].branch if Role.CUTTER in attempt.calls else None


def _reads(line: LedgerLine) -> dict[str, Label]:
    """What a call's view consists of, by id."""
    more = {CONTINUATION: (CONTINUES,), EDITED: (EDIT,)}.get(line.branch, ()) if line.role is Role.ASSISTANT else ()
    return {_id(line, name): LABELS[name] for name in (*READS[line.role], *more)}


def _id(line: LedgerLine, name: str) -> str:
    return name if name in WHOLE_CALL else id_of(line.round, line.attempt, name)
