"""What cannot be built is told in one line with exit code 2, and leaves nothing behind."""

import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from tests.build.builds import COMMAND, ROOT, Ended, contents, difference, environment, factory, write_spec

INLINE = ("--engine", "inline", "--no-audio")


def _refused(ended: Ended, out: Path, *told: str) -> None:
    assert ended.code == 2, ended.err
    for part in told:
        assert part in ended.error
    assert not out.exists()


def test_a_spec_that_is_no_yaml_is_refused(tmp_path: Path) -> None:
    spec = tmp_path / "broken.yaml"
    spec.write_text("name: [broken\nconversations: 3\n")
    _refused(factory("build", spec, "--out", tmp_path / "run", *INLINE), tmp_path / "run", "broken.yaml")


def test_a_spec_with_an_unknown_field_is_refused(tmp_path: Path) -> None:
    spec = write_spec(tmp_path)
    spec.write_text(spec.read_text() + "colour: red\n")
    _refused(factory("build", spec, "--out", tmp_path / "run", *INLINE), tmp_path / "run", "colour")


def test_a_spec_that_is_not_there_is_refused(tmp_path: Path) -> None:
    _refused(factory("build", "nowhere", "--out", tmp_path / "run", *INLINE), tmp_path / "run", "nowhere", "demo")


def test_a_pattern_that_no_workflow_fits_is_refused(tmp_path: Path) -> None:
    spec = write_spec(tmp_path, workflows='"astronomy/*"')
    _refused(factory("build", spec, "--out", tmp_path / "run", *INLINE), tmp_path / "run", "astronomy/*")


@pytest.mark.parametrize("engine", ["inline", "prefect"])
def test_an_order_that_cannot_be_met_is_refused(engine: str, tmp_path: Path) -> None:
    spec = write_spec(tmp_path, conversations=1)
    spec.write_text(spec.read_text().replace("min: 20, max: 28, mean: 24.0", "min: 6, max: 6, mean: 6.0"))
    ended = factory("build", spec, "--out", tmp_path / "run", "--engine", engine, "--no-audio")
    _refused(ended, tmp_path / "run")


def test_a_corrected_order_finds_the_folder_free(tmp_path: Path) -> None:
    spec, out = write_spec(tmp_path), tmp_path / "run"
    good = spec.read_text()
    spec.write_text(good.replace("min: 20, max: 28, mean: 24.0", "min: 6, max: 6, mean: 6.0"))
    assert factory("build", spec, "--out", out, *INLINE).code == 2
    spec.write_text(good)
    assert factory("build", spec, "--out", out, *INLINE).code == 0


@pytest.mark.parametrize("where", ["option", "spec"])
def test_an_unknown_voice_engine_is_refused(where: str, tmp_path: Path) -> None:
    spec = write_spec(tmp_path, tts="gramophone" if where == "spec" else "hibari")
    option = ("--tts", "gramophone") if where == "option" else ()
    ended = factory("build", spec, "--out", tmp_path / "run", "--engine", "inline", *option)
    _refused(ended, tmp_path / "run", "gramophone", "hibari")


@pytest.mark.parametrize("limit", ["0", "-1", "many"])
def test_a_limit_that_is_no_number_of_conversations_is_refused(limit: str, spec: Path, tmp_path: Path) -> None:
    ended = factory("build", spec, "--out", tmp_path / "run", *INLINE, "--limit", limit)
    assert ended.code == 2
    assert "--limit" in ended.err
    assert "Traceback" not in ended.err
    assert not (tmp_path / "run").exists()


def test_a_limit_builds_the_first_conversations_of_the_same_plan(spec: Path, silent: Path, tmp_path: Path) -> None:
    ended = factory("build", spec, "--out", tmp_path / "run", *INLINE, "--limit", "2")
    assert ended.code == 0, ended.err
    few, all_ = (contents(run, ["conversations"]) for run in (tmp_path / "run", silent))
    assert len(few) == 2
    assert few.items() < all_.items()


def test_a_folder_of_another_order_is_refused_with_the_difference(spec: Path, silent: Path) -> None:
    before = contents(silent)
    ended = factory("build", spec, "--out", silent, *INLINE, "--seed", "5")
    assert ended.code == 2
    assert "seed: 0 there, 5 now" in ended.error
    assert "--fresh" in ended.error
    assert contents(silent) == before


