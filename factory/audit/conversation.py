"""Audits one conversation: its chain, its calls against the policy, and both against what is published."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import networkx as nx  # type: ignore[import-untyped]

from factory.audit.canaries import CanarySearch
from factory.audit.course.attempt import Attempt
from factory.audit.course.chain import ChainReader
from factory.audit.course.course import Course
from factory.audit.course.engines import Engines
from factory.audit.course.items import ItemAudit
from factory.audit.expected import CALLER_ROLES, WRITES, ExpectedRound, expected_rounds
from factory.audit.findings import Findings, Kind, kind_words, shown
from factory.audit.graph.graph import conversation_graph
from factory.audit.graph.outside import NOTHING_OUTSIDE, Outside
from factory.audit.graph.paths import MOST_PATHS, Carried, hold_paths
from factory.audit.handed import HandedAudit
from factory.audit.policy import may_read, may_write
from factory.audit.prompts import PromptAudit
from factory.audit.published import agent_row_fits, compare_transcripts, unmoved_inputs
from factory.audit.tally import Tally
from factory.dataset.rows import ConversationRow, TurnRow
from factory.errors import RunError
from factory.records.ledger import LedgerLine, Read, Role
from factory.records.run import RunIdentity
from factory.simulate.views import ReactionView, UserView


@dataclass(frozen=True)
class Rules:
    """What the run's identity says that its ledgers have to be held against.

    Attributes:
        engines: Who answers.
        planted: Whether it was built with canaries.
    """

    engines: Engines
    planted: bool

    @classmethod
    def of(cls, identity: RunIdentity) -> "Rules":
        """As a run's identity has it."""
        return cls(Engines.of(identity), identity.canaries)

    @property
    def modelled(self) -> bool:
        """Whether models write."""
        return self.engines.models is not None


def read_course(
    path: Path, conversation_id: str, head: str, rules: Rules, tally: Tally, findings: Findings
) -> Course | None:
    """Reads and counts one ledger and holds every line against the policy.

    Args:
        path: The ledger's file.
        conversation_id: Whose it has to be.
        head: The head that the root holds for it.
        rules: What kind of run it is.
        tally: Counts what it holds.
        findings: Gets what does not hold.

    Returns:
        The rounds that stand; None where the ledger cannot be followed to its end.
    """
    chain = ChainReader(path, conversation_id, findings)
    course = Course(conversation_id, findings, rules.modelled, rules.planted)
    for line in chain.calls():
        tally.add_call(line)
        _hold_against_policy(line, conversation_id, findings)
        for fault in rules.engines.faults(line):
            findings.add(Kind.ENGINE_DIFFERS, fault, conversation_id, line.round)
        course.add(line)
    if chain.readable:
        course.close()
    head_fits = chain.head == head
    if chain.readable and not head_fits:
        findings.add(
            Kind.HEAD_DIFFERS, "the last line of the ledger is not the head that root.json holds", conversation_id
        )
    tally.chains += 1
    tally.unbroken += chain.unbroken and head_fits
    tally.add_course(course)
    return course if chain.readable and course.followed else None


def _hold_against_policy(line: LedgerLine, conversation_id: str, findings: Findings) -> None:
    for read in line.reads:
        if not may_read(line.role, read.label):
            findings.add(
                Kind.LABEL_NOT_ALLOWED,
                f"the {line.role.value} read {kind_words(read.label)} ({shown(read.item)})",
                conversation_id,
                line.round,
            )
    if not may_write(line.role, line.wrote.label):
        findings.add(
            Kind.WRITE_NOT_ALLOWED,
            f"the {line.role.value} wrote {kind_words(line.wrote.label)} ({shown(line.wrote.item)})",
            conversation_id,
            line.round,
        )


@dataclass(frozen=True)
class Evidence:
    """What there is of one call beside its published rows; nothing where they are all there is.

    Attributes:
        course: The rounds that stand in its ledger; None where that is damaged or missing.
        canary: The word that was planted in it; None where none was.
        prompts: What holds the prompts of the caller's side; None where no models write.
        outside: For its flow graph, what is known of the rest of the run.
    """

    course: Course | None = None
    canary: str | None = None
    prompts: PromptAudit | None = None
    outside: Outside = NOTHING_OUTSIDE


