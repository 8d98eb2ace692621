"""The caller says only what they know or have heard, in their own words."""

import re
from collections.abc import Iterator

from factory.records.acts import Act
from factory.records.callers import Alternatives, FactValue
from factory.records.lines import placeholders
from factory.records.workflow import Workflow
from factory.workflow.facts import facts_of, look_up
from factory.workflow.fill import flatten
from factory.workflow.findings import Check, Finding, error, warning
from factory.workflow.flow import Flow
from factory.workflow.lines import CallerRole, SpokenByCaller, act_place
from factory.workflow.phrases import holds_words, is_everyday_word

_NUMBER = re.compile(r"[^\s{}]*\d[^\s{}]*")
_EDGES = "\"'“”‘’.,;:!?()[]…"


def check_values(workflow: Workflow, flow: Flow, line: SpokenByCaller) -> Iterator[Finding]:
    """Every placeholder in a caller's line is a fact of theirs, or was heard in the act it takes up."""
    for name in dict.fromkeys(placeholders(line.text)):
        if _heard(line.grounding, f"{{{name}}}") and _agent_knows(workflow, flow, line, name):
            continue
        problem = _missing(workflow, line, name)
        if problem:
            yield error(Check.CALLER_VALUE, line.place, f"the caller cannot know `{{{name}}}`: {problem}")


def _heard(grounding: Act | None, text: str) -> bool:
    """Whether a text stands in every form of the act that the caller has heard."""
    if grounding is None:
        return False
    wanted = text.casefold()
    return all(wanted in line.casefold() for line in (*grounding.say, *grounding.resume, *grounding.brief))


def _agent_knows(workflow: Workflow, flow: Flow, line: SpokenByCaller, name: str) -> bool:
    return name in flow.filled(line.grounding_node) or look_up(workflow.known_user_information, name) is not None


def _missing(workflow: Workflow, line: SpokenByCaller, name: str) -> str | None:
    """Why a name is not a fact of everyone who may say the line; None where it is."""
    root, _, field = name.partition(".")
    if field not in ("", "wrong", "corrected"):
        return "a fact has no such field; write `{name}`, `{name.wrong}` or `{name.corrected}`"
    for intent in (line.intent,) if line.intent else workflow.intents:
        facts = facts_of(workflow, intent)
        if root not in facts:
            heard = (
                "it is not in `caller_facts`, and does not stand in every say, resume and brief of the act "
                "named in `after`; add the fact or reword the line"
            )
            return heard if line.role is CallerRole.MOVE else "it is not in `caller_facts`; add it"
        if field and not all(_field(fact, field) for fact in facts[root]):
            where = f"intent `{intent.id}`" if root in intent.facts else "`caller_facts`"
            return f"not every alternative of the fact in {where} has `{field}`; add it"
    return None


def _field(fact: FactValue, field: str) -> str | None:
    return fact.wrong if field == "wrong" else fact.corrected


def numbers_known(workflow: Workflow) -> dict[str, frozenset[str]]:
    """Every token with a digit in the facts of a caller, by intent."""
    found = {}
    for intent in workflow.intents:
        texts = (text for fact in facts_of(workflow, intent).values() for text in _values(fact))
        found[intent.id] = frozenset(token for text in texts for token in _numbers(text))
    return found


def check_numbers(numbers: dict[str, frozenset[str]], line: SpokenByCaller) -> Iterator[Finding]:
    """A number, date, id or amount typed in a move is a fact's text, or was heard in the act it takes up.

    Args:
        numbers: As from `numbers_known`.
        line: What the caller says.
    """
    if line.role not in (CallerRole.MOVE, CallerRole.HIDDEN):
        return
    if line.intent:
        known = numbers[line.intent.id] | set(_numbers(line.own_words))
    else:
        known = frozenset.intersection(*numbers.values())
    for token in dict.fromkeys(_numbers(line.text)):
        if token not in known and not _heard_number(line.grounding, token):
            message = (
                f"`{token}` is no fact of the caller's and does not stand in every form of the act named in "
                "`after`; make it a caller fact or leave it out"
            )
            yield error(Check.CALLER_NUMBER, line.place, message)


def known_to_the_agent(workflow: Workflow) -> dict[str, str]:
    """Known user information that is no fact of any caller, by dotted name; numbers have a check of their own."""
    facts = (fact for intent in workflow.intents for fact in facts_of(workflow, intent).values())
    own = " | ".join(value for fact in facts for value in _values(fact))
    known = flatten(workflow.known_user_information)
    return {
        name: value
        for name, value in known.items()
        if not (_NUMBER.search(value) or is_everyday_word(value) or holds_words(own, value))
    }


def check_known(known: dict[str, str], line: SpokenByCaller) -> Iterator[Finding]:
    """What stands on the agent's screen is said by a caller who has it as a fact, or heard it in the act it takes up.

    Args:
        known: As from `known_to_the_agent`.
        line: What the caller says.
    """
    own = f"{line.intent.description} | {line.own_words}" if line.intent else ""
    for name, value in known.items():
        heard = _heard(line.grounding, value) or _heard(line.grounding, f"{{{name}}}")
        if holds_words(line.text, value) and not heard and not holds_words(own, value):
            message = (
                f'"{value}" stands in `known_user_information` ({name}), which a caller does not see; if they know '
                "it, make it a caller fact too"
            )
            yield error(Check.CALLER_VALUE, line.place, message)


def _values(alternatives: Alternatives) -> Iterator[str]:
    return (value for fact in alternatives for value in (fact.value, fact.corrected, fact.wrong) if value)


def _numbers(text: str) -> list[str]:
    """The tokens of a text that hold a digit, without the punctuation around them."""
    return [token.strip(_EDGES).casefold() for token in _NUMBER.findall(text)]


def _heard_number(grounding: Act | None, token: str) -> bool:
    if grounding is None:
        return False
    return all(token in _numbers(line) for line in (*grounding.say, *grounding.resume, *grounding.brief))


def internal_names(workflow: Workflow) -> dict[str, str]:
    """Words that only the agent's side uses, folded, with what they name: stage names and act ids.

    Names of a single word are left out, since they are words that anyone may say.
    """
    names: dict[str, str] = {}
    for stage in workflow.stages:
        for text, what in (
            (stage.name, "name of the stage"),
            (stage.id.replace("_", " "), "id of the stage"),
        ):
            if " " in text:
                names[text.casefold()] = f"{what} `stages.{stage.id}`"
        for act in stage.acts:
            if "_" in act.id:
                names[act.id.replace("_", " ")] = f"id of the act `{act_place(stage, act)}`"
    return names


def check_words(names: dict[str, str], line: SpokenByCaller) -> Iterator[Finding]:
    """A caller never uses the agent's internal words; as those are plain words it may be by chance."""
    folded = line.text.casefold()
    for words, what in names.items():
        if words in folded and re.search(rf"\b{re.escape(words)}\b", folded):
            message = f'"{words}" is the {what}, which a caller does not know; reword the line or rename that'
            yield warning(Check.CALLER_WORDS, line.place, message)
