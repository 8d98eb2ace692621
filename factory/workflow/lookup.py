"""References to acts, answers and moves → their authored text."""

from dataclasses import dataclass
from functools import cached_property

from factory.records.acts import Act, Answer
from factory.records.callers import CallerMove, HiddenInformation
from factory.records.enums import Form, InterruptionType
from factory.records.lines import Line, Lines
from factory.records.workflow import Stage, Workflow

HINT = "#hint"
RETRY = "#retry"
STOP = "stop:"
MOVE_TYPES = (InterruptionType.PUSHBACK, InterruptionType.NORMAL, InterruptionType.TOPIC_SWITCH)
"""The types whose lines are authored in a workflow."""


def act_ref(stage: Stage, act: Act) -> str:
    """The reference of an authored act."""
    return f"{stage.id}.{act.id}"


def question_of(ref: str) -> str:
    """The question that a hint or a second asking belongs to; other references are their own."""
    return ref.split("#", 1)[0]


def stage_of(ref: str) -> str | None:
    """The stage of an authored act's reference; None for answers and other words between acts."""
    return None if ":" in ref or "." not in ref else ref.split(".", 1)[0]


@dataclass(frozen=True)
class Move:
    """Something a caller may cut in with, wherever it was authored."""

    ref: str
    type: InterruptionType
    stage: str | None
    after: str | None
    source: CallerMove | HiddenInformation


@dataclass(frozen=True)
class Script:
    """A workflow with its texts found by reference. Every method raises `KeyError` for an unknown one."""

    workflow: Workflow

    @cached_property
    def _acts(self) -> dict[str, tuple[Stage, Act]]:
        return {act_ref(s, a): (s, a) for s in self.workflow.stages for a in s.acts}

    @cached_property
    def questions(self) -> frozenset[str]:
        """References of all questions, and of their second asking."""
        asked = {ref for ref, (_, act) in self._acts.items() if act.is_question}
        return frozenset(asked | {ref + RETRY for ref in asked})

    @cached_property
    def moves(self) -> dict[str, Move]:
        """All moves that stand in stages, and every intent's hidden information."""
        found: dict[str, Move] = {}
        for stage in self.workflow.stages:
            for kind in MOVE_TYPES:
                for move in getattr(stage.caller_may, kind.value):
                    ref = f"{stage.id}.{kind.value}.{move.id}"
                    after = f"{stage.id}.{move.after}" if move.after else None
                    found[ref] = Move(ref, kind, stage.id, after, move)
        for intent in self.workflow.intents:
            for hidden in intent.hidden_information:
                ref = f"{intent.id}.{hidden.id}"
                found[ref] = Move(ref, InterruptionType.NORMAL, None, None, hidden)
        return found

    def moves_for(self, intent: str) -> tuple[Move, ...]:
        """The moves open to one intent: all of the stages', and its own hidden information."""
        return tuple(m for m in self.moves.values() if m.stage is not None or m.ref.split(".", 1)[0] == intent)

    def act(self, ref: str) -> Act:
        """The authored act behind a reference (a hint's or second asking's is its question)."""
        return self._acts[question_of(ref)][1]

    def stage(self, ref: str) -> Stage:
        """The stage of an authored act."""
        return self._acts[question_of(ref)][0]

    def answer(self, ref: str) -> Answer:
        """The agent's answer behind `answer:…`."""
        return self.moves[ref.removeprefix("answer:")].source.answer

    def lines(self, ref: str, form: Form) -> Lines:
        """The agent's wordings of an act; where a form has none of its own, the plain ones."""
        if ref.startswith("answer:"):
            return self.answer(ref).say
        if ref.startswith(STOP):
            return self.workflow.hard_stops[ref.removeprefix(STOP)].say
        act = self.act(ref)
        if ref.endswith(HINT):
            assert act.hint is not None
            return act.hint.say
        if ref.endswith(RETRY):
            assert act.failure is not None
            if form is Form.SAY:
                return act.failure.retry
        if form is Form.BRIEF:
            return act.brief or act.say
        return (act.resume or act.say) if form is Form.RESUME else act.say

    def wordings(self, ref: str) -> Lines:
        """Every authored wording of an act in any form; none for words between acts."""
        if ref in ("lead", "steer") or ref.startswith("accept:"):
            return ()
        return tuple(dict.fromkeys(line for form in Form for line in self.lines(ref, form)))

    def does(self, ref: str) -> Line:
        """The infinitive description of an act."""
        if ref.startswith("answer:"):
            return self.answer(ref).does
        if ref.startswith(STOP):
            return self.workflow.hard_stops[ref.removeprefix(STOP)].does
        act = self.act(ref)
        if ref.endswith(HINT):
            assert act.hint is not None
            return act.hint.does
        if ref.endswith(RETRY):
            assert act.failure is not None
            return act.failure.does
        return act.does

    def mentions(self, ref: str) -> tuple[str, ...]:
        """Words of which one stands in every wording of the act; empty where none were authored."""
        if ref.startswith("answer:"):
            return self.answer(ref).mentions
        if ref.startswith(STOP):
            return self.workflow.hard_stops[ref.removeprefix(STOP)].mentions
        if ref.endswith(HINT):
            return ()
        act = self.act(ref)
        if ref.endswith(RETRY):
            assert act.failure is not None
            return (*act.failure.mentions, *act.mentions)
        return act.mentions
