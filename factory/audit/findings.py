"""What an audit can find: a closed list of kinds, each naming one way in which a run fails to prove itself."""

from collections.abc import Callable
from enum import StrEnum

from factory.records.base import Record
from factory.records.ledger import Label
from factory.report.labels import counted

MOST_KEPT = 500
"""Findings that are kept with their words; the rest are only counted, so that a ruined run fits into memory."""
MOST_SHOWN = 80
"""Characters of a text out of the files that a message repeats."""


class Kind(StrEnum):
    """What was found.

    About the ledger itself: `ledger_missing`, `ledger_damaged` (a line that is none, or half of one),
    `ledger_foreign` (a line of another conversation, or a file that the root does not name), `chain_broken` (a
    line does not hold the digest of the one before), `sequence_broken` (numbers with gaps or out of order),
    `order_broken` (calls that no round has in this order), `head_differs`, `root_differs`.

    About who read what: `label_not_allowed`, `write_not_allowed`, `reads_incomplete` (not the items that a role's
    view consists of), `content_differs` (an item's digest is not that of the published content), `view_differs`
    (a rebuilt view has another digest), `call_missing`, `call_unpublished`, `attempt_differs`, `reason_differs` (a
    rewind's reason is not on the closed list, or not the one that the calls before it show), `edit_differs` (the
    agent's words were settled before they were said again, and not by an edit or by what was said before),
    `engine_differs` (who answered, or in which way, is not who or what run.json names and the calls around it show; or
    the replies do not bear out what was taken).

    About the flow graph: `path_leaks` (a path leads from what is withheld to a call that must not get it, and no rule
    on it lowers it), `origin_unknown` (what a call of the caller's side read was made by no call and by no rule, or an
    id is none).

    About the order: `freeze_missing`, `freeze_damaged`, `freeze_differs` (root, versions, commitment or published
    rubrics do not fit, or a digest is not the one in the chain).

    About the prompts of the caller's side: `template_differs` (a template here is not the one that the ledger names),
    `template_reads_more` (one cannot be filled from the role's view alone), `prompt_differs` (a prompt that was
    rendered from the rebuilt view has another digest).

    About the published files: `heard_differs`, `delivered_differs`, `transcript_differs`, `recorded_view_differs`,
    `conversation_missing`, `conversation_twice` (the same messages under another id), `dataset_damaged`.

    About blinding: `undelivered_matters`, `canary_heard`, `canary_published`, `withheld_handed` (a released line, the
    facts, the plan or the intent have words that were not heard, of another caller, or of the agent's side).
    """

    LEDGER_MISSING = "ledger_missing"
    LEDGER_DAMAGED = "ledger_damaged"
    LEDGER_FOREIGN = "ledger_foreign"
    CHAIN_BROKEN = "chain_broken"
    SEQUENCE_BROKEN = "sequence_broken"
    ORDER_BROKEN = "order_broken"
    HEAD_DIFFERS = "head_differs"
    ROOT_DIFFERS = "root_differs"
    LABEL_NOT_ALLOWED = "label_not_allowed"
    WRITE_NOT_ALLOWED = "write_not_allowed"
    READS_INCOMPLETE = "reads_incomplete"
    CONTENT_DIFFERS = "content_differs"
    VIEW_DIFFERS = "view_differs"
    CALL_MISSING = "call_missing"
    CALL_UNPUBLISHED = "call_unpublished"
    ATTEMPT_DIFFERS = "attempt_differs"
    REASON_DIFFERS = "reason_differs"
    EDIT_DIFFERS = "edit_differs"
    ENGINE_DIFFERS = "engine_differs"
    PATH_LEAKS = "path_leaks"
    ORIGIN_UNKNOWN = "origin_unknown"
    FREEZE_MISSING = "freeze_missing"
    FREEZE_DAMAGED = "freeze_damaged"
    FREEZE_DIFFERS = "freeze_differs"
    TEMPLATE_DIFFERS = "template_differs"
    TEMPLATE_READS_MORE = "template_reads_more"
    PROMPT_DIFFERS = "prompt_differs"
    HEARD_DIFFERS = "heard_differs"
    DELIVERED_DIFFERS = "delivered_differs"
    TRANSCRIPT_DIFFERS = "transcript_differs"
    RECORDED_VIEW_DIFFERS = "recorded_view_differs"
    CONVERSATION_MISSING = "conversation_missing"
    CONVERSATION_TWICE = "conversation_twice"
    DATASET_DAMAGED = "dataset_damaged"
    UNDELIVERED_MATTERS = "undelivered_matters"
    CANARY_HEARD = "canary_heard"
    CANARY_PUBLISHED = "canary_published"
    WITHHELD_HANDED = "withheld_handed"


Add = Callable[[Kind, str], None]
"""Takes a finding about something whose place is known."""

AddIn = Callable[[Kind, str, int | None], None]
"""Takes a finding about a round, or about the conversation as a whole."""


class Finding(Record):
    """One thing that does not hold.

    Attributes:
        conversation_id: Where; None if it concerns the run as a whole.
        round: In which round, from 0; None if it concerns the conversation as a whole.
        message: What does not hold, in words.
    """

    kind: Kind
    conversation_id: str | None = None
    round: int | None = None
    message: str

    @property
    def place(self) -> str:
        """Conversation and round, as people read them; `the run` where it has neither."""
        if self.conversation_id is None:
            return "the run"
        return self.conversation_id if self.round is None else f"{self.conversation_id}, {round_words(self.round)}"

    def __str__(self) -> str:
        """One line for a terminal."""
        return f"{self.kind}: {self.place}: {self.message}"


class Findings:
    """Collects findings: all are counted, the first are kept."""

    def __init__(self) -> None:
        """Begins with none."""
        self.kept: list[Finding] = []
        self.counts: dict[Kind, int] = {}

    def add(self, kind: Kind, message: str, conversation_id: str | None = None, round: int | None = None) -> None:
        """Adds one; text from the files in its message must have gone through `shown`."""
        self.counts[kind] = self.counts.get(kind, 0) + 1
        if len(self.kept) < MOST_KEPT:
            where = None if conversation_id is None else shown(conversation_id)
            self.kept.append(Finding(kind=kind, conversation_id=where, round=round, message=message))

    def by_kind(self) -> dict[Kind, int]:
        """How many there are of each kind that was found, in the order of the kinds."""
        return {kind: self.counts[kind] for kind in Kind if kind in self.counts}

    def in_words(self) -> str:
        """How many there are, and of which kinds: the most frequent first."""
        counts = sorted(self.counts.items(), key=lambda entry: (-entry[1], entry[0].value))
        return f"{counted(self.total, 'finding')} ({', '.join(f'{number:,} {kind.value}' for kind, number in counts)})"

    @property
    def total(self) -> int:
        """How many there are."""
        return sum(self.counts.values())


def round_words(round: int) -> str:
    """A round, which counts from 0, with its turn in the columns, which counts from 1."""
    return f"round {round} (turn {round + 1})"


def kind_words(label: Label) -> str:
    """A kind of data as a message names it."""
    return label.value.replace("_", " ")


def shown(text: str, most: int = MOST_SHOWN) -> str:
    """A text out of the files, fit for a message: one short line that no terminal takes for a command."""
    plain = "".join(letter if letter.isprintable() else "�" for letter in text[: most + 1])
    return plain if len(plain) <= most else f"{plain[: most - 1]}…"
