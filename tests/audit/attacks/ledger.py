"""Ledgers that somebody changes after the build: the lines, the chain, and all above it as far as they can."""

import json
from collections.abc import Callable, Set
from dataclasses import dataclass
from pathlib import Path

from factory.audit.findings import Kind
from factory.build.verify.freeze import Published, freeze_faults
from factory.run.folder import RunFolder
from tests.audit.graphs import calls_of, forge, reads, wrote
from tests.audit.runs import (
    OTHER,
    Line,
    first_of,
    ledgers,
    read_ledger,
    read_of,
    rechain,
    renew_ledger_root,
    reseal,
    write_ledger,
)

from .attack import Attack, Caught, Seen, Stage, Way, Who, caught_in, report_on

Change = Callable[[list[Line]], None]


def leave_chain(folder: RunFolder, path: Path, lines: list[Line]) -> None:
    """Writes lines as they are."""
    write_ledger(path, lines)


def renew_chain(folder: RunFolder, path: Path, lines: list[Line]) -> None:
    """Makes the chain anew, and leaves the root."""
    rechain(path, lines)


def renew_heads(folder: RunFolder, path: Path, lines: list[Line]) -> None:
    """Makes chain and head anew, and leaves the root's digest."""
    old = folder.ledger_root().root
    renew_ledger_root(folder, path, lines)
    root = json.loads(folder.ledger_root_file.read_text())
    folder.ledger_root_file.write_text(json.dumps(root | {"root": old}))


@dataclass(frozen=True)
class InLedger(Way[Change]):
    """One ledger is read, changed and written again, and the run is audited.

    Attributes:
        of: Which run.
        with_role: A ledger that holds a call of this role.
        place: Which of these, in the order of their names.
        sealed: How far up digests are made to fit.
        knows_root: Whether the auditor knows the freeze's root from before.
    """

    of: str = "plain"
    with_role: str = "planner"
    place: int = 0
    sealed: Callable[[RunFolder, Path, list[Line]], None] = reseal
    knows_root: bool = False

    def go(self, stage: Stage, cheat: Change | None) -> Set[Caught]:
        folder = stage.copy(self.of)
        published = Published(folder.manifest().root)
        path = [path for path in ledgers(folder) if f'"role":"{self.with_role}"' in path.read_text()][self.place]
        lines = read_ledger(path)
        if cheat is not None:
            cheat(lines)
        self.sealed(folder, path, lines)
        report = report_on(folder)
        assert {finding.conversation_id for finding in report.findings} <= {path.stem, None}
        another = self.knows_root and set(freeze_faults(folder, folder.manifest(), published)) - set(
            freeze_faults(folder, folder.manifest(), Published())
        )
        return caught_in(report) | ({Seen.PUBLISHED_ROOT} if another else set())


def _edited(lines: list[Line]) -> None:
    first_of(lines, "planner")["engine"] = "code"  # which it may be, and was not


def _dropped(lines: list[Line]) -> None:
    del lines[4]


def _last_dropped(lines: list[Line]) -> None:
    del lines[-1]


def _swapped(lines: list[Line]) -> None:
    lines[2], lines[3] = lines[3], lines[2]


def _of_another(lines: list[Line]) -> None:
    lines[3]["conversation_id"] = "another-call"


def _another_view(lines: list[Line]) -> None:
    first_of(lines, "user")["view"] = OTHER


def _label(lines: list[Line], role: str, old: str, new: str) -> None:
    read_of(first_of(lines, role), old)["label"] = new


def _told_what_was_meant(lines: list[Line]) -> None:
    _label(lines, "reaction_planner", "history_heard", "history_as_meant")


def _another_allowed_label(lines: list[Line]) -> None:
    _label(lines, "user", "released_facts", "reaction_plan")


def meant_called_heard(lines: list[Line]) -> None:
    meant = wrote(first_of(lines, "assistant"))["content"]
    read_of(first_of(lines, "user"), "history_heard")["content"] = meant


def plan_called_a_seed(lines: list[Line]) -> None:
    plan = wrote(calls_of(lines, "planner", 1)[0])
    forge(calls_of(lines, "user", 3)[0], "r1.0/plan", str(plan["content"]))


