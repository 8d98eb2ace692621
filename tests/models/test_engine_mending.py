"""A reader's findings: the agent's words of one round are edited, or the draw is dropped and another takes over."""

import json
import re
from pathlib import Path

import pytest

from factory.build.conversations import MOST_DRAWS
from factory.build.engine import MOST_RERUNS_OF_MODELS
from factory.build.summary import summarise
from factory.errors import Unfinished
from factory.models.modifier import changed_words
from factory.models.request import ModelRequest
from factory.records.conversation import RerunReason, Round
from factory.records.ledger import NOTHING, Label, LedgerLine, Role
from factory.run.folder import RunFolder
from factory.run.log import Kind, Line
from factory.simulate.ledger import data_item
from factory.simulate.views import joined
from factory.workflow.library import Library

from .engine_builds import OWN, assert_as_ordered, assert_holds, build, form_of, honest, logs, models_of, playing
from .servers import RunningServer

BAD = 3
"""So many finished calls are beyond repair in one test."""
EMPTY = data_item(Label.FINDINGS, "", []).content


def log_of(folder: RunFolder, conversation_id: str) -> list[Line]:
    return [Line.from_json(line) for line in folder.conversation_file(conversation_id).read_bytes().splitlines()]


def ledger_of(folder: RunFolder, conversation_id: str) -> list[LedgerLine]:
    return [LedgerLine.from_json(line) for line in folder.ledger_file(conversation_id).read_bytes().splitlines()]


def by(lines: list[LedgerLine], role: Role) -> list[LedgerLine]:
    return [line for line in lines if line.role is role]


def played_before(lines: list[Line], rerun: int) -> list[Round]:
    """The rounds that stood when the log's line of that index was written."""
    rounds: list[Round] = []
    for line in lines[:rerun]:
        if line.kind is Kind.RERUN and line.rerun is not None:
            del rounds[line.rerun.round :]
        if line.round is not None:
            rounds.append(line.round)
    return rounds


@pytest.fixture(scope="module")
def mended(tmp_path_factory: pytest.TempPathFactory, small: Library, up: RunningServer) -> RunFolder:
    """All calls, in each of which the verifier finds one fault."""
    folder = tmp_path_factory.mktemp("mended")
    return build(folder / "run", small, models_of(folder, up, "player-finds;findings=1"), limit=None)


def test_only_the_agents_words_of_the_faulty_round_are_edited(mended: RunFolder) -> None:
    for name, progress in logs(mended).items():
        lines = log_of(mended, name)
        (place,) = (i for i, line in enumerate(lines) if line.kind is Kind.RERUN)
        rerun, settled = lines[place].rerun, lines[place].settled
        assert rerun is not None and rerun.reason is RerunReason.FOUND_IN_AGENT_WORDS and settled is not None
        before, after, at = played_before(lines, place), progress.rounds, rerun.round

        old, new = before[at].agent.segments, after[at].agent.segments
        assert new == settled.segments and [s.act for s in new] == [s.act for s in old]
        assert 1 <= changed_words(joined(old).split(), joined(new).split()) <= 2
        assert after[:at] == before[:at]  # what lies before it stands
        # The cut is made anew, and whatever follows is played anew, each round with a line of its own.
        assert [line.round.index for line in lines[place:] if line.round] == list(range(at, len(after)))
        assert (before[at].attempt, after[at].attempt) == (0, 1)


def test_callers_are_never_edited(mended: RunFolder) -> None:
    for name, progress in logs(mended).items():
        ledger = ledger_of(mended, name)
        said = {line.wrote for line in by(ledger, Role.USER)}
        for done in progress.rounds:
            if done.caller is not None:
                item = f"r{done.index}.{done.attempt}/caller"
                assert data_item(Label.CALLER_WORDS, item, done.caller.text) in said
        for line in by(ledger, Role.MODIFIER):
            assert line.wrote.label is Label.EDIT
            assert Label.CALLER_WORDS not in {read.label for read in line.reads}


def test_log_ledger_and_reports_count_the_same(mended: RunFolder, small: Library) -> None:
    assert_holds(mended, small)
    assert_as_ordered(mended)
    names = list(logs(mended))
    ledgers = [ledger_of(mended, name) for name in names]
    assert [len(progress.reruns) for progress in logs(mended).values()] == [1] * len(names)
    for ledger in ledgers:
        finders = by(ledger, Role.VERIFIER)
        assert [line.wrote.content == EMPTY for line in finders] == [False, True]
        assert [len(by(ledger, role)) for role in (Role.REWINDER, Role.MODIFIER)] == [1, 1]
    record = json.loads(mended.flow_record.read_bytes())
    assert {c["name"]: c["count"] for c in record["channels"]}["re-run"] == len(names)
    assert f"rounds run again: {len(names)}; conversations dropped and replaced: 0" in summarise(mended.path)
    page = re.sub(r"<[^>]*>|\s+", " ", mended.corpus_report.read_text("utf-8"))
    assert re.search(rf"Found in agent words\s+{len(names)}\b", page)


