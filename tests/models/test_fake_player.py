"""The fake server's player: answers our own prompts so that whole calls come out clean, from the request alone."""

import asyncio
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from factory.build.conversations import compose
from factory.build.engine import Engine, ModelSide
from factory.corpus.plan import plan_corpus
from factory.corpus.specs import load_spec
from factory.models.brief import ActBrief, brief_of
from factory.models.fake.forms import smallest
from factory.models.fake.player import play
from factory.models.fake.scenarios import Scenario, read_scenario
from factory.models.fake.wire import Asked
from factory.models.modifier import EditCommand
from factory.models.pool import Pool
from factory.models.prompt import as_data
from factory.models.replies import (
    AssistantReply,
    ModifierReply,
    PlannerReply,
    ReactionReply,
    RubricReply,
    UserReply,
    VerifierReply,
    WorkflowReply,
    reply_schema,
)
from factory.models.request import Finish, ModelReply, ModelRequest
from factory.models.roles_file import load_models
from factory.models.rubric import write_rubric
from factory.models.system_message import write_system_message
from factory.records.base import Record
from factory.records.models import Usage
from factory.rubric.context import Interrupted
from factory.rubric.write import write_criteria
from factory.verify.checks import Case, check_conversation
from factory.workflow.library import standard_library
from factory.workflow.phrases import holds_phrase, shares_phrase
from tests.bench.bench import scaled
from tests.composed import calls
from tests.models.servers import roles_file, running_server
from tests.models.writers import PROMPTS, asker, run

HISTORY = [{"speaker": "agent", "text": "Hello, this is Mia."}, {"speaker": "caller", "text": "Hi there."}]


def played(reply: type[Record], scenario: str = "player", repairs: tuple[str, ...] = (), **data: object) -> Any:
    """What the player replies to a prompt that holds these data elements."""
    prompt = "\n\n".join(f"Here is {name}:\n\n{as_data(value, name)}" for name, value in data.items())
    schema = json.loads(reply_schema(reply).json_schema)
    asked = Asked("player", "You play a part.", (prompt, *repairs), schema, schema["title"], 1000, True)
    return reply.model_validate_json(play(asked, read_scenario(scenario)))


def act(ref: str, *examples: str, **fields: object) -> ActBrief:
    whole = {"does": "do it", "question": False, "holds": (), "mentions": (), "long": False, "examples": examples}
    return ActBrief.model_validate({"ref": ref, **whole, **fields})


def test_whole_conversations_come_out_clean_and_no_reply_is_asked_for_twice(tmp_path: Path) -> None:
    library = standard_library()
    blueprints = list(plan_corpus(scaled(load_spec("demo"), 6), library, 3))[:3]

    async def build(models_file: Path) -> None:
        models = load_models(models_file)
        async with Pool(models, {}) as pool:
            engine = Engine(library, side=ModelSide(models, pool, tmp_path / "replies"))
            for blueprint in blueprints:
                rounds = await compose(engine, blueprint)
                case = Case(script=library.script(blueprint.workflow), blueprint=blueprint, rounds=rounds)
                assert check_conversation(case) == ()

    with running_server() as server:
        asyncio.run(build(roles_file(tmp_path, server)))
        log, stats = server.log(), server.stats()
    forms = Counter(line["form"] for line in log)
    assert set(forms) == {"PlannerReply", "AssistantReply", "ReactionReply", "UserReply"}
    assert forms["AssistantReply"] == forms["PlannerReply"] and forms["UserReply"] == forms["ReactionReply"]
    assert stats["answered"] == stats["requests"]


def test_the_planner_names_what_the_acts_do() -> None:
    plan = played(PlannerReply, history=HISTORY, acts=[act("a.b", does="ask for the order")]).plan
    assert plan == "Take up what the person has just said, then ask for the order."


def test_the_assistant_says_an_example_of_every_act_in_order() -> None:
    acts = [act("a.one", "It's the first.", "The first it is."), act("a.two", "And the second.")]
    reply = played(AssistantReply, history=HISTORY, acts=acts)
    assert [s.act for s in reply.segments] == ["a.one", "a.two"]
    assert reply.segments[0].text in acts[0].examples and reply.segments[1].text == "And the second."
    assert reply.lead == ""


def test_examples_are_spread_over_calls_and_stay_for_the_same_call() -> None:
    acts = [act("a.one", "It's the first.", "The first it is.")]

    def said(number: int) -> str:
        return str(played(AssistantReply, history=[{"speaker": "caller", "text": f"Hi {number}"}], acts=acts))

    assert len({said(number) for number in range(20)}) == 2
    assert said(1) == said(1)


