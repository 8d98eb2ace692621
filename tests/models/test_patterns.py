"""Whatever a grammar writes by the narrow schemas has the form that the rules ask for."""

import json
import re
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from factory.dataset.system_message import SLOT
from factory.models import modifier, rubric, system_message, verifier
from factory.models.brief import brief_of
from factory.models.caller_rules import caller_faults, reaction_faults
from factory.models.patterns import (
    narrow_edit,
    narrow_findings,
    narrow_plan,
    narrow_reaction,
    narrow_rubric,
    narrow_system_message,
    narrow_turn,
    narrow_words,
)
from factory.models.replies import (
    AssistantReply,
    ModifierReply,
    PlannerReply,
    ReactionReply,
    RubricReply,
    SystemMessageReply,
    UserReply,
    VerifierReply,
)
from factory.models.request import ReplySchema
from factory.models.rules import agent_faults
from factory.records.conversation import ReactionPlan
from factory.records.enums import InterruptionType, Profile, Speaker
from factory.rubric.write import write_criteria
from factory.simulate.views import UserView, meant_history
from factory.workflow.library import standard_library
from tests.models.seen import briefs, seen_calls

LEADS = ("Good to know.", "All right.")
_OF_CHANCE = ("again, which has just been heard",)
"""Faults that words may have by chance, and that no pattern can rule out."""


def written(data: st.DataObject, schema: Any) -> Any:
    """A value of a schema, as a server that writes by a grammar would make it."""
    if "enum" in schema:
        return data.draw(st.sampled_from(schema["enum"]))
    if "pattern" in schema:
        assert schema["pattern"].startswith("^") and schema["pattern"].endswith("$")
        return data.draw(st.from_regex(schema["pattern"][1:-1], fullmatch=True))
    if "anyOf" in schema:
        return written(data, data.draw(st.sampled_from(schema["anyOf"])))
    if schema["type"] == "object":
        assert set(schema["required"]) == schema["properties"].keys() and schema["additionalProperties"] is False
        return {name: written(data, part) for name, part in schema["properties"].items()}
    if schema["type"] == "array" and "items" in schema:
        return [written(data, schema["items"]) for _ in range(data.draw(st.integers(0, schema["maxItems"])))]
    if schema["type"] == "array":
        assert schema["minItems"] == schema["maxItems"] == len(schema["prefixItems"])
        return [written(data, part) for part in schema["prefixItems"]]
    return data.draw(st.text(max_size=20))


def reply_of(data: st.DataObject, schema: ReplySchema) -> str:
    return json.dumps(written(data, json.loads(schema.json_schema)))


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.data(), st.integers(0, 10_000))
def test_a_turn_has_its_acts_its_values_and_its_form(data: st.DataObject, number: int) -> None:
    seen = seen_calls().assistant[number % len(seen_calls().assistant)]
    brief, acts = briefs(seen.script, seen.view)
    schema = narrow_turn(acts, LEADS if seen.view.turn else (), authored=seen.view.after is not None)
    reply = AssistantReply.model_validate_json(reply_of(data, schema))
    faults = agent_faults(reply, acts, seen.view, brief)
    assert not [fault for fault in faults if not any(chance in fault for chance in _OF_CHANCE)], reply


@pytest.mark.parametrize("kind", [kind for kind in InterruptionType if kind is not InterruptionType.FILLER])
def test_a_turn_behind_a_cut_says_authored_words(kind: InterruptionType) -> None:
    seen = seen_calls().turn(kind)
    _, acts = briefs(seen.script, seen.view)
    turn = json.loads(narrow_turn(acts, LEADS, authored=True).json_schema)["properties"]["segments"]["prefixItems"]
    for act, segment in zip(acts, turn, strict=True):
        assert set(segment["properties"]["text"]["enum"]) <= set(act.examples)


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.data(), st.integers(0, 10_000))
def test_a_reaction_is_one_of_the_ways_that_were_released(data: st.DataObject, number: int) -> None:
    view = seen_calls().reaction[number % len(seen_calls().reaction)].view
    reply = ReactionReply.model_validate_json(reply_of(data, narrow_reaction(view)))
    assert not reaction_faults(reply, view)
    if reply.answer:
        assert any(line.kind == "answer" for line in view.lines)


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.data(), st.integers(0, 10_000))
def test_a_callers_words_are_the_planned_ones(data: st.DataObject, number: int) -> None:
    view = seen_calls().user[number % len(seen_calls().user)].view
    reply = UserReply.model_validate_json(reply_of(data, narrow_words(view)))
    assert not caller_faults(reply, view)


