"""Servers that fail: every second call, all of them for a while, or for good; and what a build says of it."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from factory.errors import RunError, Unfinished
from factory.models.cost import CostReport
from factory.run.folder import RunFolder
from factory.workflow.library import Library
from tests.build.builds import difference, factory, write_spec

from .engine_builds import QUICK, STUBBORN, assert_holds, build, kept_replies, logs, models_of
from .servers import RunningServer, roles_file, running_server

CALLS = 87
"""Of a build of two calls in which every first reply holds."""


@pytest.fixture
def fresh() -> Iterator[RunningServer]:
    """A server whose scenarios count this test's requests alone."""
    with running_server(seed=5) as server:
        yield server


def test_half_of_all_calls_failing_at_random_change_no_byte(
    small: Library, fresh: RunningServer, tmp_path: Path
) -> None:
    # One name for both: it stands in run and ledger. Its faults begin behind the undisturbed build.
    models = models_of(tmp_path, fresh, f"player-half;500=0.2;429=0.15;reset=0.15;retry-after=0.01;after={CALLS}")
    calm = build(tmp_path / "calm", small, models)
    assert fresh.stats()["outcomes"] == {"played": CALLS}

    build(tmp_path / "run", small, models, patience=STUBBORN)
    ended = Counter(call["outcome"] for call in fresh.log()[CALLS:])
    assert ended["played"] == CALLS and set(ended) == {"played", "500", "429", "reset"}
    assert 0.35 < 1 - CALLS / ended.total() < 0.65
    assert difference(calm.path, tmp_path / "run") == ["reports/cost.json"]
    report = CostReport.from_json((tmp_path / "run" / "reports" / "cost.json").read_bytes())
    assert report.lost == ended["reset"]  # whatever broke in mid-reply may have been billed
    assert_holds(calm, small)


@pytest.mark.parametrize(
    ("fault", "says"),
    [
        ("429", "rate limit: status 429"),
        ("429;retry-after=61", "it asks to wait 61 s, and more than 60 s is not waited"),
        ("500", "server: status 500"),
        ("529", "server: status 529"),
        ("quota", "quota: status 429: (insufficient_quota)"),
        ("auth", "wants a key"),
        ("html", "answered with a web page; check its base_url"),
        ("reset", "the connection broke"),
        ("cut", "the reply was cut off"),
        ("refusal", "the model refused"),
        ("context", "context too long"),
        ("wrong-schema", "`rationale`: Field required"),
    ],
)
def test_a_build_whose_calls_all_fail_ends_and_says_why(
    fault: str, says: str, small: Library, up: RunningServer, tmp_path: Path
) -> None:
    before = up.stats()["requests"]
    with pytest.raises(Unfinished) as ended:
        build(tmp_path / "run", small, models_of(tmp_path, up, f"player;{fault}"), limit=1, patience=QUICK)
    assert says in str(ended.value) and "what is there is kept" in str(ended.value)
    assert "\n" not in str(ended.value) and len(str(ended.value)) < 600
    assert up.stats()["requests"] - before <= 4 * 13 * 3 + 3  # draws, attempts at a round, tries


def test_what_no_setting_of_the_server_heals_is_tried_once(small: Library, up: RunningServer, tmp_path: Path) -> None:
    for fault in ("quota", "auth"):
        before = up.stats()["requests"]
        with pytest.raises(Unfinished):
            build(tmp_path / fault, small, models_of(tmp_path, up, f"player;{fault}", at_once=1), patience=QUICK)
        assert up.stats()["requests"] - before == 1


def test_a_server_that_is_not_there_is_told_apart_and_waited_for_by_the_next_build(
    small: Library, tmp_path: Path
) -> None:
    with running_server() as gone:
        models, port = models_of(tmp_path, gone, "player-gone"), gone.port
    with pytest.raises(Unfinished, match=r"no answer from http://127\.0\.0\.1:\d+/v1"):
        build(tmp_path / "run", small, models, patience=QUICK)
    with running_server(port=port) as back:
        build(tmp_path / "run", small, models)
        assert back.stats()["requests"] == CALLS
        build(tmp_path / "calm", small, models)
    assert difference(tmp_path / "calm", tmp_path / "run") == []


@pytest.mark.parametrize("fault", ["500", "429", "quota"])
def test_an_outage_in_mid_build_costs_nothing_but_time(
    fault: str, small: Library, fresh: RunningServer, tmp_path: Path
) -> None:
    models = models_of(tmp_path, fresh, f"player-out;{fault};after=40;until=56")
    with pytest.raises(Unfinished, match="429" if fault == "quota" else fault):
        build(tmp_path / "run", small, models, patience=QUICK)
    folder = RunFolder(tmp_path / "run")
    assert kept_replies(folder) == 40 and any(progress.rounds for progress in logs(folder).values())
    for _ in range(20):
        try:
            build(tmp_path / "run", small, models, patience=QUICK)
            break
        except Unfinished:
            continue
    log = fresh.log()
    assert sum(call["answered"] for call in log) == CALLS  # none was paid for twice
    assert max(call["number"] for call in log if not call["answered"]) <= 56
    build(tmp_path / "calm", small, models)
    assert difference(tmp_path / "calm", tmp_path / "run") == []


def test_a_user_gets_one_line_and_exit_code_3(up: RunningServer, tmp_path: Path) -> None:
    file = roles_file(tmp_path, up, model="player;429;retry-after=61")
    options = ("--models", file, "--engine", "inline", "--no-audio", "--limit", "1", "--out", tmp_path / "run")
    ended = factory("build", write_spec(tmp_path), *options)
    assert ended.code == 3
    *_, last = ended.err.splitlines()
    assert last.startswith("not finished: fake: rate limit: status 429") and "Traceback" not in ended.err


@pytest.mark.parametrize(("damaged", "says"), [("replies", "not a kept reply"), ("conversations", "is damaged")])
def test_a_damaged_line_is_told_by_its_file_and_number(
    damaged: str, says: str, small: Library, fresh: RunningServer, tmp_path: Path
) -> None:
    models = models_of(tmp_path, fresh, "player-torn;quota;after=30")
    with pytest.raises(Unfinished):
        build(tmp_path / "run", small, models)
    for file in (tmp_path / "run" / damaged).glob("*.jsonl"):
        file.write_bytes(b"{}\n" + file.read_bytes())
    with pytest.raises(RunError, match=rf"\.jsonl:1: .*{says}"):
        build(tmp_path / "run", small, models)
