"""Runs that hold, checksums, and how the command ends."""

import shutil
from pathlib import Path

import pytest

from factory.build.verify import verify_run
from factory.errors import RunError
from factory.workflow.library import Library, standard_library
from tests.build.builds import STEPS, factory, kill, start, wait_for_step
from tests.build.verify.runs import Json, Run


def test_a_clean_run_holds(silent: Path) -> None:
    ended = factory("verify", silent)
    assert (ended.code, ended.out.strip()) == (0, f"{silent}: everything holds"), ended.err


@pytest.mark.parametrize(("library", "passes"), [(None, 1), (standard_library(), 2)])
def test_every_call_is_told_once_a_pass(library: Library | None, passes: int, silent: Path) -> None:
    told: list[tuple[int, int]] = []
    assert verify_run(silent, library, show=lambda done, total: told.append((done, total))) == []
    parts = passes * len(Run(silent).ids)
    assert told == [(done, parts) for done in range(1, parts + 1)]


def test_a_clean_run_with_audio_holds_and_a_changed_clip_is_named(voiced: Path, tmp_path: Path) -> None:
    run = Run(Path(shutil.copytree(voiced, tmp_path / "run")))
    assert verify_run(run.path) == []
    first, second = run.ids[:2]
    data = bytearray(run.folder.audio_file(first, 1).read_bytes())
    data[-1] ^= 1
    run.folder.audio_file(first, 1).write_bytes(data)
    run.folder.audio_file(second, 1).unlink()
    clip = run.folder.audio_file(first, 1)
    assert verify_run(run.path) == [
        f"{clip}: is not the file that {first}.json tells of; build again to make the call anew",
        f"audio/{second}/user_turn_01.wav: is missing",
    ]


@pytest.mark.parametrize("content", ["{}", "[]", "", "{", "[" * 100_000, None])
def test_checksums_without_content_are_a_fault(run: Run, content: str | None) -> None:
    if content is None:
        run.folder.checksums_file.unlink()
    else:
        run.folder.checksums_file.write_text(content)
    (fault,) = verify_run(run.path)
    assert fault.startswith("checksums.json: ")


def test_checksums_of_other_files_are_faults(run: Run) -> None:
    def edit(digests: Json) -> None:
        digests["../elsewhere"] = digests.pop("dataset/README.md")
        digests["manifest.json"] = 7

    run.edit_json(run.folder.checksums_file, edit)
    assert verify_run(run.path) == [
        "checksums.json: does not name dataset/README.md",
        "checksums.json: names ../elsewhere, which is no file of this run",
        "manifest.json: was changed after the build",
    ]


def test_faults_are_one_plain_line_each_and_exit_1(run: Run) -> None:
    def edit(lines: list[Json]) -> None:
        lines[-1]["items"][0]["controls"][0]["text"] = "\x1b[31mred\nline"

    run.edit_lines(run.log, edit)
    ended = factory("verify", run.path)
    assert ended.code == 1 and "\x1b" not in ended.out
    *faults, last = ended.out.splitlines()
    assert last.startswith(f"{run.path}: ") and str(len(faults)) in last.removeprefix(f"{run.path}: ")


def test_a_part_of_the_plan_holds(spec: Path, tmp_path: Path) -> None:
    out = tmp_path / "run"
    options = ("--engine", "inline", "--no-audio", "--limit", "2", "--canaries")
    assert factory("build", spec, "--out", out, *options).code == 0
    assert verify_run(out) == []


@pytest.mark.parametrize("step", STEPS)
def test_a_run_that_is_not_finished_is_one_line_that_says_how_to_go_on(step: str, spec: Path, tmp_path: Path) -> None:
    build = start("build", spec, "--out", tmp_path / "run", "--engine", "inline")
    wait_for_step(build, step)
    kill(build)
    ended = factory("verify", tmp_path / "run")
    assert (ended.code, ended.out) == (2, "")
    assert "its build is not finished" in ended.error and "the same build command goes on with it" in ended.error
    assert factory("audit", tmp_path / "run").code == 2


def test_no_run_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(RunError, match="there is no such file"):
        verify_run(tmp_path)
