"""The range that a workflow is said to carry is what the planner makes of it."""

from itertools import accumulate, cycle

import pytest

from factory.corpus.callers import Caller, Callers
from factory.corpus.plan import plan_corpus
from factory.corpus.quotas import Share, band_capacity
from factory.records.callers import FactValue
from factory.records.enums import DEPTH_BANDS, InterruptionType, band_name
from factory.records.spec import Spec
from factory.workflow.carry import MAX_MESSAGES, carry_range
from factory.workflow.library import Library, standard_library
from factory.workflow.walk import walk

from .base import Edit

IDS = standard_library().ids
LENGTHS = [(40, 12), (30, 10), (24, 7), (19, 5), (19, 6)]
"""Messages, and interruptions that a call of that length is planned with."""


@pytest.fixture(scope="module")
def library() -> Library:
    return standard_library()


def order(workflow: str, messages: int, interruptions: int, calls: int = 3) -> Spec:
    """Calls of one length, their interruptions spread evenly over all types and over all their turns."""
    total = calls * interruptions
    types = dict.fromkeys(InterruptionType, 0)
    for kind, _ in zip(cycle(types), range(total), strict=False):
        types[kind] += 1
    room = list(accumulate(calls * n for n in band_capacity(messages)))
    ends = [total * upto // room[-1] for upto in room]
    depths = [end - start for start, end in zip([0, *ends], ends, strict=False)]
    return Spec.model_validate(
        {
            "schema_version": 1,
            "name": "one-length",
            "conversations": calls,
            "workflows": [workflow],
            "interruptions": {
                "by_type": types,
                "by_depth": {band_name(i): depths[i] for i in range(len(DEPTH_BANDS))},
            },
            "messages": {"min": messages, "max": messages, "mean": messages},
        }
    )


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize(("messages", "interruptions"), LENGTHS)
@pytest.mark.parametrize("workflow", IDS)
def test_the_planner_lays_out_calls_of_every_length_that_is_carried(
    library: Library, workflow: str, messages: int, interruptions: int, seed: int
) -> None:
    assert carry_range(library.workflow(workflow)).holds(messages, interruptions)
    plan = list(plan_corpus(order(workflow, messages, interruptions), library, seed))
    assert [call.messages for call in plan] == [messages] * 3
    assert sum(len(call.interruptions) for call in plan) == 3 * interruptions


@pytest.mark.parametrize("workflow", IDS)
def test_the_bounds_are_those_that_the_planner_keeps_for_every_caller(library: Library, workflow: str) -> None:
    carried = carry_range(library.workflow(workflow))
    callers = Callers(library, [])
    carriers = [callers.carrier(Caller(workflow, intent.id)) for intent in library.workflow(workflow).intents]
    for messages in range(carried.min_messages, MAX_MESSAGES + 1):
        theirs = [Share(messages).bounds(carrier) for carrier in carriers]
        assert carried.bounds(messages) == (max(low for low, _ in theirs), min(high for _, high in theirs))


@pytest.mark.parametrize("workflow", IDS)
def test_four_or_five_questions_of_a_workflow_have_to_be_asked(library: Library, workflow: str) -> None:
    assert carry_range(library.workflow(workflow)).min_questions in (4, 5)


def test_the_range_follows_the_accounting() -> None:
    carried = carry_range(Edit().workflow())
    assert (carried.min_questions, carried.max_questions) == (5, 7)
    assert carried.answerable == 5
    assert (carried.min_messages, carried.max_messages) == (11, 40)
    assert carried.bounds(30) == (14 - 7, 14 - 5 + 2)
    assert carried.bounds(11) == (0, 2)
    assert carried.holds(30, 10) and carried.holds(19, 5)
    assert not carried.holds(30, 6) and not carried.holds(19, 7)


def test_a_tell_is_on_no_path_without_the_question_that_it_leads_to() -> None:
    edit = Edit().put("stages.arrange.acts.text_cost.for", "ask_text").put("caller_facts.line", ["fixed", "cell"])
    workflow = edit.put("stages.arrange.acts.ask_text.if", {"slot": "line", "is": "cell"}).workflow()
    first = {name: values[0] for name, values in workflow.caller_facts.items()}
    for line, said in (("cell", True), ("fixed", False)):
        refs = {act.ref for act in walk(workflow, first | {"line": FactValue(value=line)}).acts}
        assert ("arrange.text_cost" in refs, "arrange.ask_text" in refs) == (said, said)


def test_a_workflow_in_which_nobody_can_cut_in_holds_no_interruption() -> None:
    edit = Edit()
    for stage in edit.get("stages"):
        for act in stage["acts"]:
            act.pop("hint", None)
            act["say"] = [f"{line[:30]}." for line in act["say"]]
    carried = carry_range(edit.workflow())
    assert (carried.places, carried.max_interruptions) == (0, 0)
    assert carried.holds(16, 0) and not carried.holds(16, 1) and not carried.holds(20, 0)


def test_a_workflow_without_success_for_every_caller_carries_nothing() -> None:
    edit = Edit().put("intents.planner.facts.still_wanted", "no")
    assert set(carry_range(edit.workflow()).model_dump().values()) == {0}
