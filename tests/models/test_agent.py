"""The model's agent side: planned and worded by a model, held to the rules, and never in the order's way."""

import json
import re
from pathlib import Path

import pytest

from factory.models.agent import LONGEST_NOTE, ModelAgent
from factory.models.ask import MOST_REPAIRS
from factory.models.prompt import Prompts
from factory.models.replies import AssistantReply, PlannerReply, SpokenAct
from factory.records.blueprint import ActUse, Interruption
from factory.records.conversation import Message, Segment
from factory.records.enums import InterruptionType, Speaker
from factory.simulate.roles import BY_CODE
from factory.simulate.views import AssistantView
from factory.workflow.library import standard_library
from factory.workflow.lookup import Script
from tests.models.seen import Turn, seen_calls
from tests.models.writers import MODEL, Says, asker, refused, run

T = InterruptionType


def agent(folder: Path, says: Says, script: Script) -> ModelAgent:
    return ModelAgent(asker(folder, says), script, standard_library().shared.agent, Prompts())


def as_reply(turn: Turn, lead: str = "") -> AssistantReply:
    """The composer's turn as a model would send it."""
    spoken = tuple(SpokenAct(act=s.act, text=s.text) for s in turn.made if s.act != "lead")
    return AssistantReply(lead=lead, segments=spoken)


def reworded(reply: AssistantReply, place: int, text: str) -> AssistantReply:
    segments = list(reply.segments)
    segments[place] = SpokenAct(act=segments[place].act, text=text)
    return reply.model_copy(update={"segments": tuple(segments)})


def test_a_plan_is_the_orders_acts_with_the_models_note(tmp_path: Path) -> None:
    seen = seen_calls().planner[2]
    says = Says(PlannerReply(rationale="So it goes.", plan=" Be\u202e brief.\n\nAsk   once. "))
    made = run(agent(tmp_path, says, seen.script).plan(seen.view))
    assert made.value.acts == seen.view.entry.acts
    assert made.value.note == "Be brief. Ask once."
    assert made.engine == MODEL
    assert made.call is not None and made.call.template == "planner/normal.md.j2"


def test_a_turn_is_planned_from_the_same_prompt_however_the_caller_will_cut_in(tmp_path: Path) -> None:
    seen = next(seen for seen in seen_calls().planner if seen.view.entry.interruption and seen.view.history)
    other = {kind.value: Interruption(type=kind, cut=0, move="a.b.c", slot="d") for kind in InterruptionType}
    asked = set[str]()
    for name, interruption in {"as-ordered": seen.view.entry.interruption, "none": None, **other}.items():
        entry = seen.view.entry.model_copy(update={"interruption": interruption, "reply": None})
        (tmp_path / name).mkdir()
        says = Says(PlannerReply(rationale="", plan="Be brief."))
        run(agent(tmp_path / name, says, seen.script).plan(seen.view.model_copy(update={"entry": entry})))
        asked.add(says.requests[0].model_dump_json())
    assert len(asked) == 1


def test_a_note_that_is_too_long_ends_at_a_word(tmp_path: Path) -> None:
    seen = seen_calls().planner[2]
    for text in ("word " * 700, "w" * 3_000):
        says = Says(PlannerReply(rationale="", plan=text))
        folder = tmp_path / text[:2].strip()
        folder.mkdir()
        note = run(agent(folder, says, seen.script).plan(seen.view)).value.note
        assert 0 < len(note) <= LONGEST_NOTE
        assert set(note.split()) <= {"word", "w" * LONGEST_NOTE}


def test_a_turn_that_goes_on_asks_no_model(tmp_path: Path) -> None:
    seen, says = seen_calls().planner[2], Says()
    entry = seen.view.entry.model_copy(update={"continues": True})
    made = run(agent(tmp_path, says, seen.script).plan(seen.view.model_copy(update={"entry": entry})))
    assert (made.value.acts, made.engine, made.call) == (entry.acts, BY_CODE, None)
    turn, rest = seen_calls().turn(None), (Segment(act="a.b", text="the rest of it."),)
    spoken = run(agent(tmp_path, says, turn.script).speak(turn.view.model_copy(update={"remainder": rest})))
    assert (spoken.value, spoken.engine, spoken.call) == (rest, BY_CODE, None)
    assert not says.requests


def test_a_turn_is_the_lead_and_the_acts_in_order(tmp_path: Path) -> None:
    turn = seen_calls().turn(None)
    says = Says(as_reply(turn, lead="that’s good to hear"))
    made = run(agent(tmp_path, says, turn.script).speak(turn.view))
    assert made.value[0] == Segment(act="lead", text="That's good to hear.")
    assert [s.act for s in made.value[1:]] == [use.ref for use in turn.view.plan.acts]
    assert made.engine == MODEL and made.call is not None


def test_without_a_lead_there_is_no_segment_for_it(tmp_path: Path) -> None:
    turn = seen_calls().turn(None)
    made = run(agent(tmp_path, Says(as_reply(turn, lead=" \u200b ")), turn.script).speak(turn.view))
    assert [s.act for s in made.value] == [use.ref for use in turn.view.plan.acts]


@pytest.mark.parametrize("after", [None, *(kind for kind in T if kind is not T.FILLER)])
def test_each_type_has_its_own_template(tmp_path: Path, after: InterruptionType | None) -> None:
    turn = seen_calls().turn(after)
    made = run(agent(tmp_path, Says(as_reply(turn)), turn.script).speak(turn.view))
    branch = f"after_{after.value}" if after else "normal"
    assert made.call is not None and made.call.template == f"assistant/{branch}.md.j2"


