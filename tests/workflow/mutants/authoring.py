"""Mutants of what an author leaves behind: gaps, callers that are alike, characters that nobody can say."""

from typing import Any

from factory.workflow.findings import Check

from .edits import BYE, DAY, OPEN_MOVES, WHO, Mutant, line, says

c = Check
PLANNER = "intents.planner"
SCHOOL = f"{PLANNER}.hidden_information.school"


def put(check: Check, found: str, value: Any, place: str = "") -> Mutant:
    """A value put at a place: where the finding is, unless another is named."""
    return check, found, lambda edit: edit.put(place or found, value)


AUTHORING: list[Mutant] = [
    line(c.GAP, f"{WHO}.say[0]", "GAP: a way to say it"),
    put(c.GAP, "caller_facts.mobile[0].is", "GAP: the number of a phone that is theirs", "caller_facts.mobile"),
    put(c.GAP, "agent.name", "GAP:"),
    put(c.GAP, f"{PLANNER}.description", "GAP: who they are"),
    (
        c.REPLY_CONDITION,
        "stages.arrange.acts.ask_text.replies[0].if.slot",
        lambda e: e.put("known_user_information.plan", "yes").put(
            "stages.arrange.acts.ask_text.replies[0].if", {"slot": "plan", "is": "yes"}
        ),
    ),
    put(c.CONTROL_CHARACTER, "title", "Booking a \u202emeter visit"),
    put(c.CONTROL_CHARACTER, "agent.name", "Priya\nMarsh"),
    line(c.CONTROL_CHARACTER, f"{WHO}.brief[0]", "A quick word on this call\u200b."),
    line(c.CONTROL_CHARACTER, "guidelines[0]", "Be \x07kind."),
    put(c.MARKUP, "agent.organization", "Lakeside & Sons"),
    put(c.MARKUP, "stages.verify.name", "Verify <the> customer"),
    put(c.MARKUP, "caller_facts.mobile[0].is", "{visit_day}", "caller_facts.mobile"),
    put(c.MARKUP, "known_user_information.meters[1].kind", "gas}"),
    put(c.UNSAID, "agent.name", "Приya"),
    put(c.UNSAID, "caller_facts.mobile[0].is", "番号", "caller_facts.mobile"),
    put(c.UNSAID, "known_user_information.meters[1].kind", "gaz → газ"),
    put(c.UNSAID, "known_user_information.meters[1].kind", "-"),
    line(c.UNSAID, f"{WHO}.brief[0]", "A quick слово on this call."),
    line(c.UNSAID, f"{WHO}.brief[0]", "A quick word on this call 📞."),
    says(c.UNSAID, f"{DAY}.replies[0].says.default[0]", "Um, {visit_day}, 好."),
    says(c.UNSAID, f"{OPEN_MOVES}.normal.dog.says.default[0]", "..."),
    (c.MENTIONS, f"{BYE}.mentions", lambda e: e.drop(f"{BYE}.mentions")),
    (c.INTENTS, "intents", lambda e: e.drop("intents.caller_8")),
    put(c.SAME_CALLER, f"{PLANNER}.description", "works  NIGHTS"),
    put(c.SAME_CALLER, f"{PLANNER}.interruption_profile", {"pushback": "4", "filler": "0"}),
    (
        c.SAME_CALLER,
        "intents.caller_1.hidden_information.own.info",
        lambda e: e.put(f"{SCHOOL}.info", "has bees").put("intents.caller_1.hidden_information.own.info", "Has bees."),
    ),
    put(c.WITHHELD_WORDS, f"{SCHOOL}.info", "works nights until 6 am"),
    put(c.WITHHELD_WORDS, f"{PLANNER}.description", "Thinks of the bees all day, and of much else."),
    put(c.WITHHELD_WORDS, f"{PLANNER}.reaction", "brisk, thinks of the bees all day"),
    says(c.WITHHELD_WORDS, f"{OPEN_MOVES}.normal.dog.says.default[0]", "So who, uh, picks up a child at three?"),
    (
        c.WITHHELD_WORDS,
        f"{SCHOOL}.says.default[0]",
        lambda e: e.line("guidelines[0]", "Offer the earliest day you have.").line(
            f"{SCHOOL}.says[0]", "They told me you offer the earliest day you have."
        ),
    ),
    (
        c.SAME_CALLER,
        "intents.caller_1.hidden_information.own.says.default[0]",
        lambda e: e.line("intents.caller_1.hidden_information.own.says[0]", e.get(f"{SCHOOL}.says[0]").upper()),
    ),
]
