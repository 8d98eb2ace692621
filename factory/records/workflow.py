"""The authored form of a workflow: what one kind of call is about, both sides of it.

Every field belongs to the agent's side or to the caller's, and says which. Texts may hold
`{slot}` placeholders: on the agent's side they read known user information and slots that were
filled earlier in the call; on the caller's side they read caller facts and what the agent has said.
"""

import re
from typing import Annotated

from pydantic import BeforeValidator, ConfigDict, Field, StringConstraints, model_validator

from factory.records.base import Record
from factory.records.enums import Direction, InterruptionType, Profile, Speech

Name = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]*$", max_length=60)]
Line = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=600)]
MOST_WAYS = 50
"""Ways to say one thing, at the most, and parts of one kind in one place: far more than anybody writes.

Whoever checks a workflow compares them with each other, so that without an end the work would have none either.
"""
MOST_NAMES = 200
"""Facts, and pieces of known information, at the most."""
MOST_ACTS = 300
"""Acts of one workflow at the most."""

_FEW = Field(max_length=MOST_WAYS)
_SOME = Field(min_length=1, max_length=MOST_WAYS)
_NAMED = Field(max_length=MOST_NAMES)

Lines = Annotated[tuple[Line, ...], _FEW]

PLACEHOLDER = re.compile(r"\{([a-z][a-z0-9_]*(?:\.[a-z0-9_]+)*)\}")


def placeholders(text: str) -> tuple[str, ...]:
    """The names in `{braces}` in a text, in order."""
    return tuple(PLACEHOLDER.findall(text))


def _as_list(value: object) -> object:
    """A single text stands for a list of one."""
    return [value] if isinstance(value, str) else value


def _as_caller_lines(value: object) -> object:
    """A plain list of lines is what any profile says."""
    return {"default": value} if isinstance(value, list | tuple | str) else value


class AliasedRecord(Record):
    """A record with fields whose names in YAML are words of Python (`if`, `is`)."""

    model_config = ConfigDict(populate_by_name=True, serialize_by_alias=True)


class CallerLines(Record):
    """What a caller says, by reaction profile; `default` serves every profile with few lines of its own."""

    default: Annotated[Lines, BeforeValidator(_as_list), _SOME]
    cooperative: Annotated[Lines, BeforeValidator(_as_list)] = ()
    rushed: Annotated[Lines, BeforeValidator(_as_list)] = ()
    wary: Annotated[Lines, BeforeValidator(_as_list)] = ()
    frustrated: Annotated[Lines, BeforeValidator(_as_list)] = ()
    chatty: Annotated[Lines, BeforeValidator(_as_list)] = ()
    unsure: Annotated[Lines, BeforeValidator(_as_list)] = ()

    def for_profile(self, profile: Profile) -> Lines:
        """The lines of a profile; the default ones too, where it has fewer than three of its own."""
        own: Lines = getattr(self, profile.value)
        return own if len(own) >= 3 else own + self.default

    def all(self) -> Lines:
        """Every line, whoever says it."""
        return tuple(line for field in type(self).model_fields for line in getattr(self, field))


CallerSays = Annotated[CallerLines, BeforeValidator(_as_caller_lines)]


class Condition(AliasedRecord):
    """True when a slot or caller fact has the given value."""

    slot: Name
    equals: str = Field(alias="is")


class Answer(Record):
    """What the agent says to a concern, a detail or a side request of the caller.

    Attributes:
        does: Infinitive description for rubrics ("explain that the check protects the caller's privacy").
        say: Spoken variants, each complete in itself.
        mentions: Words of which at least one stands in every variant and in every good answer.
    """

    does: Line
    say: Annotated[Lines, _SOME]
    mentions: Annotated[tuple[Line, ...], BeforeValidator(_as_list), _SOME]


class Hint(Record):
    """Help that may follow a question; two or more sentences, so that a caller can cut in with the answer."""

    does: Line
    say: Annotated[Lines, _SOME]


class Reply(AliasedRecord):
    """What the caller answers to a question, optionally only where their own facts say so."""

    when: Condition | None = Field(default=None, alias="if")
    says: CallerSays


def _as_replies(value: object) -> object:
    """One set of lines stands for one unconditional reply."""
    if isinstance(value, list | tuple) and value and all(isinstance(v, dict | Reply) for v in value):
        return value
    return [{"says": value}]


class Reaction(AliasedRecord):
    """What the agent says to an answer before going on, optionally only to that answer."""

    when: Condition | None = Field(default=None, alias="if")
    say: Annotated[Lines, _SOME]


def _as_reactions(value: object) -> object:
    """A plain list of lines is the reaction to any answer."""
    if isinstance(value, list | tuple) and value and all(isinstance(v, dict | Reaction) for v in value):
        return value
    return [{"say": value}]


class Failure(Record):
    """A question that goes wrong once or more: what the caller says, and how the agent asks again.

    Attributes:
        does: Infinitive description of asking again ("say that the case ID does not match and ask again").
        fails: The caller's wrong or missing answer; may read `{fact.wrong}`.
        retry: How the agent says that it did not work and asks again.
        mentions: As in `Answer`, for the retry.
    """

    does: Line
    fails: CallerSays
    retry: Annotated[Lines, _SOME]
    mentions: Annotated[tuple[Line, ...], BeforeValidator(_as_list), _SOME]


