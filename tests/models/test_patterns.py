"""Whatever a grammar writes by the narrow schemas has the form that the rules ask for."""

import json
import re
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from factory.models.caller_rules import caller_faults, reaction_faults
from factory.models.patterns import narrow_plan, narrow_reaction, narrow_turn, narrow_words
from factory.models.replies import AssistantReply, PlannerReply, ReactionReply, UserReply
from factory.models.request import ReplySchema
from factory.models.rules import agent_faults
from factory.records.conversation import ReactionPlan
from factory.records.enums import InterruptionType, Profile
from factory.simulate.views import UserView
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
    if schema["type"] == "object":
        assert set(schema["required"]) == schema["properties"].keys() and schema["additionalProperties"] is False
        return {name: written(data, part) for name, part in schema["properties"].items()}
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
    schema = narrow_turn(acts, LEADS if seen.view.turn else ())
    reply = AssistantReply.model_validate_json(reply_of(data, schema))
    faults = agent_faults(reply, acts, seen.view, brief)
    assert not [fault for fault in faults if not any(chance in fault for chance in _OF_CHANCE)], reply


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
