"""How long a call of a workflow can be, and how many interruptions it can hold.

A call's agent turns are the questions it asks, one closing turn, and one more for each interruption that
carries no answer. A caller answers while cutting in only behind a question with a hint. The last agent turn
is never cut; the caller may have the last word behind it or not. The range is what every caller can be
planned to have, whoever they are and whichever way they take to success: lengths and interruptions are
ordered first and dealt out to callers by chance (`factory.corpus`, which counts the same way).
"""

from collections.abc import Iterator
from itertools import islice, product

from factory.records.base import Record
from factory.records.blueprint import SUCCESS
from factory.records.callers import Intent
from factory.records.workflow import Workflow
from factory.workflow.facts import agent_conditions, facts_of
from factory.workflow.flow import MAX_ASSIGNMENTS
from factory.workflow.walk import Path, walk

MAX_MESSAGES = 40
"""Messages of both sides after which a call is over, whatever it could still hold."""
MOST_ANSWERS = 2
"""Interruptions of one call that are counted on to carry an answer."""
HINTS = 2
"""How often the hint of one question may be begun."""
Walked = dict[tuple[tuple[str, str], ...], Path]
"""Ways by the facts that decide them."""
MAX_ACTS = 200_000
"""Acts on the ways of all callers together that are looked at; each caller has an equal share."""
CUT_SHARE = 0.5
"""Share of the places where a caller could cut in that one call uses at the most."""


class CarryRange(Record):
    """What the calls of a workflow can be, whoever calls.

    Attributes:
        min_questions: Fewest questions with which every caller comes to success.
        max_questions: Most questions that every caller can be asked.
        answerable: Questions that every caller can answer while cutting in, on the shortest way.
        places: Interruptions that every call has room for.
        min_messages: Messages of the shortest call, which has no interruption and ends with the agent.
        max_messages: Messages of the longest call.
        max_interruptions: Most interruptions that a call of any length can hold.
    """

    min_questions: int
    max_questions: int
    answerable: int
    places: int
    min_messages: int
    max_messages: int
    max_interruptions: int

    def bounds(self, messages: int) -> tuple[int, int]:
        """Fewest and most interruptions of a call of that length; no call has it where fewest exceeds most."""
        return _bounds(self.min_questions, self.max_questions, self.answerable, self.places, messages)

    def holds(self, messages: int, interruptions: int) -> bool:
        """Whether every caller can have a call of exactly so many messages and interruptions."""
        least, most = self.bounds(messages)
        return least <= interruptions <= most


def carry_range(workflow: Workflow) -> CarryRange:
    """The range of lengths and of interruptions that a workflow can carry.

    Returns:
        The range; all zero where some caller never comes to success.
    """
    walked: Walked = {}
    callers = [tuple(successful_paths(workflow, intent, walked)) for intent in workflow.intents]
    if not all(callers):
        return CarryRange(**dict.fromkeys(CarryRange.model_fields, 0))
    fewest = max(min(path.questions[0] for path in paths) for paths in callers)
    most = min(max(path.questions[1] for path in paths) for paths in callers)
    ways = [path for paths in callers for path in paths]
    answers, room = min(map(answerable, ways)), min(map(places, ways))
    bounds = {n: _bounds(fewest, most, answers, room, n) for n in range(2 * fewest + 1, MAX_MESSAGES + 1)}
    lengths = [n for n, (low, high) in bounds.items() if low <= high]
    return CarryRange(
        min_questions=fewest,
        max_questions=most,
        answerable=answers,
        places=room,
        min_messages=min(lengths, default=0),
        max_messages=max(lengths, default=0),
        max_interruptions=max((bounds[n][1] for n in lengths), default=0),
    )


def closing_start(workflow: Workflow) -> tuple[int, int]:
    """Stage and act index of the first act that no question can follow: from there on the call closes."""
    found = (0, 0)
    for s, stage in enumerate(workflow.stages):
        for a, act in enumerate(stage.acts):
            if act.is_question:
                found = (s, a + 1)
    return found


def _bounds(fewest: int, most: int, answerable: int, places: int, messages: int) -> tuple[int, int]:
    turns = (messages + 1) // 2 - 1
    high = min(turns - 1, places, turns - fewest + min(MOST_ANSWERS, answerable))
    return max(0, turns - most), high


def answerable(path: Path) -> int:
    """Questions along a path that a caller can answer while cutting in, whatever is left out."""
    return sum(act.hint is not None for act in path.acts if not act.optional)


def places(path: Path) -> int:
    """Interruptions that a call along a path has room for."""
    tells = sum(act.cuttable for act in path.acts)
    return round(CUT_SHARE * (tells + HINTS * sum(act.hint is not None for act in path.acts)))


def successful_paths(workflow: Workflow, intent: Intent, walked: Walked | None = None) -> Iterator[Path]:
    """A caller's ways to success: one for each combination of the facts that decide the way.

    Args:
        workflow: The workflow.
        intent: Who calls.
        walked: The ways of callers before this one; those with the same facts share a way, and new ones are added.
    """
    walked = {} if walked is None else walked
    slots = sorted({condition.slot for condition in agent_conditions(workflow)})
    facts = facts_of(workflow, intent)
    decisive = [slot for slot in slots if slot in facts]
    first = {name: values[0] for name, values in facts.items()}
    acts = sum(len(stage.acts) for stage in workflow.stages)
    most = min(MAX_ASSIGNMENTS, MAX_ACTS // (acts * len(workflow.intents)))
    for values in islice(product(*(facts[slot] for slot in decisive)), most):
        key = tuple((slot, fact.value) for slot, fact in zip(decisive, values, strict=True))
        if key not in walked:
            walked[key] = walk(workflow, first | dict(zip(decisive, values, strict=True)))
        if walked[key].outcome == SUCCESS:
            yield walked[key]
