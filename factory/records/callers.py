"""The caller's side of a workflow: who calls, what they know, and what they may cut in with."""

from typing import Annotated

from pydantic import BeforeValidator, Field, model_validator

from factory.records.acts import Answer
from factory.records.base import Record
from factory.records.enums import InterruptionType, Profile, Speech
from factory.records.lines import FEW, NAMED, SOME, AliasedRecord, CallerSays, Line, Name


class CallerMove(Record):
    """Something the caller may cut in with: a pushback, a normal remark or a side request.

    Attributes:
        id: Unique in its stage and type.
        after: The act that grounds it: it must have been heard whole. Needed for a pushback.
        says: The caller's lines (caller's side).
        about: Noun phrase for the rubric ("why the case has to be verified again").
        answer: What the agent says to it (agent's side).
    """

    id: Name
    after: Name | None = None
    says: CallerSays
    about: Line
    answer: Answer


class CallerMoves(Record):
    """The caller's material of one stage, by interruption type."""

    pushback: Annotated[tuple[CallerMove, ...], FEW] = ()
    normal: Annotated[tuple[CallerMove, ...], FEW] = ()
    topic_switch: Annotated[tuple[CallerMove, ...], FEW] = ()

    @model_validator(mode="after")
    def _pushback_is_grounded(self) -> "CallerMoves":
        for move in self.pushback:
            if move.after is None:
                raise ValueError(f"pushback `{move.id}` needs `after`: the act it disputes")
        return self


class FactValue(AliasedRecord):
    """One fact a caller knows.

    Attributes:
        value: What they say when asked (the first value, where the fact is revised later).
        corrected: The value they come back with in a correction.
        wrong: What they say when the question fails.
    """

    value: Line = Field(alias="is")
    corrected: Line | None = None
    wrong: Line | None = None


def _as_alternatives(value: object) -> object:
    """A text is one value; a list gives alternatives of which each call uses one."""
    values = value if isinstance(value, list | tuple) else [value]
    return [{"is": v} if isinstance(v, str) else v for v in values]


Alternatives = Annotated[tuple[FactValue, ...], BeforeValidator(_as_alternatives), SOME]


SECRET_WORDS = 3
"""Words of what one caller is told, by which all of it is known again; fewer are anybody's."""


class HiddenInformation(Record):
    """Something only this caller knows, which comes out in the call as a remark of its own."""

    id: Name
    info: Line
    says: CallerSays
    answer: Answer


class Intent(Record):
    """Who calls (caller's side only).

    Attributes:
        reaction: How they react, in a few words ("cooperative but pressed for time").
        profile: Which authored lines they use.
        speaks: Which small words they put around them.
        description: What they want and what they are like.
        interruption_profile: Relative weight of each interruption type.
        hidden_information: What they hold back at first.
        facts: Facts that differ from the workflow's caller facts.
    """

    id: Name
    reaction: Line
    profile: Profile
    speaks: Speech = Speech.PLAIN
    description: Line
    interruption_profile: dict[InterruptionType, Annotated[float, Field(ge=0)]]
    hidden_information: Annotated[tuple[HiddenInformation, ...], FEW] = ()
    facts: Annotated[dict[Name, Alternatives], NAMED] = Field(default_factory=dict)
