"""Whether a workflow gives the planner enough: moves for every stage, and calls of every length."""

from collections.abc import Iterator

from factory.records.workflow import Workflow
from factory.workflow.carry import carry_range, closing_start, successful_paths
from factory.workflow.findings import Check, Finding, error, warning

MIN_MOVES = {"pushback": 2, "normal": 1, "topic_switch": 1}
"""Moves of each kind that a stage should offer."""

CALLS = ((30, 10), (19, 5))
"""Messages and interruptions of a long and of a short call, both of which every caller must be able to have."""

MOST_MANDATORY = 5
"""Questions that may not be left out, beyond which a short call holds little else."""


def check_moves(workflow: Workflow) -> Iterator[Finding]:
    """Every stage in which a caller can cut in offers moves, and every intent holds something back."""
    closing_stage, closing_act = closing_start(workflow)
    last = closing_stage if closing_act else closing_stage - 1
    for stage in workflow.stages[: last + 1]:
        for kind, least in MIN_MOVES.items():
            have = len(getattr(stage.caller_may, kind))
            if have < least:
                message = f"the stage offers {_many(have)} of the moves `{kind}`; write at least {least}"
                yield warning(Check.MOVES, f"stages.{stage.id}.caller_may.{kind}", message)
    for intent in workflow.intents:
        if not intent.hidden_information:
            message = "this caller holds nothing back; write one hidden information or more"
            yield warning(Check.MOVES, f"intents.{intent.id}.hidden_information", message)


def check_carry(workflow: Workflow) -> Iterator[Finding]:
    """Every caller can have a long call with many interruptions, and a short one."""
    lost = [intent for intent in workflow.intents if not any(successful_paths(workflow, intent))]
    for intent in lost if len(lost) < len(workflow.intents) else ():
        message = "no call of this caller comes to success: their facts end every one; give one another value"
        yield error(Check.SUCCESS, f"intents.{intent.id}", message)
    if lost:
        return
    carried = carry_range(workflow)
    for messages, interruptions in CALLS:
        least, most = carried.bounds(messages)
        wanted = f"a call of {messages} messages and {interruptions} interruptions"
        if interruptions < least:
            message = (
                f"{wanted} cannot be: the longest call has {carried.max_questions or 'no'} questions, so one of that "
                f"length needs {least} interruptions or more; add questions, which may be optional"
            )
            yield error(Check.CARRY, "stages", message)
        elif interruptions > most:
            message = (
                f"{wanted} cannot be: with {carried.min_questions or 'no'} questions on the shortest way, "
                f"{_many(carried.answerable)} of them with a `hint`, and room for {carried.places or 'no'} cuts it "
                f"holds {_many(most)}; make questions optional, give more of them a `hint` or write longer first "
                "sentences"
            )
            yield error(Check.CARRY, "stages", message)
    if carried.min_questions > MOST_MANDATORY and carried.holds(*CALLS[-1]):
        message = (
            f"the shortest way has {carried.min_questions} questions, so that short calls have hardly room for "
            f"interruptions; make some optional, so that {MOST_MANDATORY} or fewer are left"
        )
        yield warning(Check.CARRY, "stages", message)


def _many(count: int) -> str:
    """A count as it stands in a sentence: what is not there has no number."""
    return str(count) if count > 0 else "none"
