"""Mutants of the checks of how agents and callers talk."""

from factory.workflow.findings import Check

from .edits import ACCOUNT, CHECK_MOVES, DAY, TIME, WHO, Mutant, line, says

c = Check

STYLE: list[Mutant] = [
    line(c.QUESTION_MARK, f"{TIME}.say[0]", "Hello? Could you tell me a good time, please?"),
    line(c.QUESTION_MARK, f"{TIME}.say[0]", "Could you tell me a good time? I'd be glad."),
    line(c.QUESTION_MARK, f"{WHO}.brief[0]", "You know this call?"),
    line(
        c.QUESTION_MARK,
        f"{CHECK_MOVES}.pushback.why.answer.say[2]",
        "Nothing about the point of the check costs a cent, okay?",
    ),
    line(c.QUESTION_MARK, f"{ACCOUNT}.failure.retry[0]", "Is the account number right? Could you read it?"),
    line(c.STYLE, f"{WHO}.brief[0]", "A **quick** word on this call."),
    line(c.STYLE, f"{WHO}.brief[0]", "A quick word — on this call."),
    line(c.STYLE, f"{WHO}.brief[0]", "A quick word; this call."),
    line(c.STYLE, f"{WHO}.brief[0]", "A quick word (on this call)."),
    line(c.STYLE, f"{WHO}.brief[0]", "A quick  word on this call."),
    says(c.STYLE, f"{DAY}.replies[0].says.default[0]", "Um, *{visit_day}* works."),
    line(c.ANNOUNCES, f"{WHO}.brief[0]", "Step two of this call."),
    line(c.ANNOUNCES, f"{WHO}.brief[0]", "In this call we do Verify the customer."),
    line(
        c.LEAD_IN,
        f"{CHECK_MOVES}.pushback.why.answer.say[2]",
        "That's a fair question. The point of the check costs nothing.",
    ),
    line(c.LEFTOVER, f"{WHO}.brief[0]", "This call is TBD."),
    says(c.LEFTOVER, f"{DAY}.replies[0].says.default[0]", "Um, {visit_day} works, lorem ipsum."),
]
