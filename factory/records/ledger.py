"""The ledger: one line for each role call, chained per conversation."""

from enum import StrEnum

from factory.records.base import Record, canonical_json, sha256
from factory.records.models import ModelCall

GENESIS = "0" * 64
"""The `previous` of a conversation's first line."""


NOTHING = sha256(canonical_json(None))
"""The content of what a role wrote that made nothing: its round is run again."""


class Role(StrEnum):
    """Who reads and writes; each is a function from its view to its output."""

    SYSTEM_WRITER = "system_writer"
    PLANNER = "planner"
    ASSISTANT = "assistant"
    CUTTER = "cutter"
    REACTION_PLANNER = "reaction_planner"
    USER = "user"
    RUBRIC_WRITER = "rubric_writer"
    CONTROL_WRITER = "control_writer"
    VERIFIER = "verifier"
    REWINDER = "rewinder"
    MODIFIER = "modifier"


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
    SYSTEM_MESSAGE = "system_message"
    FINDINGS = "findings"
    RERUN = "rerun"
    EDIT = "edit"


class Read(Record):
    """A data item that a call read or wrote: its kind, its id in this conversation, its digest."""

    label: Label
    item: str
    content: str


class LedgerLine(Record):
    """One call.

    Attributes:
        sequence: From 0, without gaps.
        branch: Which of the role's ways was taken (`normal`, `interrupting`, …); the rewinder's is why it rewound.
        view: Digest of the view; the rebuilt view must have the same.
        wrote: The label of what came out, with its id and digest.
        engine: Who answered (`composer`, `code`, or a model's name).
        call: How a model was asked, where one was: template, prompt, replies and what they used.
        previous: Digest of the line before.
    """

    sequence: int
    conversation_id: str
    round: int
    attempt: int
    role: Role
    branch: str
    engine: str
    call: ModelCall | None = None
    view: str
    reads: tuple[Read, ...]
    wrote: Read
    previous: str