def test_what_cannot_be_used_goes_back_with_its_faults(tmp_path: Path) -> None:
    turn = seen_calls().turn(None)
    good = as_reply(turn)
    says = Says(reworded(good, 0, "Fine *by me*."), good)
    made = run(agent(tmp_path, says, turn.script).speak(turn.view))
    assert [s.text for s in made.value] == [s.text for s in good.segments]
    assert "marks that nobody can say" in says.told
    assert made.call is not None and [bool(use.fault) for use in made.call.replies] == [True, False]


def test_acts_in_another_order_are_never_taken(tmp_path: Path) -> None:
    turn = seen_calls().turn(None, lambda turn: len(turn.view.plan.acts) > 1)
    good = as_reply(turn)
    says = Says(good.model_copy(update={"segments": good.segments[::-1]}))
    told = refused(agent(tmp_path, says, turn.script).speak(turn.view), says)
    assert turn.view.plan.acts[0].ref in told
    assert len(says.requests) == MOST_REPAIRS + 1


def test_a_correction_takes_the_new_value_over(tmp_path: Path) -> None:
    turn = seen_calls().turn(T.CORRECTION)
    accept = next(use.ref for use in turn.view.plan.acts if use.ref.startswith("accept:"))
    place = [use.ref for use in turn.view.plan.acts].index(accept)
    value = turn.view.slots[accept.removeprefix("accept:")]
    says = Says(reworded(as_reply(turn), place, "Sure, that's changed."), as_reply(turn))
    run(agent(tmp_path, says, turn.script).speak(turn.view))
    assert f"`{value}`" in says.told


def shown(folder: Path, turn: Turn, view: AssistantView) -> list[tuple[str, ...]]:
    """The examples of each act that the assistant is shown."""
    folder.mkdir()
    says = Says(as_reply(turn))
    run(agent(folder, says, turn.script).speak(view))
    element = re.search(r'<data name="acts">(.*?)</data>', says.requests[0].messages[0].text, re.DOTALL)
    assert element is not None
    return [tuple(act["examples"]) for act in json.loads(element[1])]


def test_calls_of_one_workflow_are_shown_different_wordings(tmp_path: Path) -> None:
    turn = seen_calls().turn(None)
    views = [turn.view.model_copy(update={"rotation": rotation}) for rotation in range(3)]
    examples = [shown(tmp_path / str(i), turn, view)[0] for i, view in enumerate(views)]
    assert len(set(examples)) == 3


def test_no_example_says_again_what_has_just_been_heard(tmp_path: Path) -> None:
    turn = seen_calls().turn(None)
    first = shown(tmp_path / "a", turn, turn.view)[0][0]
    just_heard = Message(speaker=Speaker.AGENT, text=first)
    view = turn.view.model_copy(update={"history": (*turn.view.history[:-2], just_heard, turn.view.history[-1])})
    assert first not in shown(tmp_path / "b", turn, view)[0]


def test_another_attempt_has_the_same_prompt_and_is_another_call(tmp_path: Path) -> None:
    turn, says = seen_calls().turn(None), Says(as_reply(seen_calls().turn(None)))
    one = agent(tmp_path, says, turn.script)
    run(one.speak(turn.view))
    run(one.speak(turn.view))
    assert len(says.requests) == 1  # the second time it was there already
    run(one.speak(turn.view.model_copy(update={"seed": turn.view.seed + 1, "attempt": 1})))
    first, second = says.requests
    assert (first.system, first.messages) == (second.system, second.messages)
    assert first.digest() != second.digest()


def test_the_end_of_a_call_is_shown_no_lead(tmp_path: Path) -> None:
    calls = seen_calls()
    turn = calls.turn(T.PUSHBACK)
    stop = next(iter(turn.script.workflow.hard_stops))
    plan = turn.view.plan.model_copy(update={"acts": (ActUse(ref=f"stop:{stop}"),)})
    text = turn.script.workflow.hard_stops[stop].say[0]
    says = Says(AssistantReply(lead="", segments=(SpokenAct(act=f"stop:{stop}", text=text),)))
    run(agent(tmp_path, says, turn.script).speak(turn.view.model_copy(update={"plan": plan})))
    assert "lead_examples" not in says.requests[0].messages[0].text


@pytest.mark.parametrize(("after", "kind"), [(None, "thanks"), (T.PUSHBACK, "calm"), (T.TOPIC_SWITCH, "sidestep")])
def test_leads_are_those_for_an_answer_or_for_the_interruption(
    tmp_path: Path, after: InterruptionType | None, kind: str
) -> None:
    turn = seen_calls().turn(after)
    said = Message(speaker=Speaker.CALLER, text="It is as it is.")
    answered = turn.view.answered or "stage.question"
    says = Says(as_reply(turn))
    view = turn.view.model_copy(update={"history": (*turn.view.history[:-1], said), "answered": answered})
    run(agent(tmp_path, says, turn.script).speak(view))
    element = re.search(r'<data name="lead_examples">(.*?)</data>', says.requests[0].messages[0].text, re.DOTALL)
    assert element is not None
    assert set(json.loads(element[1])) <= set(getattr(standard_library().shared.agent, kind))
