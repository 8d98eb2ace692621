"""The authored form of a workflow: what one kind of call is about, both sides of it.

Every field belongs to the agent's side or to the caller's, and says which.
"""

from typing import Annotated

from pydantic import BeforeValidator, Field, StringConstraints, model_validator

from factory.records.acts import Act
from factory.records.base import Record
from factory.records.callers import Alternatives, CallerMoves, Intent
from factory.records.enums import Direction
from factory.records.lines import FEW, NAMED, SOME, AliasedRecord, Line, Lines, Name, as_list

MOST_ACTS = 300
"""Acts of one workflow at the most."""

STAGE_WORDS = 5
"""Words of a stage or guideline by which all of it is known again; fewer are anybody's."""


class SkipRule(AliasedRecord):
    """When a stage is left out: prose for the system message, a condition for the graph."""

    says: Line
    slot: Name
    equals: str = Field(alias="is")


class FailureRule(Record):
    """What happens when a question of the stage fails: prose, number of retries, and where it ends."""

    says: Line
    retries: Annotated[int, Field(ge=1, le=3)]
    then: Name


class TerminateRule(AliasedRecord):
    """When a stage ends the call: prose, a condition, and the hard stop it leads to."""

    says: Line
    slot: Name
    equals: str = Field(alias="is")
    then: Name


class Stage(Record):
    """One step of the state machine.

    Attributes:
        verification: The stage that establishes who the caller is; its slots are never revisable, and
            sensitive information is spoken only after it.
    """

    id: Name
    name: Line
    description: Line
    verification: bool = False
    skip_when: SkipRule | None = None
    on_failure: FailureRule | None = None
    terminate_when: Annotated[tuple[TerminateRule, ...], FEW] = ()
    acts: Annotated[tuple[Act, ...], SOME]
    caller_may: CallerMoves = CallerMoves()

    def act(self, act_id: str) -> Act:
        """The act with that id; raises `KeyError` if there is none."""
        for act in self.acts:
            if act.id == act_id:
                return act
        raise KeyError(act_id)


class HardStop(Record):
    """How a call ends without success: the agent's closing words; fields as in `Answer`."""

    does: Line
    say: Annotated[Lines, SOME]
    mentions: Annotated[tuple[Line, ...], BeforeValidator(as_list), SOME]


class Goal(Record):
    """What the call is for."""

    direction: Direction
    statement: Line
    success: Line


class Agent(Record):
    """Who speaks for the organisation."""

    name: Line
    organization: Line


KnownValue = Line | Annotated[tuple[dict[Name, Line], ...], FEW] | Annotated[dict[Name, Line], FEW]


class Workflow(Record):
    """A whole workflow file; see `docs/write-a-workflow.md` for how to write one.

    Attributes:
        subject: What the call is about, to steer back to ("your home inspection").
        known_user_information: What the agent's system shows (agent's side).
        sensitive: Names of known information that is not spoken before the caller is verified.
        caller_facts: What the caller knows and says when asked (caller's side).
    """

    schema_version: Annotated[int, Field(ge=1, le=1)]
    id: Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]*/[a-z][a-z0-9_]*$", max_length=120)]
    title: Line
    subject: Line
    goal: Goal
    agent: Agent
    known_user_information: Annotated[dict[Name, KnownValue], NAMED]
    sensitive: Annotated[tuple[Name, ...], NAMED] = ()
    caller_facts: Annotated[dict[Name, Alternatives], NAMED]
    guidelines: Annotated[tuple[Line, ...], SOME]
    stages: Annotated[tuple[Stage, ...], SOME]
    hard_stops: Annotated[dict[Name, HardStop], FEW] = Field(default_factory=dict)
    intents: Annotated[tuple[Intent, ...], SOME]

    @model_validator(mode="after")
    def _is_no_longer_than_a_call(self) -> "Workflow":
        acts = sum(len(stage.acts) for stage in self.stages)
        if acts > MOST_ACTS:
            raise ValueError(f"there are {acts} acts, and {MOST_ACTS} is the most; make several workflows of it")
        return self

    @property
    def domain(self) -> str:
        """The folder the workflow stands in."""
        return self.id.split("/")[0]

    def stage(self, stage_id: str) -> Stage:
        """The stage with that id; raises `KeyError` if there is none."""
        for stage in self.stages:
            if stage.id == stage_id:
                return stage
        raise KeyError(stage_id)

    def intent(self, intent_id: str) -> Intent:
        """The intent with that id; raises `KeyError` if there is none."""
        for intent in self.intents:
            if intent.id == intent_id:
                return intent
        raise KeyError(intent_id)

    def question_of(self, slot: str) -> tuple[Stage, Act]:
        """The question that fills a slot; raises `KeyError` if there is none."""
        for stage in self.stages:
            for act in stage.acts:
                if act.fills == slot:
                    return stage, act
        raise KeyError(slot)
