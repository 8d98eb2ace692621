"""Mutants of the checks of what callers may cut in with, and what a call can carry."""

from factory.workflow.findings import Check

from ..base import ask, move
from .edits import CHECK_MOVES, DAY, OPEN_MOVES, TIME, VISIT_MOVES, Mutant

c = Check

SUPPLY: list[Mutant] = [
    (c.MOVES, f"{CHECK_MOVES}.pushback", lambda e: e.drop(f"{CHECK_MOVES}.pushback.why")),
    (c.MOVES, f"{CHECK_MOVES}.normal", lambda e: e.drop(f"{CHECK_MOVES}.normal")),
    (c.MOVES, "stages.texting.caller_may.topic_switch", lambda e: e.drop("stages.texting.caller_may.topic_switch")),
    (c.MOVES, "intents.planner.hidden_information", lambda e: e.drop("intents.planner.hidden_information")),
    (
        c.PUSHBACK_PLACE,
        f"{VISIT_MOVES}.pushback.pen.after",
        lambda e: e.add(f"{VISIT_MOVES}.pushback", move("pen", "the pen", "What for?", after="has_pen")),
    ),
    (
        c.PUSHBACK_PLACE,
        "stages.close_call.caller_may.pushback.bye.after",
        lambda e: e.put(
            "stages.close_call.caller_may", {"pushback": [move("bye", "the goodbye", "So soon?", after="bye")]}
        ),
    ),
    (
        c.PUSHBACK_ABOUT,
        f"{CHECK_MOVES}.pushback.why.about",
        lambda e: e.put(f"{CHECK_MOVES}.pushback.why.about", "That nobody else asks for it"),
    ),
    (c.MOVE_UNUSED, f"{OPEN_MOVES}.pushback.long.after", lambda e: e.drop(f"{TIME}.hint")),
    (
        c.CARRY,
        "stages",
        lambda e: (
            e.drop("stages.texting")
            .drop("stages.arrange.acts.has_pen")
            .drop("stages.arrange.acts.text_offer")
            .drop("stages.arrange.acts.ask_text")
            .drop("stages.arrange.acts.ask_wanted")
            .drop("stages.arrange.terminate_when")
            .drop("hard_stops.withdrawn")
            .drop("stages.close_call.acts.text_goes")
            .put(f"{VISIT_MOVES}.pushback.long.after", "length")
        ),
    ),
    (
        c.CARRY,
        "stages",
        lambda e: e.add("stages.open_call.acts", *(ask(f"more_{i}", f"point {i}") for i in range(4))),
    ),
    (c.CARRY, "stages", lambda e: e.add("stages.open_call.acts", ask("more", "one more thing"))),
    (
        c.CARRY,
        "stages",
        lambda e: (
            e.drop(f"{DAY}.hint")
            .drop("stages.arrange.acts.ask_wanted.hint")
            .drop("stages.arrange.acts.ask_text.hint")
            .drop("stages.arrange.acts.parking")
            .drop("stages.arrange.acts.pets")
        ),
    ),
    (
        c.SUCCESS,
        "intents.planner",
        lambda e: e.put("intents.planner.facts.still_wanted", "no"),
    ),
    (
        c.SUCCESS,
        "stages",
        lambda e: e.put("caller_facts.still_wanted", "no").get("stages.arrange.acts.ask_wanted.replies").pop(0) and e,
    ),
]
