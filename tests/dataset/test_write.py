"""Writing: the same bytes each time, nothing half written, nothing that does not belong there."""

import resource
import shutil
from itertools import islice
from pathlib import Path

import pyarrow.parquet as pq
import pytest
import soundfile

from factory.dataset import parquet
from factory.dataset.parquet import GROUP_ROWS, read_rows, writing_rows
from factory.dataset.read import read_conversations, read_interruptions
from factory.dataset.schema import baseline_schema, conversations_schema
from factory.dataset.write import CALLS, CONVERSATIONS, INTERRUPTIONS, TURNS, write_dataset
from factory.errors import RunError
from factory.records.enums import InterruptionType
from factory.run.folder import RunFolder
from factory.simulate.canary import MARK
from factory.workflow.library import Library

from .runs import build_run, tone

FILES = ["README.md", "baseline.parquet", "conversations.parquet", "interruptions_all.json", "turns.parquet"]


def bytes_of(folder: RunFolder) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.dataset.iterdir())}


def test_written_twice_elsewhere_the_bytes_are_the_same(
    spoken: RunFolder, own_run: RunFolder, library: Library
) -> None:
    write_dataset(own_run, library)
    first = bytes_of(own_run)
    write_dataset(own_run, library)
    assert list(first) == sorted([*FILES, CALLS])
    assert bytes_of(own_run) == first == bytes_of(spoken)


def test_the_counts_are_those_that_were_ordered(own_run: RunFolder, library: Library) -> None:
    counts = write_dataset(own_run, library)
    assert (counts.conversations, counts.messages, counts.shortest, counts.longest) == (4, 76, 16, 20)
    assert counts.interruptions == 14
    assert counts.by_type[InterruptionType.PUSHBACK] == 3
    assert counts.by_depth == {"0-4": 7, "5-9": 7, "10-14": 0, "15-19": 0}
    assert counts.clips == 38
    turns = [
        turn for row in read_conversations(own_run.dataset / CONVERSATIONS) for turn in range(1, len(row.turns) + 1)
    ]
    assert counts.speech_s == pytest.approx(sum(len(tone(turn)) for turn in turns) / 24_000, abs=0.001)


def test_without_audio_the_columns_are_there_and_null(tmp_path: Path, library: Library, spoken: RunFolder) -> None:
    folder = build_run(tmp_path / "run", library, audio=False)
    counts = write_dataset(folder, library)
    assert (counts.clips, counts.speech_s, counts.calls_s) == (0, 0, 0)
    assert not (folder.dataset / CALLS).exists()
    assert pq.read_table(folder.dataset / TURNS).column("start_s").null_count == 76
    table = pq.read_table(folder.dataset / CONVERSATIONS)
    assert table.schema.equals(pq.read_schema(spoken.dataset / CONVERSATIONS), check_metadata=True)
    assert table.column("user_turn_1_audio").null_count == 4


def test_a_limited_run_publishes_what_it_built(tmp_path: Path, library: Library, spoken: RunFolder) -> None:
    folder = build_run(tmp_path / "run", library, audio=False, limit=2)
    assert write_dataset(folder, library).conversations == 2
    whole = [row.conversation_id for row in read_conversations(spoken.dataset / CONVERSATIONS)]
    assert [row.conversation_id for row in read_conversations(folder.dataset / CONVERSATIONS)] == whole[:2]


def test_canaries_are_gone_and_all_else_is_as_in_an_ordinary_build(tmp_path: Path, library: Library) -> None:
    planted = build_run(tmp_path / "planted", library, audio=False, canaries=True)
    ordinary = build_run(tmp_path / "ordinary", library, audio=False)
    logs = "".join(path.read_text() for path in (planted.path / "conversations").iterdir())
    assert f" {MARK}" in logs
    write_dataset(planted, library)
    write_dataset(ordinary, library)
    for name in FILES[1:]:
        if name.endswith(".parquet"):
            assert list(read_rows(planted.dataset / name)) == list(read_rows(ordinary.dataset / name))
            assert f" {MARK}" not in str(list(read_rows(planted.dataset / name)))
    assert read_interruptions(planted.dataset / INTERRUPTIONS) == read_interruptions(ordinary.dataset / INTERRUPTIONS)


