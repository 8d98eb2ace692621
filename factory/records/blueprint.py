"""A blueprint: what one conversation will be, settled before a word of it is written.

An act is named by a reference, a text of one of these shapes (see `factory.workflow.lookup`):

- `stage.act`, `stage.act#hint`, `stage.act#retry`: an authored act, its hint, its second asking
- `answer:stage.type.move`, `answer:intent.hidden`: the agent's answer to something the caller cut in with
- `accept:slot`: taking over a corrected value
- `steer`: the way back to the subject
- `stop:id`: the closing words of a hard stop
- `lead`: a short reaction that opens a turn; never planned, only spoken
"""

from enum import StrEnum
from typing import Annotated

from pydantic import StringConstraints

from factory.records.base import SCHEMA_VERSION, Record
from factory.records.callers import FactValue
from factory.records.enums import Form, InterruptionType

ConversationId = Annotated[str, StringConstraints(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$", max_length=140)]
"""Names files, so nothing that leads out of a folder can be one."""

SUCCESS = "success"
"""The outcome of a call that reached its goal; every other outcome is the id of a hard stop."""


def name_conversation(workflow: str, ordinal: int) -> ConversationId:
    """The id of the conversation at a place of a corpus (from 0)."""
    return f"{workflow.replace('/', '-').replace('_', '-')}-{ordinal + 1:04d}"


class ActUse(Record):
    """One act in one agent turn: which act, in which wording."""

    ref: str
    form: Form = Form.SAY


class ReplyKind(StrEnum):
    """What a caller does with a turn that they let the agent finish."""

    ANSWER = "answer"
    FAIL = "fail"
    CLOSING = "closing"


class CalmReply(Record):
    """A caller turn without an interruption: what it does, and to which question."""

    kind: ReplyKind
    question: str | None = None


class Interruption(Record):
    """Where and how the caller cuts in.

    Attributes:
        type: One of the six types.
        cut: Index into the round's acts of the act that gets cut.
        move: The authored move that is used (`stage.type.move` or `intent.hidden`), where the type has one.
        slot: The slot that a correction revises.
        answers: The question that the caller answers while cutting in, if they do.
    """

    type: InterruptionType
    cut: int
    move: str | None = None
    slot: str | None = None
    answers: str | None = None


class RoundPlan(Record):
    """One agent turn and the caller turn behind it.

    Attributes:
        acts: What the agent means to say, in order, as if nobody interrupted.
        continues: The turn is the undelivered rest of the one before (after a filler).
        interruption: How the caller cuts in, if they do.
        reply: What the caller says otherwise; neither in a last turn that is the agent's.
    """

    acts: tuple[ActUse, ...]
    continues: bool = False
    interruption: Interruption | None = None
    reply: CalmReply | None = None


class Blueprint(Record):
    """One conversation to be made.

    Attributes:
        ordinal: Its place in the corpus, from 0.
        rotation: Counts the calls of one workflow, from a start that the seed decides; spreads the agent's wordings.
        seed: Every draw in the conversation derives from it.
        facts: The caller's facts in this call, one value of each.
        outcome: `success` or the id of a hard stop.
    """

    schema_version: int = SCHEMA_VERSION
    conversation_id: ConversationId
    ordinal: int
    rotation: int
    workflow: str
    intent: str
    seed: int
    facts: dict[str, FactValue]
    outcome: str
    stages: tuple[str, ...]
    rounds: tuple[RoundPlan, ...]

    @property
    def messages(self) -> int:
        """Number of messages of both sides."""
        return 2 * len(self.rounds) - (self.rounds[-1].reply is None)

    @property
    def interruptions(self) -> tuple[tuple[int, Interruption], ...]:
        """All interruptions with their user turn index (from 0)."""
        return tuple((i, r.interruption) for i, r in enumerate(self.rounds) if r.interruption is not None)
