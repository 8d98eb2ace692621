"""What of the rest of a run has to be known to see that something in one conversation came from there."""

from collections.abc import Set
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import ValidationError

from factory.audit.runs_of_words import line_of, words_of
from factory.dataset.about import intent_view_of
from factory.dataset.parquet import read_rows, read_schema
from factory.dataset.rows import ConversationRow, UserIntent
from factory.records.callers import SECRET_WORDS
from factory.records.ledger import Label
from factory.simulate.ledger import data_item

_GOAL, _INTENT = "goal", "user_intent"


@dataclass(frozen=True)
class Others:
    """What other callers about the same goal are told.

    Attributes:
        lines: Their descriptions and hidden information, as lines of words.
        differ: Whether one of them has the same intent by name, and is told something else.
    """

    lines: tuple[str, ...] = ()
    differ: bool = False


@dataclass
class Intents:
    """The intents of all callers of a run, each kept once.

    Attributes:
        digests: Their digests.
        told: By goal and the intent's name, what those who have it are told, as lines of words.
        several: Those names under which callers are told different things.
    """

    digests: set[str] = field(default_factory=set)
    told: dict[str, dict[str, set[str]]] = field(default_factory=dict)
    several: set[tuple[str, str]] = field(default_factory=set)
    _first: dict[tuple[str, str], str] = field(default_factory=dict)

    def add(self, goal: str, intent: UserIntent) -> None:
        """Takes in one caller's."""
        digest, name = intent_digest(intent), (goal, intent.id)
        if self._first.setdefault(name, digest) != digest:
            self.several.add(name)
        elif digest in self.digests and goal in self.told and intent.id in self.told[goal]:
            return
        self.digests.add(digest)
        texts = (text for text in (intent.description, *intent.hidden_information))
        lines = {line_of(text) for text in texts if len(words_of(text)) >= SECRET_WORDS}
        self.told.setdefault(goal, {}).setdefault(intent.id, set()).update(lines)

    def others(self, conversation: ConversationRow) -> Others:
        """What is told to callers about the same goal whose intent is another.

        No two callers of a workflow have a description or a secret in common; the linter sees to that.
        """
        goal, own = conversation.goal, conversation.user_intent
        lines = {line for name, texts in self.told.get(goal, {}).items() if name != own.id for line in texts}
        return Others(tuple(sorted(lines)), (goal, own.id) in self.several)


@dataclass(frozen=True)
class Outside:
    """The rest of a run, as seen from one conversation.

    Attributes:
        own: Digest of this caller's intent.
        intents: The intents of all callers of the run.
        answers: Digests of what targets answered.
    """

    own: str = ""
    intents: Intents = field(default_factory=Intents)
    answers: Set[str] = frozenset()

    def of(self, conversation: ConversationRow) -> "Outside":
        """The same, as seen from a conversation."""
        return Outside(intent_digest(conversation.user_intent), self.intents, self.answers)


NOTHING_OUTSIDE = Outside()


def intent_digest(published: UserIntent) -> str:
    """The digest of an intent as the caller's side reads it."""
    return data_item(Label.INTENT, "intent", intent_view_of(published).model_dump(mode="json")).content


def read_intents(path: Path) -> Intents:
    """All intents in `conversations.parquet`; callers who want the same have one in common.

    Raises:
        RunError: if the file is missing or damaged. A row that holds no intent is passed over: it is named when the
            rows themselves are read.
    """
    others = tuple(name for name in read_schema(path).names if name not in (_GOAL, _INTENT))
    intents = Intents()
    for row in read_rows(path, without=others):
        goal = row.get(_GOAL)
        try:
            intent = UserIntent.model_validate(row.get(_INTENT))
        except ValidationError:
            continue
        if isinstance(goal, str):
            intents.add(goal, intent)
    return intents
