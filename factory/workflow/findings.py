"""What the linter finds, and the closed list of what it checks."""

from enum import IntEnum, StrEnum

from factory.records.base import Record


class Severity(StrEnum):
    """An error makes wrong calls or none; a warning makes poorer ones."""

    ERROR = "error"
    WARNING = "warning"


class Phase(IntEnum):
    """In which order an author mends a workflow: what comes first is in the way of what comes later."""

    GAPS = 0
    STRUCTURE = 1
    WORDING = 2
    COUNTS = 3


class Check(StrEnum):
    """Everything that is proved about a workflow, by the name that stands behind a finding."""

    GAP = "gap"
    UNIQUE_ID = "unique-id"
    REFERENCE = "reference"
    ENTRY = "entry"
    UNREACHABLE = "unreachable"
    SUCCESS = "success"
    FAILURE_LOOP = "failure-loop"
    HARD_STOP_UNUSED = "hard-stop-unused"
    CLOSING = "closing"
    TERMINATE_LAST = "terminate-last"
    LEADS_TO = "leads-to"
    TELLS_IN_A_ROW = "tells-in-a-row"
    PLACEHOLDER = "placeholder"
    UNFILLED = "unfilled"
    SENSITIVE = "sensitive"
    SLOT_WITHOUT_FACT = "slot-without-fact"
    FILLED_TWICE = "filled-twice"
    VERIFICATION_REVISABLE = "verification-revisable"
    VERIFICATION_FACT = "verification-fact"
    CONDITION_VALUE = "condition-value"
    CONDITION_EARLY = "condition-early"
    CONDITION_REVISED = "condition-revised"
    REPLY_COVERAGE = "reply-coverage"
    REPLY_CONDITION = "reply-condition"
    REPLY_VALUE = "reply-value"
    CORRECTED = "corrected"
    WRONG_ANSWER = "wrong-answer"
    PUSHBACK_PLACE = "pushback-place"
    MOVE_UNUSED = "move-unused"
    CONTROL_CHARACTER = "control-character"
    MARKUP = "markup"
    UNSAID = "unsaid"
    VARIANTS = "variants"
    DISTINCT = "distinct"
    CUTTABLE = "cuttable"
    HINT = "hint"
    RESUME_OVERLAP = "resume-overlap"
    BRIEF_OVERLAP = "brief-overlap"
    FRESH_START = "fresh-start"
    SUBJECT = "subject"
    MENTIONS = "mentions"
    QUESTION_MARK = "question-mark"
    STYLE = "style"
    ANNOUNCES = "announces"
    LEAD_IN = "lead-in"
    LEFTOVER = "leftover"
    CALLER_VALUE = "caller-value"
    CALLER_NUMBER = "caller-number"
    CALLER_WORDS = "caller-words"
    PUSHBACK_ABOUT = "pushback-about"
    SAME_CALLER = "same-caller"
    WITHHELD_WORDS = "withheld-words"
    MOVES = "moves"
    INTENTS = "intents"
    DIRECTIONS = "directions"
    CARRY = "carry"

    @property
    def phase(self) -> Phase:
        """When it is mended."""
        if self is Check.GAP:
            return Phase.GAPS
        if self in _COUNTS:
            return Phase.COUNTS
        return Phase.WORDING if self in _WORDING else Phase.STRUCTURE


_COUNTS = frozenset({Check.MOVES, Check.INTENTS, Check.DIRECTIONS, Check.CARRY})
_WORDING = frozenset(
    {
        Check.CONTROL_CHARACTER, Check.MARKUP, Check.UNSAID, Check.VARIANTS, Check.DISTINCT, Check.CUTTABLE,
        Check.HINT, Check.RESUME_OVERLAP, Check.BRIEF_OVERLAP, Check.FRESH_START, Check.SUBJECT, Check.MENTIONS,
        Check.QUESTION_MARK, Check.STYLE, Check.ANNOUNCES, Check.LEAD_IN, Check.LEFTOVER, Check.CALLER_NUMBER,
        Check.CALLER_WORDS, Check.PUSHBACK_ABOUT, Check.SAME_CALLER, Check.WITHHELD_WORDS,
    }
)  # fmt: skip


class Finding(Record):
    """One thing that is wrong with a workflow.

    Attributes:
        severity: Whether the workflow can be used all the same.
        check: Which rule it breaks.
        place: Where, as `stages.verify.acts.ask_account.say[2]`: list elements by `id`, else by position.
        message: What is wrong, and what to do.
    """

    severity: Severity
    check: Check
    place: str
    message: str

    @property
    def order(self) -> tuple[Phase, bool]:
        """Sorts findings as an author mends them; in each phase errors come first."""
        return self.check.phase, self.severity is Severity.WARNING


def error(check: Check, place: str, message: str) -> Finding:
    """A finding that makes the workflow unusable."""
    return Finding(severity=Severity.ERROR, check=check, place=place, message=message)


def warning(check: Check, place: str, message: str) -> Finding:
    """A finding that makes the workflow poorer."""
    return Finding(severity=Severity.WARNING, check=check, place=place, message=message)
