"""The same order gives the same bytes, wherever and however it is built."""

from pathlib import Path

import pandas as pd
import pytest

from tests.build.builds import ROOT, contents, difference, factory


def test_the_place_and_the_environment_change_no_byte(spec: Path, silent: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "a place with spaces"
    elsewhere.mkdir()
    ended = factory(
        "build", spec, "--out", "out", "--engine", "inline", "--no-audio",
        cwd=elsewhere, PYTHONHASHSEED="4242", TZ="Asia/Kolkata", LANG="tr_TR.UTF-8", LC_ALL="C", COLUMNS="40",
        PYTHONPATH=str(ROOT),
    )  # fmt: skip
    assert ended.code == 0, ended.err
    assert difference(silent, elsewhere / "out") == []


def test_voices_are_the_same_each_time(spec: Path, voiced: Path, tmp_path: Path) -> None:
    ended = factory("build", spec, "--out", tmp_path / "run", "--engine", "inline", PYTHONHASHSEED="7", TZ="Etc/GMT+9")
    assert ended.code == 0, ended.err
    assert difference(voiced, tmp_path / "run") == []


def test_another_seed_gives_other_conversations(spec: Path, silent: Path, tmp_path: Path) -> None:
    out = tmp_path / "run"
    ended = factory("build", spec, "--out", out, "--engine", "inline", "--no-audio", "--seed", "1")
    assert ended.code == 0, ended.err
    same, other = (contents(run, ["conversations"]) for run in (silent, out))
    assert not set(same.values()) & set(other.values())
    assert (silent / "manifest.json").read_bytes() != (out / "manifest.json").read_bytes()


def test_audio_leaves_every_text_as_it_is(silent: Path, voiced: Path) -> None:
    texts = ["conversations", "ledger", "manifest.json", "dataset/baseline.parquet"]
    assert contents(silent, texts) == contents(voiced, texts)
    of_sound = ["start_s", "end_s", "words", "overlap_s"]
    silent_turns, voiced_turns = (pd.read_parquet(run / "dataset" / "turns.parquet") for run in (silent, voiced))
    pd.testing.assert_frame_equal(silent_turns.drop(columns=of_sound), voiced_turns.drop(columns=of_sound))
    assert voiced_turns["start_s"].notna().all()


@pytest.mark.parametrize("name", ["conversations", "machines", "dataset", "reports"])
def test_a_finished_build_called_again_changes_nothing(spec: Path, silent: Path, name: str) -> None:
    before = contents(silent, [name])
    ended = factory("build", spec, "--out", silent, "--engine", "inline", "--no-audio")
    assert ended.code == 0, ended.err
    assert contents(silent, [name]) == before != {}
