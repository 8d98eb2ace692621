"""Phrases that fit every workflow: what callers say in a hurry, and how agents pick up again."""

from typing import Annotated

from pydantic import AfterValidator, Field

from factory.records.base import Record
from factory.records.enums import Speech
from factory.records.lines import Lines

Some = Annotated[Lines, Field(min_length=1)]
Chance = Annotated[float, Field(ge=0, le=1)]


def _every_way(speech: dict[Speech, "SmallWords"]) -> dict[Speech, "SmallWords"]:
    missing = [way.value for way in Speech if way not in speech]
    if missing:
        raise ValueError(f"has no {', '.join(missing)}")
    return speech


class SmallWords(Record):
    """What one way of speaking puts around whatever is said.

    Attributes:
        fillers: Backchannels ("mm-hm").
        openers: Small starts of an ordinary message ("Uh,"), each followed by the message.
        opens: How often a message without an imperfection of its own gets such a start.
        pauses: Sounds of hesitation, inside a message ("but, uh, I can't").
        searches: Said while a value is looked for ("It's, let me see, Tuesday").
        hesitates: How often either happens, where a message has no imperfection so far.
        cut_in: Starts of an objection or a correction ("Wait, hold on,").
        asides: Starts of a remark or a side request ("Oh, and").
        hurry: Said while cutting in, without an answer.
        hurry_after_answer: Added behind an answer that was given while cutting in.
        hurry_before_answer: Put before such an answer now and then.
        closings: Last words of a call that went well.
        closings_unhappy: Last words of a call that ended at a hard stop.
    """

    fillers: Some
    openers: Some
    opens: Chance
    pauses: Some
    searches: Some
    hesitates: Chance
    cut_in: Some
    asides: Some
    hurry: Some
    hurry_before_answer: Some
    hurry_after_answer: Some
    closings: Some
    closings_unhappy: Some


class CallerPhrases(Record):
    """The caller's side: the small words of each way of speaking."""

    speech: Annotated[dict[Speech, SmallWords], AfterValidator(_every_way)]


class AgentPhrases(Record):
    """The agent's side.

    Attributes:
        thanks: Reaction to an answer that has no reaction of its own.
        calm: Before the answer to a pushback: empathetic, never defensive.
        calm_question: The same where the caller objected with a question.
        quick: Before going on with an impatient caller.
        noted: Before the answer to a detail that the caller volunteered.
        noted_question: Before the answer to a quick question.
        corrected: Accepts a revised value; reads `{called}` and `{value}`.
        sidestep: Before the answer to a side request.
        sidestep_question: The same where the caller asked a question.
        steer: Back to the subject after a side request; reads `{subject}`; stands before a sentence of its own.
    """

    thanks: Some
    calm: Some
    calm_question: Some
    quick: Some
    noted: Some
    noted_question: Some
    corrected: Some
    sidestep: Some
    sidestep_question: Some
    steer: Some


class WrongPhrases(Record):
    """What a bad agent says; used only in the wrong recoveries that prove a rubric.

    Attributes:
        defensive: Against a caller who pushes back.
        filler_reply: A reply to a backchannel that should have had none.
        stalling: Gives in and then waits, so that nothing moves on.
        skeptical: Doubts a correction; reads `{called}` and `{old}`.
    """

    defensive: Some
    filler_reply: Some
    stalling: Some
    skeptical: Some


class Shared(Record):
    """The whole of `workflows/shared.yaml`."""

    schema_version: Annotated[int, Field(ge=1, le=1)]
    caller: CallerPhrases
    agent: AgentPhrases
    wrong: WrongPhrases