def test_a_fault_beyond_repair_gives_another_call_for_the_same_order(
    small: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = 0

    def answer(request: ModelRequest) -> str:
        nonlocal read
        read += form_of(request) == "VerifierReply"
        bad = form_of(request) == "VerifierReply" and read <= BAD
        return finding(5, "H", fixable=False) if bad else honest(request)

    monkeypatch.setattr("factory.models.pool.open_client", playing(answer))
    folder = build(tmp_path / "run", small, OWN, limit=None)
    drops = {name: progress.drops for name, progress in logs(folder).items()}
    assert sum(map(len, drops.values())) == BAD
    assert {drop.reason for dropped in drops.values() for drop in dropped} == {RerunReason.FOUND_BEYOND_REPAIR}
    for name, dropped in drops.items():
        ledger = ledger_of(folder, name)
        assert len(by(ledger, Role.REWINDER)) == len(dropped) and not by(ledger, Role.MODIFIER)
        assert len(by(ledger, Role.VERIFIER)) == len(dropped) + 1
        lines = log_of(folder, name)
        said = [line.round.agent.text for line in lines if line.round and line.round.index == 1]
        assert len(set(said)) == len(said) == len(dropped) + 1  # another draw has other words
    assert f"rounds run again: 0; conversations dropped and replaced: {BAD}" in summarise(folder.path)
    assert_as_ordered(folder)
    assert_holds(folder, small)


def test_a_call_of_which_every_draw_is_beyond_repair_is_given_up_and_named(
    small: Library, up: RunningServer, tmp_path: Path
) -> None:
    models = models_of(tmp_path, up, "player-bad;unfixable=1")
    asked = [up.stats()["requests"]]
    for _ in range(2):
        with pytest.raises(
            Unfinished, match=f"0001: {MOST_DRAWS} draws failed, .* by found_beyond_repair; the models do not"
        ):
            build(tmp_path / "run", small, models, limit=1)
        asked.append(up.stats()["requests"])
    assert asked[0] < asked[1] == asked[2]  # nothing comes of another try either, and nobody is asked anew
    (progress,) = logs(RunFolder(tmp_path / "run")).values()
    assert len(progress.drops) == MOST_DRAWS - 1 and not progress.finished


def finding(message: int, check: str, fixable: bool = True) -> str:
    fault = {"message": message, "check": check, "fixable": fixable, "problem": "It is stiff.", "fix": "Loosen it."}
    return json.dumps({"findings": [fault]})


def test_a_reader_who_is_never_content_is_listened_to_so_often_and_no_more(
    small: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = 0

    def answer(request: ModelRequest) -> str:
        nonlocal read
        if form_of(request) != "VerifierReply":
            return honest(request)
        read += 1
        return finding(14, "I")

    monkeypatch.setattr("factory.models.pool.open_client", playing(answer))
    with pytest.raises(Unfinished, match=rf"{MOST_DRAWS} draws failed, the last time in round 7 by found_in_agent"):
        build(tmp_path / "run", small, OWN, limit=1)
    assert read <= MOST_DRAWS * (MOST_RERUNS_OF_MODELS + 1)
    (progress,) = logs(RunFolder(tmp_path / "run")).values()
    assert len(progress.drops) == MOST_DRAWS - 1
    assert len(progress.reruns) == MOST_DRAWS * MOST_RERUNS_OF_MODELS


def test_a_callers_fault_is_said_again_to_the_same_words(
    small: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answered: list[str] = []

    def answer(request: ModelRequest) -> str:
        answered.append(form_of(request))
        first = answered.count("VerifierReply") == 1 and answered[-1] == "VerifierReply"
        return finding(3, "N") if first else honest(request)

    monkeypatch.setattr("factory.models.pool.open_client", playing(answer))
    folder = build(tmp_path / "run", small, OWN, limit=1)
    assert_holds(folder, small)
    ((name, progress),) = logs(folder).items()
    (rerun,) = progress.reruns
    assert (rerun.round, rerun.reason) == (1, RerunReason.FOUND_IN_CALLER_WORDS)
    lines = log_of(folder, name)
    first, again = (line.round for line in lines if line.round and line.round.index == 1)
    assert again.agent == first.agent and again.caller is not None and first.caller is not None
    assert again.caller.user_seed != first.caller.user_seed
    assert "ModifierReply" not in answered
    # Whoever found the fault has read what was not heard; so the caller is asked with just the same prompt.
    calls = [line.call for line in by(ledger_of(folder, name), Role.REACTION_PLANNER) if line.round == 1 and line.call]
    assert len(calls) == 2 and calls[0].prompt == calls[1].prompt


def test_a_reader_or_editor_who_makes_nothing_of_use_holds_nothing_up(
    small: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for broken in ("VerifierReply", "ModifierReply"):
        asked: list[str] = []

        def answer(request: ModelRequest, broken: str = broken, asked: list[str] = asked) -> str:
            asked.append(form_of(request))
            if form_of(request) == broken:
                return "{}"
            first = asked.count("VerifierReply") == 1 and asked[-1] == "VerifierReply"
            return finding(2, "I") if first else honest(request)

        monkeypatch.setattr("factory.models.pool.open_client", playing(answer))
        folder = build(tmp_path / broken, small, OWN, limit=1)
        assert_holds(folder, small)
        role = Role.VERIFIER if broken == "VerifierReply" else Role.MODIFIER
        (line,) = by(ledger_of(folder, next(iter(logs(folder)))), role)
        assert line.wrote.content == NOTHING and line.call is not None and len(line.call.replies) == 3
