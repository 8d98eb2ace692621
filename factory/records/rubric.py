"""What a good recovery is, written before anyone answers; and the controls that prove it."""

from enum import StrEnum
from typing import Annotated

from pydantic import Field

from factory.records.base import SCHEMA_VERSION, Record
from factory.records.enums import InterruptionType

SHORT_WORDS = 60
"""A response to a caller in a hurry has no more words than this: about twenty seconds of speech."""


class RuleKind(StrEnum):
    """Mechanical rules that a checker decides from a response alone; see `factory.rubric.checker`.

    `EXACT_CONTINUATION` begins with the first undelivered words, `FRESH_START` does not. `MENTIONS_EACH`
    holds one word of each group. `NO_HEARD_REPEAT` and `SKIPS_CUT_CONTENT` share no phrase with a text.
    `NOT_DEFENSIVE`, `NO_OLD_VALUE` hold none of a group, `NO_ACKNOWLEDGEMENT` begins with none.
    `ENGAGES_BEFORE_RESUMING` holds one of the first group before the last of the second. `ASKS` holds a
    question. `SHORT` is at most `limit` words.
    """

    ASKS = "asks"
    EXACT_CONTINUATION = "exact_continuation"
    FRESH_START = "fresh_start"
    MENTIONS_EACH = "mentions_each"
    NO_HEARD_REPEAT = "no_heard_repeat"
    SKIPS_CUT_CONTENT = "skips_cut_content"
    NOT_DEFENSIVE = "not_defensive"
    NO_ACKNOWLEDGEMENT = "no_acknowledgement"
    NO_OLD_VALUE = "no_old_value"
    ENGAGES_BEFORE_RESUMING = "engages_before_resuming"
    SHORT = "short"


class Rule(Record):
    """One mechanical rule.

    Attributes:
        groups: Groups of words or phrases that decide it.
        text: A text that decides it (the exact remainder, the heard words, the skipped content).
        limit: A number of words that decides it.
    """

    kind: RuleKind
    groups: tuple[tuple[str, ...], ...] = ()
    text: str = ""
    limit: int = 0


class Criterion(Record):
    """A yes/no question about one response, self-contained, with the rules that decide it mechanically."""

    text: str
    rules: tuple[Rule, ...] = ()


class ControlKind(StrEnum):
    """A reference recovery, or a named wrong one."""

    REFERENCE = "reference"
    RESTARTS = "restarts"
    REPEATS_HEARD = "repeats_heard"
    IGNORES_CALLER = "ignores_caller"
    WRONG_STAGE = "wrong_stage"
    ACKNOWLEDGES_FILLER = "acknowledges_filler"
    KEEPS_OLD_VALUE = "keeps_old_value"
    DEFENSIVE = "defensive"
    STALLS = "stalls"
    RE_EXPLAINS = "re_explains"
    STAYS_ON_TOPIC_SWITCH = "stays_on_topic_switch"


class Control(Record):
    """A response to the item that is known to be right or wrong, and why."""

    kind: ControlKind
    text: str


class Item(Record):
    """One evaluation item: an interruption, its rubric and its controls. Frozen by the manifest.

    Attributes:
        turn: Number of the interrupting user turn, from 1.
        history: Digest of the delivered history up to and including the interruption.
        task_fulfilment: What the next single response can do: all of it, and only that.
        recovery: Two to four criteria of how the transition is made.
    """

    schema_version: int = SCHEMA_VERSION
    conversation_id: str
    turn: Annotated[int, Field(ge=1)]
    type: InterruptionType
    history: str
    task_fulfilment: Criterion
    recovery: Annotated[tuple[Criterion, ...], Field(min_length=2, max_length=4)]
    controls: Annotated[tuple[Control, ...], Field(min_length=4)]

    @property
    def item_id(self) -> str:
        """Names the item in manifest, answers and reports."""
        return item_id_of(self.conversation_id, self.turn)

    @property
    def reference(self) -> str:
        """The reference recovery."""
        return self.controls[0].text


def item_id_of(conversation_id: str, turn: int) -> str:
    """The id of the item in one turn of a conversation, counted from 1."""
    return f"{conversation_id}#{turn}"
