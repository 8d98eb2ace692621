"""How long a call of a workflow can be, and how many interruptions it can hold.

A call's agent turns are the questions on its way, one closing turn, one more for each interruption that
carries no answer, and one more for each failed question. Every agent turn is followed by a user turn.
Only an impatient caller's interruption carries an answer, and only behind a question with a hint in which
they can cut in. A user turn holds at most one interruption; the last one holds none.
"""

from collections.abc import Iterator
from itertools import islice, product

from factory.records.base import Record
from factory.records.workflow import Workflow
from factory.workflow.facts import agent_conditions, facts_of
from factory.workflow.flow import MAX_ASSIGNMENTS
from factory.workflow.walk import SUCCESS, Path, walk

MAX_MESSAGES = 40
"""Messages of both sides after which a call is over, whatever it could still hold."""


class CarryRange(Record):
    """What the calls of a workflow can be, from its shortest way to success to its longest.

    Attributes:
        min_questions: Questions on the shortest way.
        max_questions: Questions on the longest way.
        min_answerable: Of those on the shortest way, the ones an impatient caller can answer early.
        max_answerable: Of those on the longest way, the ones an impatient caller can answer early.
        max_places: Acts on the longest way during which a caller can cut in.
        min_messages: Messages of the shortest call, which has no interruption.
        max_messages: Messages of the longest call.
        max_interruptions: Interruptions that a call of the longest way and of `max_messages` can hold.
    """

    min_questions: int
    max_questions: int
    min_answerable: int
    max_answerable: int
    max_places: int
    min_messages: int
    max_messages: int
    max_interruptions: int

    def holds(self, messages: int, interruptions: int) -> bool:
        """Whether some way gives a call of exactly so many messages and interruptions, none failing."""
        turns = messages // 2
        if messages % 2 or interruptions > turns - 1 or (interruptions and not self.max_places):
            return False
        fewest = self.min_questions + 1 + interruptions - min(interruptions, self.min_answerable)
        most = self.max_questions + 1 + interruptions
        return fewest <= turns <= most


def carry_range(workflow: Workflow) -> CarryRange:
    """The range of lengths and of interruptions that a workflow can carry.

    Returns:
        The range; all zero where no call comes to success.
    """
    ways = [length for path in _paths(workflow) for length in _lengths(path)]
    if not ways:
        return CarryRange(**dict.fromkeys(CarryRange.model_fields, 0))
    shortest = min(ways, key=lambda way: (way.questions, -way.answerable))
    longest = max(ways, key=lambda way: (way.questions, way.answerable, way.places))
    most_turns = MAX_MESSAGES // 2 if longest.places else min(MAX_MESSAGES // 2, longest.questions + 1)
    spare = most_turns - 1 - longest.questions
    return CarryRange(
        min_questions=shortest.questions,
        max_questions=longest.questions,
        min_answerable=shortest.answerable,
        max_answerable=longest.answerable,
        max_places=longest.places,
        min_messages=2 * (shortest.questions + 1),
        max_messages=2 * most_turns,
        max_interruptions=max(0, min(most_turns - 1, spare + longest.answerable)) if longest.places else 0,
    )


def closing_start(workflow: Workflow) -> tuple[int, int]:
    """Stage and act index of the first act that no question can follow: from there on nobody cuts in."""
    found = (0, 0)
    for s, stage in enumerate(workflow.stages):
        for a, act in enumerate(stage.acts):
            if act.is_question:
                found = (s, a + 1)
    return found


class _Length(Record):
    questions: int
    answerable: int
    places: int


def _lengths(path: Path) -> Iterator[_Length]:
    """The length of a path with everything left out that may be, and with everything said."""
    for acts in ([act for act in path.acts if not act.optional], list(path.acts)):
        questions = [act for act in acts if act.question]
        answerable = sum(act.hint is not None for act in questions)
        last = max((i for i, act in enumerate(acts) if act.question), default=0)
        tells = sum(act.cuttable for act in acts[:last])
        yield _Length(questions=len(questions), answerable=answerable, places=answerable + tells)


def _paths(workflow: Workflow) -> Iterator[Path]:
    """The ways to success of every kind of caller, as far as the facts decide them."""
    slots = sorted({condition.slot for condition in agent_conditions(workflow)})
    for intent in workflow.intents:
        facts = facts_of(workflow, intent)
        decisive = [slot for slot in slots if slot in facts]
        first = {name: values[0] for name, values in facts.items()}
        for values in islice(product(*(facts[slot] for slot in decisive)), MAX_ASSIGNMENTS):
            path = walk(workflow, first | dict(zip(decisive, values, strict=True)))
            if path.outcome == SUCCESS:
                yield path
