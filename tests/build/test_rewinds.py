"""Rounds that are run again: where a conversation is taken back to, that it gives other words, and that it ends."""

import asyncio
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from factory.build.conversations import MOST_DRAWS, build_conversation, compose
from factory.build.engine import MOST_RERUNS, Engine
from factory.corpus.plan import plan_corpus
from factory.corpus.specs import load_spec
from factory.errors import RunError
from factory.records.blueprint import Blueprint
from factory.records.conversation import Rerun, RerunReason, Segment
from factory.records.ledger import LedgerLine, Role
from factory.run.files import read_lines, truncate_to
from factory.run.folder import RunFolder
from factory.run.log import Kind, Line, Progress, read_progress
from factory.simulate.cut import CutNotPossible
from factory.simulate.ledger import LedgerChain
from factory.simulate.loop import play_round
from factory.verify.checks import Case, CheckId, Issue
from factory.workflow.library import Library, standard_library
from tests.dataset.runs import SEED, SPEC, make_library
from tests.faults import faulty, uncut

CHECK, CUTTER = "factory.build.conversations.check_conversation", "factory.simulate.loop.choose_cut"


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Library:
    return make_library(tmp_path_factory.mktemp("workflows"))


@pytest.fixture(scope="module")
def blueprints(library: Library) -> list[Blueprint]:
    return list(plan_corpus(SPEC, library, SEED))


Build = Callable[[Blueprint], Progress]


@pytest.fixture
def folder(tmp_path: Path) -> RunFolder:
    for name in ("conversations", "ledger"):
        (tmp_path / name).mkdir()
    return RunFolder(tmp_path)


@pytest.fixture
def build(folder: RunFolder, library: Library) -> Build:
    """Builds a conversation, or goes on with it; returns what its log comes to."""

    def run(blueprint: Blueprint) -> Progress:
        asyncio.run(build_conversation(folder, Engine(library), blueprint))
        return read_progress(folder.conversation_file(blueprint.conversation_id))

    return run


def with_a_rest(blueprints: list[Blueprint]) -> tuple[Blueprint, int]:
    """A call with a filler, and the round that says the rest of what it cut."""
    return next((b, i) for b in blueprints for i, entry in enumerate(b.rounds) if entry.continues)


def never(segments: object, act: int, kind: object, rng: object) -> None:
    raise CutNotPossible("for the test")


