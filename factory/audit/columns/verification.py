"""Whether the agent tells what is on its screen before the caller has given any of it.

Who is verified when, no column says. So what is checked is less, and exactly this: where a stage of the knowledge base
says that it verifies somebody, no number of five digits or more, amount of money, date or e-mail address of
`known_user_information` stands in the agent's delivered words before the caller has said one such value of the record,
or words of it for which such a stage asks; nor does a shorter number that the caller is to give later in the call. The
last digits of a card that the agent only names are told to anybody, and so are names: agents who call open with them.
Left out, too, are the numbers at which the house is reached, and values that the goal or a guideline of the call tells.
"""

from collections.abc import Iterator
from dataclasses import replace

from factory.audit.columns.asked import AT_ONCE, asked_in_words, standing_in, words_of_field
from factory.audit.columns.call import Call
from factory.audit.columns.rules import ColumnRule, Outcome, held, looks_broken
from factory.audit.findings import shown
from factory.audit.scan.values import Sort, Value, values_in, values_of
from factory.audit.scan.words import pieces

_TELLING = frozenset((Sort.DIGITS, Sort.AMOUNT, Sort.DATE, Sort.ADDRESS))
_LEAST_BITS = 9.0
"""What a value has to tell, so that it is not said by chance: three digits, a sum of money, a day of the year."""
_SHORT_DIGITS = 4
"""Digits of a number by which an agent may name something of the caller's."""
_OF_THE_HOUSE = (("line",), ("hotline",), ("helpline",), ("desk",))
"""How fields end that hold a number at which the house is reached: `return_line`, `file_desk`."""


def can_be_checked(call: Call) -> bool:
    """Whether the columns tell enough of a call."""
    return call.base.verifies and bool(_record(call))


def verification_outcomes(call: Call) -> Iterator[Outcome]:
    """The check of one call; none where the columns do not tell enough."""
    if not can_be_checked(call):
        return
    record, asked = _record(call), asked_in_words(call)
    given = frozenset(value for turn in call.turns for value in _said(turn.caller))
    for turn in call.turns:
        told = {value for value in record.keys() & _said(turn.delivered) if value in given or not _is_short(value)}
        if told:
            name = shown(sorted(record[value] for value in told)[0])
            message = f"the agent tells `{name}` before the caller has given anything of the record"
            yield replace(looks_broken(ColumnRule.TOLD_BEFORE_VERIFIED, message, turn), type=None)
            return
        asked -= standing_in(turn.delivered, asked)
        if record.keys() & _said(turn.caller) or standing_in(turn.caller, asked):
            break
    yield held(ColumnRule.TOLD_BEFORE_VERIFIED)


def _record(call: Call) -> dict[Value, str]:
    """The telling values of the record, each with the name of its field; of codes also the last digits."""
    record: dict[Value, str] = {}
    for passage in call.base.known_user:
        for value in _whole(passage.text):
            if value.sort in _TELLING and value.weight >= _LEAST_BITS and not _is_of_the_house(value, passage.place):
                record.setdefault(value, passage.place)
    for text in (call.goal, *(passage.text for passage in call.base.guidelines)):
        for value in _said(text):
            record.pop(value, None)
    return record


def _is_of_the_house(value: Value, field: str) -> bool:
    return value.sort is Sort.DIGITS and words_of_field(field)[-1:] in _OF_THE_HOUSE


def _is_short(value: Value) -> bool:
    return value.sort is Sort.DIGITS and len(value.key) <= _SHORT_DIGITS


def _whole(text: str) -> frozenset[Value]:
    return frozenset(value for piece in pieces(text, AT_ONCE) for value in values_of(piece))


def _said(text: str | None) -> frozenset[Value]:
    """The values in a text, which is taken in pieces, so that no endless one takes more than its share of time."""
    return frozenset(value for piece in pieces(text or "", AT_ONCE) for value in values_in(piece))