class Act(AliasedRecord):
    """The smallest thing the agent does: tell something, or ask for something (where there are replies).

    Attributes:
        id: Unique in its stage.
        does: Infinitive description ("ask for the case ID"), used in rubrics and never spoken.
        say: Spoken variants, complete sentences that stand on their own.
        resume: The same as a fresh start in other words, after it was cut or left unanswered.
        brief: The short way, for a caller in a hurry.
        mentions: Words of which one stands in every variant; they decide whether a response did this act.
        required: Must be said even to an impatient caller (then in its brief form).
        optional: May be left out of a call altogether.
        fixed: A disclosure whose wording may recur from call to call.
        when: Said only where the slot has that value.
        leads_to: The optional question that a tell belongs to (`for` in YAML): left out together with it.
        fills: The slot that the caller's answer fills.
        called: The slot in the agent's words ("callback number"); needed where it can be corrected.
        replies: What the caller answers; an act with replies is a question.
        received: The agent's short reaction to the answer, before going on: the first whose condition holds.
        corrects: The caller's lines that revise the slot in a later turn; makes it revisable.
        failure: How the question may fail and be asked again.
        hint: Help that may follow the question in the same utterance.
    """

    id: Name
    does: Line
    say: Annotated[Lines, _SOME]
    resume: Lines = ()
    brief: Lines = ()
    mentions: Annotated[tuple[Line, ...], BeforeValidator(_as_list), _FEW] = ()
    required: bool = False
    optional: bool = False
    fixed: bool = False
    when: Condition | None = Field(default=None, alias="if")
    leads_to: Name | None = Field(default=None, alias="for")
    fills: Name | None = None
    called: Line | None = None
    replies: Annotated[tuple[Reply, ...], BeforeValidator(_as_replies), _FEW] | None = None
    received: Annotated[tuple[Reaction, ...], BeforeValidator(_as_reactions), _FEW] = ()
    corrects: CallerSays | None = None
    failure: Failure | None = None
    hint: Hint | None = None

    @property
    def is_question(self) -> bool:
        """Whether the caller is expected to answer."""
        return self.replies is not None

    @model_validator(mode="after")
    def _fields_fit(self) -> "Act":
        if not self.is_question:
            for field in ("fills", "received", "corrects", "failure", "hint", "called"):
                if getattr(self, field):
                    raise ValueError(f"`{field}` needs `replies`: only a question has it")
        if self.is_question and self.leads_to:
            raise ValueError("`for` is for a tell: it names the question that the tell leads to")
        if self.is_question and not self.mentions:
            raise ValueError("a question needs `mentions`, the words by which it is recognised")
        if any(r.when is not None and r.when.slot != self.fills for r in self.received):
            raise ValueError("`if` in `received` names the question's own slot (`fills`): the answer just given")
        if self.received and self.received[-1].when is not None:
            raise ValueError("the last `received` has no `if`: it serves every other answer")
        if self.corrects and not (self.fills and self.called):
            raise ValueError("`corrects` needs `fills` and `called`")
        return self


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

    pushback: Annotated[tuple[CallerMove, ...], _FEW] = ()
    normal: Annotated[tuple[CallerMove, ...], _FEW] = ()
    topic_switch: Annotated[tuple[CallerMove, ...], _FEW] = ()

    @model_validator(mode="after")
    def _pushback_is_grounded(self) -> "CallerMoves":
        for move in self.pushback:
            if move.after is None:
                raise ValueError(f"pushback `{move.id}` needs `after`: the act it disputes")
        return self


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
    terminate_when: Annotated[tuple[TerminateRule, ...], _FEW] = ()
    acts: Annotated[tuple[Act, ...], _SOME]
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
    say: Annotated[Lines, _SOME]
    mentions: Annotated[tuple[Line, ...], BeforeValidator(_as_list), _SOME]


class Goal(Record):
    """What the call is for."""

    direction: Direction
    statement: Line
    success: Line


class Agent(Record):
    """Who speaks for the organisation."""

    name: Line
    organization: Line


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


Alternatives = Annotated[tuple[FactValue, ...], BeforeValidator(_as_alternatives), _SOME]

KnownValue = Line | Annotated[tuple[dict[Name, Line], ...], _FEW] | Annotated[dict[Name, Line], _FEW]


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
    hidden_information: Annotated[tuple[HiddenInformation, ...], _FEW] = ()
    facts: Annotated[dict[Name, Alternatives], _NAMED] = Field(default_factory=dict)


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
    known_user_information: Annotated[dict[Name, KnownValue], _NAMED]
    sensitive: Annotated[tuple[Name, ...], _NAMED] = ()
    caller_facts: Annotated[dict[Name, Alternatives], _NAMED]
    guidelines: Annotated[tuple[Line, ...], _SOME]
    stages: Annotated[tuple[Stage, ...], _SOME]
    hard_stops: Annotated[dict[Name, HardStop], _FEW] = Field(default_factory=dict)
    intents: Annotated[tuple[Intent, ...], _SOME]

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
