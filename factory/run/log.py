"""A conversation's log: one line for whatever happened to it, from which it is rebuilt after a kill."""

from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from pydantic import model_validator

from factory.errors import RunError
from factory.records.base import SCHEMA_VERSION, Record, sha256
from factory.records.conversation import Rerun, Round, Settled
from factory.records.ledger import GENESIS
from factory.records.rubric import Item
from factory.run.files import append_lines, read_lines, truncate_to
from factory.simulate.canary import unplant
from factory.simulate.ledger import LedgerChain


class Kind(StrEnum):
    """What a line of the log says."""

    HEADER = "header"
    SYSTEM = "system"
    ROUND = "round"
    RERUN = "rerun"
    DROPPED = "dropped"
    FINISHED = "finished"


class Line(Record):
    """One line.

    Attributes:
        ledger_head: Head of the ledger chain once this had happened; the ledger is cut back to it on resuming.
        blueprint: Digest of the blueprint (header only).
        system_message: The agent's system message as a template, where a model wrote it (system only).
        settled: The agent's words that the round is run again with, where they are (rerun only).
        items: The frozen items (on the last line only).
    """

    kind: Kind
    ledger_head: str
    schema_version: int | None = None
    conversation_id: str | None = None
    blueprint: str | None = None
    round: Round | None = None
    rerun: Rerun | None = None
    system_message: str | None = None
    settled: Settled | None = None
    items: tuple[Item, ...] | None = None

    @model_validator(mode="after")
    def _holds_what_its_kind_needs(self) -> "Line":
        needed = {
            Kind.HEADER: self.blueprint,
            Kind.SYSTEM: self.system_message,
            Kind.ROUND: self.round,
            Kind.RERUN: self.rerun,
            Kind.DROPPED: self.rerun,
            Kind.FINISHED: self.items,
        }[self.kind]
        if needed is None:
            raise ValueError(f"a line of kind `{self.kind}` lacks what it tells")
        return self


@dataclass
class Progress:
    """What a log comes to.

    Attributes:
        rounds: The rounds that stand.
        reruns: All rewinds, also of draws that were dropped later.
        drops: What each draw that does not stand was dropped for.
        attempts: How often each round of this draw was run again.
        settled: By round, the agent's words that it is run again with, where they are.
        system_message: The agent's system message, where a model wrote it.
        items: The frozen items.
        finished: Whether the conversation is complete.
        heads: Head of the ledger chain at each line read.
        blueprint: Digest of the blueprint that the log belongs to.
    """

    rounds: list[Round] = field(default_factory=list)
    reruns: list[Rerun] = field(default_factory=list)
    drops: list[Rerun] = field(default_factory=list)
    attempts: dict[int, int] = field(default_factory=dict)
    settled: dict[int, Settled] = field(default_factory=dict)
    system_message: str | None = None
    items: tuple[Item, ...] = ()
    finished: bool = False
    heads: list[str] = field(default_factory=list)
    blueprint: str | None = None

    @property
    def head(self) -> str:
        """Head of the ledger chain."""
        return self.heads[-1] if self.heads else GENESIS

    @property
    def lines(self) -> int:
        """Lines read."""
        return len(self.heads)

    @property
    def draw(self) -> int:
        """How often the conversation was dropped and drawn anew."""
        return len(self.drops)

    @property
    def standing_reruns(self) -> list[Rerun]:
        """The rewinds of the draw that stands."""
        return self.reruns[len(self.reruns) - sum(self.attempts.values()) :]

    def kept(self, index: int) -> Settled:
        """The agent's words of a round that stands, with its cut, for the caller to speak again."""
        done, before = self.rounds[index], self.settled.get(index)
        cut_as_in = done.attempt if before is None or before.cut_as_in is None else before.cut_as_in
        return Settled(segments=unplant(done.agent.segments), cut_as_in=cut_as_in)

    def add(self, line: Line) -> None:
        """Takes one more line into account; raises `ValueError` if it cannot stand here."""
        if self.finished:
            raise ValueError("nothing stands behind a finished conversation")
        if line.round is not None and line.round.index != len(self.rounds):
            raise ValueError("not the next round")
        self.heads.append(line.ledger_head)
        if line.kind is Kind.HEADER:
            self.blueprint = line.blueprint
        elif line.kind is Kind.SYSTEM:
            self.system_message = line.system_message
        elif line.kind is Kind.ROUND:
            assert line.round is not None
            self.rounds.append(line.round)
        elif line.kind is Kind.RERUN:
            assert line.rerun is not None
            self.reruns.append(line.rerun)
            del self.rounds[line.rerun.round :]
            self.settled = {index: words for index, words in self.settled.items() if index < line.rerun.round}
            if line.settled is not None:
                self.settled[line.rerun.round] = line.settled
            self.attempts[line.rerun.round] = self.attempts.get(line.rerun.round, 0) + 1
        elif line.kind is Kind.DROPPED:
            assert line.rerun is not None
            self.drops.append(line.rerun)
            self.rounds.clear()
            self.attempts.clear()
            self.settled.clear()
        elif line.kind is Kind.FINISHED:
            assert line.items is not None
            self.items = line.items
            self.finished = True


