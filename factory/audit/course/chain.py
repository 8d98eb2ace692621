"""Reads one conversation's ledger and checks that its chain holds, line by line."""

from collections.abc import Iterator
from pathlib import Path

from pydantic import ValidationError

from factory.audit.findings import Findings, Kind, shown
from factory.records.base import sha256
from factory.records.ledger import GENESIS, LedgerLine
from factory.run.reading import read_bytes

MOST_BYTES = 16 * 2**20
"""Largest ledger of one conversation that is read; a hundred times what a long call with many re-runs takes."""


class ChainReader:
    """Walks a chain from its first line to its head.

    Attributes:
        head: Digest of the last line read.
        lines: Lines read.
        unbroken: Whether nothing was found so far.
        readable: Whether every line could be read; what is behind the first that could not is left out.
    """

    def __init__(self, path: Path, conversation_id: str, findings: Findings) -> None:
        """Takes the file and whose ledger it has to be."""
        self._path = path
        self._conversation_id = conversation_id
        self._findings = findings
        self.head = GENESIS
        self.lines = 0
        self.unbroken = True
        self.readable = True
        self._sequence = 0

    def calls(self) -> Iterator[LedgerLine]:
        """The lines in order; what does not hold becomes a finding, never an error."""
        data = self._bytes()
        if data is None:
            return
        *whole, rest = data.split(b"\n")
        for number, text in enumerate(whole):
            try:
                line = LedgerLine.from_json(text)
            except ValidationError:
                self._unreadable(Kind.LEDGER_DAMAGED, f"line {number + 1} of the ledger is not a ledger line")
                return
            self._check(line, number)
            self.head = sha256(text)
            self.lines += 1
            yield line
        if rest or not whole:
            self._unreadable(Kind.LEDGER_DAMAGED, "the ledger ends in the middle of a line")

    def _bytes(self) -> bytes | None:
        try:
            return read_bytes(self._path, MOST_BYTES)
        except FileNotFoundError:
            self._unreadable(Kind.LEDGER_MISSING, "there is no ledger of this conversation")
        except OSError as exc:
            self._unreadable(Kind.LEDGER_DAMAGED, f"the ledger cannot be read: {exc.strerror}")
        return None

    def _check(self, line: LedgerLine, number: int) -> None:
        place = f"line {number + 1} of the ledger"
        if line.previous != self.head:
            behind = f"line {number}" if number else "the beginning"
            self._fault(Kind.CHAIN_BROKEN, f"{place} does not hold the digest of {behind}", line.round)
        if line.sequence != self._sequence:
            self._fault(Kind.SEQUENCE_BROKEN, f"{place} has number {line.sequence}, not {self._sequence}", line.round)
        self._sequence = line.sequence + 1  # so that one missing line is one finding
        if line.conversation_id != self._conversation_id:
            self._fault(Kind.LEDGER_FOREIGN, f"{place} belongs to {shown(line.conversation_id)}", line.round)

    def _unreadable(self, kind: Kind, message: str) -> None:
        self.readable = False
        self._fault(kind, message)

    def _fault(self, kind: Kind, message: str, round: int | None = None) -> None:
        self.unbroken = False
        self._findings.add(kind, message, self._conversation_id, round)
