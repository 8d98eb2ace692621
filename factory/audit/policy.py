"""Which kind of data may reach which role, what each role makes, and which rules let through what is withheld.

The flow report holds every use against this.
"""

from enum import StrEnum

from factory.records.ledger import USER_SIDE, Label, Role

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


class Source(StrEnum):
    """Where data comes from that has to be followed through a conversation; the values are words for people.

    `UNDELIVERED` and `SPOKEN_OVER` are parts of one utterance, `PLAN` is the plan for one turn of the agent's.
    """

    UNDELIVERED = "undelivered words"
    SPOKEN_OVER = "words that were spoken over"
    STAGES = "stages and guidelines"
    OTHER_CALLERS = "other callers' hidden information"
    BLUEPRINT = "the blueprint"
    PLAN = "an agent's plan"
    ANSWERS = "a target's answers"
    INTENT = "this caller's intent and facts"
    SEEDS = "seeds that code drew"


_WORDED_FROM = (
    Source.UNDELIVERED,
    Source.SPOKEN_OVER,
    Source.STAGES,
    Source.OTHER_CALLERS,
    Source.BLUEPRINT,
    Source.PLAN,
)
"""What an agent's words may be written from, and a caller must not know before they are said; the gravest first."""

WITHHELD: dict[Source, frozenset[Role]] = {
    **dict.fromkeys(_WORDED_FROM, USER_SIDE),
    Source.ANSWERS: frozenset({Role.RUBRIC_WRITER, Role.CONTROL_WRITER}),
}
"""Whom a source must not reach on any path on which no rule lowers it; the gravest come first."""


class Channel(StrEnum):
    """The rules that lower what data carries along: the only ways in which what is withheld may touch a caller."""

    CUT = "cut"
    SPOKEN = "spoken"
    FILLER = "filler"
    RELEASE = "release"
    ORDER = "order"
    RERUN = "re-run"


DECLARED_CHANNELS: dict[Channel, str] = {
    Channel.CUT: "only the words up to the onset are heard; the place of the cut is chosen from the utterance as "
    "meant, so its length tells something of it",
    Channel.SPOKEN: "what was said aloud and heard is known, whatever it was written from",
    Channel.FILLER: "a turn that goes on behind a filler says the rest of what was cut, and makes it heard",
    Channel.RELEASE: "code hands the caller's side authored lines whose ground was wholly heard before the onset, and "
    "the facts in them",
    Channel.ORDER: "whether the caller cuts in, and by which type, is ordered; of that order, the type alone goes on",
    Channel.RERUN: "a round may have been run again for something that the caller had not heard; no role is told why",
}
"""Why each channel is there; its uses are counted, not denied."""

USED: dict[Channel, str] = {
    Channel.CUT: "utterances that were cut",
    Channel.SPOKEN: "texts that were said: of a turn that was cut, up to the onset and up to the cut",
    Channel.FILLER: "turns that go on behind a filler",
    Channel.RELEASE: "times that the reaction planner was given released lines",
    Channel.ORDER: "times that the order of a round was read for the caller",
    Channel.RERUN: "rounds run again, and calls drawn anew",
}
"""What one use of each channel is."""

LOWERS: dict[Channel, frozenset[Source]] = {
    Channel.CUT: frozenset({Source.UNDELIVERED, Source.SPOKEN_OVER}),
    Channel.SPOKEN: frozenset(_WORDED_FROM),
    Channel.FILLER: frozenset(_WORDED_FROM),
    Channel.RELEASE: frozenset({Source.STAGES, Source.OTHER_CALLERS, Source.BLUEPRINT}),
    Channel.ORDER: frozenset({Source.BLUEPRINT}),
    Channel.RERUN: frozenset(_WORDED_FROM),
}
"""What each channel lowers. Neither cut nor saying a turn lowers all of these: see `factory.audit.graph.graph`."""


def may_read(role: Role, label: Label) -> bool:
    """Whether a role may read a kind of data."""
    return label in ALLOWED[role]


def may_write(role: Role, label: Label) -> bool:
    """Whether a role may write a kind of data."""
    return label is MAKES[role]
