"""What the page of a flow report shows of one call: of each turn what was meant, heard, given and said."""

from dataclasses import dataclass

from markupsafe import Markup

from factory.audit.page.marks import Mark
from factory.audit.page.packed import Given
from factory.audit.page.picture import Picture
from factory.records.base import Record
from factory.records.enums import InterruptionType
from factory.simulate.views import IntentView


class Said(Record):
    """The caller's side of a round.

    Attributes:
        text: The words.
        type: How they cut in, where they did.
        plan: Gist, answer and manner of the reaction plan.
        lines: The released lines: kind and texts.
        facts: The released facts, by name.
        gives: What the turn fills or revises.
        given: The inputs of reaction planner and user.
    """

    text: str
    type: InterruptionType | None
    plan: tuple[str, str | None, str]
    lines: tuple[tuple[str, tuple[str, ...]], ...]
    facts: tuple[tuple[str, str], ...]
    gives: tuple[tuple[str, str], ...]
    given: tuple[Given, Given]


class Turn(Record):
    """One round.

    Attributes:
        round: From 0.
        attempt: How often it had been run before.
        meant: The agent's words as meant.
        heard: UTF-16 units of them that were heard; the text itself where it is not their beginning.
        delivered: The same of what was delivered.
        cut: Whether a caller cut in.
        caller: The caller's side; None where the agent has the last word.
        marks: What in it does not hold, by cell.
    """

    round: int
    attempt: int
    meant: str
    heard: int | str
    delivered: int | str
    cut: bool
    caller: Said | None
    marks: tuple[Mark, ...] = ()


class Call(Record):
    """One call.

    Attributes:
        key: Its id, as findings and addresses name it.
        intent: Who calls, as the caller's side reads it; None where the prompts hold it.
        turns: Its rounds.
        picture: Its flow graph; None where there is none.
        shortened: Whether a text is not shown to its end, so that no digest can be taken again from what is shown.
        missing: Why it cannot be shown; then it holds no turns.
    """

    key: str
    intent: IntentView | None = None
    turns: tuple[Turn, ...] = ()
    picture: Picture | None = None
    shortened: bool = False
    missing: str | None = None


@dataclass(frozen=True, slots=True)
class Listed:
    """An entry of the list of calls.

    Attributes:
        place: Its place in the corpus.
        key: The call's id, as findings and addresses name it.
        about: What it is about.
        rounds: How many it has.
        cuts: How many times the caller cut in.
        data: The `Call` as JSON that can stand in a page.
    """

    place: int
    key: str
    about: str
    rounds: int
    cuts: int
    data: Markup


@dataclass(frozen=True, slots=True)
class Calls:
    """What a page shows of single calls.

    Attributes:
        of: Calls in the corpus.
        listed: Those that are shown, in the order of the corpus.
        systems: The system messages that their prompts begin with, as JSON that can stand in a page.
    """

    of: int
    listed: tuple[Listed, ...]
    systems: Markup
