"""What the rules came to, as records."""

from factory.audit.columns.rules import Certainty, ColumnRule
from factory.records.base import Record
from factory.records.enums import InterruptionType


class RuleCount(Record):
    """How often one rule was checked and broken, for interruptions of one type.

    Attributes:
        rule: Which.
        type: Of which interruptions; None for what is about no interruption of the six types.
        checked: Times that it could be checked.
        broken: Those in which it is broken for certain.
        looks_broken: Those in which it looks broken.
    """

    rule: ColumnRule
    type: InterruptionType | None
    checked: int
    broken: int
    looks_broken: int


class BrokenRule(Record):
    """One place in which a rule is broken, or looks so.

    Attributes:
        conversation_id: The call; its row's number where it has no id.
        row: The row's number in the file, from 1.
        turn: The number in the columns' names, from 1; None where it is about the whole call.
        type: The interruption's type; None where it is about no interruption of the six types.
        message: What does not hold, in words.
    """

    rule: ColumnRule
    certainty: Certainty
    conversation_id: str
    row: int
    turn: int | None
    type: InterruptionType | None
    message: str

    def __str__(self) -> str:
        """One line for a terminal."""
        turn = "" if self.turn is None else f", turn {self.turn}"
        kind = "" if self.type is None else f" ({self.type})"
        sure = "" if self.certainty is Certainty.CERTAIN else " (looks so)"
        return f"{self.rule}{sure}: {self.conversation_id}, row {self.row}{turn}{kind}: {self.message}"


class RulesResult(Record):
    """The rules over a whole corpus.

    Attributes:
        interruptions: Turns in which it is said that the caller cut in.
        by_type: Those of them that are of the six types.
        counts: Every rule that could be checked, by type.
        examples: The first ten breaks of each rule, by rule.
    """

    interruptions: int
    by_type: dict[InterruptionType, int]
    counts: tuple[RuleCount, ...]
    examples: tuple[BrokenRule, ...]

    @property
    def broken(self) -> int:
        """How often a rule is broken for certain."""
        return sum(count.broken for count in self.counts)

    @property
    def looks_broken(self) -> int:
        """How often one looks broken."""
        return sum(count.looks_broken for count in self.counts)
