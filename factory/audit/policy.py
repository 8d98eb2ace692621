"""Which kind of data may reach which role, and what each role makes. The flow report holds every use against this."""

from enum import StrEnum

from factory.records.ledger import Label, Role

_ITEM = frozenset(
    {
        Label.WORKFLOW_AGENT_SIDE,
        Label.HISTORY_DELIVERED,
        Label.UTTERANCE_AS_MEANT,
        Label.BLUEPRINT_ROUND,
        Label.INTERRUPTION_TYPE,
        Label.CALLER_VALUES,
    }
)
"""What an interruption's rubric is written from."""

_CONVERSATION = frozenset(
    {
        Label.WORKFLOW_AGENT_SIDE,
        Label.BLUEPRINT_ROUND,
        Label.UTTERANCE_AS_MEANT,
        Label.CUT,
        Label.CALLER_WORDS,
    }
)
"""What a finished conversation is checked by."""

ALLOWED: dict[Role, frozenset[Label]] = {
    Role.SYSTEM_WRITER: frozenset({Label.WORKFLOW_AGENT_SIDE}),
    Role.PLANNER: frozenset(
        {
            Label.WORKFLOW_AGENT_SIDE,
            Label.HISTORY_AS_MEANT,
            Label.BLUEPRINT_ROUND,
            Label.CALLER_VALUES,
            Label.SEED,
        }
    ),
    Role.ASSISTANT: frozenset(
        {
            Label.WORKFLOW_AGENT_SIDE,
            Label.HISTORY_DELIVERED,
            Label.AGENT_PLAN,
            Label.INTERRUPTION_TYPE,
            Label.CALLER_VALUES,
            Label.UTTERANCE_AS_MEANT,
            Label.EDIT,
            Label.SEED,
        }
    ),
    Role.CUTTER: frozenset({Label.UTTERANCE_AS_MEANT, Label.BLUEPRINT_ROUND, Label.INTERRUPTION_TYPE, Label.SEED}),
    Role.REACTION_PLANNER: frozenset(
        {
            Label.HISTORY_HEARD,
            Label.INTENT,
            Label.INTERRUPTION_TYPE,
            Label.RELEASED_LINES,
            Label.RELEASED_FACTS,
            Label.SEED,
        }
    ),
    Role.USER: frozenset(
        {
            Label.HISTORY_HEARD,
            Label.REACTION_PLAN,
            Label.INTERRUPTION_TYPE,
            Label.RELEASED_FACTS,
            Label.SEED,
        }
    ),
    Role.RUBRIC_WRITER: _ITEM,
    Role.CONTROL_WRITER: _ITEM | {Label.RUBRIC, Label.SEED},
    Role.VERIFIER: _CONVERSATION,
    Role.REWINDER: _CONVERSATION,
    Role.MODIFIER: frozenset({Label.HISTORY_DELIVERED, Label.UTTERANCE_AS_MEANT, Label.FINDINGS}),
}
"""What each role may read; everything else is a violation."""

MAKES: dict[Role, Label] = {
    Role.SYSTEM_WRITER: Label.SYSTEM_MESSAGE,
    Role.PLANNER: Label.AGENT_PLAN,
    Role.ASSISTANT: Label.UTTERANCE_AS_MEANT,
    Role.CUTTER: Label.CUT,
    Role.REACTION_PLANNER: Label.REACTION_PLAN,
    Role.USER: Label.CALLER_WORDS,
    Role.RUBRIC_WRITER: Label.RUBRIC,
    Role.CONTROL_WRITER: Label.CONTROLS,
    Role.VERIFIER: Label.FINDINGS,
    Role.REWINDER: Label.RERUN,
    Role.MODIFIER: Label.EDIT,
}
"""The one kind of data that each role writes."""


MODELS_ONLY = frozenset({Role.SYSTEM_WRITER, Role.VERIFIER, Role.MODIFIER})
"""Roles that nobody plays where the composer writes."""


class Channel(StrEnum):
    """The only ways in which undelivered text can touch the caller's side."""

    CUT = "cut"
    RELEASE = "release"
    RERUN = "re-run"


DECLARED_CHANNELS: dict[Channel, str] = {
    Channel.CUT: "the place of the cut is chosen from the utterance as meant, so its length tells something of it",
    Channel.RELEASE: "code hands the caller's side authored lines whose ground was wholly heard before the onset",
    Channel.RERUN: "a round may have been run again for something that the caller had not heard; no role is told why",
}
"""Why each channel is there; its uses are counted, not denied."""


def may_read(role: Role, label: Label) -> bool:
    """Whether a role may read a kind of data."""
    return label in ALLOWED[role]


def may_write(role: Role, label: Label) -> bool:
    """Whether a role may write a kind of data."""
    return label is MAKES[role]