def test_an_example_that_lacks_what_it_has_to_hold_is_not_taken() -> None:
    acts = [act("a.one", "Your card is here.", "Card 4412 is here.", holds=("4412",), mentions=("card",))]
    for number in range(10):
        history = [{"speaker": "caller", "text": str(number)}]
        assert played(AssistantReply, history=history, acts=acts).segments[0].text == "Card 4412 is here."


def test_the_assistant_does_not_say_again_what_it_just_said() -> None:
    heard = "I would like to send the parcel to card 4412 on"
    only = act("a.one", "I would like to send the parcel to card 4412 on Monday.", holds=("card 4412",))
    history = [{"speaker": "agent", "text": heard}, {"speaker": "caller", "text": "Wait."}]
    text = played(AssistantReply, history=history, acts=[only]).segments[0].text
    assert not shares_phrase(text, heard) and holds_phrase(text, "card 4412") and text.endswith("Monday.")
    other = act("a.one", only.examples[0], "Monday suits card 4412 best.", holds=("card 4412",))
    assert played(AssistantReply, history=history, acts=[other]).segments[0].text == "Monday suits card 4412 best."


def test_a_lead_is_one_of_those_it_is_shown_if_it_may_be_one() -> None:
    leads = [
        "Is that so?",
        "Thanks, got it.",
        "This one has far too many words in it to be a lead that anybody would say.",
    ]
    assert played(AssistantReply, history=HISTORY, acts=[act("a.b", "Go on.")], lead_examples=leads).lead == leads[1]


@pytest.mark.parametrize("kind", ["move", "hurry_after_answer"])
def test_a_caller_who_cuts_in_with_an_answer_gives_it_first(kind: str) -> None:
    lines = [
        {"kind": "answer", "texts": ["It's {order}.", "Is it {order}?"]},
        {"kind": "hurry_before_answer", "texts": ["Quick."]},
        {"kind": kind, "texts": ["And what does it cost?"]},
    ]
    reply = played(ReactionReply, heard=HISTORY, caller={}, lines=lines, facts={"order": "B 12"})
    assert reply.answer == "It's B 12." and reply.gist == "It's B 12. And what does it cost?"


def test_a_caller_says_a_line_that_they_have_not_said_before() -> None:
    lines = [{"kind": "move", "texts": ["Why so much?", "Hi there."]}]
    reply = played(ReactionReply, heard=HISTORY, caller={}, lines=lines, facts={})
    assert reply.gist == "Why so much?" and reply.answer == ""


def test_the_user_says_the_plan_with_its_values() -> None:
    plan = {"gist": "Well, {day}. {time} is fine.", "answer": None, "manner": "cooperative"}
    reply = played(UserReply, heard=HISTORY, plan=plan, facts={"day": "Monday", "time": "noon"})
    assert reply.utterance == "Well, Monday. Noon is fine."


def test_the_rubric_is_worded_as_it_came() -> None:
    criteria = {"task_fulfilment": {"text": "T", "keep": []}, "recovery": [{"text": t, "keep": []} for t in "AB"]}
    reply = played(RubricReply, criteria=criteria)
    assert (reply.task_fulfilment, reply.recovery) == ("T", ("A", "B"))


MESSAGES = [
    {"index": 0, "speaker": "agent", "text": "Hello, this is"},
    {"index": 1, "speaker": "caller", "text": "mm-hm", "type": "filler"},
    {"index": 2, "speaker": "agent", "text": "Mia of Lamps."},
    {"index": 3, "speaker": "caller", "text": "Hi."},
    {"index": 4, "speaker": "agent", "text": "Shall we begin?"},
]


def test_the_verifier_finds_nothing_unless_it_is_told_to() -> None:
    assert played(VerifierReply, messages=MESSAGES).findings == ()


def test_the_verifier_finds_as_many_faults_as_it_is_told_to_and_never_in_a_continuation() -> None:
    for number in range(10):
        messages = [*MESSAGES, {"index": 5, "speaker": "caller", "text": f"Call {number}."}]
        (one,) = played(VerifierReply, "player;findings=1", messages=messages).findings
        assert one.message in (0, 4) and one.fixable and one.check == "I"
    both = played(VerifierReply, "player;findings=2", messages=MESSAGES).findings
    assert [f.message for f in both] == [0, 4]


