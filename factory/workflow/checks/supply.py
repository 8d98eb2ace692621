"""Whether a workflow gives the planner enough: moves for every stage, and calls of every length."""

from collections.abc import Iterator

from factory.records.workflow import Workflow
from factory.workflow.carry import carry_range, closing_start
from factory.workflow.findings import Check, Finding, error, warning

MIN_MOVES = {"pushback": 2, "normal": 1, "topic_switch": 1}
"""Moves of each kind that a stage should offer."""

LONG_CALL = (30, 9)
"""Messages and interruptions of a call that every workflow must be able to carry."""

SHORT_CALL = 20
"""Messages to which every workflow must be able to come down."""


def check_moves(workflow: Workflow) -> Iterator[Finding]:
    """Every stage in which a caller can cut in offers moves, and every intent holds something back."""
    closing_stage, closing_act = closing_start(workflow)
    last = closing_stage if closing_act else closing_stage - 1
    for stage in workflow.stages[: last + 1]:
        for kind, least in MIN_MOVES.items():
            have = len(getattr(stage.caller_may, kind))
            if have < least:
                message = f"the stage offers {have} of the moves `{kind}`; write at least {least}"
                yield warning(Check.MOVES, f"stages.{stage.id}.caller_may.{kind}", message)
    for intent in workflow.intents:
        if not intent.hidden_information:
            message = "this caller holds nothing back; write one hidden information or more"
            yield warning(Check.MOVES, f"intents.{intent.id}.hidden_information", message)


def check_carry(workflow: Workflow) -> Iterator[Finding]:
    """The workflow carries long calls with many interruptions, and short ones."""
    carried = carry_range(workflow)
    if not carried.min_messages:
        return  # no call comes to success, which is told by another check
    messages, interruptions = LONG_CALL
    reach = 2 * (carried.max_questions + 1 + interruptions)
    if reach < messages:
        message = (
            f"the longest call has {carried.max_questions} questions and comes to {reach} messages with "
            f"{interruptions} interruptions, fewer than {messages}; add questions"
        )
        yield error(Check.CARRY, "stages", message)
    if carried.min_messages > SHORT_CALL:
        message = (
            f"the shortest call has {carried.min_questions} questions, {carried.min_messages} messages, "
            f"more than {SHORT_CALL}; make some questions optional"
        )
        yield error(Check.CARRY, "stages", message)
    elif reach >= messages and not carried.holds(messages, interruptions):
        message = (
            f"the shortest call has {carried.min_questions} questions, so one of {messages} messages cannot "
            f"hold {interruptions} interruptions; make questions optional or give more of them a hint"
        )
        yield warning(Check.CARRY, "stages", message)
