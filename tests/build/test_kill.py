"""A build that is killed at any moment goes on, and comes out as if nothing had been."""

import random
import subprocess
import time
from pathlib import Path

import pytest

from tests.build.builds import COMPARED, STEPS, contents, difference, factory, kill, start, wait_for_step


@pytest.mark.parametrize("step", STEPS)
def test_a_kill_in_any_step_changes_nothing(step: str, spec: Path, voiced: Path, tmp_path: Path) -> None:
    order = ("build", spec, "--out", tmp_path / "run", "--engine", "inline")
    build = start(*order)
    wait_for_step(build, step)
    time.sleep(random.Random(step).uniform(0.0, 0.5))
    kill(build)
    ended = factory(*order)
    assert ended.code == 0, ended.err
    assert difference(voiced, tmp_path / "run") == []


def test_many_kills_in_one_build_change_nothing(spec: Path, voiced: Path, tmp_path: Path) -> None:
    order, chance = ("build", spec, "--out", tmp_path / "run", "--engine", "inline"), random.Random(1)
    for _ in range(7):
        build = start(*order)
        try:
            build.wait(chance.uniform(0.8, 2.8))
        except subprocess.TimeoutExpired:
            kill(build)
    ended = factory(*order)
    assert ended.code == 0, ended.err
    assert difference(voiced, tmp_path / "run") == []


def test_what_was_finished_is_not_done_again(spec: Path, tmp_path: Path) -> None:
    out = tmp_path / "run"
    build = start("build", spec, "--out", out, "--engine", "inline")
    wait_for_step(build, "calls")
    while not (timelines := sorted(out.glob("calls/*.json"))):
        time.sleep(0.01)
    kill(build)
    made = [path for timeline in timelines for path in out.glob(f"*/{timeline.stem}*")]
    clips = [path for timeline in timelines for path in out.glob(f"audio/{timeline.stem}/*.wav")]
    kept = [*made, *clips, *out.glob("conversations/*"), out / "blueprints.jsonl"]
    before = {path: (path.stat().st_ino, path.stat().st_mtime_ns) for path in kept}
    assert factory("build", spec, "--out", out, "--engine", "inline").code == 0
    assert {path: (path.stat().st_ino, path.stat().st_mtime_ns) for path in kept} == before


def test_a_kill_leaves_the_folder_free_for_the_next_build(spec: Path, silent: Path, tmp_path: Path) -> None:
    order = ("build", spec, "--out", tmp_path / "run", "--engine", "inline", "--no-audio")
    build = start(*order)
    wait_for_step(build, "state machines")
    second = factory(*order)
    kill(build)
    assert second.code == 2
    assert "another build is at work in this folder" in second.error
    assert factory(*order).code == 0
    assert difference(silent, tmp_path / "run") == []


def test_nothing_is_left_in_the_folder_but_what_an_undisturbed_run_has(voiced: Path) -> None:
    assert {path.name for path in voiced.iterdir()} == {*COMPARED, ".lock"}
    assert not [name for name in contents(voiced) if ".partial" in name]
