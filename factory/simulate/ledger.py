"""One conversation's chain of ledger lines."""

from factory.records.base import canonical_json, sha256
from factory.records.ledger import GENESIS, Label, LedgerLine, Read, Role
from factory.records.models import ModelCall


class LedgerChain:
    """Adds lines, each holding the digest of the one before."""

    def __init__(self, conversation_id: str, head: str = GENESIS, length: int = 0) -> None:
        """Starts a chain, or goes on from its head."""
        self._conversation_id = conversation_id
        self.head = head
        self.length = length
        self._new: list[str] = []

    def add(
        self,
        *,
        turn: tuple[int, int],
        role: Role,
        branch: str,
        engine: str,
        view: str,
        reads: tuple[Read, ...],
        wrote: Read,
        call: ModelCall | None = None,
    ) -> None:
        """Appends one call; `turn` is the round and its attempt."""
        line = LedgerLine(
            sequence=self.length,
            conversation_id=self._conversation_id,
            round=turn[0],
            attempt=turn[1],
            role=role,
            branch=branch,
            engine=engine,
            call=call,
            view=view,
            reads=reads,
            wrote=wrote,
            previous=self.head,
        )
        text = line.canonical()
        self.head = sha256(text)
        self.length += 1
        self._new.append(text)

    def take(self) -> tuple[str, ...]:
        """The lines added since the last call, to be written."""
        lines, self._new = tuple(self._new), []
        return lines


def data_item(label: Label, item: str, content: object) -> Read:
    """A data item with the digest of its content."""
    return Read(label=label, item=item, content=sha256(canonical_json(content)))
