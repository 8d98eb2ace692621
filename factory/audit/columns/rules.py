"""The rules that published columns have to keep, as a closed list, and what one check of one of them comes to."""

from dataclasses import dataclass
from enum import StrEnum

from factory.audit.columns.call import Turn
from factory.records.enums import InterruptionType


class ColumnRule(StrEnum):
    """How a call in the reference's columns can be wrong (IHBench: section 4 of its taxonomy, the cut, its columns).

    About a cut: `not_a_prefix` (what was delivered does not begin the original), `ends_inside_word`, `nothing_cut` (all
    of the original was delivered), `nothing_heard` (nothing of it was), `cut_in_last_sentence`, `cut_on_sentence_end`,
    `too_little_left` (one or two words of the sentence), `overlap_not_possible` (from onset and cut word, where they
    are published: no overlap that the type asks for can be had).

    About the agent's next turn: `filler_repeats` (it says again what was heard, or starts anew), `filler_acknowledged`
    (it reacts to the filler), `filler_not_continued` (it is not the undelivered rest from the very word of the cut on),
    `no_fresh_start` (behind another type it completes the cut sentence), `repeats_heard` (it says five words in a row
    that were heard).

    About the call: `interruption_without_original`, `original_without_interruption`, `unknown_type`,
    `ends_on_interruption`, `turn_missing`, `turn_count_differs`, `id_missing`, `id_twice`, `no_interruptions` (the
    whole corpus has none, so that there is nothing to hold against the rules).

    About rubrics: `rubric_missing` (an interruption lacks its task or its recovery criteria),
    `rubric_without_interruption`.

    About verification: `told_before_verified` (the agent says a value of the record before the caller gave one).
    """

    NOT_A_PREFIX = "not_a_prefix"
    ENDS_INSIDE_WORD = "ends_inside_word"
    NOTHING_CUT = "nothing_cut"
    NOTHING_HEARD = "nothing_heard"
    CUT_IN_LAST_SENTENCE = "cut_in_last_sentence"
    CUT_ON_SENTENCE_END = "cut_on_sentence_end"
    TOO_LITTLE_LEFT = "too_little_left"
    OVERLAP_NOT_POSSIBLE = "overlap_not_possible"
    FILLER_REPEATS = "filler_repeats"
    FILLER_ACKNOWLEDGED = "filler_acknowledged"
    FILLER_NOT_CONTINUED = "filler_not_continued"
    NO_FRESH_START = "no_fresh_start"
    REPEATS_HEARD = "repeats_heard"
    INTERRUPTION_WITHOUT_ORIGINAL = "interruption_without_original"
    ORIGINAL_WITHOUT_INTERRUPTION = "original_without_interruption"
    UNKNOWN_TYPE = "unknown_type"
    ENDS_ON_INTERRUPTION = "ends_on_interruption"
    TURN_MISSING = "turn_missing"
    TURN_COUNT_DIFFERS = "turn_count_differs"
    ID_MISSING = "id_missing"
    ID_TWICE = "id_twice"
    NO_INTERRUPTIONS = "no_interruptions"
    RUBRIC_MISSING = "rubric_missing"
    RUBRIC_WITHOUT_INTERRUPTION = "rubric_without_interruption"
    TOLD_BEFORE_VERIFIED = "told_before_verified"


class Certainty(StrEnum):
    """How sure it is that a rule is broken.

    `certain`: the columns themselves show it. `looks_so`: a reader should decide; it rests on a threshold, a list of
    words, or on a difference that may be one of writing alone.
    """

    CERTAIN = "certain"
    LOOKS_SO = "looks_so"


@dataclass(frozen=True, slots=True)
class Outcome:
    """One check of one rule.

    Attributes:
        rule: Which.
        turn: The number of the turn, from 1, as in the columns' names; None where it is about the whole call.
        type: The interruption that it is about; None where there is none, or none of the six.
        certainty: How surely the rule is broken; None where it holds.
        message: What does not hold, in words; empty where it does.
    """

    rule: ColumnRule
    turn: int | None = None
    type: InterruptionType | None = None
    certainty: Certainty | None = None
    message: str = ""


def held(rule: ColumnRule, turn: Turn | None = None) -> Outcome:
    """A rule was checked and holds."""
    return _outcome(rule, turn, None, "")


def broken(rule: ColumnRule, message: str, turn: Turn | None = None) -> Outcome:
    """A rule is broken for certain; text out of the files in the message must have gone through `shown`."""
    return _outcome(rule, turn, Certainty.CERTAIN, message)


def looks_broken(rule: ColumnRule, message: str, turn: Turn | None = None) -> Outcome:
    """A rule looks broken; as `broken`."""
    return _outcome(rule, turn, Certainty.LOOKS_SO, message)


def _outcome(rule: ColumnRule, turn: Turn | None, certainty: Certainty | None, message: str) -> Outcome:
    return (
        Outcome(rule, turn.number, turn.type, certainty, message)
        if turn
        else Outcome(rule, None, None, certainty, message)
    )
