"""What code decides on every reply: the composer's calls hold, and each fault is found and told."""

import pytest

from factory.models.brief import ActBrief, Brief, act_brief, brief_of
from factory.models.caller_rules import (
    MOST_WORDS,
    caller_faults,
    needed_values,
    planned_values,
    reaction_faults,
    tidy_sound,
)
from factory.models.replies import AssistantReply, ReactionReply, SpokenAct, UserReply
from factory.models.rules import (
    act_faults,
    agent_faults,
    holds_exactly,
    numbers_unknown,
    spoken_faults,
    tidy,
)
from factory.records.conversation import Message, ReactionPlan, ReleasedLine
from factory.records.enums import InterruptionType, Profile, Speaker
from factory.simulate.views import AssistantPlan, AssistantView, IntentView, ReactionView, UserView
from factory.workflow.fill import fill
from factory.workflow.library import standard_library
from tests.models.seen import seen_calls

T = InterruptionType


def act(ref: str = "verify.ask_case", **other: object) -> ActBrief:
    values: dict[str, object] = {"does": "ask for it", "question": False, "holds": (), "mentions": (), "long": False}
    return ActBrief.model_validate({"ref": ref, **values, "examples": ("We keep it short.",), **other})


ASK = act(question=True, mentions=("case number", "case id"))
TELL = act("opening.agenda", long=True, mentions=("questions about the home",))
LONG = "We'll start with a short check and go through a few questions about the home together."


def brief(**other: object) -> Brief:
    values: dict[str, object] = {
        name: "x" for name in ("organization", "agent", "domain", "title", "subject", "goal", "success")
    }
    values |= {"outbound": True, "known": {"case_id": "DR-6039482", "fee": "$40"}, "private": ["case_id"]}
    values |= {"guidelines": [], "stages": [], "topics": [], "stops": [], **other}
    return Brief.model_validate(values)


def view(*history: str, after: InterruptionType | None = None, **other: object) -> AssistantView:
    """The assistant's view; the agent has spoken first."""
    speakers = (Speaker.AGENT, Speaker.CALLER)
    values: dict[str, object] = {"slots": {}, "revised": {}, "turn": 1, "attempt": 0, "rotation": 0, "seed": 0}
    return AssistantView(
        workflow="w",
        history=tuple(Message(speaker=speakers[i % 2], text=text) for i, text in enumerate(history)),
        plan=AssistantPlan(acts=()),
        after=after,
        answered=None,
        **{**values, **other},
    )


CALM = view("Hi, this is Simone.", "Hi there.")


def said(*segments: tuple[ActBrief, str], lead: str = "") -> AssistantReply:
    return AssistantReply(lead=lead, segments=tuple(SpokenAct(act=a.ref, text=text) for a, text in segments))


def faults(*segments: tuple[ActBrief, str], lead: str = "", seen: AssistantView = CALM) -> str:
    acts = [a for a, _ in segments]
    return "; ".join(agent_faults(said(*segments, lead=lead), acts, seen, brief()))


QUESTION = (ASK, "What's your case number?")


class TestTheComposersCalls:
    """Rules that the authored wordings break would ask for the impossible."""

    def test_agents_turns_break_no_rule(self) -> None:
        phrases = standard_library().shared.agent
        for seen in seen_calls().assistant:
            acts = [act_brief(seen.script, phrases, use, seen.view.slots) for use in seen.view.plan.acts]
            reply = AssistantReply(
                lead="", segments=tuple(SpokenAct(act=s.act, text=s.text) for s in seen.made if s.act != "lead")
            )
            found = agent_faults(reply, acts, seen.view, brief_of(seen.script))
            # A line of another variant may have private information that these examples have not.
            assert not [fault for fault in found if "private" not in fault], [s.text for s in seen.made]

    def test_reactions_and_callers_words_break_no_rule(self) -> None:
        calls = seen_calls()
        for seen in calls.reaction:
            facts = seen.view.facts
            answer = fill(seen.made.answer or "", facts)
            reply = ReactionReply(rationale="", gist=fill(seen.made.gist, facts), answer=answer)
            assert not reaction_faults(reply, seen.view)
        for spoken in calls.user:
            assert not caller_faults(UserReply(rationale="", utterance=spoken.made), spoken.view)


