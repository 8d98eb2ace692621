"""The verifier: a model reads a finished conversation for what rules cannot decide.

The rules of `factory.verify.checks` come first and are free. What a model finds is held against the conversation's
shape, so that a fault of a kind that cannot lie in a message is never acted on.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from factory.models.ask import Asks, Question
from factory.models.brief import Brief
from factory.models.patterns import narrow_findings
from factory.models.prompt import Prompts
from factory.models.replies import FindingReply, VerifierReply, reply_schema
from factory.models.rules import cleaned
from factory.records.base import Record
from factory.records.enums import InterruptionType, Speaker
from factory.records.models import ModelRole
from factory.simulate.roles import Made
from factory.verify.checks import Case

TEMPLATE = "verifier/conversation.md.j2"
LONGEST_PROBLEM = 400
"""Characters of a problem and of its fix: the modifier gets them."""


class VerifierCheck(StrEnum):
    """The checks of the reference that need a reader, by its letters (IHBench, the verifier's list)."""

    FRESH_START = "B"
    TOPIC_ENGAGED = "E"
    NOT_DEFENSIVE = "F"
    CALLER_KNOWS_STAGES = "G"
    REACTS_TO_HEARD = "H"
    NATURAL = "I"
    CONSISTENT = "J"
    REACTION_GROUNDED = "K"
    ANSWER_LEAKED = "M"
    CALLER_REGISTER = "N"
    JUMPS_AHEAD = "O"


_OF_THE_AGENT = frozenset(
    {
        VerifierCheck.FRESH_START,
        VerifierCheck.TOPIC_ENGAGED,
        VerifierCheck.NOT_DEFENSIVE,
        VerifierCheck.ANSWER_LEAKED,
    }
)
_OF_THE_CALLER = frozenset(
    {
        VerifierCheck.CALLER_KNOWS_STAGES,
        VerifierCheck.REACTS_TO_HEARD,
        VerifierCheck.REACTION_GROUNDED,
        VerifierCheck.CALLER_REGISTER,
        VerifierCheck.JUMPS_AHEAD,
    }
)
"""Whose words a check is about; the others are about either's."""

_AFTER = {
    VerifierCheck.FRESH_START: frozenset(InterruptionType) - {InterruptionType.FILLER},
    VerifierCheck.TOPIC_ENGAGED: frozenset({InterruptionType.TOPIC_SWITCH}),
    VerifierCheck.NOT_DEFENSIVE: frozenset({InterruptionType.PUSHBACK}),
}
"""Types of interruption behind which alone a turn can fail a check."""

_OF_WHAT_IS_DONE = frozenset({VerifierCheck.REACTS_TO_HEARD, VerifierCheck.REACTION_GROUNDED})
"""About what a caller does, and not only how they say it: other words need not mend it."""


class VerifierMessage(Record):
    """One message, as the verifier reads it.

    Attributes:
        index: Its place, from 0.
        text: What was said.
        meant: What the agent meant to say, where it was cut.
        type: How the caller cut in, where they did.
    """

    index: int
    speaker: Speaker
    text: str
    meant: str | None = None
    type: InterruptionType | None = None


class VerifierFinding(Record):
    """A fault that a model found.

    Attributes:
        round: The round whose words have to change; of a filler's continuation, the round that the filler cut.
        speaker: Whose words.
        check: Which check they fail.
        fixable: Whether other words mend it; a conversation with a fault that they do not mend is dropped.
        problem: What is wrong.
        fix: What to change; may be empty where other words do not mend it.
    """

    round: int
    speaker: Speaker
    check: VerifierCheck
    fixable: bool
    problem: str
    fix: str


@dataclass(frozen=True)
class _Place:
    """Where a message lies.

    Attributes:
        round: The round it belongs to.
        source: The round in which its words were chosen.
        after: How the caller had cut in right before it, where it is the agent's.
    """

    round: int
    source: int
    speaker: Speaker
    after: InterruptionType | None = None


async def find_faults(
    asker: Asks, prompts: Prompts, brief: Brief, case: Case, seed: int
) -> Made[tuple[VerifierFinding, ...]]:
    """Asks a model for the faults of a finished conversation.

    Args:
        asker: Asks the model.
        prompts: Holds `verifier/conversation.md.j2`, which reads `brief` and `messages`.
        brief: The agent's side of the workflow.
        case: The conversation, which keeps all rules that code decides.
        seed: Tells this call from others with the same prompt.

    Returns:
        The faults by round; in one round the agent's before the caller's.

    Raises:
        UnusableReply: if the model's replies cannot be used.
        ModelError: if no reply is to be had.
    """
    prompt = prompts.render(TEMPLATE, brief=brief, messages=verifier_messages(case))
    places = _places(case)
    schema = reply_schema(VerifierReply, {"check": tuple(VerifierCheck)})
    if asker.choice(ModelRole.VERIFIER).patterns:
        schema = narrow_findings(_open_to_a_small_reader(case, places))

    def faults(reply: VerifierReply) -> Iterator[str]:
        return _faults(reply, places)

    answered = await asker.ask(Question(ModelRole.VERIFIER, prompt, VerifierReply, seed, faults, schema))
    found = sorted(
        (_finding(reply, places) for reply in answered.reply.findings),
        key=lambda f: (f.round, f.speaker is Speaker.CALLER, f.check),
    )
    return Made(tuple(found), engine=answered.call.model, call=answered.call)


def verifier_messages(case: Case) -> tuple[VerifierMessage, ...]:
    """A conversation as the verifier reads it."""
    messages: list[VerifierMessage] = []
    for done in case.rounds:
        said, index = done.agent, len(messages)
        meant = said.text if said.cut is not None else None
        messages.append(VerifierMessage(index=index, speaker=Speaker.AGENT, text=said.delivered, meant=meant))
        if done.caller is not None:
            caller = done.caller
            messages.append(
                VerifierMessage(index=index + 1, speaker=Speaker.CALLER, text=caller.text, type=caller.type)
            )
    return tuple(messages)


def _places(case: Case) -> tuple[_Place, ...]:
    """Where each message lies, by its index."""
    places: list[_Place] = []
    after: InterruptionType | None = None
    source = 0
    for done in case.rounds:
        if not case.blueprint.rounds[done.index].continues:
            source = done.index
        places.append(_Place(done.index, source, Speaker.AGENT, after))
        if done.caller is not None:
            places.append(_Place(done.index, done.index, Speaker.CALLER))
            after = done.caller.type
    return tuple(places)


def _open_to_a_small_reader(case: Case, places: tuple[_Place, ...]) -> dict[int, tuple[str, ...]]:
    """By message that a model with a narrow schema may find fault with, the checks that can be about it.

    It finds faults where there are none, again and again. So it has one say, about the agent's words, which the
    modifier then edits a little; a call of which any round was played again stands as it is.
    """
    if any(done.attempt for done in case.rounds):
        return {}
    return {
        index: tuple(check for check in VerifierCheck if _can_fail(check, place))
        for index, place in enumerate(places)
        if place.speaker is Speaker.AGENT
    }


def _can_fail(check: VerifierCheck, place: _Place) -> bool:
    """Whether a check can be about words of the agent's in that place."""
    return check not in _OF_THE_CALLER and (check not in _AFTER or place.after in _AFTER[check])


def _faults(reply: VerifierReply, places: tuple[_Place, ...]) -> Iterator[str]:
    """What is wrong with a reply, in words for its writer."""
    letters = tuple(VerifierCheck)
    for number, finding in enumerate(reply.findings):
        name = f"`findings` {number}"
        if finding.message >= len(places):
            yield f"{name}: there is no message {finding.message}, the last one is {len(places) - 1}"
        elif finding.check not in letters:
            yield f"{name}: `check` has to be one of {', '.join(letters)}"
        else:
            yield from (f"{name}: {fault}" for fault in _misplaced(finding, places[finding.message]))
        if not finding.problem.strip():
            yield f"{name}: say what the problem is"
        if finding.fixable and not finding.fix.strip():
            yield f"{name}: say how to mend it"


def _misplaced(finding: FindingReply, place: _Place) -> Iterator[str]:
    check = VerifierCheck(finding.check)
    if check in _OF_THE_AGENT and place.speaker is Speaker.CALLER:
        yield f"check {check} is about the agent's words, and message {finding.message} is the caller's"
    elif check in _OF_THE_CALLER and place.speaker is Speaker.AGENT:
        yield f"check {check} is about the caller's words, and message {finding.message} is the agent's"
    elif check in _AFTER and place.after not in _AFTER[check]:
        types = " or ".join(sorted(_AFTER[check]))
        yield f"check {check} is about the turn after an interruption ({types}), not message {finding.message}"


def _finding(reply: FindingReply, places: tuple[_Place, ...]) -> VerifierFinding:
    place, check = places[reply.message], VerifierCheck(reply.check)
    said_again = place.speaker is Speaker.CALLER and check not in _OF_WHAT_IS_DONE
    return VerifierFinding(
        round=place.source,
        speaker=place.speaker,
        check=check,
        # Where only a caller's words are wrong, saying it again mends them, whatever the model makes of it.
        fixable=reply.fixable or said_again,
        problem=_note(reply.problem),
        fix=_note(reply.fix),
    )


def _note(text: str) -> str:
    """A note of a model's as one line that is not too long."""
    line = cleaned(text)
    return line if len(line) <= LONGEST_PROBLEM else line[: LONGEST_PROBLEM - 1].rsplit(" ", 1)[0] + "…"