ROWS_ALONE = Evidence()
"""That of published files without their run."""


class ConversationAudit:
    """Holds one published call against the rounds that stand in its ledger.

    Attributes:
        rounds: Its rounds, once they were rebuilt from the published rows.
        graph: Its flow graph, once there is one; see `conversation_graph`.
        leaks: The first paths in it that are not allowed, each by its nodes.
    """

    def __init__(
        self,
        conversation: ConversationRow,
        rows: Sequence[TurnRow],
        tally: Tally,
        findings: Findings,
        evidence: Evidence = ROWS_ALONE,
    ) -> None:
        """Takes the call's rows, what counts and collects, and what there is to hold the rows against."""
        self._conversation = conversation
        self._rows = rows
        self._tally = tally
        self._findings = findings
        self._evidence = evidence
        self.rounds: tuple[ExpectedRound, ...] = ()
        self.graph: nx.DiGraph | None = None
        self.leaks: tuple[tuple[str, ...], ...] = ()

    def run(self) -> None:
        """Makes every check; what does not hold becomes a finding."""
        try:
            rounds = tuple(expected_rounds(self._conversation, self._rows, self._evidence.canary))
            unmoved = unmoved_inputs(
                self._conversation, self._rows, {r.agent.round: r.views for r in rounds if r.views is not None}
            )
        except RunError as exc:
            self._add(Kind.DATASET_DAMAGED, shown(str(exc), most=300))
            return
        self.rounds = rounds
        first = self._tally.first_with(self._rows) if self._rows else self._conversation.conversation_id
        if first != self._conversation.conversation_id:
            self._add(Kind.CONVERSATION_TWICE, f"{shown(first)} has just the same messages")
        self._published(rounds)
        for expected in rounds:
            self._inputs(expected, unmoved.get(expected.agent.round, (False, False)))
        HandedAudit(self._conversation, rounds, self._evidence.outside, self._add).run()
        if self._evidence.canary is not None:
            search = CanarySearch(self._evidence.canary, self._tally, self._add)
            search.search(self._conversation, self._rows, rounds)
        if self._evidence.course is not None:
            self._rounds(rounds, self._evidence.course)
            self._paths(rounds, self._evidence.course)

    def _paths(self, rounds: Sequence[ExpectedRound], course: Course) -> None:
        """Every path through the flow graph, of all attempts."""
        self.graph = conversation_graph(course, rounds, self._evidence.outside)
        carried = Carried(self.graph)
        self.leaks = carried.leak_paths(MOST_PATHS)
        unknown = hold_paths(self.graph, carried, self.leaks, self._add)
        self._tally.add_graph(len(self.graph), carried, unknown)

    def _add(self, kind: Kind, message: str, round: int | None = None) -> None:
        self._findings.add(kind, message, self._conversation.conversation_id, round)

    def _published(self, rounds: Sequence[ExpectedRound]) -> None:
        compare_transcripts(self._conversation, self._rows, self._findings)
        for expected in rounds:
            row = expected.agent
            if (row.cut_word is None) != (expected.type is None):
                what = "an interruption without a cut" if row.cut_word is None else "a cut without an interruption"
                self._add(Kind.DELIVERED_DIFFERS, f"there is {what}", row.round)
            self._tally.turns += 1
            self._tally.cut += row.cut_word is not None
            self._tally.agreeing += agent_row_fits(row, self._findings)

    def _inputs(self, expected: ExpectedRound, unmoved: tuple[bool, bool]) -> None:
        """Rebuilt inputs against the recorded digests, and under other undelivered words."""
        if expected.caller is None or expected.views is None:
            return
        recorded = (expected.caller.reaction_view, expected.caller.user_view)
        for role, digest, column, same in zip(CALLER_ROLES, expected.digests, recorded, unmoved, strict=True):
            self._tally.rebuilt += 1
            self._tally.unmoved += same
            number = expected.agent.round
            if digest != column:
                self._add(
                    Kind.RECORDED_VIEW_DIFFERS, f"the {role.value}'s rebuilt input is not the published digest", number
                )
            if not same:
                self._add(Kind.UNDELIVERED_MATTERS, f"the {role.value}'s input changes with undelivered words", number)

    def _rounds(self, rounds: Sequence[ExpectedRound], course: Course) -> None:
        """Every standing attempt against the published round."""
        for attempt in course.standing[len(rounds) :]:
            self._add(
                Kind.CALL_UNPUBLISHED, "the ledger has this round, but no message of it is published", attempt.round
            )
        for expected, attempt in zip(rounds, course.standing, strict=False):
            if expected.agent.attempt != attempt.attempt:
                self._add(
                    Kind.ATTEMPT_DIFFERS,
                    f"published is attempt {expected.agent.attempt}, but attempt {attempt.attempt} stands",
                    attempt.round,
                )
                continue
            self._round(expected, attempt)
        for expected in rounds[len(course.standing) :]:
            self._add(Kind.CALL_MISSING, "the ledger has no call of this published round", expected.agent.round)
        ItemAudit(rounds, course, self._add).run()

    def _round(self, expected: ExpectedRound, attempt: Attempt) -> None:
        for role in expected.roles:
            if role not in attempt.calls:
                self._add(Kind.CALL_MISSING, f"the ledger has no call of the {role.value}", attempt.round)
        for role, line in attempt.calls.items():
            if role not in expected.roles:
                self._add(Kind.CALL_UNPUBLISHED, f"nothing is published of the {role.value}'s call", attempt.round)
                continue
            if line.branch not in expected.branches(role):
                self._add(
                    Kind.ENGINE_DIFFERS, f"{shown(line.branch)} is not the {role.value}'s way in this round", line.round
                )
            self._items(expected, line, attempt)
        for role, digest in zip(CALLER_ROLES, expected.digests, strict=False):
            self._view(digest, role, attempt)
        if self._evidence.prompts is not None and expected.views is not None:
            reaction, user = expected.views
            self._prompt(self._evidence.prompts, attempt.calls.get(Role.REACTION_PLANNER), reaction)
            self._prompt(self._evidence.prompts, attempt.calls.get(Role.USER), user)
        if self._evidence.canary is not None and expected.agent.cut_word is not None:
            wrote = attempt.calls[Role.ASSISTANT].wrote if Role.ASSISTANT in attempt.calls else None
            self._tally.planted += wrote == expected.items[expected.item_id("utterance")]

    def _prompt(self, prompts: PromptAudit, line: LedgerLine | None, view: ReactionView | UserView) -> None:
        if line is not None:
            prompts.hold(line, view, self._conversation.conversation_id)

    def _view(self, digest: str, role: Role, attempt: Attempt) -> None:
        line = attempt.calls.get(role)
        if line is None:
            return
        if line.view == digest:
            self._tally.equal += 1
        else:
            self._add(Kind.VIEW_DIFFERS, f"the {role.value}'s rebuilt input is not what the ledger has", attempt.round)

    def _items(self, expected: ExpectedRound, line: LedgerLine, attempt: Attempt) -> None:
        """What a call read and wrote, against the published content and against the calls before it."""
        wanted = expected.reads(line.role, line.branch)
        if {read.item for read in line.reads} != wanted or len(line.reads) != len(wanted):
            self._add(
                Kind.READS_INCOMPLETE, f"the {line.role.value} did not read just what its view is made of", line.round
            )
        if line.wrote.item != expected.item_id(WRITES[line.role]):
            self._add(Kind.CALL_UNPUBLISHED, f"the {line.role.value} wrote {shown(line.wrote.item)}", line.round)
        planner = attempt.calls[Role.PLANNER]
        made = {read.item: read for read in planner.reads}
        made |= {call.wrote.item: call.wrote for call in attempt.calls.values() if call.sequence < line.sequence}
        for item in (*line.reads, line.wrote):
            for true in (expected.items.get(item.item), made.get(item.item)):
                if true is not None and true != item:
                    self._add(Kind.CONTENT_DIFFERS, _difference(line.role, item, true), line.round)
                    break


def _difference(role: Role, item: Read, true: Read) -> str:
    if item.label is not true.label:
        called, true_kind = kind_words(item.label), kind_words(true.label)
        return f"the {role.value} calls {shown(item.item)} {called}, but it is {true_kind}"
    return f"the {role.value}'s {kind_words(item.label)} ({shown(item.item)}) is not what is published or was made"