class TestTidy:
    @pytest.mark.parametrize(
        ("raw", "mended"),
        [
            ("  that's   fine \n thanks", "That's fine thanks."),
            ("It’s the “blue” one.", 'It\'s the "blue" one.'),
            ("one\u202e two\u200b\x07 three", "One two three."),
            ("Is that right?", "Is that right?"),
            ("Well,", "Well."),
            ('She said "yes"', 'She said "yes".'),
            ("iPhone is fine", "iPhone is fine."),
            (" \u200b ", ""),
        ],
    )
    def test_it_mends_what_need_not_be_asked_again(self, raw: str, mended: str) -> None:
        assert tidy(raw) == mended
        assert tidy(tidy(raw)) == mended

    def test_a_sound_stays_small(self) -> None:
        assert tidy_sound(" Mm-hm. ") == "mm-hm"
        assert tidy_sound("I see.") == "I see"


class TestSpokenText:
    @pytest.mark.parametrize(
        "text",
        [
            "**Sure**.",
            "I see — fine.",
            "Yes; no.",
            "It's (about) that.",
            "# Hi.",
            "{name}.",
            "Agent: hi.",
            "😀.",
            "Sure 👍.",
            "...",
            "Меня зовут Иван.",
            "My name is 李.",
            "It costs 5 ₽.",
            "a" * 90,
        ],
    )
    def test_what_nobody_can_say_is_a_fault(self, text: str) -> None:
        assert spoken_faults(text)

    def test_the_fault_names_the_word_that_cannot_be_said(self) -> None:
        [fault] = spoken_faults(f"This is {'Ж' * 50}, hello.")
        assert fault == f'holds "{"Ж" * 40}", which an English voice cannot say; write what is said, in Latin letters'

    @pytest.mark.parametrize(
        "text", ["It's $40, at 8:30 am.", "Mm-hm.", "Case DR-6039482, right?", "É lá, José.", "Łukasz Đorđević."]
    )
    def test_plain_speech_is_none(self, text: str) -> None:
        assert not spoken_faults(text)

    def test_a_value_stands_exactly_or_not_at_all(self) -> None:
        assert holds_exactly("The deed is here.", "the deed")
        assert holds_exactly("It’s 555-0142.", "555-0142")
        assert not holds_exactly("It's 555 0142.", "555-0142")
        assert not holds_exactly("It's 5550142.", "0142")

    def test_numbers_have_to_come_from_somewhere(self) -> None:
        assert numbers_unknown("At 8:30 on the 12th, 8 of us", ("8 am", "12th")) == ("30",)


