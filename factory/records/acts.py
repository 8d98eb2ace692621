"""The acts of a workflow: the smallest things that the agent does, and what the caller answers to them."""

from typing import Annotated

from pydantic import BeforeValidator, Field, model_validator

from factory.records.base import Record
from factory.records.lines import FEW, SOME, AliasedRecord, CallerSays, Line, Lines, Name, as_list


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
    say: Annotated[Lines, SOME]
    mentions: Annotated[tuple[Line, ...], BeforeValidator(as_list), SOME]


class Hint(Record):
    """Help that may follow a question; two or more sentences, so that a caller can cut in with the answer."""

    does: Line
    say: Annotated[Lines, SOME]


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
    say: Annotated[Lines, SOME]


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
    retry: Annotated[Lines, SOME]
    mentions: Annotated[tuple[Line, ...], BeforeValidator(as_list), SOME]


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
    say: Annotated[Lines, SOME]
    resume: Lines = ()
    brief: Lines = ()
    mentions: Annotated[tuple[Line, ...], BeforeValidator(as_list), FEW] = ()
    required: bool = False
    optional: bool = False
    fixed: bool = False
    when: Condition | None = Field(default=None, alias="if")
    leads_to: Name | None = Field(default=None, alias="for")
    fills: Name | None = None
    called: Line | None = None
    replies: Annotated[tuple[Reply, ...], BeforeValidator(_as_replies), FEW] | None = None
    received: Annotated[tuple[Reaction, ...], BeforeValidator(_as_reactions), FEW] = ()
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