def clip_of(folder: RunFolder, turn: int) -> Path:
    return folder.audio_file(next(folder.built()).conversation_id, turn)


def test_a_missing_clip_is_named_and_nothing_is_written(own_run: RunFolder, library: Library) -> None:
    clip = clip_of(own_run, 3)
    clip.unlink()
    with pytest.raises(RunError, match=f"{clip.parent.name}/user_turn_03.wav: is missing"):
        write_dataset(own_run, library)
    assert list(own_run.dataset.iterdir()) == []


@pytest.mark.parametrize("keep", [0, 20, 1000])
def test_half_a_clip_is_refused(own_run: RunFolder, library: Library, keep: int) -> None:
    clip = clip_of(own_run, 3)
    clip.write_bytes(clip.read_bytes()[:keep])
    with pytest.raises(RunError, match=r"user_turn_03.wav: is not the file that .*0001.json tells of; build again"):
        write_dataset(own_run, library)


def test_another_clip_or_call_is_refused(own_run: RunFolder, library: Library) -> None:
    name = next(own_run.built()).conversation_id
    for path in (clip_of(own_run, 3), own_run.call_file(name, "flac")):
        before = path.read_bytes()
        soundfile.write(path, tone(4), 24_000, subtype="PCM_16")
        with pytest.raises(RunError, match=f"{path.name}: is not the file"):
            write_dataset(own_run, library)
        path.write_bytes(before)
    assert write_dataset(own_run, library).clips > 0


@pytest.mark.parametrize(("damage", "found"), [(None, "there is no such file"), ("{", "damaged"), ("other", "another")])
def test_a_call_without_its_own_time_line_is_refused(
    own_run: RunFolder, library: Library, damage: str | None, found: str
) -> None:
    first, second = (own_run.timeline_file(blueprint.conversation_id) for blueprint in islice(own_run.built(), 2))
    if damage is None:
        first.unlink()
    else:
        first.write_text(second.read_text() if damage == "other" else damage)
    with pytest.raises(RunError, match=f"{first.name}: .*{found}"):
        write_dataset(own_run, library)


def test_an_unfinished_conversation_is_named(own_run: RunFolder, library: Library) -> None:
    log = own_run.conversation_file(next(own_run.built()).conversation_id)
    log.write_text("".join(log.read_text().splitlines(keepends=True)[:-1]))
    with pytest.raises(RunError, match=f"{log.name}: the conversation is not finished"):
        write_dataset(own_run, library)


def test_on_a_full_disk_one_line_says_so_and_the_old_files_stay(own_run: RunFolder, library: Library) -> None:
    write_dataset(own_run, library)
    before = bytes_of(own_run)
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, hard))
    try:
        with pytest.raises(RunError, match="cannot be written"):
            write_dataset(own_run, library)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert bytes_of(own_run) == before


def test_no_more_than_a_row_group_is_held(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parquet, "GROUP_BYTES", 1_000)
    schema = conversations_schema(1)
    with writing_rows(tmp_path / "calls.parquet", schema) as rows:
        for i in range(10):
            audio = {"bytes": bytes(400), "path": f"{i}.wav"}
            rows.add({"conversation_id": f"c{i}", "user_turn_1_audio": audio}, size=400)
    with writing_rows(tmp_path / "answers.parquet", baseline_schema()) as rows:
        for i in range(GROUP_ROWS + 1):
            rows.add({"conversation_id": "c", "turn": i})
    groups = pq.ParquetFile(tmp_path / "calls.parquet").metadata
    assert [groups.row_group(i).num_rows for i in range(groups.num_row_groups)] == [3, 3, 3, 1]
    answers = pq.ParquetFile(tmp_path / "answers.parquet").metadata
    assert [answers.row_group(i).num_rows for i in range(answers.num_row_groups)] == [GROUP_ROWS, 1]


def test_a_corpus_without_interruptions_has_an_empty_list(own_run: RunFolder, library: Library) -> None:
    own_run.blueprints_file.write_text("")
    shutil.rmtree(own_run.path / "audio")
    assert write_dataset(own_run, library).conversations == 0
    assert read_interruptions(own_run.dataset / INTERRUPTIONS) == ()
    assert list(read_conversations(own_run.dataset / CONVERSATIONS)) == []
