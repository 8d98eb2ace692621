"""What of the rest of a run has to be known to see that something in one conversation came from there."""

from collections.abc import Set
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from factory.dataset.about import intent_view_of
from factory.dataset.parquet import read_rows, read_schema
from factory.dataset.rows import ConversationRow, UserIntent
from factory.records.ledger import Label
from factory.simulate.ledger import data_item

_COLUMN = "user_intent"


@dataclass(frozen=True)
class Outside:
    """The rest of a run, as seen from one conversation.

    Attributes:
        own: Digest of this caller's intent.
        intents: Digests of the intents of all callers of the run.
        answers: Digests of what targets answered.
    """

    own: str = ""
    intents: Set[str] = frozenset()
    answers: Set[str] = frozenset()

    def of(self, conversation: ConversationRow) -> "Outside":
        """The same, as seen from a conversation."""
        return Outside(intent_digest(conversation.user_intent), self.intents, self.answers)


NOTHING_OUTSIDE = Outside()


def intent_digest(published: UserIntent) -> str:
    """The digest of an intent as the caller's side reads it."""
    return data_item(Label.INTENT, "intent", intent_view_of(published).model_dump(mode="json")).content


def read_intents(path: Path) -> frozenset[str]:
    """The digests of all intents in `conversations.parquet`; callers who want the same have one in common.

    Raises:
        RunError: if the file is missing or damaged. A row that holds no intent is passed over: it is named when the
            rows themselves are read.
    """
    others = tuple(name for name in read_schema(path).names if name != _COLUMN)
    digests = set()
    for row in read_rows(path, without=others):
        try:
            digests.add(intent_digest(UserIntent.model_validate(row.get(_COLUMN))))
        except ValidationError:
            continue
    return frozenset(digests)
