"""Mutants of the checks of what is read, filled, revised and verified."""

from factory.workflow.findings import Check

from ..base import ask, tell
from .edits import ACCOUNT, DAY, LETTER, NO_TEXT, OPEN_MOVES, TIME, VISIT_MOVES, YES_TEXT, Mutant, line, says, short

c = Check

SLOTS: list[Mutant] = [
    line(
        c.UNFILLED,
        f"{LETTER}.say[0]",
        "Just so that you know, the letter we send goes out to {mobile} before long.",
    ),
    line(
        c.UNFILLED,
        f"{ACCOUNT}.hint.say[0]",
        "You'll find that on the very first page of the letter for {visit_day}. It is bold.",
    ),
    line(
        c.UNFILLED,
        f"{ACCOUNT}.failure.retry[0]",
        "The account number {still_wanted} is unknown here. Could you check?",
    ),
    line(
        c.UNFILLED,
        "hard_stops.unverified.say[1]",
        "You're unverified, so on {visit_day} nothing more can be done.",
    ),
    line(
        c.UNFILLED,
        f"{VISIT_MOVES}.normal.dog.answer.say[0]",
        "With the dog in the visit on {visit_day} nobody has to worry at all.",
    ),
    line(
        c.UNFILLED,
        "stages.close_call.acts.bye.say[0]",
        "Just so that you know, the visit on {visit_day} is confirmed to {mobile} tonight.",
    ),
    line(c.UNFILLED, "stages.open_call.acts.call_reason.brief[0]", "It's about the new meter, {caller_name}."),
    line(c.UNFILLED, f"{ACCOUNT}.received[0]", "Thanks, see you on {visit_day}."),
    line(
        c.PLACEHOLDER,
        "stages.arrange.acts.which_meter.say[0]",
        "Just so that you know, your {meters.0.kind} meter hangs in {meters.2.kind} rooms with a lock.",
    ),
    line(
        c.PLACEHOLDER,
        f"{LETTER}.say[0]",
        "Just so that you know, the letter we send goes out to {Your Name} before long.",
    ),
    says(c.PLACEHOLDER, f"{DAY}.replies[0].says.default[0]", "Um, {visit_day} works for {me too."),
    line(
        c.SENSITIVE,
        "stages.verify.acts.explain_check.say[0]",
        "Just so that you know, the quick check comes before the {visit_length} of the visit.",
    ),
    line(
        c.SENSITIVE,
        f"{ACCOUNT}.hint.say[0]",
        "You'll find that on the very first page next to the {visit_length}. It is bold.",
    ),
    line(
        c.SENSITIVE,
        f"{OPEN_MOVES}.normal.dog.answer.say[0]",
        "With the dog in the greeting it takes Forty Minutes or a little longer.",
    ),
    line(
        c.SENSITIVE,
        "intents.planner.hidden_information.school.answer.say[0]",
        "That is no trouble for the school run, since we need {visit_length} only.",
    ),
    line(
        c.SENSITIVE,
        "hard_stops.unverified.say[1]",
        "You're unverified, so there'll be no visit of {visit_length} today.",
    ),
    (c.SENSITIVE, "sensitive", lambda e: e.drop("stages.verify.verification")),
    (
        c.SENSITIVE,
        "stages.arrange.acts.length.say[0]",
        lambda e: e.put("caller_facts.vip", ["yes", "no"]).put(
            "stages.verify.skip_when", {"says": "x", "slot": "vip", "is": "yes"}
        ),
    ),
    (
        c.SLOT_WITHOUT_FACT,
        f"{TIME}.fills",
        lambda e: e.put(f"{TIME}.fills", "time_is_good"),
    ),
    (
        c.FILLED_TWICE,
        "stages.texting.acts.again.fills",
        lambda e: e.add(
            "stages.texting.acts", ask("again", "the mobile twice", fills="mobile", replies=["It's {mobile}."])
        ),
    ),
    (
        c.VERIFICATION_REVISABLE,
        f"{ACCOUNT}.corrects",
        lambda e: e.put("caller_facts.account_number.corrected", "LP-1").put(
            f"{ACCOUNT}.corrects", ["No, it's {account_number.corrected}."]
        ),
    ),
    (
        c.VERIFICATION_FACT,
        "caller_facts.account_number[0]",
        lambda e: e.put("caller_facts.account_number.is", "LP-204418"),
    ),
    (
        c.CONDITION_VALUE,
        "stages.texting.skip_when.is",
        lambda e: (
            e.put("stages.texting.skip_when.is", "never")
            .put("stages.close_call.acts.text_goes.if", NO_TEXT)
            .put(f"{TIME}.optional", "true")
        ),
    ),
    (
        c.CONDITION_VALUE,
        "stages.arrange.acts.ask_text.replies[2].if.is",
        lambda e: e.add(
            "stages.arrange.acts.ask_text.replies", {"if": {"slot": "wants_text", "is": "maybe"}, "says": ["Hm."]}
        ),
    ),
    (
        c.CONDITION_EARLY,
        f"{LETTER}.if.slot",
        lambda e: e.put(f"{LETTER}.if", YES_TEXT),
    ),
    (
        c.CONDITION_EARLY,
        "stages.texting.skip_when.slot",
        lambda e: e.put("stages.arrange.acts.ask_text.optional", "true").drop("stages.close_call.acts.text_goes"),
    ),
    (
        c.CONDITION_REVISED,
        "stages.close_call.acts.bye_tuesday.if.slot",
        lambda e: e.insert(
            "stages.close_call.acts",
            0,
            tell("bye_tuesday", "the weekly bins", **{"if": {"slot": "visit_day", "is": "Tuesday"}}),
        ),
    ),
    short(c.REPLY_COVERAGE, "stages.arrange.acts.ask_text.replies"),
    says(c.REPLY_VALUE, f"{DAY}.replies[0].says.default[0]", "Um, whenever."),
    (
        c.CORRECTED,
        "intents.planner.facts.visit_day[0]",
        lambda e: e.put("intents.planner.facts.visit_day", [{"is": "Monday", "corrected": "Monday"}]),
    ),
    says(c.CORRECTED, f"{DAY}.corrects.default[0]", "Sorry, not {visit_day}, I mixed it up."),
    says(c.WRONG_ANSWER, f"{ACCOUNT}.failure.fails.default[0]", "It's {account_number}."),
    (
        c.WRONG_ANSWER,
        "caller_facts.account_number[0]",
        lambda e: e.put("caller_facts.account_number.wrong", "LP-204417"),
    ),
]
