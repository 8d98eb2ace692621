"""Mutants of the checks of ids, references, ways and ends."""

from factory.workflow.findings import Check

from ..base import tell
from .edits import (
    ACCOUNT,
    BYE,
    CHECK_MOVES,
    LETTER,
    NO_TEXT,
    OPEN_MOVES,
    PETS,
    WHO,
    YES_TEXT,
    Mutant,
    end_in_two_sentences,
)

c = Check

STRUCTURE: list[Mutant] = [
    (c.UNIQUE_ID, "stages.verify", lambda e: e.put("stages.arrange.id", "verify")),
    (
        c.UNIQUE_ID,
        WHO,
        lambda e: e.put("stages.open_call.acts.call_reason.id", "who_calls"),
    ),
    (
        c.UNIQUE_ID,
        f"{CHECK_MOVES}.pushback.why",
        lambda e: e.put(f"{CHECK_MOVES}.pushback.long.id", "why"),
    ),
    (c.UNIQUE_ID, "intents.planner", lambda e: e.put("intents.night_worker.id", "planner")),
    (
        c.REFERENCE,
        "stages.arrange.terminate_when[0].then",
        lambda e: e.put("stages.arrange.terminate_when[0].then", "gone").drop("hard_stops.withdrawn"),
    ),
    (
        c.REFERENCE,
        "stages.verify.on_failure.then",
        lambda e: e.put("stages.verify.on_failure.then", "gone").drop("hard_stops.unverified"),
    ),
    (
        c.REFERENCE,
        f"{OPEN_MOVES}.normal.dog.after",
        lambda e: e.put(f"{OPEN_MOVES}.normal.dog.after", "length"),
    ),
    (
        c.REFERENCE,
        "stages.texting.acts.no_ads.if.slot",
        lambda e: e.put("stages.texting.acts.no_ads.if", {"slot": "nothing", "is": "yes"}),
    ),
    (
        c.TERMINATE_LAST,
        "stages.arrange.acts.fee",
        lambda e: e.insert("stages.arrange.acts", 99, tell("fee", "our prices", optional="true")),
    ),
    (c.REFERENCE, "sensitive[1]", lambda e: e.add("sensitive", "visit_lenght")),
    (c.HARD_STOP_UNUSED, "hard_stops.spare", lambda e: e.put("hard_stops.spare", e.get("hard_stops.withdrawn"))),
    (
        c.ENTRY,
        "stages.open_call.skip_when",
        lambda e: (
            e.put("stages.open_call.skip_when", {"says": "x", "slot": "account_number", "is": "LP-204417"})
            .put("known_user_information.account_number", "LP-204417")
            .put("caller_facts.known_caller", ["yes", "no"])
            .put("stages.open_call.skip_when", {"says": "x", "slot": "known_caller", "is": "yes"})
        ),
    ),
    (
        c.UNREACHABLE,
        "stages.texting",
        lambda e: (
            e.put("caller_facts.line", "fixed")
            .put("stages.texting.skip_when", {"says": "x", "slot": "line", "is": "fixed"})
            .drop("stages.close_call.acts.text_goes")
        ),
    ),
    (
        c.UNREACHABLE,
        "hard_stops.withdrawn",
        lambda e: (
            e.put("caller_facts.line", "cell")
            .put("known_user_information.line", "fixed")
            .put("stages.arrange.terminate_when", [{"says": "x", "slot": "line", "is": "fixed", "then": "withdrawn"}])
        ),
    ),
    (
        c.SUCCESS,
        "stages.texting",
        lambda e: e.put("stages.texting.terminate_when", [{"says": "x", **YES_TEXT, "then": "withdrawn"}]).drop(
            "stages.close_call.acts.text_goes"
        ),
    ),
    (
        c.FAILURE_LOOP,
        f"{ACCOUNT}.failure",
        lambda e: (
            e.drop("stages.verify.on_failure")
            .put("stages.arrange.terminate_when[0].then", "unverified")
            .drop("hard_stops.withdrawn")
        ),
    ),
    (
        c.FAILURE_LOOP,
        "stages.open_call.on_failure",
        lambda e: e.put("stages.open_call.on_failure", {"says": "x", "retries": "1", "then": "withdrawn"}),
    ),
    (c.CLOSING, "stages.close_call.acts.bye", lambda e: e.put("stages.close_call.acts.bye.optional", "true")),
    (c.CLOSING, BYE, end_in_two_sentences),
    (c.LEADS_TO, f"{LETTER}.for", lambda e: e.put(f"{LETTER}.for", "has_pen")),
    (c.LEADS_TO, f"{LETTER}.for", lambda e: e.put(f"{LETTER}.for", "ask_mobile")),
    (c.LEADS_TO, f"{LETTER}.for", lambda e: e.put(f"{LETTER}.for", "ask_wanted")),
    (c.LEADS_TO, f"{WHO}.for", lambda e: e.put(f"{WHO}.for", "recorded")),
    (c.LEADS_TO, f"{PETS}.for", lambda e: e.put(f"{PETS}.for", "has_pen")),
    (
        c.CLOSING,
        "stages.close_call.skip_when",
        lambda e: e.drop("stages.close_call.acts.text_goes").put(
            "stages.close_call.skip_when", {"says": "x", **NO_TEXT}
        ),
    ),
    (
        c.TELLS_IN_A_ROW,
        "stages.texting.acts.extra",
        lambda e: (
            e.insert("stages.texting.acts", 2, tell("extra", "our opening hours"))
            .insert("stages.texting.acts", 3, tell("more", "our address", optional="true"))
            .insert("stages.texting.acts", 2, tell("third", "our logo"))
        ),
    ),
]
