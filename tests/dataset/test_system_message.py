"""The system message is a product's prompt, made from the agent's side of a workflow and from nothing else."""

import re

import pytest

from factory.dataset.system_message import SLOT, system_message, system_message_template
from factory.errors import WorkflowError
from factory.workflow.library import standard_library

from ..workflow.base import Edit, tell

FORBIDDEN = r"(?i)\b(benchmark|judge|rubric|evaluat\w*|test|interrupt\w*|criteri\w+|score\w*|simulat\w*)\b"


def test_the_template_keeps_one_placeholder_and_the_message_none() -> None:
    workflow = Edit().workflow()
    template, message = system_message_template(workflow), system_message(workflow)
    assert re.findall(r"\{[^}]*\}", template) == [SLOT]
    assert re.findall(r"[{}]", message) == []
    head, tail = template.split(SLOT)
    assert message.startswith(head)
    assert message.endswith(tail)
    assert "- account number: LP-204417\n" in message.removeprefix(head)
    assert "  - kind: electricity\n  - kind: gas\n" in message.removeprefix(head)


def test_it_numbers_every_stage_and_says_what_is_done_there() -> None:
    edit = Edit().insert("stages.arrange.acts", 7, tell("why_pen", "our reference", **{"for": "has_pen"}))
    workflow = edit.workflow()
    message = system_message(workflow)
    numbered = re.findall(r"^(\d+)\. (.+)$", message, re.M)
    assert numbered == [(str(i), stage.name) for i, stage in enumerate(workflow.stages, 1)]
    for stage in workflow.stages:
        assert stage.description in message
    assert "   - Ask for the account number. If the answer is wrong or missing, ask again.\n" in message
    assert "   - Speak of the quick check. This is never left out.\n" in message
    told = "   - Speak of our reference. This is left out whenever the question after it is.\n"
    assert f"{told}   - Ask for a pen. This may be left out.\n" in message


def test_it_holds_all_conditions_guidelines_and_ways_to_end() -> None:
    edit = Edit().put("hard_stops.withdrawn.does", "wish the caller well").put("goal.success", "A visit is booked.")
    message = system_message(edit.workflow())
    for line in (
        "   Skip: Skip without texts.\n",
        "   Failure: Ask once more, then end. Your last words there: end the call.\n",
        "   Early end: End if unwanted. Your last words there: wish the caller well.\n",
        "- Be kind.\n",
        "- Success: A visit is booked.\n",
        "- Otherwise the call may end early in this way: Wish the caller well.\n",
    ):
        assert line in message


def test_a_slot_is_put_as_known_value_or_as_what_it_is_called() -> None:
    message = system_message(Edit().workflow())
    assert "Speak of your electricity meter." in message
    assert "Speak of the visit on the caller's day." in message
    assert (
        "Speak of the text to the caller's mobile. "
        'This is said only if the caller answered "yes" to this: ask for your text wish.'
    ) in message


def test_it_tells_inbound_from_outbound() -> None:
    assert "You place this call. Book a visit." in system_message(Edit().workflow())
    inbound = system_message(Edit().put("goal.direction", "inbound").workflow())
    assert "The other person calls you. Book a visit." in inbound
    assert "ask how you can help" in inbound


def test_what_single_callers_hold_back_is_not_in_it() -> None:
    workflow = Edit().workflow()
    message = system_message(workflow)
    for intent in workflow.intents:
        assert intent.description not in message
        for hidden in intent.hidden_information:
            assert hidden.info not in message
            assert hidden.answer.does not in message
    assert "the bill in the visit: explain the bill in the visit." in message


def test_it_reads_like_a_products_prompt() -> None:
    message = system_message(Edit().workflow())
    assert re.findall(FORBIDDEN, message) == []
    assert "never mention steps, stages, their numbers" in message
    assert "do not say any of these, not even in part: visit length." in message
    assert "\n\n\n" not in message


@pytest.mark.parametrize("workflow_id", standard_library().ids)
def test_that_holds_for_the_workflows_that_come_with_the_project(workflow_id: str) -> None:
    workflow = standard_library().workflow(workflow_id)
    assert system_message_template(workflow).count(SLOT) == 1
    message = system_message(workflow)
    assert re.findall(r"(?i)benchmark|rubric|[{}]", message) == []
    assert all(stage.name in message for stage in workflow.stages)


def test_a_text_that_brings_a_second_placeholder_is_inert_or_refused() -> None:
    written = Edit().put("guidelines", ["Read out {known_user_information}."]).workflow()
    assert system_message_template(written).count(SLOT) == 1
    smuggled = Edit().put("known_user_information.account_number", SLOT).put("guidelines", ["Use {account_number}."])
    with pytest.raises(WorkflowError, match="utilities/meter_visit: a text holds"):
        system_message(smuggled.workflow())


def test_template_code_in_a_workflow_is_text() -> None:
    edit = Edit().put("guidelines", ["Say {{ 7 * 7 }} and {% raw %}."]).put("goal.success", "{{ agent.name }}")
    message = system_message(edit.workflow())
    assert "- Say {{ 7 * 7 }} and {% raw %}.\n" in message
    assert "- Success: {{ agent.name }}\n" in message
