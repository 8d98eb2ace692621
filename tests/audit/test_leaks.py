"""Roles and code that let something unheard reach the caller's side, caught by rebuilt inputs or by canaries."""

from collections.abc import Set
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from factory.audit.findings import Kind
from factory.audit.report import write_flow_report
from factory.compose.caller import ComposerCaller
from factory.dataset.parquet import Row
from factory.dataset.write import BASELINE
from factory.records.blueprint import Blueprint, RoundPlan
from factory.records.conversation import Cut, Message, ReactionPlan, Round, Segment, Utterance, delivered_history
from factory.records.enums import InterruptionType, Speaker
from factory.records.shared import CallerPhrases
from factory.run.folder import RunFolder
from factory.simulate import loop, release
from factory.simulate.canary import canary_word
from factory.simulate.cut import choose_cut
from factory.simulate.roles import Made
from factory.simulate.views import ReactionView, UserView
from factory.workflow.library import Library
from factory.workflow.lookup import Script
from tests.dataset.runs import SEED

from .runs import finished_run, kinds, rewrite, rewrite_conversations


@pytest.fixture(autouse=True)
def unchecked(monkeypatch: pytest.MonkeyPatch) -> None:
    """The build's own checks look away, so that only the audit is left."""
    monkeypatch.setattr("factory.build.conversations.check_conversation", lambda _: ())
    monkeypatch.setattr("factory.simulate.turn.says_canary", lambda _: False)


def leaking_build(tmp_path: Path, library: Library, canaries: bool = True) -> set[Kind]:
    return kinds(write_flow_report(finished_run(tmp_path / "run", library, canaries=canaries, limit=2)))


def test_a_history_that_goes_on_behind_the_onset(
    tmp_path: Path, library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    def whole(rounds: tuple[Round, ...], now: Utterance) -> tuple[Message, ...]:
        return (*delivered_history(rounds), Message(speaker=Speaker.AGENT, text=now.text))

    monkeypatch.setattr(loop, "heard_history", whole)
    assert leaking_build(tmp_path, library, canaries=False) >= {Kind.VIEW_DIFFERS, Kind.CONTENT_DIFFERS}


def test_a_release_that_hands_over_an_undelivered_word(
    tmp_path: Path, library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    def leaky(
        script: Script, phrases: CallerPhrases, blueprint: Blueprint, plan: RoundPlan, heard: release.Heard,
        taken_back: Set[str],
    ) -> release.Released:  # fmt: skip
        honest = release.release(script, phrases, blueprint, plan, heard, taken_back)
        word = canary_word(SEED, blueprint.conversation_id)
        lines = (*(line.model_copy(update={"texts": (*line.texts, f"About {word}.")}) for line in honest.lines),)
        return release.Released(lines, honest.facts, honest.gives)

    monkeypatch.setattr(loop, "release", leaky)
    assert leaking_build(tmp_path, library) == {Kind.CANARY_HEARD, Kind.CANARY_PUBLISHED}


def test_an_agent_that_passes_its_words_on_and_a_caller_that_plans_with_them(
    tmp_path: Path, library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
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

    monkeypatch.setattr(loop, "choose_cut", choose)
    monkeypatch.setattr(ComposerCaller, "react", react)
    assert leaking_build(tmp_path, library) >= {Kind.CANARY_HEARD, Kind.CANARY_PUBLISHED}


def test_a_caller_that_says_another_calls_secret(
    tmp_path: Path, library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    honest, word = ComposerCaller.speak, canary_word(SEED, "another-call")

    async def speak(self: ComposerCaller, view: UserView) -> Made[str]:
        made = await honest(self, view)
        return replace(made, value=f"{made.value} {word.title()}!")

    monkeypatch.setattr(ComposerCaller, "speak", speak)
    assert leaking_build(tmp_path, library) == {Kind.CANARY_HEARD, Kind.CANARY_PUBLISHED}


def test_a_build_that_says_it_planted_canaries_and_did_not(
    tmp_path: Path, library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(loop, "plant", lambda segments, canary: segments)
    folder = finished_run(tmp_path / "run", library, canaries=True, limit=2)
    report = write_flow_report(folder)
    assert kinds(report) == {Kind.CONTENT_DIFFERS}
    assert report.canary.utterances == 0


@pytest.fixture
def own_canaried(tmp_path: Path, library: Library) -> RunFolder:
    return finished_run(tmp_path / "run", library, canaries=True, limit=2)


def test_a_canary_in_the_published_knowledge_base(own_canaried: RunFolder) -> None:
    def change(row: Row) -> None:
        row["knowledge_base"]["guidelines"].append(canary_word(SEED, str(row["conversation_id"])))  # type: ignore[index]

    rewrite_conversations(own_canaried, change)
    report = write_flow_report(own_canaried)
    assert kinds(report) == {Kind.CANARY_PUBLISHED}
    assert report.canary.found == 2


def test_a_canary_in_a_published_recovery(own_canaried: RunFolder) -> None:
    word = canary_word(SEED, "another-call")
    rewrite(own_canaried.dataset / BASELINE, lambda row: row.update(response=f"One {word} please."))
    report = write_flow_report(own_canaried)
    assert kinds(report) == {Kind.CANARY_PUBLISHED}
    assert report.canary.found == report.heard.cut


def test_inputs_that_hang_on_undelivered_words_are_counted(
    tmp_path: Path, library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = finished_run(tmp_path / "run", library, limit=2)
    monkeypatch.setattr("factory.dataset.rebuild.heard_of", lambda row: row.as_meant)
    report = write_flow_report(folder)
    assert kinds(report) >= {Kind.UNDELIVERED_MATTERS, Kind.VIEW_DIFFERS}
    assert report.inputs.unmoved == report.inputs.rebuilt - 2 * report.heard.cut
