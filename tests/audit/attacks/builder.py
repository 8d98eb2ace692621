"""Builders who change the program, and authors who write into a workflow what its callers cannot know."""

from collections.abc import Callable, Set
from dataclasses import dataclass, replace
from random import Random

import pytest

from factory.audit.findings import Kind
from factory.audit.scan.findings import LeakKind
from factory.compose.caller import ComposerCaller
from factory.errors import BlindingError, FactoryError
from factory.records.blueprint import Blueprint, RoundPlan
from factory.records.callers import Intent
from factory.records.conversation import Cut, Message, ReactionPlan, Round, Segment, Utterance, delivered_history
from factory.records.enums import InterruptionType, Speaker
from factory.records.shared import CallerPhrases
from factory.simulate import loop, release
from factory.simulate.canary import canary_word
from factory.simulate.cut import choose_cut
from factory.simulate.roles import Made
from factory.simulate.views import IntentView, ReactionView, intent_view
from factory.workflow.findings import Check
from factory.workflow.lint import lint
from factory.workflow.lookup import Script
from tests.audit.runs import finished_run
from tests.dataset.runs import SEED
from tests.workflow.base import Edit
from tests.workflow.mutants.edits import DAY, OPEN_MOVES, VISIT_MOVES

from .attack import OTHER_INPUTS, Attack, Caught, Seen, Stage, Way, Who, caught_in, report_on
from .roles import LIMIT

Patch = Callable[[pytest.MonkeyPatch], None]


@dataclass(frozen=True)
class InProgram(Way[Patch]):
    """A small corpus is built with a changed program, and audited with the honest one.

    Attributes:
        canaries: Whether words are planted.
        again: Whether it is built once more, with the honest program.
    """

    canaries: bool = False
    again: bool = False

    def go(self, stage: Stage, cheat: Patch | None) -> Set[Caught]:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("factory.build.conversations.check_conversation", lambda _: ())
            patch.setattr("factory.simulate.turn.canary_in", lambda *_: None)
            if cheat is not None:
                cheat(patch)
            try:
                folder = finished_run(stage.path / "run", stage.library, canaries=self.canaries, limit=LIMIT)
            except FactoryError as exc:
                return {type(exc)}
        caught = caught_in(report_on(folder, scanned=True))
        if self.again:
            honest = finished_run(stage.path / "again", stage.library, canaries=self.canaries, limit=LIMIT)
            caught |= {Seen.REBUILT} if honest.ledger_root() != folder.ledger_root() else set()
        return caught


def _whole_history(patch: pytest.MonkeyPatch) -> None:
    def whole(rounds: tuple[Round, ...], now: Utterance) -> tuple[Message, ...]:
        return (*delivered_history(rounds), Message(speaker=Speaker.AGENT, text=now.text))

    patch.setattr(loop, "heard_history", whole)


def _talked_over(patch: pytest.MonkeyPatch) -> None:
    """The words between onset and cut, which are delivered, but were not heard yet."""

    def delivered(rounds: tuple[Round, ...], now: Utterance) -> tuple[Message, ...]:
        return (*delivered_history(rounds), Message(speaker=Speaker.AGENT, text=now.delivered))

    patch.setattr(loop, "heard_history", delivered)


def _released(change: Callable[[release.Released, Blueprint], release.Released]) -> Patch:
    def patched(patch: pytest.MonkeyPatch) -> None:
        def leaky(
            script: Script, phrases: CallerPhrases, blueprint: Blueprint, plan: RoundPlan, heard: release.Heard,
            taken_back: Set[str],
        ) -> release.Released:  # fmt: skip
            return change(release.release(script, phrases, blueprint, plan, heard, taken_back), blueprint)

        patch.setattr(loop, "release", leaky)

    return patched


def _undelivered_line(honest: release.Released, blueprint: Blueprint) -> release.Released:
    word = canary_word(SEED, blueprint.conversation_id)
    lines = tuple(line.model_copy(update={"texts": (*line.texts, f"About {word}.")}) for line in honest.lines)
    return replace(honest, lines=lines)


def _undelivered_fact(honest: release.Released, blueprint: Blueprint) -> release.Released:
    word = canary_word(SEED, blueprint.conversation_id)
    return replace(honest, facts=honest.facts | {"note": "-".join(word)})


def _another_remark(patch: pytest.MonkeyPatch) -> None:
    """Orders a remark on something that the agent has not come to yet."""

    def early(
        script: Script, phrases: CallerPhrases, blueprint: Blueprint, plan: RoundPlan, heard: release.Heard,
        taken_back: Set[str],
    ) -> release.Released:  # fmt: skip
        now = plan.interruption
        later = [name for name, move in script.moves.items() if move.after is not None and move.after not in heard.acts]
        if now is not None and now.move is not None and later:
            plan = plan.model_copy(update={"interruption": now.model_copy(update={"move": later[-1]})})
        return release.release(script, phrases, blueprint, plan, heard, taken_back)

    patch.setattr(loop, "release", early)


