"""What the mutants are made of: places in the base workflow, and ways to break a rule there."""

from collections.abc import Callable

from factory.workflow.findings import Check

from ..base import Edit

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


def line(check: Check, place: str, text: str) -> Mutant:
    """One variant replaced, at the place of the finding."""
    return check, place, lambda edit: edit.line(place, text)


def says(check: Check, place: str, text: str) -> Mutant:
    """One of the caller's lines replaced, which the base workflow writes without a profile."""
    written = place.replace("[0].says.default[0]", "[0]").replace(".default[0]", "[0]")
    return check, place, lambda edit: edit.line(written, text)


def short(check: Check, place: str) -> Mutant:
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
