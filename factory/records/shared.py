"""Phrases that fit every workflow: what callers say in a hurry, and how agents pick up again."""

from typing import Annotated

from pydantic import Field

from factory.records.base import Record
from factory.records.workflow import Lines

Some = Annotated[Lines, Field(min_length=1)]


class CallerPhrases(Record):
    """The caller's side.

    Attributes:
        fillers: Backchannels ("mm-hm").
        hurry: Said while cutting in, without an answer.
        hurry_after_answer: Added behind an answer that was given while cutting in.
        hurry_before_answer: Put before such an answer.
        openers: Small starts of an ordinary message ("Uh,"), each followed by the message.
        cut_in: Starts of an interruption ("Sorry, hold on,").
        closings: Last words of a call that went well.
        closings_unhappy: Last words of a call that ended at a hard stop.
    """

    fillers: Some
    hurry: Some
    hurry_before_answer: Some
    hurry_after_answer: Some
    openers: Some
    cut_in: Some
    closings: Some
    closings_unhappy: Some


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
