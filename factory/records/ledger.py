"""The ledger: one line for each role call, chained per conversation."""

from enum import StrEnum

from factory.records.base import Record

GENESIS = "0" * 64
"""The `previous` of a conversation's first line."""


class Role(StrEnum):
    """Who reads and writes; each is a function from its view to its output."""

    PLANNER = "planner"
    ASSISTANT = "assistant"
    CUTTER = "cutter"
    REACTION_PLANNER = "reaction_planner"
    USER = "user"
    RUBRIC_WRITER = "rubric_writer"
    CONTROL_WRITER = "control_writer"
    VERIFIER = "verifier"


USER_SIDE = frozenset({Role.REACTION_PLANNER, Role.USER})
"""The roles that must not know what was not heard."""


class Label(StrEnum):
    """Kinds of data; what may reach which role is in `factory.audit.policy`."""

    BLUEPRINT_ROUND = "blueprint_round"
    WORKFLOW_AGENT_SIDE = "workflow_agent_side"
    HISTORY_AS_MEANT = "history_as_meant"
    HISTORY_DELIVERED = "history_delivered"
    HISTORY_HEARD = "history_heard"
    AGENT_PLAN = "agent_plan"
    UTTERANCE_AS_MEANT = "utterance_as_meant"
    INTERRUPTION_TYPE = "interruption_type"
    CALLER_VALUES = "caller_values"
    INTENT = "intent"
    RELEASED_LINES = "released_lines"
    RELEASED_FACTS = "released_facts"
    REACTION_PLAN = "reaction_plan"
    SEED = "seed"
    CONTROLS = "controls"
    RUBRIC = "rubric"
    CALLER_WORDS = "caller_words"
    CUT = "cut"
    RERUN = "rerun"


class Read(Record):
    """A data item that a call read or wrote: its kind, its id in this conversation, its digest."""

    label: Label
    item: str
    content: str


class LedgerLine(Record):
    """One call.

    Attributes:
        sequence: From 0, without gaps.
        branch: Which of the role's ways was taken (`normal`, `interrupting`, …); the verifier's is why it rewound.
        view: Digest of the view; the rebuilt view must have the same.
        wrote: The label of what came out, with its id and digest.
        engine: Who answered (`composer`, or a model's name).
        previous: Digest of the line before.
    """

    sequence: int
    conversation_id: str
    round: int
    attempt: int
    role: Role
    branch: str
    engine: str
    view: str
    reads: tuple[Read, ...]
    wrote: Read
    previous: str
