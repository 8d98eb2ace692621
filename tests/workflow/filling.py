"""Writes plain words into every gap of a new workflow, as an author would write better ones."""

import json
from collections.abc import Iterable
from typing import Any

import yaml

from factory.workflow.texts import is_gap

from .base import HINT, Data, answer, ask, caller, tell

TOP = {
    "title": "Booking a table",
    "subject": "your table",
    "statement": "Book a table for the guest.",
    "success": "A table is booked.",
    "name": "Priya",
    "organization": "Lakeside Grill",
    "customer_name": "Ellen Marsh",
    "reference": "LG-204417",
    "status": "a regular guest",
    "is": "Tuesday",
    "corrected": "Wednesday",
    "wrong": "LG-204471",
    "guidelines": ["Be kind."],
}
SAYS = {
    "pushback": "Wait, why do you need that from me?",
    "normal": "Oh, we have a dog, by the way.",
    "topic_switch": "Hey, um, when does my bill come?",
}
TOPICS = {
    "introduce": "this call",
    "recorded": "our recording",
    "give_reason": "the new menu",
    "ask_opening": "a good time",
    "explain_check": "the quick check",
    "ask_reference": "the booking code",
    "first_point": "the terrace",
    "second_point": "the parking",
    "ask_choice": "a suitable day",
    "pen_reason": "the door code",
    "ask_pen": "a pen",
    "offer_update": "our text reminder",
    "ask_update": "your text wish",
    "sum_up": "the whole plan",
    "ask_go_ahead": "your final word",
    "explain_number": "our messages",
    "ask_number": "your mobile",
    "next_steps": "the letter we send",
    "update_follows": "the reminder itself",
    "goodbye": "the evening with us",
}
THINGS = ("bees", "choir", "boat", "twins", "roses", "bakery", "stamps", "horses", "bikes")


def filled(text: str, acts: Iterable[Data] = ()) -> str:
    """A new workflow's file without gaps.

    Args:
        text: The file as it was made.
        acts: Finished acts, which take the place of those with their ids.
    """
    data = yaml.load(text, yaml.BaseLoader)
    finished = {act["id"]: act for act in acts}
    for stage in data["stages"]:
        stage["acts"] = [finished.get(act["id"], act) for act in stage["acts"]]
    own = json.loads(json.dumps(fill(data)))  # no list stands in two places, which YAML would write as an alias
    return yaml.safe_dump(own, sort_keys=False, allow_unicode=True, width=10_000)


def fill(data: Data) -> Data:
    """Writes words into every gap of a workflow's data, in place."""
    reference = data["caller_facts"]["reference"]
    put(reference, {"is": TOP["reference"], "wrong": TOP["wrong"]})
    for part in (data, data["goal"], data["agent"], data["known_user_information"], *data["caller_facts"]["choice"]):
        put(part, TOP)
    for stage in data["stages"]:
        put(stage, {"description": "Do what has to be done."})
        for rule in (stage.get("on_failure"), stage.get("skip_when"), *stage.get("terminate_when", ())):
            put(rule or {}, {"says": "As the rule says."})
        for act in stage["acts"]:
            fill_act(act)
        for kind, moves in stage.get("caller_may", {}).items():
            for move in moves:
                topic = f"the {words(move['id'])} in {stage['id']}"
                put(move, {"about": topic, "says": [SAYS[kind]]})
                put(move["answer"], answer(topic))
    for name, stop in data["hard_stops"].items():
        topic = words(name)
        put(stop, {"mentions": [topic], "say": [f"{start} {topic}. Goodbye." for start in ("It is", "So,", "Sadly,")]})
    for thing, intent in zip(THINGS, data["intents"][1:], strict=True):
        other = caller(intent["id"], f"the {thing}", 1)
        put(intent, other)
        [hidden], [own] = intent["hidden_information"], other["hidden_information"]
        put(hidden, own)
        put(hidden["answer"], own["answer"])
    return data


def fill_act(act: Data) -> None:
    """Writes words into an act's gaps."""
    topic, slot = TOPICS[act["id"]], act.get("fills")
    if slot:
        put(act, {"replies": [f"Uh, it's {{{slot}}}."], "corrects": [f"Not {{{slot}}}, it's {{{slot}.corrected}}."]})
    put(act, (ask if "replies" in act else tell)(act["id"], topic))
    put(
        act,
        {"called": topic.split(" ", 1)[1], "received": ["Thanks, noted.", "Great, there we are.", "Okay, I have it."]},
    )
    put(act.get("hint", {}), HINT)
    if "failure" in act:
        retry = [f"{start} {topic} once more?" for start in ("Sorry,", "Could you say", "What was", "May I hear")]
        fails = [f"I think it's {{{slot}.wrong}}?"]
        put(act["failure"], {"does": "ask again", "mentions": [topic], "retry": retry, "fails": fails})


def put(part: Data, written: Data) -> None:
    """Replaces those values of a part that are gaps."""
    for key, value in part.items():
        if key in written and gap(value):
            part[key] = written[key]
        elif key == "replies":
            put_replies(value)


def put_replies(replies: Any) -> None:
    """Answers by condition or profile."""
    if isinstance(replies, dict):
        put(replies, {"default": ["Uh, yeah, that's fine.", "Sure, go ahead."], "rushed": ["Yeah, quick."]})
    for reply in replies if isinstance(replies, list) else ():
        if isinstance(reply, dict):
            put(reply, {"says": ["Yes, please." if reply["if"]["is"] == "yes" else "No, thanks."]})


def gap(value: Any) -> bool:
    """Whether a text, or the one text of a list, is still to be written."""
    return is_gap(value) if isinstance(value, str) else isinstance(value, list) and value[:1] != [] and gap(value[0])


def words(name: str) -> str:
    """An id as it is spoken."""
    return name.replace("_", " ")
