"""Mutants of the checks of repeats."""

from factory.workflow.findings import Check

from .edits import ACCOUNT, DAY, LETTER, TIME, Mutant, line

c = Check

REPEATS: list[Mutant] = [
    line(c.SUBJECT, "subject", "getting everything ready for your visit"),
    (
        c.FRESH_START,
        f"{LETTER}.resume[0]",
        lambda e: e.line(
            f"{LETTER}.resume[1]", "For the letter we send, all of it comes down to a simple visit, nothing else."
        ).line(f"{LETTER}.resume[2]", "It truly comes down to a simple visit, and that's the letter we send."),
    ),
    line(
        c.FRESH_START,
        f"{TIME}.brief[0]",
        "So, a good time again, please, once more, what about a good time, and a good time would be which?",
    ),
    line(
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
            e.line(f"{ACCOUNT}.hint.say[1]", "Most people find it on the very first page of the contract. Look there.")
            .line(f"{ACCOUNT}.hint.say[2]", "If it isn't on the very first page, look at the last one. It's bold.")
            .line(f"{ACCOUNT}.hint.say[3]", "What I need should stand on the very first page of a bill. Try that.")
        ),
    ),
    line(
        c.BRIEF_OVERLAP,
        "stages.verify.acts.explain_check.brief[0]",
        "There is one thing to say about the quick check.",
    ),
]
"""Wordings after which every way on repeats five words that were just heard."""
