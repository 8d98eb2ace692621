"""The files are read by the tools that people use, and by the project's own readers."""

import io
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import soundfile
from numpy.testing import assert_array_equal

from factory.dataset.parquet import read_rows
from factory.dataset.read import read_baseline, read_calls, read_conversations, read_interruptions, read_turns
from factory.dataset.rows import AgentRow, CallerRow
from factory.dataset.write import BASELINE, CALLS, CONVERSATIONS, INTERRUPTIONS, TURNS
from factory.errors import RunError
from factory.run.folder import RunFolder

from .runs import tone


def samples_of(wav: bytes) -> np.ndarray:
    samples, rate = soundfile.read(io.BytesIO(wav), dtype="int16")
    assert rate == 24_000
    return np.asarray(samples)


def test_pandas_reads_every_table(spoken: RunFolder) -> None:
    calls = pd.read_parquet(spoken.dataset / CONVERSATIONS)
    assert calls["conversation_id"].is_unique
    assert len(calls) == 4
    assert_array_equal(samples_of(calls["user_turn_2_audio"][0]["bytes"]), tone(2))
    baseline = pd.read_parquet(spoken.dataset / BASELINE)
    assert len(baseline) == 14
    assert (baseline["interrupting_user_message_index"] == 2 * baseline["turn"] - 1).all()
    turns = pd.read_parquet(spoken.dataset / TURNS)
    assert turns.groupby("conversation_id").size().sum() == 76


def test_datasets_loads_the_folder_by_the_configs_of_the_card(spoken: RunFolder, tmp_path: Path) -> None:
    import datasets

    def load(*config: str) -> "datasets.Dataset":
        return datasets.load_dataset(str(spoken.dataset), *config, split="test", cache_dir=str(tmp_path))

    calls = load()
    assert calls.column_names == load("conversations").column_names
    assert calls.features["user_turn_1_audio"] == datasets.Audio(sampling_rate=24_000)
    assert calls.features["num_turns"] == datasets.Value("int32")
    assert calls.features["turn_1_rq_rubrics"] == datasets.List(datasets.Value("string"))
    # Decoding by `datasets` itself needs torchcodec.
    undecoded = calls.select_columns("user_turn_3_audio").cast_column("user_turn_3_audio", datasets.Audio(decode=False))
    assert_array_equal(samples_of(undecoded[0]["user_turn_3_audio"]["bytes"]), tone(3))
    assert load("baseline").num_rows == 14
    assert load("turns").num_rows == 76
    sounds = load("calls")
    assert sounds.features["audio"] == datasets.Audio(sampling_rate=24_000)
    whole = sounds.cast_column("audio", datasets.Audio(decode=False))[0]
    samples = samples_of(whole["audio"]["bytes"])
    assert samples.shape == (round(whole["duration_s"] * 24_000), 2)


def test_datasets_loads_a_single_file(spoken: RunFolder, tmp_path: Path) -> None:
    import datasets

    files = {"test": str(spoken.dataset / CONVERSATIONS)}
    calls = datasets.load_dataset("parquet", data_files=files, split="test", cache_dir=str(tmp_path))
    assert isinstance(calls.features["user_turn_1_audio"], datasets.Audio)
    stored = list(read_rows(spoken.dataset / CONVERSATIONS))
    without_audio = calls.remove_columns([name for name in calls.column_names if name.endswith("_audio")])
    for loaded, row in zip(without_audio, stored, strict=True):
        assert loaded == {name: row[name] for name in without_audio.column_names}


def test_conversations_come_back_as_records(spoken: RunFolder) -> None:
    path = spoken.dataset / CONVERSATIONS
    plain = list(read_conversations(path))
    assert [len(row.turns) for row in plain] == [row["num_turns"] for row in read_rows(path)]
    assert all(turn.user_audio is None for row in plain for turn in row.turns)
    for row in read_conversations(path, audio=True):
        for number, turn in enumerate(row.turns, 1):
            assert turn.user_audio is not None
            assert_array_equal(samples_of(turn.user_audio.bytes), tone(number))


def test_turns_come_back_call_by_call_agent_and_caller_in_turn(spoken: RunFolder) -> None:
    calls = list(read_turns(spoken.dataset / TURNS))
    assert [rows[0].conversation_id for rows in calls] == [
        row.conversation_id for row in read_conversations(spoken.dataset / CONVERSATIONS)
    ]
    for rows in calls:
        assert [row.message_index for row in rows] == list(range(len(rows)))
        assert all(isinstance(row, CallerRow if i % 2 else AgentRow) for i, row in enumerate(rows))


def test_turns_tell_when_they_sound(spoken: RunFolder) -> None:
    for rows in read_turns(spoken.dataset / TURNS):
        timeline = spoken.timeline(rows[0].conversation_id)
        overlaps = {cut.message_index: cut.measured_overlap_s for cut in timeline.interruptions}
        assert overlaps
        for row, turn in zip(rows, timeline.turns, strict=True):
            assert (row.start_s, row.end_s, row.words) == (turn.start_s, turn.end_s, turn.words)
            assert row.text == " ".join(word.text for word in row.words or ())
            if isinstance(row, CallerRow):
                assert row.overlap_s == overlaps.get(row.message_index)


def test_calls_come_back_as_they_lie_in_the_run(spoken: RunFolder) -> None:
    rows = list(read_calls(spoken.dataset / CALLS))
    assert [row.conversation_id for row in rows] == [blueprint.conversation_id for blueprint in spoken.built()]
    for row in rows:
        assert row.audio.bytes == spoken.call_file(row.conversation_id, "flac").read_bytes()
        assert row.audio.path == f"{row.conversation_id}.flac"
        assert (row.condition, row.engine, row.agent_voice) == ("clean", "hibari", "alder")


def test_items_and_baseline_come_back_in_the_same_order(spoken: RunFolder) -> None:
    baseline = [(row.conversation_id, row.turn) for row in read_baseline(spoken.dataset / BASELINE)]
    listed = read_interruptions(spoken.dataset / INTERRUPTIONS)
    assert baseline == [(entry.conversation_id, entry.interrupting_turn_index) for entry in listed]


@pytest.mark.parametrize("damage", [b"", b"PAR1 and nothing else", None])
def test_a_damaged_file_is_refused_by_its_name(spoken: RunFolder, tmp_path: Path, damage: bytes | None) -> None:
    path = tmp_path / TURNS
    whole = (spoken.dataset / TURNS).read_bytes()
    path.write_bytes(whole[: len(whole) // 2] if damage is None else damage)
    with pytest.raises(RunError, match=r"turns\.parquet: cannot be read as Parquet"):
        list(read_turns(path))


def test_a_table_with_other_columns_is_refused(spoken: RunFolder) -> None:
    with pytest.raises(RunError, match="its columns are not those of this file"):
        list(read_conversations(spoken.dataset / TURNS))
    with pytest.raises(RunError, match="its columns are not those of this file"):
        list(read_turns(spoken.dataset / CONVERSATIONS))


def test_a_list_that_is_none_is_refused(tmp_path: Path) -> None:
    (tmp_path / INTERRUPTIONS).write_text('[{"conversation_id": "x", "interrupting_turn_index": 0}]')
    with pytest.raises(RunError, match="interrupting_turn_index"):
        read_interruptions(tmp_path / INTERRUPTIONS)