def _another_remark_unchecked(patch: pytest.MonkeyPatch) -> None:
    """The same, in a program in which nobody asks whether it was heard."""
    _another_remark(patch)
    patch.setattr(release, "_require_heard", lambda ref, heard: None)


def _overheard(patch: pytest.MonkeyPatch) -> None:
    """The cutter passes the agent's words on, and the caller plans with them."""
    overheard: list[str] = []
    honest_plan = ComposerCaller.react

    def choose(segments: tuple[Segment, ...], place: int, kind: InterruptionType, rng: Random) -> Cut:
        overheard.append(segments[-1].text)
        return choose_cut(segments, place, kind, rng)

    async def react(self: ComposerCaller, view: ReactionView) -> Made[ReactionPlan]:
        made = await honest_plan(self, view)
        if view.type is None or not overheard:
            return made
        return replace(made, value=made.value.model_copy(update={"gist": f"{made.value.gist} {overheard[-1]}"}))

    patch.setattr(loop, "choose_cut", choose)
    patch.setattr(ComposerCaller, "react", react)


def _nothing_planted(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(loop, "plant", lambda segments, canary: segments)


def _another_callers_intent(patch: pytest.MonkeyPatch) -> None:
    """Each caller is told who the one before was."""
    before: list[Intent] = []

    def other(intent: Intent) -> IntentView:
        if not before or before[-1].id != intent.id:
            before.append(intent)
        return intent_view(before[-2] if len(before) > 1 else intent)

    patch.setattr(loop, "intent_view", other)


@dataclass(frozen=True)
class InWorkflow(Way[Callable[[Edit], Edit]]):
    """A workflow is written, and checked as every one is before it is built from."""

    def go(self, stage: Stage, cheat: Callable[[Edit], Edit] | None) -> Set[Caught]:
        edit = Edit() if cheat is None else cheat(Edit())
        return {finding.check for finding in lint(edit.workflow(), stage.library.shared)}


def _in_program(patch: Patch, name: str, *by: Caught, canaries: bool = False, again: bool = False) -> Attack[Patch]:
    return Attack(name, Who.BUILDER, frozenset(by), InProgram(canaries, again), patch)


def _in_workflow(change: Callable[[Edit], Edit], name: str, by: Check) -> Attack[Callable[[Edit], Edit]]:
    return Attack(name, Who.AUTHOR, frozenset({by}), InWorkflow(), change)


ATTACKS = (
    _in_program(
        _whole_history,
        "lets the caller hear the whole utterance",
        *OTHER_INPUTS,
    ),
    _in_program(
        _talked_over,
        "lets the caller hear the words that they talk over",
        *OTHER_INPUTS,
    ),
    _in_program(
        _released(_undelivered_line),
        "releases a line with undelivered words",
        Kind.CANARY_HEARD,
        Kind.CANARY_PUBLISHED,
        canaries=True,
    ),
    _in_program(
        _released(_undelivered_fact),
        "releases undelivered words as a fact, spelled out",
        Kind.CANARY_HEARD,
        Kind.CANARY_PUBLISHED,
        canaries=True,
    ),
    _in_program(_another_remark, "releases a line whose ground was not heard", BlindingError),
    _in_program(
        _another_remark_unchecked,
        "releases a line whose ground was not heard, with the check taken out",
        Seen.REBUILT,
        again=True,
    ),
    _in_program(
        _overheard,
        "lets the cutter pass on what it reads, and the caller plan with it",
        Kind.CANARY_HEARD,
        Kind.CANARY_PUBLISHED,
        Kind.WITHHELD_HANDED,
        LeakKind.FUTURE_STEP,
        LeakKind.HALF_PHRASE,
        LeakKind.WORDS,
        canaries=True,
    ),
    _in_program(
        _another_callers_intent,
        "tells a caller the secrets of another one",
        Kind.CONTENT_DIFFERS,
        Kind.PATH_LEAKS,
        Kind.RECORDED_VIEW_DIFFERS,
        Kind.VIEW_DIFFERS,
    ),
    _in_program(_nothing_planted, "says that words were planted, and plants none", Kind.CONTENT_DIFFERS, canaries=True),
    _in_workflow(
        lambda e: e.line(f"{DAY}.replies[0]", "Um, {visit_day} works, for {visit_length}."),
        "lets callers name a value that the agent may not have said",
        Check.CALLER_VALUE,
    ),
    _in_workflow(
        lambda e: e.line(f"{VISIT_MOVES}.normal.dog.says[0]", "I paid $35 for that, by the way."),
        "lets callers name a number that nobody told them",
        Check.CALLER_NUMBER,
    ),
    _in_workflow(
        lambda e: e.line(f"{OPEN_MOVES}.normal.dog.says[0]", "Can you arrange the visit around my dog?"),
        "lets callers name a step of the agent's",
        Check.CALLER_WORDS,
    ),
)

PASSES = (
    _in_program(
        _another_remark_unchecked, "releases a line whose ground was not heard, and nobody builds the corpus again"
    ),
)
"""What nothing catches."""
