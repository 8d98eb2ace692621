"""Ctrl-C ends a build at once, leaves no process, and can be continued."""

from pathlib import Path

import pytest

from tests.build.builds import STEPS, difference, factory, press_ctrl_c, processes_of, start, wait_for_step


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
