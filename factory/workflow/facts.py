"""What slots can hold: the caller's facts by intent, and the agent's known information."""

from collections.abc import Iterator, Mapping

from factory.records.acts import Act, Condition
from factory.records.callers import FactValue, Intent
from factory.records.workflow import KnownValue, SkipRule, Stage, TerminateRule, Workflow
from factory.workflow.fill import flatten
from factory.workflow.phrases import bare_words
from factory.workflow.texts import is_gap

AnyCondition = Condition | SkipRule | TerminateRule
Alternatives = tuple[FactValue, ...]


def facts_of(workflow: Workflow, intent: Intent) -> Mapping[str, Alternatives]:
    """All facts of a caller with that intent: the workflow's, and their own in place of them."""
    return {**workflow.caller_facts, **intent.facts}


def alternatives_of(workflow: Workflow, name: str) -> Iterator[tuple[str, FactValue]]:
    """Every alternative of a fact that some caller may have, with the place where it is written."""
    if name in workflow.caller_facts and any(name not in intent.facts for intent in workflow.intents):
        for index, value in enumerate(workflow.caller_facts[name]):
            yield f"caller_facts.{name}[{index}]", value
    for intent in workflow.intents:
        for index, value in enumerate(intent.facts.get(name, ())):
            yield f"intents.{intent.id}.facts.{name}[{index}]", value


def is_fact(workflow: Workflow, name: str) -> bool:
    """Whether every caller of the workflow has that fact."""
    return all(name in facts_of(workflow, intent) for intent in workflow.intents)


def revisable_slots(workflow: Workflow) -> frozenset[str]:
    """Slots whose value a caller may take back later in the call."""
    return frozenset(act.fills for _, act in acts_of(workflow) if act.fills and act.corrects)


def values_of(workflow: Workflow, name: str) -> frozenset[str]:
    """Every value that a slot, fact or known information may have when a condition on it is settled."""
    values = {fact.value for _, fact in alternatives_of(workflow, name)}
    known = workflow.known_user_information.get(name)
    if isinstance(known, str):
        values.add(known)
    return frozenset(values)


def acts_of(workflow: Workflow) -> Iterator[tuple[Stage, Act]]:
    """Every act of a workflow with its stage, in order."""
    for stage in workflow.stages:
        for act in stage.acts:
            yield stage, act


def agent_conditions(workflow: Workflow) -> Iterator[AnyCondition]:
    """Every condition on which the way of a call depends (replies are the caller's own matter)."""
    for stage in workflow.stages:
        if stage.skip_when:
            yield stage.skip_when
        yield from stage.terminate_when
        for act in stage.acts:
            if act.when:
                yield act.when


def look_up(known: Mapping[str, KnownValue], path: str) -> str | None:
    """The text that a dotted path leads to in known information; None where it leads nowhere."""
    value: object = known
    for part in path.split("."):
        if isinstance(value, Mapping) and part in value:
            value = value[part]
        elif isinstance(value, tuple) and part.isdigit() and int(part) < len(value):
            value = value[int(part)]
        else:
            return None
    return value if isinstance(value, str) else None


def texts_in(value: KnownValue) -> Iterator[str]:
    """Every text in a piece of known information."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, tuple):
        for element in value:
            yield from element.values()
    else:
        yield from value.values()


def spoken_values(workflow: Workflow) -> dict[str, str]:
    """What stands in the place of each name when the agent speaks.

    Known information has one value. A slot has the longest that any caller gives for it: where two lines share
    words around a shorter one, they share no fewer around the longest.
    """
    values = flatten(workflow.known_user_information)
    for _, act in acts_of(workflow):
        if act.fills:
            given = [v for _, f in alternatives_of(workflow, act.fills) for v in (f.value, f.corrected) if v]
            given = [value for value in given if not is_gap(value)]
            if given:
                values[act.fills] = max(given, key=lambda value: (len(bare_words(value)), value))
    return values
