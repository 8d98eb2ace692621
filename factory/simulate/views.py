"""Views: the whole of what a role may know. A role is a function from its view to its output.

The caller's side has two views, and no field of theirs can hold what was not delivered: their history
is made by `heard_history`, which ends at the onset.
"""

from collections.abc import Iterable

from factory.records.base import Record
from factory.records.blueprint import ActUse, RoundPlan
from factory.records.callers import Intent
from factory.records.conversation import (
    Message,
    ReactionPlan,
    ReleasedLine,
    Round,
    Segment,
    Utterance,
    delivered_history,
    history_of,
)
from factory.records.enums import InterruptionType, Profile, Speaker, Speech
from factory.records.ledger import Read


class PlannerView(Record):
    """Agent side: what the round planner sees.

    Attributes:
        workflow: Digest of the workflow's agent side.
        history: The agent's words as meant, the caller's as said.
        entry: This round's entry of the blueprint.
        slots: Values that the caller has given, as they stand.
        seed: For its draws.
    """

    workflow: str
    history: tuple[Message, ...]
    entry: RoundPlan
    slots: dict[str, str]
    seed: int


class AssistantPlan(Record):
    """What the agent will do in one turn, as if nobody interrupted.

    Attributes:
        acts: The acts, in order.
        note: How to do them, from a planner who has seen the call so far; empty where there is none.
    """

    acts: tuple[ActUse, ...]
    note: str = ""


class AssistantView(Record):
    """Agent side: what the assistant sees; the blueprint is not in it.

    Attributes:
        workflow: Digest of the workflow's agent side.
        history: What was delivered.
        plan: Its plan for this turn.
        after: The type of interruption that has just occurred.
        answered: The question that the caller has just answered.
        slots: Values that the caller has given, as they stand.
        revised: Values that the caller has taken back.
        turn: Index of the agent turn.
        attempt: How often this turn was worded before.
        rotation: Spreads wordings over the calls of one workflow.
        seed: For its draws.
        remainder: What is still to be said of the turn that a filler has just cut.
    """

    workflow: str
    history: tuple[Message, ...]
    plan: AssistantPlan
    after: InterruptionType | None
    answered: str | None
    slots: dict[str, str]
    revised: dict[str, str]
    turn: int
    attempt: int
    rotation: int
    seed: int
    remainder: tuple[Segment, ...] = ()


class CutterView(Record):
    """Code between the sides: what the place of a cut is chosen from.

    Attributes:
        segments: The utterance as meant.
        act: Index of the segment that gets cut.
        type: How the caller cuts in.
        seed: For the draw.
    """

    segments: tuple[Segment, ...]
    act: int
    type: InterruptionType
    seed: int


class WriterView(Record):
    """Behind the call: what the writers of rubric and controls see, each part by its digest.

    Attributes:
        parts: By the ids that the ledger has for them.
    """

    parts: dict[str, str]


class IntentView(Record):
    """What a caller knows about themselves."""

    reaction: str
    profile: Profile
    speaks: Speech
    description: str
    hidden_information: tuple[str, ...]


class ReactionView(Record):
    """Caller's side: what the reaction planner sees.

    Attributes:
        heard: What the caller has listened to; the last agent message ends at the onset.
        type: How they react, where they cut in.
        lines: Authored lines that code released because their ground was heard.
        facts: The caller's facts that those lines need.
    """

    heard: tuple[Message, ...]
    intent: IntentView
    type: InterruptionType | None
    lines: tuple[ReleasedLine, ...]
    facts: dict[str, str]
    seed: int


class UserView(Record):
    """Caller's side: what the user sees; the intent is not in it."""

    heard: tuple[Message, ...]
    plan: ReactionPlan
    type: InterruptionType | None
    facts: dict[str, str]
    seed: int


def writer_view(reads: Iterable[Read]) -> WriterView:
    """The view that consists of these reads."""
    return WriterView(parts={read.item: read.content for read in reads})


def intent_view(intent: Intent) -> IntentView:
    """The part of an intent that the caller's side reads; its interruption profile is the planner's."""
    return IntentView(
        reaction=intent.reaction,
        profile=intent.profile,
        speaks=intent.speaks,
        description=intent.description,
        hidden_information=tuple(h.info for h in intent.hidden_information),
    )


def heard_history(rounds: tuple[Round, ...], now: Utterance) -> tuple[Message, ...]:
    """What the caller has heard when they speak: earlier turns as delivered, this one up to the onset."""
    return (*delivered_history(rounds), Message(speaker=Speaker.AGENT, text=now.heard))


def meant_history(rounds: tuple[Round, ...]) -> tuple[Message, ...]:
    """The agent's words as meant and the caller's as said: the round planner's history."""
    return history_of(rounds, lambda agent: agent.text)


def joined(segments: tuple[Segment, ...]) -> str:
    """The text of segments as one utterance."""
    return " ".join(s.text for s in segments)