class TestTheAgentsTurn:
    def test_a_good_turn_has_no_fault(self) -> None:
        assert not faults((TELL, LONG), QUESTION, lead="Good to hear.")

    def test_acts_are_said_in_their_order_each_once(self) -> None:
        for wrong in (said(QUESTION, (TELL, LONG)), said((TELL, LONG)), said((TELL, LONG), QUESTION, QUESTION)):
            (fault,) = agent_faults(wrong, (TELL, ASK), CALM, brief())
            assert "opening.agenda, verify.ask_case" in fault

    def test_words_that_an_act_is_known_by_are_missed(self) -> None:
        assert "`case number`, `case id`" in faults((ASK, "Which one is it?"))
        held = act(holds=("555-0142",))
        assert "`555-0142`" in faults((held, "I'll call you there."))
        assert not faults((held, "I'll call you on 555-0142."), seen=view("Hi.", "It's 555-0142."))

    def test_only_a_question_asks_and_only_once(self) -> None:
        assert "exactly one question" in faults((ASK, "Tell me your case number."))
        assert "exactly one question" in faults((ASK, "Your case number? Do you have it?"))
        assert "asks nothing" in faults((act(), "Shall we keep it short?"))

    def test_a_long_act_begins_with_a_long_sentence(self) -> None:
        assert "longer" in faults((TELL, "Okay. It's a few questions about the home, nothing more than that, really."))
        two = act("a.b", long=True, examples=("This one has a first sentence that goes on a bit. Then another.",))
        assert "second sentence" in faults((two, "This is how the whole thing goes on from here for the both of us."))
        assert not faults((two, "This is how the whole thing goes on from here for the both of us. That's all."))

    def test_an_act_is_no_speech(self) -> None:
        assert "too long" in faults((act(), "word " * 60))

    def test_a_lead_is_short_and_asks_nothing(self) -> None:
        assert "lead" in faults(QUESTION, lead="Good. Thanks a lot.")
        assert "lead" in faults(QUESTION, lead="word " * 13)
        assert "never asks" in faults(QUESTION, lead="Really?")
        assert "nobody has said anything" in faults(QUESTION, lead="Thanks.", seen=view())

    def test_a_number_out_of_nowhere_is_told(self) -> None:
        assert "45" in faults((act(), "That takes 45 minutes."))
        assert not faults((act(), "That's $40."))
        assert not faults((act(), "That takes 45 minutes."), seen=view("It takes 45 minutes.", "Okay."))
        assert not faults((act(), "That's 12."), seen=view("Hi.", "Hi.", slots={"size": "12"}))
        long = faults((act(), f"It's {'7' * 1000}."))
        assert len(long) < 300

    def test_private_information_stays_private(self) -> None:
        words = "Your case is DR-6039482."
        assert "private" in faults((act(), words))
        assert "private" in faults((act(), words), seen=view("Hi.", "It's DR-6039482."))
        assert not faults((act(holds=("DR-6039482",)), words))
        assert not faults((act(), words), seen=view("Your case is DR-6039482, and", "Yes."))

    def test_what_was_taken_back_does_not_return(self) -> None:
        seen = view("Hi.", "No, Friday.", after=T.CORRECTION, slots={"day": "Friday"}, revised={"day": "Monday"})
        assert "taken back" in faults((act(), "So it isn't Monday then."), seen=seen)
        assert not faults((act(examples=("Every Monday we meet.",)), "We meet every Monday."), seen=seen)
        assert not faults((act(), "So it's Friday."), seen=seen)

    def test_nobody_is_dismissed(self) -> None:
        assert "dismissive" in faults((act(), "As I said, it's short."))

    @pytest.mark.parametrize("after", [kind for kind in T if kind is not T.FILLER])
    def test_after_an_interruption_the_turn_starts_afresh(self, after: InterruptionType) -> None:
        seen = view("We keep the case private because a", "Why?", after=after)
        assert "middle of a sentence" in faults((act(), "stranger could call."), seen=seen)
        assert "just been heard" in faults((act(), "Well, we keep the case private."), seen=seen)
        assert not faults((act(), "A stranger could call."), seen=seen)

    def test_in_an_ordinary_turn_words_may_come_again(self) -> None:
        assert not faults((act(), "We keep the case private."), seen=view("We keep the case private.", "Okay."))

    def test_a_hurried_caller_gets_a_short_turn(self) -> None:
        acts = [(act(f"a.b{i}"), "word " * 40) for i in range(2)]
        assert "more than 60 words" in faults(*acts, seen=view("Hi, I", "Hurry.", after=T.IMPATIENT))
        assert not faults(*acts)

    def test_what_an_act_lacks_can_be_asked_for_alone(self) -> None:
        assert not act_faults(TELL, LONG)
        assert len(act_faults(TELL, "Short?")) == 3


INTENT = IntentView(
    reaction="calm", profile=Profile.WARY, speaks="plain", description="Has 2 dogs.", hidden_information=()
)
ANSWER = ReleasedLine(kind="answer", texts=("It's {case}.", "{case}, I think."))


def reaction(kind: InterruptionType | None, *lines: ReleasedLine, **facts: str) -> ReactionView:
    heard = (Message(speaker=Speaker.AGENT, text="What's the case, and by 5 pm could you"),)
    return ReactionView(heard=heard, intent=INTENT, type=kind, lines=lines, facts=facts, seed=0)


def planned(seen: ReactionView, gist: str, answer: str = "") -> str:
    return "; ".join(reaction_faults(ReactionReply(rationale="", gist=gist, answer=answer), seen))


