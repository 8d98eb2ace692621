"""The flow: the same corpus as inline, every task recorded, nothing said to anyone."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from factory.corpus.specs import load_spec
from factory.workflow.library import standard_library
from flows.server import flow_server
from tests.build.builds import STEPS, difference, factory, is_step, processes_of
from tests.flows.conftest import Watched, ask

OF_THE_RUN = {"flow_runs": {"name": {"any_": ["small-seed-0"]}}}


@pytest.fixture(scope="module")
def api(watched: Watched) -> Iterator[str]:
    """A server on the history that the watched build left in its folder."""
    with flow_server(watched.folder / ".prefect") as server:
        assert server.own_api is not None
        yield server.own_api


def test_the_flow_builds_what_the_inline_engine_builds(watched: Watched, silent: Path) -> None:
    assert watched.ended.code == 0, watched.ended.err
    assert difference(silent, watched.folder) == []


def test_the_terminal_shows_the_steps_and_nothing_of_prefect(watched: Watched) -> None:
    lines = watched.ended.err.splitlines()
    assert all(map(is_step, lines))
    steps = [line.split(" (")[0].removesuffix(" …") for line in lines if line.endswith("…")]
    assert steps == [step for step in STEPS if step != "calls"]
    assert watched.ended.out.startswith("built 3 conversations with 16 interruptions")


def test_nothing_leaves_the_machine(watched: Watched) -> None:
    assert watched.processes >= 2, "the watch missed the server"
    assert watched.talked_to <= {"127.0.0.1", "localhost", "unix"}
    assert "127.0.0.1" in watched.talked_to


def test_the_users_own_prefect_is_neither_read_nor_written(watched: Watched) -> None:
    """Its profile names a server that does not exist; only the environment variable counts."""
    assert watched.ended.code == 0, watched.ended.err
    assert [p.name for p in (watched.home / ".prefect").iterdir()] == ["profiles.toml"]


def test_no_process_is_left(watched: Watched) -> None:
    assert processes_of(watched.folder) == []


def test_every_task_run_is_recorded(api: str) -> None:
    runs = ask(api, "task_runs/filter", OF_THE_RUN)
    assert sorted(str(run["name"]) for run in runs) == [
        "blueprints",
        "conversations-0",
        "conversations-1",
        "conversations-2",
        "dataset-and-reports",
        "freeze",
        "state-machines-financial_services",
        "state-machines-government",
    ]
    assert {run["state_type"] for run in runs} == {"COMPLETED"}


def test_the_flow_run_says_which_order_it_was(api: str) -> None:
    (run,) = ask(api, "flow_runs/filter", OF_THE_RUN)
    assert run["name"] == "small-seed-0"
    assert run["state_type"] == "COMPLETED"
    assert run["parameters"] == {"corpus": "small", "seed": 0, "conversations": 3, "audio": False}


def test_every_workflow_leaves_its_drawing(api: str) -> None:
    drawings = ask(api, "artifacts/filter", OF_THE_RUN)
    workflows = standard_library().select(load_spec("demo").workflows)
    assert sorted(str(drawing["key"]) for drawing in drawings) == [
        workflow.replace("/", "-").replace("_", "-") for workflow in workflows
    ]
    for drawing in drawings:
        assert str(drawing["data"]).startswith("![State machine of ")
        assert "](data:image/svg+xml;base64," in str(drawing["data"])


def test_a_server_of_the_users_is_used_where_the_variable_names_it(api: str, spec: Path, tmp_path: Path) -> None:
    ended = factory("build", spec, "--out", tmp_path / "run", "--no-audio", "--seed", "3", PREFECT_API_URL=api)
    assert ended.code == 0, ended.err
    (run,) = ask(api, "flow_runs/filter", {"flow_runs": {"name": {"any_": ["small-seed-3"]}}})
    assert run["state_type"] == "COMPLETED"
    assert not (tmp_path / "run" / ".prefect").exists()


def test_a_server_that_does_not_answer_is_told_in_one_line(spec: Path, tmp_path: Path) -> None:
    ended = factory("build", spec, "--out", tmp_path / "run", "--no-audio", PREFECT_API_URL="http://127.0.0.1:9/api")
    assert ended.code == 2
    assert "no answer from http://127.0.0.1:9/api" in ended.error
    assert not (tmp_path / "run").exists()


def test_an_error_in_a_task_is_told_in_one_line(spec: Path, silent: Path, tmp_path: Path) -> None:
    out = Path(shutil.copytree(silent, tmp_path / "run"))
    log = sorted(out.glob("conversations/*"))[0]
    log.write_bytes(b"no log at all\n" + log.read_bytes())
    ended = factory("build", spec, "--out", out, "--no-audio")
    assert ended.code == 2
    assert f"{log}:1: this line of the log is damaged" in ended.error
    assert processes_of(out) == []


def test_importing_the_flow_leaves_settings_of_the_user_as_they_are() -> None:
    """`flows` sets its own quiet ones, and only where the user has set nothing."""
    done = subprocess.run(
        [sys.executable, "-c", "import flows, os; print(os.environ['PREFECT_LOGGING_LEVEL'])"],
        env={**os.environ, "PREFECT_LOGGING_LEVEL": "DEBUG"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "DEBUG\n"
