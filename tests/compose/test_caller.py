"""The composer's caller: says only what was released, in its own words, and nothing twice."""

import asyncio
from collections import Counter

from factory.compose.caller import ComposerCaller
from factory.records.conversation import Message, ReleasedLine
from factory.records.enums import InterruptionType, Profile, Speaker, Speech
from factory.simulate.views import IntentView, ReactionView, UserView
from factory.workflow.library import standard_library
from tests.composed import calls

CALLER = ComposerCaller(standard_library().shared.caller)
INTENT = IntentView(
    reaction="calm",
    profile=Profile.COOPERATIVE,
    speaks=Speech.PLAIN,
    description="Calls.",
    hidden_information=(),
)


def view(
    lines: tuple[ReleasedLine, ...], seed: int, said: str = "", kind: InterruptionType | None = None
) -> ReactionView:
    heard = (Message(speaker=Speaker.AGENT, text="Is that right?"), Message(speaker=Speaker.CALLER, text=said))
    return ReactionView(
        heard=heard if said else heard[:1],
        intent=INTENT,
        type=kind,
        lines=lines,
        facts={"day": "monday at noon"},
        seed=seed,
    )


def spoken(reaction: ReactionView) -> str:
    plan = asyncio.run(CALLER.react(reaction)).value
    user = UserView(heard=reaction.heard, plan=plan, type=reaction.type, facts=reaction.facts, seed=1)
    return asyncio.run(CALLER.speak(user)).value


def test_the_same_view_gives_the_same_words() -> None:
    lines = (ReleasedLine(kind="answer", texts=("It's {day}.", "That would be {day}.", "Maybe {day}?")),)
    assert spoken(view(lines, 7)) == spoken(view(lines, 7))
    assert len({spoken(view(lines, seed)) for seed in range(40)}) > 5


def test_a_line_said_before_is_not_said_again_while_there_is_another() -> None:
    lines = (ReleasedLine(kind="hurry", texts=("Let's move on.", "What's next?")),)
    for seed in range(20):
        assert spoken(view(lines, seed, said="Let's move on.", kind=InterruptionType.IMPATIENT)) == "What's next?"


def test_a_backchannel_stays_as_it_is() -> None:
    lines = (ReleasedLine(kind="filler", texts=("mm-hm",)),)
    assert spoken(view(lines, 3, kind=InterruptionType.FILLER)) == "mm-hm"


def test_a_value_that_begins_a_message_gets_its_capital() -> None:
    lines = (ReleasedLine(kind="closing", texts=("{day}, then. Bye.",)),)
    assert spoken(view(lines, 3)) == "Monday at noon, then. Bye."


def test_closing_words_get_no_hesitant_start() -> None:
    lines = (ReleasedLine(kind="closing", texts=("All right, thanks. Bye.",)),)
    assert {spoken(view(lines, seed)) for seed in range(60)} == {"All right, thanks. Bye."}


def test_an_answer_given_while_cutting_in_comes_first() -> None:
    answer = ReleasedLine(kind="answer", texts=("It's {day}.",))
    move = ReleasedLine(kind="move", texts=("Is there parking?",))
    said = spoken(view((answer, move), 5, kind=InterruptionType.NORMAL))
    assert said == "It's monday at noon. Is there parking?"


def test_no_call_has_an_unfilled_place_or_a_double_space() -> None:
    for call in calls():
        for done in call.rounds:
            texts = [done.agent.text, *([done.caller.text] if done.caller else [])]
            assert not any("{" in text or "}" in text or "  " in text for text in texts)


def test_callers_of_one_workflow_do_not_all_say_the_same() -> None:
    turns = [done.caller for call in calls() for done in call.rounds if done.caller and not done.caller.type]
    said = Counter(turn.text for turn in turns if len(turn.text.split()) > 7)
    assert said.most_common(1)[0][1] <= 3


def test_each_way_of_speaking_has_small_words_of_its_own() -> None:
    lines = (ReleasedLine(kind="answer", texts=("It's {day}.",)),)
    said: dict[Speech, set[str]] = {}
    for way in Speech:
        intent = INTENT.model_copy(update={"speaks": way})
        said[way] = {spoken(view(lines, seed).model_copy(update={"intent": intent})) for seed in range(60)}
    for way in set(Speech) - {Speech.PLAIN}:
        assert said[way] - set().union(*(said[other] for other in Speech if other is not way))


def test_a_line_with_a_value_is_known_again_whatever_pause_was_in_it() -> None:
    lines = (ReleasedLine(kind="fail", texts=("It's {day}.", "I have {day} here.")),)
    for seed in range(20):
        assert "have" in spoken(view(lines, seed, said="It's, uh, Monday at noon."))
