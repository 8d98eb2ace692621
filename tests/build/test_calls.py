"""Calls by the real command: conditions, formats, and what a kill or a lost file changes: nothing."""

import io
import time
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest
import soundfile
from numpy.typing import NDArray

from factory.records.call import CallTimeline
from factory.run.folder import RunFolder
from factory.speech.loudness import loudness_lufs
from tests.build.builds import contents, factory, is_step, kill, start, wait_for_step
from tests.build.spoken import CONDITIONS, brief_spec, copied, without_call

MADE = ("audio", "calls", "dataset")


def timelines(run: Path) -> dict[str, CallTimeline]:
    """The time-lines of a run by the condition of the call."""
    folder = RunFolder(run)
    found = [folder.timeline(blueprint.conversation_id) for blueprint in folder.built()]
    return {timeline.condition: timeline for timeline in found}


def sound(path: Path) -> NDArray[np.float32]:
    samples, _ = soundfile.read(path, dtype="float32", always_2d=True)
    return np.asarray(samples)


def above_4_khz(samples: NDArray[np.float32]) -> float:
    """Share of the energy above 4 kHz."""
    power = np.square(np.abs(np.fft.rfft(samples[: 24_000 * 20], axis=0)))
    return float(power[len(power) // 3 :].sum() / power.sum())


def test_each_condition_comes_as_often_as_it_was_ordered(brief: Path) -> None:
    assert sorted(timelines(brief)) == ["clean", "street", "telephone"]
    table = pq.read_table(brief / "dataset" / "calls.parquet", columns=["conversation_id", "condition"]).to_pylist()
    assert sorted(row["condition"] for row in table) == ["clean", "street", "telephone"]


def test_only_a_call_under_a_condition_has_a_clean_original_beside_it(brief: Path) -> None:
    names = {path.name for path in (brief / "calls").iterdir()}
    for condition, timeline in timelines(brief).items():
        files = {
            name.removeprefix(timeline.conversation_id) for name in names if name.startswith(timeline.conversation_id)
        }
        wanted = {".flac", ".json", ".txt", ".TextGrid"}
        assert files == (wanted if condition == "clean" else wanted | {".clean.flac"})


def test_the_original_is_clean_and_the_recording_is_what_was_ordered(brief: Path) -> None:
    found = timelines(brief)
    telephone, street = (found[name].conversation_id for name in ("telephone", "street"))
    assert above_4_khz(sound(brief / "calls" / f"{telephone}.flac")) < 1e-4
    assert above_4_khz(sound(brief / "calls" / f"{telephone}.clean.flac")) > 1e-3
    quiet, loud = (sound(brief / "calls" / f"{street}.{suffix}") for suffix in ("clean.flac", "flac"))
    first_s = next(turn.start_s for turn in found["street"].turns if turn.message_index == 1)
    before = slice(0, round((first_s - 0.2) * 24_000))
    assert not quiet[before, 1].any(), "the original is not clean"
    assert np.abs(loud[before, 1]).max() > 0.005, "the street is not heard"
    assert np.abs(loud[before, 0]).max() > 0.05


def test_a_recording_is_as_loud_and_as_long_as_its_original(brief: Path) -> None:
    for condition, timeline in timelines(brief).items():
        if condition != "clean":
            one, other = (sound(brief / "calls" / f"{timeline.conversation_id}.{s}") for s in ("flac", "clean.flac"))
            assert one.shape == other.shape
            assert loudness_lufs(one) == pytest.approx(-26.0, abs=0.1)
            assert loudness_lufs(other) == pytest.approx(-26.0, abs=0.1)
        assert timeline.loudness_lufs == pytest.approx(-26.0, abs=0.01)


def test_clips_are_clean_whatever_the_condition(brief: Path) -> None:
    street = timelines(brief)["street"].conversation_id
    clip = soundfile.read(RunFolder(brief).audio_file(street, 1), dtype="float32")[0]
    assert np.abs(clip[: round(0.03 * 24_000)]).max() < 0.01


def test_the_published_sound_is_that_of_the_run(brief: Path) -> None:
    for row in pq.read_table(brief / "dataset" / "calls.parquet").to_pylist():
        assert row["audio"]["bytes"] == (brief / "calls" / f"{row['conversation_id']}.flac").read_bytes()
        samples, rate_hz = soundfile.read(io.BytesIO(row["audio"]["bytes"]), always_2d=True)
        assert (rate_hz, samples.shape[1]) == (24_000, 2)
        assert len(samples) / rate_hz == pytest.approx(row["duration_s"], abs=1e-6)


def test_a_kill_in_the_middle_of_a_call_changes_nothing(brief: Path, brief_order: Path, tmp_path: Path) -> None:
    """The last call is made anew in a process of its own, so nothing of it depends on those before it."""
    run = copied(brief, tmp_path)
    last = run.ids[-1]
    without_call(run, last)
    order = ("build", brief_order, "--out", run.path, "--engine", "inline")
    build = start(*order)
    wait_for_step(build, "calls")
    while not list(run.path.glob(f"audio/{last}/*.wav")):
        time.sleep(0.001)
    kill(build)
    assert not run.folder.timeline_file(last).exists(), "the kill came too late"
    kept = {path: path.stat().st_mtime_ns for path in run.path.glob("calls/*")}
    ended = factory(*order)
    assert ended.code == 0, ended.err
    assert contents(run.path, (*MADE, "checksums.json")) == contents(brief, (*MADE, "checksums.json"))
    assert not list(run.path.rglob("*.partial"))
    assert all(path.stat().st_mtime_ns == made for path, made in kept.items() if last not in path.name)


def test_what_was_damaged_edited_or_lost_is_told_and_made_again(brief: Path, brief_order: Path, tmp_path: Path) -> None:
    """Otherwise the build would take new checksums of it."""
    run = copied(brief, tmp_path)
    clean, telephone, street = (timelines(brief)[name].conversation_id for name in ("clean", "telephone", "street"))
    damaged = run.folder.call_file(clean, "flac")
    content = damaged.read_bytes()
    damaged.write_bytes(content[:-1] + bytes([content[-1] ^ 1]))
    run.folder.call_file(telephone, "clean.flac").unlink()
    run.edit_json(run.folder.timeline_file(street), lambda data: data.update(agent_voice="nobody", peak_dbtp=-9.0))
    ended = factory("build", brief_order, "--out", run.path, "--engine", "inline")
    assert ended.code == 0, ended.err
    assert {line.strip() for line in ended.err.splitlines() if line.strip() and not is_step(line)} == {
        f"calls/{clean}.flac: was changed; the call is made anew",
        f"calls/{telephone}.clean.flac: is missing; the call is made anew",
        f"calls/{street}.json: was changed; the call is made anew",
    }
    assert contents(run.path, (*MADE, "checksums.json")) == contents(brief, (*MADE, "checksums.json"))


def test_formats_are_made_side_by_side_and_the_first_is_published(tmp_path: Path) -> None:
    out = tmp_path / "run"
    spec = brief_spec(tmp_path)
    order = ("build", spec, "--out", out, "--engine", "inline", "--limit", "1")
    ended = factory(*order, "--formats", "opus,wav")
    assert ended.code == 0, ended.err
    (row,) = pq.read_table(out / "dataset" / "calls.parquet").to_pylist()
    name = row["conversation_id"]
    assert row["audio"]["path"] == f"{name}.opus"
    assert row["audio"]["bytes"] == (out / "calls" / f"{name}.opus").read_bytes()
    assert soundfile.info(io.BytesIO(row["audio"]["bytes"])).subtype == "OPUS"
    wav, opus = (sound(out / "calls" / f"{name}.{suffix}") for suffix in ("wav", "opus"))
    assert wav.shape[1] == opus.shape[1] == 2
    assert not list(out.glob("calls/*.flac"))
    assert factory("verify", out).code == 0
    again = factory(*order, "--formats", "wav")
    assert again.code == 2
    assert "formats" in again.error, "another order was taken for the same"


@pytest.mark.parametrize(
    ("sound_lines", "conditions", "options", "told"),
    [
        ((), "  conditions: [{name: moon}]\n", (), ("moon", "telephone")),
        ((), "  conditions: [{name: clean, snr_db: 3.0}]\n", (), ("clean", "has no figures")),
        (("stand_in: gramophone",), CONDITIONS, (), ("gramophone", "hibari")),
        ((), CONDITIONS, ("--formats", "mp3"), ("--formats", "mp3", "flac")),
        ((), CONDITIONS, ("--formats", ""), ("--formats", "nothing")),
        ((), CONDITIONS, ("--asr", "nowhere/at/all"), ("nowhere/at/all",)),
    ],
    ids=["condition", "figure", "stand-in", "format", "no format", "recogniser"],
)
def test_what_cannot_be_ordered_is_told_before_anything_is_written(
    sound_lines: tuple[str, ...], conditions: str, options: tuple[str, ...], told: tuple[str, ...], tmp_path: Path
) -> None:
    spec = brief_spec(tmp_path, *sound_lines, conditions=conditions)
    ended = factory("build", spec, "--out", tmp_path / "run", "--engine", "inline", *options)
    assert ended.code == 2
    assert all(words in ended.error for words in told), ended.error
    assert not (tmp_path / "run").exists()
