"""Who calls: enough callers, no two of them alike, and calls in both directions."""

from collections import defaultdict
from collections.abc import Iterator, Mapping

from factory.records.callers import SECRET_WORDS, Intent
from factory.records.enums import Direction
from factory.records.workflow import Workflow
from factory.workflow.checks.wording import normalised
from factory.workflow.findings import Check, Finding, warning
from factory.workflow.phrases import bare_words

MIN_INTENTS = 10
"""Callers of one workflow, so that a corpus hears each of them seldom."""


def check_intents(workflow: Workflow) -> Iterator[Finding]:
    """There are enough callers, and none has a profile, a remark or a short description of another's.

    Longer ones are withheld from other callers; `check_withheld` finds them wherever they stand.
    """
    missing = MIN_INTENTS - len(workflow.intents)
    if missing > 0:
        message = f"there are {len(workflow.intents)} callers; write {missing} more, each unlike the others"
        yield warning(Check.INTENTS, "intents", message)
    first: dict[tuple[object, ...], str] = {}
    for intent in workflow.intents:
        for place, what, key in _features(intent):
            owner = first.setdefault((what, key), intent.id)
            if owner != intent.id:
                message = f"{what} is that of `{owner}` as well; give this caller one of their own"
                yield warning(Check.SAME_CALLER, f"intents.{intent.id}.{place}", message)


def _features(intent: Intent) -> Iterator[tuple[str, str, object]]:
    """What tells callers apart: its place in the intent, what it is, and a key that is equal where it is the same."""
    if len(bare_words(intent.description)) < SECRET_WORDS:
        yield "description", "the description", normalised(intent.description)
    total = sum(intent.interruption_profile.values())
    weights = {kind: round(weight / total, 6) for kind, weight in intent.interruption_profile.items() if weight}
    yield "interruption_profile", "the interruption profile", frozenset(weights.items())
    yield "speaks", "the profile with this way of speaking", (intent.profile, intent.speaks)
    for hidden in intent.hidden_information:
        place = f"hidden_information.{hidden.id}"
        if len(bare_words(hidden.info)) < SECRET_WORDS:
            yield f"{place}.info", "this hidden information", normalised(hidden.info)
        for profile in type(hidden.says).model_fields:
            for index, line in enumerate(getattr(hidden.says, profile)):
                yield f"{place}.says.{profile}[{index}]", "this remark", normalised(line)


def check_directions(directions: Mapping[str, Direction]) -> Iterator[tuple[str, Finding]]:
    """Every domain of several workflows has calls in both directions.

    Args:
        directions: Of all workflows, by id.

    Yields:
        The id of a domain's first workflow, and what is found there.
    """
    domains: defaultdict[str, list[str]] = defaultdict(list)
    for workflow_id in directions:
        domains[workflow_id.split("/")[0]].append(workflow_id)
    for domain, members in domains.items():
        if len(members) == 1:
            continue
        for direction in sorted(set(Direction) - {directions[member] for member in members}):
            message = f"the domain `{domain}` has no {direction} call; write a workflow with that direction"
            yield members[0], warning(Check.DIRECTIONS, "goal.direction", message)
