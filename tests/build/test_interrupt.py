"""Ctrl-C ends a build at once, leaves no process, and can be continued; and any command from its first moment on."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.build.builds import (
    ROOT,
    STEPS,
    difference,
    environment,
    factory,
    press_ctrl_c,
    processes_of,
    start,
    wait_for_step,
)

_COMMAND = """
import runpy, signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background job would leave it ignored
sys.argv = ["factory", "plan", "demo"]
runpy.run_module("factory", run_name="__main__")
"""
_SWALLOWS = """
import os, signal, time
from factory.build.stop import stoppable
class Swallows:
    def __del__(self):
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(0.01)
with stoppable():
    it = Swallows()
    del it
    time.sleep(60)
"""


@pytest.mark.parametrize("step", STEPS)
def test_ctrl_c_ends_the_build_and_it_can_be_continued(step: str, spec: Path, voiced: Path, tmp_path: Path) -> None:
    out = tmp_path / "run"
    build = start("build", spec, "--out", out, "--engine", "inline")
    wait_for_step(build, step)
    press_ctrl_c(build)
    assert processes_of(out) == []
    assert not list(out.rglob("*.partial"))
    assert factory("build", spec, "--out", out, "--engine", "inline").code == 0
    assert difference(voiced, out) == []


@pytest.mark.parametrize("module", ["asyncio", "typer", "pydantic", "networkx"])
def test_ctrl_c_while_the_command_still_imports_is_one_line(module: str) -> None:
    command = [sys.executable, "-X", "importtime", "-c", _COMMAND]
    begun = subprocess.Popen(
        command, cwd=ROOT, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert begun.stderr is not None
    assert any(line.split("|")[-1].strip().split(".")[0] == module for line in begun.stderr)  # imported a part of it
    begun.send_signal(signal.SIGINT)
    out, err = begun.communicate()
    told = [line for line in err.splitlines() if not line.startswith("import time:")]
    assert (begun.returncode, out, told) == (130, "", ["stopped"])


def test_a_ctrl_c_that_falls_where_nothing_can_be_raised_is_one_line_all_the_same() -> None:
    command = [sys.executable, "-c", _SWALLOWS]
    done = subprocess.run(command, cwd=ROOT, env=environment(), capture_output=True, text=True, timeout=30)
    assert (done.returncode, done.stderr) == (130, "stopped; the same command continues where this one was\n")
