"""Which kind of data may reach which role. The matrix of the flow report holds every use against this."""

from factory.records.ledger import Label, Role

ALLOWED: dict[Role, frozenset[Label]] = {
    Role.PLANNER: frozenset({Label.WORKFLOW_AGENT_SIDE, Label.HISTORY_AS_MEANT, Label.BLUEPRINT_ROUND}),
    Role.ASSISTANT: frozenset(
        {
            Label.WORKFLOW_AGENT_SIDE,
            Label.HISTORY_DELIVERED,
            Label.AGENT_PLAN,
            Label.INTERRUPTION_TYPE,
            Label.SEED,
        }
    ),
    Role.CUTTER: frozenset({Label.UTTERANCE_AS_MEANT, Label.INTERRUPTION_TYPE, Label.SEED}),
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
    Role.RUBRIC_WRITER: frozenset({Label.WORKFLOW_AGENT_SIDE, Label.HISTORY_AS_MEANT, Label.INTERRUPTION_TYPE}),
}
"""What each role may read; everything else is a violation."""

DECLARED_CHANNELS: dict[str, str] = {
    "cut": "the place of the cut is chosen from the utterance as meant, so its length tells something of it",
    "release": "code hands the caller's side authored lines whose ground was wholly heard before the onset",
    "re-run": "a round that was run again may have been so for something that the caller had not heard",
}
"""The only ways in which undelivered text can touch the caller's side; each is counted."""


def may_read(role: Role, label: Label) -> bool:
    """Whether a role may read a kind of data."""
    return label in ALLOWED[role]
