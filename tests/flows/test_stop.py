"""A build under Prefect that is killed or interrupted takes its server along, and goes on as if nothing had been."""

import os
import signal
import time
from pathlib import Path

from tests.build.builds import AT_ONCE_S, difference, factory, kill, press_ctrl_c, processes_of, start, wait_for_step


def _gone(folder: Path) -> bool:
    deadline = time.monotonic() + AT_ONCE_S
    while processes_of(folder) and time.monotonic() < deadline:
        time.sleep(0.05)
    return processes_of(folder) == []


def test_kills_take_the_server_along_and_change_nothing(spec: Path, voiced: Path, tmp_path: Path) -> None:
    order = ("build", spec, "--out", tmp_path / "run")
    for step, delay_s in (("conversations", 0.15), ("calls", 0.4)):
        build = start(*order)
        wait_for_step(build, step)
        assert [p for p in processes_of(tmp_path / "run") if p.pid != build.pid], "no server is seen at work"
        time.sleep(delay_s)
        kill(build)
        assert _gone(tmp_path / "run")
    ended = factory(*order)
    assert ended.code == 0, ended.err
    assert difference(voiced, tmp_path / "run") == []


def test_ctrl_c_ends_the_build_and_its_server(spec: Path, tmp_path: Path) -> None:
    build = start("build", spec, "--out", tmp_path / "run")
    wait_for_step(build, "calls")
    press_ctrl_c(build)
    assert _gone(tmp_path / "run")


def test_ctrl_c_while_the_server_starts_ends_it_too(spec: Path, tmp_path: Path) -> None:
    build = start("build", spec, "--out", tmp_path / "run")
    while not (tmp_path / "run" / ".prefect" / "prefect.db").exists():
        assert build.poll() is None
        time.sleep(0.05)
    os.kill(build.pid, signal.SIGINT)
    _, err = build.communicate()
    assert build.returncode == 130
    assert "Traceback" not in err
    assert _gone(tmp_path / "run")
