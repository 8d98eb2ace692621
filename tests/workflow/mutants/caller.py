"""Mutants of the checks of what a caller may say."""

from factory.workflow.findings import Check

from .edits import ACCOUNT, DAY, OPEN_MOVES, VISIT_MOVES, WHO, Mutant, says

c = Check

CALLER: list[Mutant] = [
    says(c.CALLER_VALUE, f"{DAY}.replies[0].says.default[0]", "Um, {visit_day} works, for {visit_length}."),
    says(c.CALLER_VALUE, f"{DAY}.replies[0].says.default[0]", "Um, {visit_day} or {visit_day.wrong} works."),
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
    says(c.CALLER_VALUE, f"{VISIT_MOVES}.normal.dog.says.default[0]", "So {visit_length}, huh?"),
    (
        c.CALLER_VALUE,
        f"{VISIT_MOVES}.normal.dog.says.default[0]",
        lambda e: e.put("known_user_information.engineer", "Tom Baxter").line(
            f"{VISIT_MOVES}.normal.dog.says[0]", "Is Tom Baxter coming again?"
        ),
    ),
    says(c.CALLER_NUMBER, f"{VISIT_MOVES}.normal.dog.says.default[0]", "I paid $35 for that, by the way."),
    says(c.CALLER_NUMBER, "intents.planner.hidden_information.school.says.default[0]", "I pick up my kid at 3 pm."),
    (
        c.CALLER_NUMBER,
        f"{OPEN_MOVES}.pushback.why.says.default[0]",
        lambda e: e.line(f"{OPEN_MOVES}.pushback.why.says[0]", "Why 20 minutes?").line(
            f"{WHO}.say[0]",
            "Just so that you know, this call takes 20 minutes and we make it often.",
        ),
    ),
    says(c.CALLER_WORDS, f"{OPEN_MOVES}.normal.dog.says.default[0]", "Can you arrange the visit around my dog?"),
    says(c.CALLER_WORDS, f"{OPEN_MOVES}.normal.dog.says.default[0]", "And now you explain check again, or what?"),
]