def read_progress(path: Path) -> Progress:
    """What the log of a conversation comes to; an unfinished last line counts as not written.

    Raises:
        RunError: if a line is damaged; names file and line.
    """
    progress = Progress()
    for number, text in enumerate(read_lines(path), 1):
        try:
            line = Line.from_json(text)
            if (line.kind is Kind.HEADER) != (number == 1):
                raise ValueError("the header stands first, and once")
            progress.add(line)
        except ValueError:
            raise RunError(
                f"{path}:{number}: this line of the log is damaged; restore the file, or build with --fresh"
            ) from None
    return progress


class ConversationLog:
    """Writes a conversation's log and its ledger: ledger lines first, then the line that counts them in."""

    def __init__(self, path: Path, ledger: Path, conversation_id: str, blueprint: str) -> None:
        """Goes on where the files end, cutting off what a kill left half done.

        Raises:
            RunError: if a file is damaged, or the log belongs to another blueprint than the one named.
        """
        self._path = path
        self._ledger = ledger
        self._conversation_id = conversation_id
        self.progress = read_progress(path)
        if self.progress.lines and self.progress.blueprint != blueprint:
            raise RunError(f"{path}: belongs to another blueprint; restore blueprints.jsonl, or build with --fresh")
        truncate_to(path, self.progress.lines)
        self._ledger_lines = self._cut_ledger_back()
        self._ledger_head = self.progress.head
        if not self.progress.lines:
            line = Line(
                kind=Kind.HEADER,
                ledger_head=GENESIS,
                schema_version=SCHEMA_VERSION,
                conversation_id=conversation_id,
                blueprint=blueprint,
            )
            self.write(None, line)

    def chain(self) -> LedgerChain:
        """The conversation's ledger chain, to go on with."""
        return LedgerChain(self._conversation_id, self._ledger_head, self._ledger_lines)

    def write(self, chain: LedgerChain | None, line: Line) -> None:
        """Appends to both files; a kill between them is put right by the next start."""
        if chain is not None:
            append_lines(self._ledger, chain.take())
            self._ledger_head, self._ledger_lines = chain.head, chain.length
        append_lines(self._path, (line.model_dump_json(exclude_none=True),))
        self.progress.add(line)

    def _cut_ledger_back(self) -> int:
        lines = read_lines(self._ledger)
        digests = [GENESIS, *(sha256(line) for line in lines)]
        if self.progress.head not in digests:
            raise RunError(f"{self._ledger}: does not hold what {self._path} counts on; build with --fresh")
        kept = digests.index(self.progress.head)
        truncate_to(self._ledger, kept)
        return kept