@settings(max_examples=20, deadline=None)
@given(st.data())
def test_a_plan_is_short(data: st.DataObject) -> None:
    reply = PlannerReply.model_validate_json(reply_of(data, narrow_plan()))
    assert len(reply.plan) < 400


@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.data(), st.sampled_from(list(InterruptionType)))
def test_a_rubric_asks_what_code_asks(data: st.DataObject, kind: InterruptionType) -> None:
    item = seen_calls().interrupted(kind)
    wanted = rubric.criteria_brief(item, write_criteria(item))
    schema = narrow_rubric(wanted.task_fulfilment.text, [criterion.text for criterion in wanted.recovery])
    reply = RubricReply.model_validate_json(reply_of(data, schema))
    known = rubric._known(meant_history(item.rounds), rubric.interruption_brief(item), wanted)
    assert not list(rubric._faults(reply, wanted, known))


@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.data(), st.integers(0, 23))
def test_a_small_reader_finds_one_fault_that_can_be_in_the_agents_words(data: st.DataObject, number: int) -> None:
    case = seen_calls().finished[number]
    places = verifier._places(case)
    schema = narrow_findings(verifier._open_to_a_small_reader(case, places))
    reply = VerifierReply.model_validate_json(reply_of(data, schema))
    assert len(reply.findings) <= 1
    assert not list(verifier._faults(reply, places))
    assert all(finding.fixable and places[finding.message].speaker is Speaker.AGENT for finding in reply.findings)


def test_a_small_reader_finds_nothing_once_a_round_was_played_again() -> None:
    case = seen_calls().finished[0]
    again = case.rounds[1].model_copy(update={"attempt": 1})
    case = replace(case, rounds=(case.rounds[0], again, *case.rounds[2:]))
    schema = narrow_findings(verifier._open_to_a_small_reader(case, verifier._places(case)))
    assert json.loads(schema.json_schema)["properties"]["findings"]["maxItems"] == 0


@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.data(), st.integers(0, 10_000))
def test_an_edit_changes_a_little_and_keeps_the_acts(data: st.DataObject, number: int) -> None:
    seen = seen_calls().assistant[number % len(seen_calls().assistant)]
    _, acts = briefs(seen.script, seen.view)
    if seen.view.remainder:
        return
    reply = ModifierReply.model_validate_json(reply_of(data, narrow_edit(seen.made)))
    given_texts = [message.text for message in seen.view.history]
    assert not list(modifier._faults(seen.made, modifier._segments(reply), acts, given_texts)), reply


@pytest.mark.parametrize("workflow_id", standard_library().ids)
def test_a_system_message_says_all_that_it_has_to(workflow_id: str) -> None:
    brief = brief_of(standard_library().script(workflow_id))
    schema = json.loads(narrow_system_message(brief, SLOT).json_schema)
    for text in schema["properties"]["system_message"]["enum"]:
        reply = SystemMessageReply(system_message=text)
        assert not list(system_message._faults(system_message._lines(reply.system_message), brief))


@pytest.mark.parametrize("gist", ["It costs $5.00 (or so)?", 'He said "no".', "a\\b", "I'd go [there]."])
def test_marks_in_a_plan_are_no_pattern(gist: str) -> None:
    plan = ReactionPlan(gist=gist, manner=Profile.WARY)
    view = UserView(heard=(), plan=plan, type=InterruptionType.PUSHBACK, facts={}, seed=0)
    words = json.loads(narrow_words(view).json_schema)["properties"]["utterance"]
    if "enum" in words:
        assert words["enum"] == [gist]
    else:
        assert re.fullmatch(words["pattern"][1:-1], gist)
        assert not re.fullmatch(words["pattern"][1:-1], gist.replace("5", "6") + ".")
