"""What the composer's agent says, given what it said before."""

from itertools import pairwise

import pytest

from factory.compose.agent import LEAD, ComposerAgent, leads_after
from factory.records.blueprint import ActUse
from factory.records.conversation import Message
from factory.records.enums import Form, InterruptionType, Speaker
from factory.simulate.views import AssistantPlan, AssistantView
from factory.workflow.library import standard_library

LIBRARY = standard_library()
WORKFLOW = "travel/hotel_relocation"
QUESTION = "news.ask_accept"


def after(kind: InterruptionType, history: tuple[Message, ...], turn: int) -> AssistantView:
    """What the agent sees when it asks again what was open, after an interruption of that type."""
    return AssistantView(
        workflow=LIBRARY.digest(WORKFLOW),
        history=history,
        plan=AssistantPlan(acts=(ActUse(ref=QUESTION, form=Form.RESUME),)),
        after=kind,
        answered=None,
        slots={},
        revised={},
        turn=turn,
        attempt=0,
        rotation=7,
        seed=1,
        remainder=(),
    )


def leads_of_a_call(kind: InterruptionType, turns: int) -> list[str]:
    """How the agent begins turn after turn of one call, in which the caller cuts in in the same way each time."""
    agent = ComposerAgent(LIBRARY.script(WORKFLOW), LIBRARY.shared.agent)
    history: tuple[Message, ...] = ()
    leads = []
    for turn in range(1, turns + 1):
        history += (Message(speaker=Speaker.CALLER, text="Come on, let's get on with it."),)
        first, *rest = agent.word(after(kind, history, turn))
        assert first.act == LEAD
        leads.append(first.text)
        history += (Message(speaker=Speaker.AGENT, text=" ".join([first.text, *(s.text for s in rest)])),)
    return leads


def test_no_lead_is_said_twice_in_a_call_while_there_is_another() -> None:
    quick = LIBRARY.shared.agent.quick
    leads = leads_of_a_call(InterruptionType.IMPATIENT, len(quick))
    assert sorted(leads) == sorted(quick)


def test_when_all_were_said_they_come_again_and_none_twice_in_a_row() -> None:
    quick = LIBRARY.shared.agent.quick
    leads = leads_of_a_call(InterruptionType.IMPATIENT, 2 * len(quick))
    assert set(leads[len(quick) :]) <= set(quick)
    assert all(first != second for first, second in pairwise(leads))


@pytest.mark.parametrize(
    ("kind", "plain", "to_a_question"),
    [
        (InterruptionType.IMPATIENT, "quick", "quick"),
        (InterruptionType.PUSHBACK, "calm", "calm_question"),
        (InterruptionType.NORMAL, "noted", "noted_question"),
        (InterruptionType.TOPIC_SWITCH, "sidestep", "sidestep_question"),
        (InterruptionType.FILLER, None, None),
        (InterruptionType.CORRECTION, None, None),
    ],
)
def test_leads_fit_the_interruption_and_whether_it_ended_in_a_question(
    kind: InterruptionType, plain: str | None, to_a_question: str | None
) -> None:
    phrases = LIBRARY.shared.agent
    for said, name in (("Why? I don't like it.", plain), ("I don't like it. Why?", to_a_question)):
        view = after(kind, (Message(speaker=Speaker.CALLER, text=said),), 1)
        assert leads_after(phrases, view) == (getattr(phrases, name) if name else ())
