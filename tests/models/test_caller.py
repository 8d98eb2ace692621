"""The model's caller side: decided and worded by a model that has heard what the caller heard, and nothing else."""

from inspect import signature
from pathlib import Path

import pytest

from factory.models.ask import MOST_REPAIRS
from factory.models.caller import ModelCaller
from factory.models.prompt import Prompts
from factory.models.replies import ReactionReply, UserReply
from factory.records.conversation import ReactionPlan
from factory.records.enums import InterruptionType
from factory.simulate.views import ReactionView
from factory.workflow.fill import fill
from tests.models.seen import Seen, seen_calls
from tests.models.writers import MODEL, Says, asker, refused, run

T = InterruptionType


def caller(folder: Path, says: Says) -> ModelCaller:
    return ModelCaller(asker(folder, says), Prompts())


def as_reply(seen: Seen[ReactionView, ReactionPlan]) -> ReactionReply:
    """The composer's reaction as a model would send it."""
    facts = seen.view.facts
    return ReactionReply(
        rationale="It was asked.", gist=fill(seen.made.gist, facts), answer=fill(seen.made.answer or "", facts)
    )


@pytest.mark.parametrize("kind", [None, *T])
def test_each_way_to_react_has_its_own_template(tmp_path: Path, kind: InterruptionType | None) -> None:
    seen = seen_calls().reacting(kind)
    made = run(caller(tmp_path, Says(as_reply(seen))).react(seen.view))
    branch = f"interrupting_{kind.value}" if kind else "normal"
    assert made.call is not None and made.call.template == f"reaction_planner/{branch}.md.j2"
    assert made.engine == MODEL
    assert made.value.manner is seen.view.intent.profile


def test_an_answer_is_kept_apart_where_the_caller_cuts_in_with_one(tmp_path: Path) -> None:
    seen = seen_calls().reacting(T.IMPATIENT, "answer", "hurry_before_answer", "hurry_after_answer")
    made = run(caller(tmp_path, Says(as_reply(seen))).react(seen.view))
    assert made.value.answer
    calm = seen_calls().reacting(None, "answer")
    reply = as_reply(calm).model_copy(update={"answer": "Something."})
    assert run(caller(tmp_path, Says(reply)).react(calm.view)).value.answer is None


def test_a_missing_value_goes_back(tmp_path: Path) -> None:
    seen = next(s for s in seen_calls().reaction if s.view.type is None and s.view.facts and "{" in s.made.gist)
    value = next(iter(seen.view.facts.values()))
    says = Says(ReactionReply(rationale="", gist="Let me think.", answer=""), as_reply(seen))
    made = run(caller(tmp_path, says).react(seen.view))
    assert f"`{value}`" in says.told
    assert value.lower() in made.value.gist.lower()


def test_words_are_tidied_and_the_models_own(tmp_path: Path) -> None:
    view = seen_calls().speaking(None, lambda view: not view.facts)
    made = run(caller(tmp_path, Says(UserReply(rationale="", utterance=" yeah,  that’s\u202e it "))).speak(view))
    assert made.value == "Yeah, that's it."
    assert made.engine == MODEL
    assert made.call is not None and made.call.template == "user/normal.md.j2"


def test_a_sound_of_listening_stays_small(tmp_path: Path) -> None:
    view = seen_calls().speaking(T.FILLER)
    says = Says(
        UserReply(rationale="", utterance="Okay, and what about the fee?"), UserReply(rationale="", utterance="Uh-huh.")
    )
    assert run(caller(tmp_path, says).speak(view)).value == "uh-huh"
    assert "sound of listening" in says.told


def test_what_never_holds_is_given_up(tmp_path: Path) -> None:
    view = seen_calls().speaking(T.PUSHBACK)
    says = Says(UserReply(rationale="", utterance="It costs 987654 dollars."))
    assert "987654" in refused(caller(tmp_path, says).speak(view), says)
    assert len(says.requests) == MOST_REPAIRS + 1


def test_what_is_told_back_holds_nothing_that_the_view_has_not(tmp_path: Path) -> None:
    """A fault may name a value of the view or of the reply; a model on this side learns nothing from it."""
    seen = seen_calls().reacting(T.CORRECTION)
    says = Says(ReactionReply(rationale="", gist="No {x} 4711.", answer=""))
    told = refused(caller(tmp_path, says).react(seen.view), says)
    known = seen.view.model_dump_json() + "No {x} 4711."
    assert all(word in known for word in told.split("`")[1::2])


def test_another_seed_asks_again_with_the_same_prompt(tmp_path: Path) -> None:
    view = seen_calls().speaking(T.PUSHBACK, lambda view: not view.facts)
    says = Says(UserReply(rationale="", utterance="Why would I do that?"))
    one = caller(tmp_path, says)
    run(one.speak(view))
    run(one.speak(view.model_copy(update={"seed": view.seed + 1})))
    first, second = says.requests
    assert (first.system, first.messages) == (second.system, second.messages)
    assert first.digest() != second.digest()


def test_it_is_made_from_nothing_that_knows_the_workflow() -> None:
    assert set(signature(ModelCaller).parameters) == {"asker", "prompts"}
    assert set(vars(ModelCaller(None, Prompts()))) == {"_asker", "_prompts"}  # type: ignore[arg-type]