class TestTheReaction:
    def test_every_value_that_all_ways_have_is_needed(self) -> None:
        assert needed_values(ANSWER, {"case": "DR-1"}) == ("DR-1",)
        assert needed_values(ReleasedLine(kind="answer", texts=("It's {case}.", "No idea.")), {"case": "DR-1"}) == ()
        seen = reaction(None, ANSWER, case="DR-1")
        assert not planned(seen, "Yeah, DR-1.")
        assert "`DR-1`" in planned(seen, "Yeah, I have it.")

    def test_a_correction_brings_the_new_value(self) -> None:
        line = ReleasedLine(kind="correction", texts=("Make that {day.corrected}.",))
        seen = reaction(T.CORRECTION, line, **{"day.corrected": "Friday"})
        assert "`Friday`" in planned(seen, "I got the day wrong.")
        assert not planned(seen, "It's Friday, sorry.")

    def test_an_answer_is_wanted_where_one_was_released_with_an_interruption(self) -> None:
        hurry = ReleasedLine(kind="hurry_after_answer", texts=("What's next?",))
        seen = reaction(T.IMPATIENT, ANSWER, hurry, case="DR-1")
        assert "answer: is empty" in planned(seen, "DR-1. Next?")
        assert "answer: does not hold" in planned(seen, "DR-1. Next?", "I have it.")
        assert not planned(seen, "DR-1. Next?", "DR-1.")
        assert not planned(reaction(None, ANSWER, case="DR-1"), "It's DR-1.", "anything")

    def test_nothing_comes_from_nowhere(self) -> None:
        seen = reaction(None, ANSWER, case="DR-1")
        assert "77" in planned(seen, "It's DR-1, from 77 Oak Street.")
        assert not planned(seen, "DR-1. I have 2 dogs, and 5 pm is fine.")
        assert "marks" in planned(seen, "It's DR-1, {name}.")

    def test_a_sound_stays_a_sound(self) -> None:
        seen = reaction(T.FILLER, ReleasedLine(kind="filler", texts=("yep, got it",)))
        assert not planned(seen, "got it, yep")
        for wrong in ("Tell me more", "right?", "yeah yeah yeah yeah yeah", "5", ""):
            assert planned(seen, wrong)


def speaking(kind: InterruptionType | None, gist: str, answer: str | None = None, **facts: str) -> UserView:
    plan = ReactionPlan(gist=gist, answer=answer, manner=Profile.WARY)
    return UserView(heard=reaction(None).heard, plan=plan, type=kind, facts=facts, seed=0)


def worded(seen: UserView, utterance: str) -> str:
    return "; ".join(caller_faults(UserReply(rationale="", utterance=utterance), seen))


class TestTheCallersWords:
    def test_values_of_the_plan_are_said_as_they_are(self) -> None:
        seen = speaking(None, "It's DR-1.", case="DR-1", day="Friday")
        assert planned_values(seen) == ("DR-1",)
        assert not worded(seen, "Uh, DR-1.")
        assert "`DR-1`" in worded(seen, "Uh, DR 1.")

    def test_a_plan_may_name_the_fact(self) -> None:
        assert "`DR-1`" in worded(speaking(None, "It's {case}.", case="DR-1"), "I have it.")

    def test_nothing_comes_from_nowhere(self) -> None:
        assert "77" in worded(speaking(None, "I live here."), "I live at 77 Oak Street.")
        assert not worded(speaking(None, "That's fine."), "5 pm is fine.")

    def test_nobody_talks_in_paragraphs_or_symbols(self) -> None:
        assert str(MOST_WORDS) in worded(speaking(None, "Fine."), "word " * (MOST_WORDS + 1))
        assert "marks" in worded(speaking(None, "Fine."), "*Fine*.")
        assert "empty" in worded(speaking(None, "Fine."), " \u200b")
        assert "speaker" in worded(speaking(None, "Fine."), "Caller: fine.")

    def test_hurry_alone_is_short_and_with_an_answer_less_so(self) -> None:
        words = "word " * 30
        assert worded(speaking(T.IMPATIENT, "Hurry up."), words)
        assert not worded(speaking(T.IMPATIENT, "DR-1. Hurry.", "DR-1.", case="DR-1"), f"DR-1. {words}")

    def test_a_sound_stays_a_sound(self) -> None:
        seen = speaking(T.FILLER, "mm-hm")
        assert not worded(seen, "Uh-huh.")
        for wrong in ("Okay, what now?", "Right, the case number", "Really?", "5"):
            assert worded(seen, wrong)
