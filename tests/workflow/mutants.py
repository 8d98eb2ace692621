"""Workflows that break one rule each."""

from collections.abc import Callable

from factory.workflow.findings import Check

from .base import HINT, Edit, ask, move, tell

Change = Callable[[Edit], Edit]

YES_TEXT = {"slot": "wants_text", "is": "yes"}
NO_TEXT = {"slot": "wants_text", "is": "no"}
ACCOUNT = "stages.verify.acts.ask_account"
DAY = "stages.arrange.acts.ask_day"
CHECK_MOVES = "stages.verify.caller_may"
VISIT_MOVES = "stages.arrange.caller_may"
OPEN_MOVES = "stages.open_call.caller_may"
LETTER = "stages.arrange.acts.letter"
TIME = "stages.open_call.acts.good_time"
WHO = "stages.open_call.acts.who_calls"
PETS = "stages.arrange.acts.pets"
BYE = "stages.close_call.acts.bye"

Mutant = tuple[Check, str, Change]


def _line(check: Check, place: str, text: str) -> Mutant:
    """One variant replaced, at the place of the finding."""
    return check, place, lambda edit: edit.line(place, text)


def _says(check: Check, place: str, text: str) -> Mutant:
    """One of the caller's lines replaced, which the base workflow writes without a profile."""
    written = place.replace("[0].says.default[0]", "[0]").replace(".default[0]", "[0]")
    return check, place, lambda edit: edit.line(written, text)


def _short(check: Check, place: str) -> Mutant:
    """A list with its last variant taken out, at the place of the finding."""

    def change(edit: Edit) -> Edit:
        edit.get(place).pop()
        return edit

    return check, place, change


def end_in_two_sentences(edit: Edit) -> Edit:
    """Gives the closing a second sentence, so that a caller can cut in during the first."""
    for form in ("say", "resume"):
        edit.put(f"{BYE}.{form}", [f"{line} Goodbye." for line in edit.get(f"{BYE}.{form}")])
    return edit


def _repeats() -> list[Mutant]:
    """Wordings after which every way on repeats five words that were just heard."""
    c = Check
    return [
        (
            c.FRESH_START,
            f"{LETTER}.resume[0]",
            lambda e: e.line(
                f"{LETTER}.resume[1]", "For the letter we send, all of it comes down to a simple visit, nothing else."
            ).line(f"{LETTER}.resume[2]", "It truly comes down to a simple visit, and that's the letter we send."),
        ),
        _line(
            c.FRESH_START,
            f"{TIME}.brief[0]",
            "So, a good time again, please, once more, what about a good time, and a good time would be which?",
        ),
        _line(
            c.FRESH_START,
            f"{ACCOUNT}.failure.retry[0]",
            "So, the account number again, please, what about the account number, the account number would be which?",
        ),
        (
            c.FRESH_START,
            f"{DAY}.say[0]",
            lambda e: e.line(
                f"{DAY}.hint.say[0]",
                "So, a suitable day again, please, or once more, what about a day. And a suitable day would be any.",
            ).put(
                f"{DAY}.resume",
                [
                    "So, a suitable day again, please?",
                    "Well, a suitable day again, please?",
                    "And a suitable day would be which?",
                ],
            ),
        ),
        (
            c.FRESH_START,
            f"{ACCOUNT}.hint.say[3]",
            lambda e: (
                e.line(
                    f"{ACCOUNT}.hint.say[1]", "Most people find it on the very first page of the contract. Look there."
                )
                .line(f"{ACCOUNT}.hint.say[2]", "If it isn't on the very first page, look at the last one. It's bold.")
                .line(f"{ACCOUNT}.hint.say[3]", "What I need should stand on the very first page of a bill. Try that.")
            ),
        ),
        _line(
            c.BRIEF_OVERLAP,
            "stages.verify.acts.explain_check.brief[0]",
            "There is one thing to say about the quick check.",
        ),
    ]