def test_what_the_modifier_has_mended_is_no_fault_any_more() -> None:
    segments = [{"act": "lead", "text": "Shall we begin?"}, {"act": "a.b", "text": "Now, please."}]
    finding = EditCommand(problem="It sounds stiff.", fix="Loosen it.")
    reply = played(ModifierReply, history=HISTORY, segments=segments, finding=finding)
    assert [s.text for s in reply.segments] == ["Well, Shall we begin?", "Now, please."]
    mended = [*MESSAGES[:4], {"index": 4, "speaker": "agent", "text": reply.segments[0].text}]
    assert played(VerifierReply, "player;findings=1", messages=mended).findings == ()


def test_a_share_of_the_conversations_cannot_be_mended() -> None:
    def fixable(number: int) -> list[bool]:
        messages = [*MESSAGES, {"index": 5, "speaker": "caller", "text": f"Call {number}."}]
        return [f.fixable for f in played(VerifierReply, "player;unfixable=0.5", messages=messages).findings]

    assert 60 < sum(fixable(number) == [False] for number in range(200)) < 140


class Plays:
    """Sends requests to the player, without a server between."""

    async def send(self, request: ModelRequest) -> ModelReply:
        assert request.reply_schema is not None
        schema = json.loads(request.reply_schema.json_schema)
        texts = tuple(message.text for message in request.messages)
        asked = Asked(request.model, request.system, texts, schema, schema["title"], request.max_output_tokens, True)
        text = play(asked, Scenario())
        return ModelReply(text=text, finish=Finish.DONE, usage=Usage(), model=request.model)


def test_the_system_message_of_every_workflow_is_taken_at_once(tmp_path: Path) -> None:
    library, asks = standard_library(), asker(tmp_path, Plays())
    for workflow in library.ids:
        made = run(write_system_message(asks, PROMPTS, brief_of(library.script(workflow)), seed=1))
        assert made.call is not None and len(made.call.replies) == 1, workflow


def test_rubrics_are_taken_at_once(tmp_path: Path) -> None:
    asks, call = asker(tmp_path, Plays()), calls()[0]
    script = standard_library().script(call.blueprint.workflow)
    for turn, _ in call.blueprint.interruptions:
        item = Interrupted(script, call.blueprint, call.rounds[: turn + 1])
        made = run(write_rubric(asks, PROMPTS, brief_of(script), item, seed=1))
        assert made.call is not None and len(made.call.replies) == 1
        assert [c.text for c in made.value] == [c.text for c in write_criteria(item)]


def test_the_workflow_writer_hands_back_the_example() -> None:
    assert played(WorkflowReply, example="id: a/b\n").yaml == "id: a/b\n"


def test_a_repair_is_answered_from_the_prompt_but_may_come_out_otherwise() -> None:
    acts = [act("a.one", "It's the first.", "The first it is.")]
    repairs = [("{}", f"That reply cannot be used: {number}.") for number in range(20)]
    replies = [played(AssistantReply, repairs=pair, history=HISTORY, acts=acts) for pair in repairs]
    assert {reply.segments[0].text for reply in replies} == set(acts[0].examples)


def test_material_that_is_missing_or_odd_still_gives_a_reply_of_the_form() -> None:
    assert played(PlannerReply).plan
    assert played(ReactionReply, lines="none", facts=[1], heard={"a": 1}).gist
    assert played(UserReply, plan=[], facts=3).utterance
    assert played(VerifierReply, "player;findings=3", messages=5).findings == ()


def test_an_unknown_form_is_filled_as_its_schema_allows() -> None:
    schema = {
        "type": "object",
        "properties": {
            "name": {"type": "string"},
            "kind": {"enum": ["b", "c"]},
            "count": {"type": "integer", "minimum": 3},
            "rows": {"type": "array", "items": {"$ref": "#/$defs/row"}, "minItems": 2},
            "maybe": {"anyOf": [{"type": "null"}, {"type": "string"}]},
            "sure": {"type": "boolean"},
        },
        "$defs": {"row": {"type": "object", "properties": {"x": {"const": 7}}}},
    }
    filled = {
        "name": "Some plain words.",
        "kind": "b",
        "count": 3,
        "rows": [{"x": 7}] * 2,
        "maybe": None,
        "sure": False,
    }
    assert smallest(schema) == filled
    asked = Asked("player", "", ("Hello",), schema, "SomethingElse", None, False)
    assert json.loads(play(asked, Scenario())) == filled
    assert play(Asked("player", "", ("Hello",), None, "", None, False), Scenario()) == "Some plain words."
