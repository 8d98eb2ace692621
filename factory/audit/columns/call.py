"""A call as the rules read it: the numbered columns of one row, and as much of the knowledge base as is understood."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import zip_longest

from factory.audit.columns.base import Base, Intent
from factory.audit.scan.call import ScannedCall, ScannedTurn, transcribed
from factory.dataset.rows import PublishedTurn
from factory.records.enums import InterruptionType

_TYPES = {kind.value: kind for kind in InterruptionType}


@dataclass(frozen=True, slots=True)
class Turn:
    """One agent turn and the caller turn behind it; an empty text counts as none.

    Attributes:
        number: The N of its columns, from 1.
        delivered: What the agent said.
        meant: The original: the utterance as it was meant; only where it was cut.
        caller: What the caller said.
        kind: The interruption type as it is written.
        task: The task-fulfilment criterion.
        recovery: The recovery criteria.
    """

    number: int
    delivered: str | None
    meant: str | None
    caller: str | None
    kind: str | None
    task: str | None
    recovery: tuple[str, ...]

    @property
    def type(self) -> InterruptionType | None:
        """The type; None where nobody cut in, or it is none of the six."""
        return _TYPES.get(self.kind or "")

    @property
    def interrupted(self) -> bool:
        """Whether it is said that the caller cut in."""
        return self.kind is not None

    @property
    def is_empty(self) -> bool:
        """Whether nothing stands in its columns."""
        return not (self.delivered or self.meant or self.caller or self.kind or self.task or self.recovery)

    @property
    def whole(self) -> str:
        """All that the agent meant to say."""
        return self.meant or self.delivered or ""


@dataclass(frozen=True)
class Call:
    """One row.

    Attributes:
        row: Its number in the file, from 1.
        conversation_id: Its id; None where it has none.
        goal: What the call is about; empty where that is not told.
        said_turns: Its `num_turns`; None where there is none.
        base: What is understood of the knowledge base.
        intent: What is understood of the user's intent.
        turns: Its turns, numbered without a gap; the last is not empty.
    """

    row: int
    conversation_id: str | None
    goal: str
    said_turns: int | None
    base: Base
    intent: Intent
    turns: tuple[Turn, ...]

    @property
    def name(self) -> str:
        """Its id, or its place where it has none."""
        return self.conversation_id or f"row {self.row}"

    def followed(self) -> Iterator[tuple[Turn, Turn | None]]:
        """Every turn with the one behind it, in which the agent speaks; None where there is none."""
        for turn, behind in zip_longest(self.turns, self.turns[1:]):
            yield turn, behind if behind is not None and behind.delivered is not None else None

    def scanned(self) -> ScannedCall:
        """The call as the content scan reads it."""
        return ScannedCall(
            conversation_id=self.name,
            topic=self.goal or self.name,
            turns=tuple(map(_scanned, self.turns)),
            stages=tuple(stage.name for stage in self.base.stages),
            stage_texts=tuple(passage for stage in self.base.stages for passage in stage.passages),
            guidelines=self.base.guidelines,
            known_user=self.base.known_user,
            own=self.intent.own,
            hidden=self.intent.hidden,
            with_releases=False,
        )


def _scanned(turn: Turn) -> ScannedTurn:
    return transcribed(
        PublishedTurn(
            assistant_transcript=turn.delivered or "",
            assistant_original=turn.meant,
            user_transcript=turn.caller,
        )
    )
