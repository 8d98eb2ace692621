"""Mutants of the checks of variants, forms and mentions."""

from factory.workflow.findings import Check

from ..base import HINT
from .edits import ACCOUNT, CHECK_MOVES, DAY, LETTER, OPEN_MOVES, TIME, WHO, Mutant, line, short

c = Check

WORDING: list[Mutant] = [
    short(c.VARIANTS, f"{WHO}.say"),
    short(c.VARIANTS, f"{ACCOUNT}.failure.retry"),
    (c.VARIANTS, f"{DAY}.hint.say", lambda e: e.put(f"{DAY}.hint", {**HINT, "say": HINT["say"][:3]})),
    short(c.VARIANTS, f"{OPEN_MOVES}.normal.dog.answer.say"),
    short(c.VARIANTS, "hard_stops.unverified.say"),
    short(c.VARIANTS, f"{TIME}.resume"),
    short(c.VARIANTS, f"{WHO}.resume"),
    short(c.VARIANTS, f"{TIME}.brief"),
    short(c.VARIANTS, "stages.verify.acts.explain_check.brief"),
    line(c.DISTINCT, f"{TIME}.say[1]", "could you tell me a good time please?"),
    line(
        c.DISTINCT,
        f"{WHO}.say[3]",
        "There is one thing to say about this call before we go on any further today.",
    ),
    line(
        c.CUTTABLE,
        f"{WHO}.say[0]",
        "Hello there. Just so that you know, this call is something we make with every customer.",
    ),
    line(c.CUTTABLE, f"{WHO}.resume[0]", "So, this call is short."),
    line(c.HINT, f"{ACCOUNT}.hint.say[0]", "You'll find that on the very first page of every letter from us."),
    line(c.HINT, f"{ACCOUNT}.hint.say[0]", "It's on page one. You'll find that in bold in every letter from us."),
    line(
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
    line(c.MENTIONS, f"{WHO}.brief[0]", "A quick word."),
    line(c.MENTIONS, f"{ACCOUNT}.failure.retry[2]", "No luck so far. May I have it once more?"),
    line(c.MENTIONS, f"{CHECK_MOVES}.pushback.why.answer.say[2]", "Nothing here costs you a cent."),
    (c.MENTIONS, "hard_stops.unverified.say[0]", lambda e: e.put("hard_stops.unverified.mentions", "verified")),
    line(c.MENTIONS, "hard_stops.withdrawn.say[2]", "It stays like this for now. Goodbye."),
]