def workflow_called_a_seed(lines: list[Line]) -> None:
    workflow = read_of(lines[0], "workflow_agent_side")
    forge(calls_of(lines, "user", 2)[0], "workflow", str(workflow["content"]))


def order_under_another_id(lines: list[Line]) -> None:
    entry = read_of(calls_of(lines, "planner", 4)[0], "blueprint_round")
    forge(calls_of(lines, "reaction_planner", 1)[0], "r1.0/planner_seed", str(entry["content"]))


def _read_more(lines: list[Line]) -> None:
    forge(first_of(lines, "user"), "r0.0/another", OTHER)


def _read_less(lines: list[Line]) -> None:
    reads(first_of(lines, "user")).pop()


def _read_twice(lines: list[Line]) -> None:
    line = first_of(lines, "user")
    reads(line).append(reads(line)[0])


def _another_plan(lines: list[Line]) -> None:
    read_of(first_of(lines, "assistant"), "agent_plan")["content"] = OTHER


def _other_words(lines: list[Line]) -> None:
    wrote(first_of(lines, "user"))["content"] = OTHER


def _other_words_elsewhere(lines: list[Line]) -> None:
    wrote(first_of(lines, "user")).update(item="r0.0/elsewhere", content=OTHER)


def _wrong_kind(lines: list[Line]) -> None:
    wrote(first_of(lines, "reaction_planner"))["label"] = "agent_plan"


def _no_user(lines: list[Line]) -> None:
    lines.remove(first_of(lines, "user"))


def _another_cut(lines: list[Line]) -> None:
    wrote(first_of(lines, "cutter"))["content"] = OTHER


def _other_values(lines: list[Line]) -> None:
    read_of(first_of(lines, "assistant"), "caller_values")["content"] = OTHER


def _another_entry(lines: list[Line]) -> None:
    read_of(first_of(lines, "cutter"), "blueprint_round")["content"] = OTHER


def _another_workflow(lines: list[Line]) -> None:
    read_of(first_of(lines, "assistant"), "workflow_agent_side")["content"] = OTHER


def _another_engine(lines: list[Line]) -> None:
    first_of(lines, "user")["engine"] = "gpt-of-another"


def _words_as_a_way(lines: list[Line]) -> None:
    first_of(lines, "assistant")["branch"] = "and then I was going to ask for the code"


def _another_way(lines: list[Line]) -> None:
    first_of(lines, "reaction_planner")["branch"] = "pushback"


def _attempt_that_never_was(lines: list[Line]) -> None:
    last = max(int(str(line["round"])) for line in lines)
    for line in (line for line in lines if line["round"] == last):
        line["attempt"] = 1


PLAIN = InLedger()


def in_ledger(change: Change, name: str, *by: Caught, way: InLedger = PLAIN, who: Who = Who.BUILDER) -> Attack[Change]:
    return Attack(name, who, frozenset(by), way, change)


BY_CHAIN = (
    in_ledger(
        _edited,
        "edits a line of a ledger",
        Kind.CHAIN_BROKEN,
        way=InLedger(sealed=leave_chain),
        who=Who.PUBLISHER,
    ),
    in_ledger(
        _dropped,
        "drops a line of a ledger",
        Kind.CHAIN_BROKEN,
        Kind.ORDER_BROKEN,
        Kind.SEQUENCE_BROKEN,
        way=InLedger(sealed=leave_chain),
        who=Who.PUBLISHER,
    ),
    in_ledger(
        _last_dropped,
        "drops the last line of a ledger",
        Kind.CALL_MISSING,
        Kind.HEAD_DIFFERS,
        way=InLedger(sealed=leave_chain),
        who=Who.PUBLISHER,
    ),
    in_ledger(
        _swapped,
        "swaps two lines of a ledger",
        Kind.CHAIN_BROKEN,
        Kind.ORDER_BROKEN,
        Kind.SEQUENCE_BROKEN,
        way=InLedger(sealed=leave_chain),
        who=Who.PUBLISHER,
    ),
    in_ledger(_swapped, "swaps two lines and makes chain and root anew", Kind.ORDER_BROKEN),
    in_ledger(
        _edited,
        "edits a line and makes the chain anew",
        Kind.HEAD_DIFFERS,
        way=InLedger(sealed=renew_chain),
        who=Who.PUBLISHER,
    ),
    in_ledger(
        _edited,
        "edits a line and makes chain and head anew",
        Kind.ROOT_DIFFERS,
        way=InLedger(sealed=renew_heads),
        who=Who.PUBLISHER,
    ),
    in_ledger(
        _edited,
        "edits a line and makes chain, head and the ledger's root anew",
        Kind.FREEZE_DIFFERS,
        way=InLedger(sealed=renew_ledger_root),
        who=Who.PUBLISHER,
    ),
    in_ledger(
        _edited,
        "edits a line and makes chain, head and both roots anew, after the freeze's was published",
        Seen.PUBLISHED_ROOT,
        way=InLedger(knows_root=True),
        who=Who.PUBLISHER,
    ),
    in_ledger(_of_another, "puts a line of another conversation into a ledger", Kind.LEDGER_FOREIGN),
)

