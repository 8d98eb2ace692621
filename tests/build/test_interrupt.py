"""Ctrl-C ends a build at once, leaves no process, and can be continued."""

import os
import signal
import time
from pathlib import Path

import pytest

from tests.build.builds import STEPS, difference, factory, processes_of, start, wait_for_step

AT_ONCE_S = 3.0
"""What a loaded machine needs for the two seconds that a user gets."""


@pytest.mark.parametrize("step", STEPS)
def test_ctrl_c_ends_the_build_and_it_can_be_continued(step: str, spec: Path, voiced: Path, tmp_path: Path) -> None:
    out = tmp_path / "run"
    build = start("build", spec, "--out", out, "--engine", "inline")
    wait_for_step(build, step)
    time.sleep(0.1)
    pressed = time.monotonic()
    os.killpg(build.pid, signal.SIGINT)
    _, err = build.communicate()
    assert time.monotonic() - pressed < AT_ONCE_S
    assert build.returncode == 130
    assert err.splitlines()[-1] == "stopped; the same command continues where this one was"
    assert "Traceback" not in err
    assert processes_of(out) == []
    assert not list(out.rglob("*.partial"))
    assert factory("build", spec, "--out", out, "--engine", "inline").code == 0
    assert difference(voiced, out) == []
