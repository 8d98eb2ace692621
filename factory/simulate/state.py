"""Where a conversation stands: a pure fold over its finished rounds."""

from dataclasses import dataclass

from factory.records.blueprint import Blueprint, ReplyKind
from factory.records.conversation import Round, Segment
from factory.records.enums import InterruptionType
from factory.workflow.fill import flatten
from factory.workflow.lookup import Script


@dataclass(frozen=True)
class Standing:
    """What follows from the rounds so far.

    Attributes:
        slots: Values that the caller has given, as they stand.
        revised: Slots that the caller has revised, with the value that no longer holds.
        heard_acts: Acts whose every word was said by now, across filler continuations.
        after: The type of interruption that has just occurred.
        answered: The question that the caller has just answered.
        remainder: The undelivered segments, where a filler has just cut them.
    """

    slots: dict[str, str]
    revised: dict[str, str]
    heard_acts: frozenset[str]
    after: InterruptionType | None
    answered: str | None
    remainder: tuple[Segment, ...]


def standing(blueprint: Blueprint, rounds: tuple[Round, ...]) -> Standing:
    """The standing before the next round."""
    slots: dict[str, str] = {}
    revised: dict[str, str] = {}
    heard: set[str] = set()
    for done in rounds:
        heard |= set(done.agent.acts_within(done.agent.delivered))
        if done.caller is not None:
            for slot, value in done.caller.gives.items():
                if slot in slots and slots[slot] != value:
                    revised[slot] = slots[slot]
                slots[slot] = value
    after: InterruptionType | None = None
    answered: str | None = None
    remainder: tuple[Segment, ...] = ()
    if rounds:
        plan, last = blueprint.rounds[len(rounds) - 1], rounds[-1]
        if plan.interruption is not None:
            after, answered = plan.interruption.type, plan.interruption.answers
            if after is InterruptionType.FILLER:
                remainder = last.agent.remainder()
        elif plan.reply is not None and plan.reply.kind is ReplyKind.ANSWER:
            answered = plan.reply.question
    return Standing(slots, revised, frozenset(heard), after, answered, remainder)


def agent_scope(script: Script, slots: dict[str, str]) -> dict[str, str]:
    """What the agent's lines may read: known user information, and what the caller has given."""
    return flatten(script.workflow.known_user_information) | slots
