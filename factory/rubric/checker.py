"""Decides the mechanical rules of a rubric from a response alone: no model, no opinion."""

from collections.abc import Callable

from factory.records.rubric import Criterion, Item, Rule, RuleKind
from factory.workflow.phrases import bare_words, holds_phrase, phrase_places, shares_phrase

CONTINUATION_WORDS = 4
"""First words that decide whether a response goes on exactly where it was cut, or starts afresh."""

DISMISSIVE = (
    "as i said", "as i already", "like i said", "i already told", "i already explained", "calm down",
    "no reason to get upset", "you have to do this", "not my problem", "that's not what you said",
    "let me finish", "are you sure", "there's nothing to discuss",
)  # fmt: skip
"""Phrases that no good agent says to a caller who objects or corrects."""


def _any(response: str, group: tuple[str, ...]) -> bool:
    return any(holds_phrase(response, word) for word in group)


def _places(response: str, group: tuple[str, ...]) -> list[int]:
    """Indices of the words at which phrases of a group start, in order."""
    return sorted(place for phrase in group for place in phrase_places(response, phrase))


def _first(text: str) -> tuple[str, ...]:
    return bare_words(text)[:CONTINUATION_WORDS]


def _continues(response: str, rule: Rule) -> bool:
    return _first(response) == _first(rule.text)


def _engages_first(response: str, rule: Rule) -> bool:
    """The answer stands before the last thing that is resumed; it may itself touch on what comes later."""
    engaged, resumed = (_places(response, group) for group in rule.groups)
    return bool(engaged) and (not resumed or engaged[0] < resumed[-1])


_DECIDE: dict[RuleKind, Callable[[str, Rule], bool]] = {
    RuleKind.ASKS: lambda response, rule: "?" in response,
    RuleKind.EXACT_CONTINUATION: _continues,
    RuleKind.FRESH_START: lambda response, rule: not _continues(response, rule),
    RuleKind.MENTIONS_EACH: lambda response, rule: all(_any(response, group) for group in rule.groups),
    RuleKind.NO_HEARD_REPEAT: lambda response, rule: not shares_phrase(response, rule.text),
    RuleKind.SKIPS_CUT_CONTENT: lambda response, rule: not shares_phrase(response, rule.text),
    RuleKind.NOT_DEFENSIVE: lambda response, rule: not _any(response, rule.groups[0]),
    RuleKind.NO_ACKNOWLEDGEMENT: lambda response, rule: (
        not any(holds_phrase(" ".join(bare_words(response)[: len(bare_words(w))]), w) for w in rule.groups[0])
    ),
    RuleKind.NO_OLD_VALUE: lambda response, rule: not _any(response, rule.groups[0]),
    RuleKind.SHORT: lambda response, rule: len(bare_words(response)) <= rule.limit,
    RuleKind.ENGAGES_BEFORE_RESUMING: _engages_first,
}


def broken_rules(criterion: Criterion, response: str) -> tuple[RuleKind, ...]:
    """The rules of a criterion that a response breaks; empty if it keeps all (or there are none)."""
    return tuple(rule.kind for rule in criterion.rules if not _DECIDE[rule.kind](response, rule))


def check_response(item: Item, response: str) -> tuple[RuleKind, ...]:
    """Every mechanical rule of an item that a response breaks, over both axes."""
    return tuple(
        kind for criterion in (item.task_fulfilment, *item.recovery) for kind in broken_rules(criterion, response)
    )