def test_a_fault_in_a_fillers_rest_goes_back_to_where_it_was_worded(
    build: Build, blueprints: list[Blueprint], library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    blueprint, rest = with_a_rest(blueprints)
    before = asyncio.run(compose(Engine(library), blueprint))
    monkeypatch.setattr(CHECK, faulty([(rest, RerunReason.AGENT_WORDING)]))
    progress = build(blueprint)

    assert progress.reruns == [Rerun(round=rest - 1, reason=RerunReason.AGENT_WORDING)]
    assert progress.rounds[rest].agent.text != before[rest].agent.text


def test_a_callers_fault_behind_a_fillers_rest_is_mended_where_it_is(
    build: Build, blueprints: list[Blueprint], monkeypatch: pytest.MonkeyPatch
) -> None:
    blueprint, rest = with_a_rest(blueprints)
    monkeypatch.setattr(CHECK, faulty([(rest, RerunReason.CALLER_WORDING)]))
    assert build(blueprint).reruns == [Rerun(round=rest, reason=RerunReason.CALLER_WORDING)]


@pytest.mark.parametrize("reason", [RerunReason.CALLER_WORDING, RerunReason.CALLER_KNOWS_TOO_MUCH])
def test_a_caller_who_speaks_again_has_heard_just_the_same(
    build: Build, blueprints: list[Blueprint], library: Library, monkeypatch: pytest.MonkeyPatch, reason: RerunReason
) -> None:
    for blueprint in blueprints:
        before = asyncio.run(compose(Engine(library), blueprint))
        where = next(i for i, entry in enumerate(blueprint.rounds) if entry.interruption and i > 1)
        monkeypatch.setattr(CHECK, faulty([(where, reason)] * 3))
        again = build(blueprint).rounds[where]

        assert again.attempt == 3
        assert again.agent == before[where].agent  # its words and its cut
        assert again.caller is not None and before[where].caller is not None
        assert again.caller.user_seed != before[where].caller.user_seed
        assert again.caller.released == before[where].caller.released


def test_words_that_leave_no_place_for_a_cut_are_followed_by_others(
    build: Build, blueprints: list[Blueprint], monkeypatch: pytest.MonkeyPatch
) -> None:
    tried: list[str] = []
    honest = uncut(0, 1)

    def choose(segments: tuple[Segment, ...], *rest: object) -> object:
        tried.append(" ".join(s.text for s in segments))
        return honest(segments, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(CUTTER, choose)
    progress = build(blueprints[0])
    assert [r.reason for r in progress.reruns] == [RerunReason.CUT_NOT_POSSIBLE] * 2
    assert len(set(tried[:3])) == 3


def test_every_attempt_at_a_round_gives_other_words() -> None:
    library = standard_library()
    for blueprint in plan_corpus(load_spec("demo"), library, SEED):
        cast, rounds = Engine(library).players(blueprint).cast, ()
        for entry in blueprint.rounds:
            tries = [
                asyncio.run(play_round(cast, blueprint, rounds, attempt, LedgerChain(blueprint.conversation_id)))
                for attempt in range(3)
            ]
            said = [done.agent.text for done in tries]
            # The rest of a turn that a filler cut is said as it is, whatever the attempt.
            assert all(now != then for now, then in pairwise(said)) != entry.continues
            assert len({done.caller.user_seed for done in tries if done.caller}) in (0, 3)
            rounds = (*rounds, tries[0])


def test_a_conversation_that_can_never_be_cut_ends_with_what_to_mend(
    build: Build, blueprints: list[Blueprint], monkeypatch: pytest.MonkeyPatch, folder: RunFolder
) -> None:
    monkeypatch.setattr(CUTTER, never)
    with pytest.raises(RunError, match=rf"{MOST_DRAWS} draws failed.*{blueprints[0].workflow} needs mending"):
        build(blueprints[0])
    progress = read_progress(folder.conversation_file(blueprints[0].conversation_id))
    assert len(progress.drops) == MOST_DRAWS - 1
    assert len(progress.reruns) == MOST_DRAWS * MOST_RERUNS


def test_in_memory_too(library: Library, blueprints: list[Blueprint], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(CUTTER, never)
    with pytest.raises(RunError, match=r"the draw failed.*cut_not_possible"):
        asyncio.run(compose(Engine(library), blueprints[0]))


def bad_draw(blueprint: Blueprint) -> Callable[[Case], tuple[Issue, ...]]:
    """A check that passes no call of the first draw, and those of the next only with a round run again."""

    def issues(case: Case) -> Iterator[Issue]:
        if case.blueprint.seed == blueprint.seed or case.rounds[2].attempt == 0:
            where = 4 if case.blueprint.seed == blueprint.seed else 2
            yield Issue(check=CheckId.NATURAL, round=where, message="for the test", reason=RerunReason.AGENT_WORDING)

    return lambda case: tuple(issues(case))


def test_every_rewind_and_drop_is_in_the_ledger_before_it_is_in_the_log(
    build: Build, folder: RunFolder, blueprints: list[Blueprint], monkeypatch: pytest.MonkeyPatch
) -> None:
    blueprint = blueprints[0]
    monkeypatch.setattr(CHECK, bad_draw(blueprint))
    progress = build(blueprint)
    ledger = [LedgerLine.from_json(line) for line in read_lines(folder.ledger_file(blueprint.conversation_id))]
    told = [(line.round, line.branch) for line in ledger if line.role is Role.REWINDER]

    assert (len(progress.reruns), len(progress.drops)) == (7, 1)
    assert told == [(r.round, r.reason) for r in (*progress.reruns[:6], *progress.drops, *progress.reruns[6:])]
    assert progress.standing_reruns == progress.reruns[6:]


def test_a_kill_between_ledger_and_log_leaves_no_trace(
    build: Build, folder: RunFolder, blueprints: list[Blueprint], monkeypatch: pytest.MonkeyPatch
) -> None:
    blueprint = blueprints[0]
    monkeypatch.setattr(CHECK, bad_draw(blueprint))
    build(blueprint)
    log, ledger = (f(blueprint.conversation_id) for f in (folder.conversation_file, folder.ledger_file))
    whole = log.read_bytes(), ledger.read_bytes()
    kinds = [Line.from_json(line).kind for line in read_lines(log)]

    for number, kind in enumerate(kinds):
        if kind in (Kind.RERUN, Kind.DROPPED):
            truncate_to(log, number)  # the ledger keeps the line that says why, and more
            build(blueprint)
            assert (log.read_bytes(), ledger.read_bytes()) == whole