def _mutants() -> list[Mutant]:
    c = Check
    return [
        # structure
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
                e.put("caller_facts.line", ["fixed", "cell"])
                .put("intents.planner.facts.line", "cell")
                .put("intents.night_worker.facts", {"line": "cell"})
                .put("known_user_information.line", "fixed")
                .put(
                    "stages.arrange.terminate_when", [{"says": "x", "slot": "line", "is": "fixed", "then": "withdrawn"}]
                )
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
        # slots
        _line(
            c.UNFILLED,
            f"{LETTER}.say[0]",
            "Just so that you know, the letter we send goes out to {mobile} before long.",
        ),
        _line(
            c.UNFILLED,
            f"{ACCOUNT}.hint.say[0]",
            "You'll find that on the very first page of the letter for {visit_day}. It is bold.",
        ),
        _line(
            c.UNFILLED,
            f"{ACCOUNT}.failure.retry[0]",
            "The account number {still_wanted} is unknown here. Could you check?",
        ),
        _line(
            c.UNFILLED,
            "hard_stops.unverified.say[1]",
            "You're unverified, so on {visit_day} nothing more can be done.",
        ),
        _line(
            c.UNFILLED,
            f"{VISIT_MOVES}.normal.dog.answer.say[0]",
            "With the dog in the visit on {visit_day} nobody has to worry at all.",
        ),
        _line(
            c.UNFILLED,
            "stages.close_call.acts.bye.say[0]",
            "Just so that you know, the visit on {visit_day} is confirmed to {mobile} tonight.",
        ),
        _line(c.UNFILLED, "stages.open_call.acts.call_reason.brief[0]", "It's about the new meter, {caller_name}."),
        _line(c.UNFILLED, f"{ACCOUNT}.received[0]", "Thanks, see you on {visit_day}."),
        _line(
            c.PLACEHOLDER,
            "stages.arrange.acts.which_meter.say[0]",
            "Just so that you know, your {meters.0.kind} meter hangs in {meters.2.kind} rooms with a lock.",
        ),
        _line(
            c.PLACEHOLDER,
            f"{LETTER}.say[0]",
            "Just so that you know, the letter we send goes out to {Your Name} before long.",
        ),
        _says(c.PLACEHOLDER, f"{DAY}.replies[0].says.default[0]", "Um, {visit_day} works for {me too."),
        _line(
            c.SENSITIVE,
            "stages.verify.acts.explain_check.say[0]",
            "Just so that you know, the quick check comes before the {visit_length} of the visit.",
        ),
        _line(
            c.SENSITIVE,
            f"{ACCOUNT}.hint.say[0]",
            "You'll find that on the very first page next to the {visit_length}. It is bold.",
        ),
        _line(
            c.SENSITIVE,
            f"{OPEN_MOVES}.normal.dog.answer.say[0]",
            "With the dog in the greeting it takes Forty Minutes or a little longer.",
        ),
        _line(
            c.SENSITIVE,
            "intents.planner.hidden_information.school.answer.say[0]",
            "That is no trouble for the school run, since we need {visit_length} only.",
        ),
        _line(
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
        _short(c.REPLY_COVERAGE, "stages.arrange.acts.ask_text.replies"),
        _says(c.REPLY_VALUE, f"{DAY}.replies[0].says.default[0]", "Um, whenever."),
        (
            c.CORRECTED,
            "intents.planner.facts.visit_day[0]",
            lambda e: e.put("intents.planner.facts.visit_day", [{"is": "Monday", "corrected": "Monday"}]),
        ),
        _says(c.CORRECTED, f"{DAY}.corrects.default[0]", "Sorry, not {visit_day}, I mixed it up."),
        _says(c.WRONG_ANSWER, f"{ACCOUNT}.failure.fails.default[0]", "It's {account_number}."),
        (
            c.WRONG_ANSWER,
            "caller_facts.account_number[0]",
            lambda e: e.put("caller_facts.account_number.wrong", "LP-204417"),
        ),
        # wording
        _short(c.VARIANTS, f"{WHO}.say"),
        _short(c.VARIANTS, f"{ACCOUNT}.failure.retry"),
        (c.VARIANTS, f"{DAY}.hint.say", lambda e: e.put(f"{DAY}.hint", {**HINT, "say": HINT["say"][:3]})),
        _short(c.VARIANTS, f"{OPEN_MOVES}.normal.dog.answer.say"),
        _short(c.VARIANTS, "hard_stops.unverified.say"),
        _short(c.VARIANTS, f"{TIME}.resume"),
        _short(c.VARIANTS, f"{WHO}.resume"),
        _short(c.VARIANTS, f"{TIME}.brief"),
        _short(c.VARIANTS, "stages.verify.acts.explain_check.brief"),
        _line(c.DISTINCT, f"{TIME}.say[1]", "could you tell me a good time please?"),
        _line(
            c.DISTINCT,
            f"{WHO}.say[3]",
            "There is one thing to say about this call before we go on any further today.",
        ),
        _line(
            c.CUTTABLE,
            f"{WHO}.say[0]",
            "Hello there. Just so that you know, this call is something we make with every customer.",
        ),
        _line(c.CUTTABLE, f"{WHO}.resume[0]", "So, this call is short."),
        _line(c.HINT, f"{ACCOUNT}.hint.say[0]", "You'll find that on the very first page of every letter from us."),
        _line(c.HINT, f"{ACCOUNT}.hint.say[0]", "It's on page one. You'll find that in bold in every letter from us."),
        _line(
            c.RESUME_OVERLAP,
            f"{WHO}.resume[0]",
            "Our team wants EVERYONE to know about this call from us, it is short.",
        ),
        (
            c.RESUME_OVERLAP,
            f"{LETTER}.resume[1]",
            lambda e: (
                e.put("known_user_information.depot", "12 Long Mill Street")
                .line(f"{LETTER}.say[0]", "Just so that you know, the letter we send comes from {depot} by mail.")
                .line(f"{LETTER}.resume[1]", "Every time it's the letter we send, and from {depot} it takes a day.")
            ),
        ),
        *_repeats(),
        _line(c.MENTIONS, f"{WHO}.brief[0]", "A quick word."),
        _line(c.MENTIONS, f"{ACCOUNT}.failure.retry[2]", "No luck so far. May I have it once more?"),
        _line(c.MENTIONS, f"{CHECK_MOVES}.pushback.why.answer.say[2]", "Nothing here costs you a cent."),
        (c.MENTIONS, "hard_stops.unverified.say[0]", lambda e: e.put("hard_stops.unverified.mentions", "verified")),
        _line(c.MENTIONS, "hard_stops.withdrawn.say[2]", "It stays like this for now. Goodbye."),
        # style
        _line(c.QUESTION_MARK, f"{TIME}.say[0]", "Hello? Could you tell me a good time, please?"),
        _line(c.QUESTION_MARK, f"{TIME}.say[0]", "Could you tell me a good time? I'd be glad."),
        _line(c.QUESTION_MARK, f"{WHO}.brief[0]", "You know this call?"),
        _line(
            c.QUESTION_MARK,
            f"{CHECK_MOVES}.pushback.why.answer.say[2]",
            "Nothing about the point of the check costs a cent, okay?",
        ),
        _line(c.QUESTION_MARK, f"{ACCOUNT}.failure.retry[0]", "Is the account number right? Could you read it?"),
        _line(c.STYLE, f"{WHO}.brief[0]", "A **quick** word on this call."),
        _line(c.STYLE, f"{WHO}.brief[0]", "A quick word — on this call."),
        _line(c.STYLE, f"{WHO}.brief[0]", "A quick word; this call."),
        _line(c.STYLE, f"{WHO}.brief[0]", "A quick word (on this call)."),
        _line(c.STYLE, f"{WHO}.brief[0]", "A quick  word on this call."),
        _says(c.STYLE, f"{DAY}.replies[0].says.default[0]", "Um, *{visit_day}* works."),
        _line(c.ANNOUNCES, f"{WHO}.brief[0]", "Step two of this call."),
        _line(c.ANNOUNCES, f"{WHO}.brief[0]", "In this call we do Verify the customer."),
        _line(
            c.LEAD_IN,
            f"{CHECK_MOVES}.pushback.why.answer.say[2]",
            "That's a fair question. The point of the check costs nothing.",
        ),
        _line(c.LEFTOVER, f"{WHO}.brief[0]", "This call is TBD."),
        _says(c.LEFTOVER, f"{DAY}.replies[0].says.default[0]", "Um, {visit_day} works, lorem ipsum."),
        # the caller
        _says(c.CALLER_VALUE, f"{DAY}.replies[0].says.default[0]", "Um, {visit_day} works, for {visit_length}."),
        _says(c.CALLER_VALUE, f"{DAY}.replies[0].says.default[0]", "Um, {visit_day} or {visit_day.wrong} works."),
        (
            c.CALLER_VALUE,
            f"{ACCOUNT}.failure.fails.default[0]",
            lambda e: e.put("intents.planner.facts.account_number", "LP-204417"),
        ),
        (
            c.CALLER_VALUE,
            f"{VISIT_MOVES}.pushback.why.says.default[0]",
            lambda e: (
                e.line(f"{VISIT_MOVES}.pushback.why.says[0]", "Why {visit_length}?")
                .line(
                    "stages.arrange.acts.length.resume[0]",
                    "What matters most with the whole length, really, comes down to a simple visit.",
                )
                .add("stages.arrange.acts.length.mentions", "the whole length")
            ),
        ),
        _says(c.CALLER_VALUE, f"{VISIT_MOVES}.normal.dog.says.default[0]", "So {visit_length}, huh?"),
        _says(c.CALLER_NUMBER, f"{VISIT_MOVES}.normal.dog.says.default[0]", "I paid $35 for that, by the way."),
        _says(
            c.CALLER_NUMBER, "intents.planner.hidden_information.school.says.default[0]", "I pick up my kid at 3 pm."
        ),
        (
            c.CALLER_NUMBER,
            f"{OPEN_MOVES}.pushback.why.says.default[0]",
            lambda e: e.line(f"{OPEN_MOVES}.pushback.why.says[0]", "Why 20 minutes?").line(
                f"{WHO}.say[0]",
                "Just so that you know, this call takes 20 minutes and we make it often.",
            ),
        ),
        _says(c.CALLER_WORDS, f"{OPEN_MOVES}.normal.dog.says.default[0]", "Can you arrange the visit around my dog?"),
        _says(c.CALLER_WORDS, f"{OPEN_MOVES}.normal.dog.says.default[0]", "And now you explain check again, or what?"),
        # supply
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
            lambda e: (
                e.put("caller_facts.still_wanted", "no").get("stages.arrange.acts.ask_wanted.replies").pop(0) and e
            ),
        ),
    ]


MUTANTS = _mutants()
"""The check that fires, a place where it does, and the change that makes it."""