BY_CALLS = (
    in_ledger(
        _told_what_was_meant,
        "lets the reaction planner read what was meant",
        Kind.CONTENT_DIFFERS,
        Kind.LABEL_NOT_ALLOWED,
    ),
    in_ledger(
        meant_called_heard,
        "lets the user read what was meant, and calls it what was heard",
        Kind.CONTENT_DIFFERS,
        Kind.PATH_LEAKS,
    ),
    in_ledger(
        plan_called_a_seed,
        "lets the user read a plan of the agent's, and calls it a seed",
        Kind.PATH_LEAKS,
        Kind.READS_INCOMPLETE,
    ),
    in_ledger(
        workflow_called_a_seed,
        "lets the user read the workflow, and calls it a seed",
        Kind.CONTENT_DIFFERS,
        Kind.PATH_LEAKS,
        Kind.READS_INCOMPLETE,
    ),
    in_ledger(
        order_under_another_id,
        "lets the reaction planner read what comes in a later round, as a seed of this one",
        Kind.CONTENT_DIFFERS,
        Kind.PATH_LEAKS,
        Kind.READS_INCOMPLETE,
    ),
    in_ledger(_another_allowed_label, "calls facts a plan", Kind.CONTENT_DIFFERS),
    in_ledger(
        _read_more,
        "lets the user read something of which nothing else is known",
        Kind.ORIGIN_UNKNOWN,
        Kind.READS_INCOMPLETE,
    ),
    in_ledger(_read_less, "leaves out something that the user read", Kind.READS_INCOMPLETE),
    in_ledger(_read_twice, "lists something twice that the user read", Kind.READS_INCOMPLETE),
    in_ledger(_another_view, "records another input of the user's", Kind.VIEW_DIFFERS),
    in_ledger(_another_plan, "lets the assistant speak from another plan than was made", Kind.CONTENT_DIFFERS),
    in_ledger(_another_workflow, "lets the assistant speak from another workflow", Kind.CONTENT_DIFFERS),
    in_ledger(_other_values, "lets the assistant know other values than the caller gave", Kind.CONTENT_DIFFERS),
    in_ledger(_other_words, "records other words of the caller's", Kind.CONTENT_DIFFERS),
    in_ledger(
        _other_words_elsewhere,
        "records other words of the caller's under another name",
        Kind.CALL_UNPUBLISHED,
        Kind.ORIGIN_UNKNOWN,
    ),
    in_ledger(
        _wrong_kind,
        "lets the reaction planner write a plan of the agent's",
        Kind.CONTENT_DIFFERS,
        Kind.WRITE_NOT_ALLOWED,
    ),
    in_ledger(_no_user, "leaves out the user's call", Kind.CALL_MISSING),
    in_ledger(_another_cut, "records another cut", Kind.CONTENT_DIFFERS),
    in_ledger(_another_entry, "cuts by another order", Kind.CONTENT_DIFFERS),
    in_ledger(_another_engine, "lets somebody else answer as the user than is said", Kind.ENGINE_DIFFERS),
    in_ledger(_words_as_a_way, "writes words where the way is told that a role took", Kind.ENGINE_DIFFERS),
    in_ledger(_another_way, "plans for another type of interruption", Kind.ENGINE_DIFFERS),
    in_ledger(_attempt_that_never_was, "claims an attempt that never was", Kind.ATTEMPT_DIFFERS, Kind.ORIGIN_UNKNOWN),
)

ATTACKS = (*BY_CHAIN, *BY_CALLS)