@pytest.mark.parametrize("fresh", [(), ("--fresh",)])
def test_a_folder_of_other_files_is_refused_and_left_alone(fresh: tuple[str, ...], spec: Path, tmp_path: Path) -> None:
    out = tmp_path / "thesis"
    for name in ("dataset/mine.csv", "chapter.txt"):
        (out / name).parent.mkdir(parents=True, exist_ok=True)
        (out / name).write_text("years of work")
    ended = factory("build", spec, "--out", out, *INLINE, *fresh)
    assert ended.code == 2
    assert "chapter.txt" in ended.error
    assert sorted(p.name for p in out.rglob("*")) == ["chapter.txt", "dataset", "mine.csv"]


@pytest.mark.parametrize("fresh", [(), ("--fresh",)])
def test_a_folder_with_the_names_of_a_run_but_no_run_is_left_alone(
    fresh: tuple[str, ...], spec: Path, tmp_path: Path
) -> None:
    mine = tmp_path / "thesis" / "dataset" / "mine.csv"
    mine.parent.mkdir(parents=True)
    mine.write_text("years of work")
    ended = factory("build", spec, "--out", tmp_path / "thesis", *INLINE, *fresh)
    assert ended.code == 2
    assert "dataset" in ended.error
    assert [p.name for p in tmp_path.joinpath("thesis").rglob("*")] == ["dataset", "mine.csv"]


def test_fresh_starts_a_folder_of_another_order_anew(spec: Path, silent: Path, tmp_path: Path) -> None:
    out = tmp_path / "run"
    assert factory("build", spec, "--out", out, *INLINE, "--seed", "5").code == 0
    assert factory("build", spec, "--out", out, *INLINE, "--fresh").code == 0
    assert difference(silent, out) == []


def test_a_file_in_place_of_the_folder_is_refused(spec: Path, tmp_path: Path) -> None:
    out = tmp_path / "run"
    out.write_text("a file")
    ended = factory("build", spec, "--out", out, *INLINE)
    assert ended.code == 2
    assert "is a file" in ended.error
    assert out.read_text() == "a file"


def test_a_place_without_permission_is_refused(spec: Path, tmp_path: Path) -> None:
    closed = tmp_path / "closed"
    closed.mkdir()
    closed.chmod(0o555)
    # Permissions do not bind root, so as root the folder is one that the system makes nothing in.
    out = Path("/proc/self/run") if os.geteuid() == 0 else closed / "run"
    ended = factory("build", spec, "--out", out, *INLINE)
    assert ended.code == 2
    assert str(out) in ended.error
    assert "cannot be written" in ended.error


@pytest.mark.parametrize("largest", [300, 2_000, 20_000, 60_000])
def test_a_full_disk_ends_the_build_and_more_space_continues_it(
    largest: int, spec: Path, silent: Path, tmp_path: Path
) -> None:
    """The limit on the size of files fails a write after a part of it, as a disk that fills up does."""
    out = tmp_path / "run"
    order = ("build", spec, "--out", out, *INLINE)
    ended = _with_files_up_to(largest, *map(str, order))
    assert ended.code == 2, ended.err
    assert "cannot be written" in ended.error
    assert not list(out.rglob("*.partial"))
    for log in [*out.glob("conversations/*"), *out.glob("ledger/*.jsonl")]:
        assert log.read_bytes()[-1:] in (b"", b"\n"), f"{log} ends in half a line"
    again = factory(*order)
    assert again.code == 0, again.err
    assert difference(silent, out) == []


def _with_files_up_to(largest: int, *arguments: str) -> Ended:
    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (largest, largest))

    done = subprocess.run(
        [*COMMAND, *arguments],
        cwd=ROOT,
        env=environment(PYTHONDONTWRITEBYTECODE="1"),
        capture_output=True,
        text=True,
        preexec_fn=limit,
    )
    return Ended(done.returncode, done.stdout, done.stderr)


def test_the_tests_run_the_command_of_this_project() -> None:
    assert factory("--version").out.startswith("blueprint-factory ")
    assert COMMAND[0] == sys.executable
