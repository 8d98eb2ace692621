"""What the linter finds, and the closed list of what it checks."""

from enum import StrEnum

from factory.records.base import Record


class Severity(StrEnum):
    """An error makes wrong calls or none; a warning makes poorer ones."""

    ERROR = "error"
    WARNING = "warning"


class Check(StrEnum):
    """Everything that is proved about a workflow, by the name that stands behind a finding."""

    UNIQUE_ID = "unique-id"
    REFERENCE = "reference"
    ENTRY = "entry"
    UNREACHABLE = "unreachable"
    SUCCESS = "success"
    FAILURE_LOOP = "failure-loop"
    HARD_STOP_UNUSED = "hard-stop-unused"
    CLOSING = "closing"
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
    REPLY_VALUE = "reply-value"
    CORRECTED = "corrected"
    WRONG_ANSWER = "wrong-answer"
    VARIANTS = "variants"
    DISTINCT = "distinct"
    CUTTABLE = "cuttable"
    HINT = "hint"
    RESUME_OVERLAP = "resume-overlap"
    BRIEF_OVERLAP = "brief-overlap"
    FRESH_START = "fresh-start"
    MENTIONS = "mentions"
    QUESTION_MARK = "question-mark"
    STYLE = "style"
    ANNOUNCES = "announces"
    LEAD_IN = "lead-in"
    LEFTOVER = "leftover"
    CALLER_VALUE = "caller-value"
    CALLER_NUMBER = "caller-number"
    CALLER_WORDS = "caller-words"
    MOVES = "moves"
    PUSHBACK_PLACE = "pushback-place"
    PUSHBACK_ABOUT = "pushback-about"
    MOVE_UNUSED = "move-unused"
    CARRY = "carry"


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


def error(check: Check, place: str, message: str) -> Finding:
    """A finding that makes the workflow unusable."""
    return Finding(severity=Severity.ERROR, check=check, place=place, message=message)


def warning(check: Check, place: str, message: str) -> Finding:
    """A finding that makes the workflow poorer."""
    return Finding(severity=Severity.WARNING, check=check, place=place, message=message)
