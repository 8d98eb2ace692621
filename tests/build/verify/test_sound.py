"""A call with one thing changed, in its time-line, its sound or its rows: what `verify` says of it."""

import io
from collections.abc import Callable
from importlib import metadata
from pathlib import Path

import numpy as np
import pytest
import soundfile

from factory.build.verify import verify_run
from factory.build.verify.damage import guarded
from factory.build.verify.rows import sound_row_faults
from factory.build.verify.sound import timeline_faults
from factory.build.verify.voices import ear_faults, voice_faults
from factory.calls.listen import has_words
from factory.dataset.read import read_calls, read_turns
from factory.dataset.rows import AudioCell, CallRow
from factory.records.base import sha256
from factory.records.call import HeardByEar
from factory.records.enums import Speaker
from factory.run.finished import read_finished
from factory.speech import word_errors
from tests.build.builds import factory
from tests.build.spoken import copied
from tests.build.verify.runs import Json, Run

CLEAN, STREET = "clean", "street"


def id_of(run: Run, condition: str) -> str:
    return next(name for name in run.ids if run.folder.timeline(name).condition == condition)


def faults_of(run: Run, name: str) -> list[str]:
    """What is told of a call's time-line and sound."""
    folder, identity, place = run.folder, run.folder.identity(), run.ids.index(name)
    rounds = tuple(read_finished(folder, name).rounds)
    timeline = folder.timeline(name)
    return list(guarded(f"calls/{name}.json", timeline_faults(folder, identity, timeline, rounds, place)))


@pytest.fixture
def spoken(brief: Path, tmp_path: Path) -> Run:
    """A finished run with sound, to damage."""
    return copied(brief, tmp_path)


def cut(data: Json) -> Json:
    return data["interruptions"][0]


def cut_turns(data: Json) -> tuple[Json, Json]:
    """The agent's turn that is cut, and the caller's that cuts in."""
    index = cut(data)["message_index"]
    return data["turns"][index - 1], data["turns"][index]


def another_word(data: Json) -> None:
    data["turns"][2]["words"][0]["text"] = "Nothing"


def another_rest(data: Json) -> None:
    cut_turns(data)[0]["undelivered"] += " more"


def backwards(data: Json) -> None:
    word = data["turns"][0]["words"][1]
    word["start_s"], word["end_s"] = word["end_s"] + 0.1, word["start_s"]


def behind_the_end(data: Json) -> None:
    data["turns"][-1]["end_s"] = data["duration_s"] + 0.5


def too_early(data: Json) -> None:
    """Everything that depends on the caller's start is moved along, so that nothing else is wrong."""
    at_s = cut(data)["onset_end_s"] - 0.05
    cut_turns(data)[1]["start_s"] = cut(data)["caller_start_s"] = at_s


def squeezed(data: Json) -> None:
    """All words of the turns that nobody cuts are in the first tenth of them."""
    cut = {one["message_index"] - 1 for one in data["interruptions"]}
    for turn in data["turns"]:
        if turn["message_index"] not in cut:
            word_s = (turn["end_s"] - turn["start_s"]) / 10 / len(turn["words"])
            for number, word in enumerate(turn["words"]):
                word["start_s"] = round(turn["start_s"] + number * word_s, 6)
                word["end_s"] = round(turn["start_s"] + (number + 1) * word_s, 6)


def moved(turn: Json, by_s: float) -> None:
    """A turn with all that is in it lies elsewhere."""
    for one in (turn, *turn["words"]):
        one["start_s"], one["end_s"] = one["start_s"] + by_s, one["end_s"] + by_s


def outside(data: Json) -> None:
    """A word begins before its turn."""
    data["turns"][1]["words"][0]["start_s"] -= 0.01


def longer(data: Json) -> None:
    """A turn ends later, and its last word with it."""
    turn = data["turns"][-1]
    turn["end_s"] = turn["words"][-1]["end_s"] = turn["end_s"] + 0.03


EAR = {"text": "x", "words": 100, "errors": 0}
TIMELINES: dict[str, tuple[Callable[[Json], object], str]] = {
    "condition": (
        lambda data: data.update(condition="car"),
        "the condition is not clean with its figures, as the spec and the seed",
    ),
    "voice": (lambda data: data.update(agent_voice="nobody"), "the voices are not "),
    "voices exchanged": (
        lambda data: data.update(agent_voice=data["caller_voice"], caller_voice=data["agent_voice"]),
        "the voices are not ",
    ),
    "engine": (lambda data: data.update(engine="gtts"), "the speech engine is none that the run may use"),
    "stand-in": (
        lambda data: data.update(stand_in_because="It was out."),
        "why another engine speaks is told where none does",
    ),
    "recogniser": (lambda data: data.update(recogniser="base"), "the recogniser is not the run's"),
    "ear": (
        lambda data: data["turns"][1].update(heard_by_ear=EAR),
        "message 1: was understood, though nobody listened",
    ),
    "true peak": (lambda data: data.update(peak_dbtp=-9.0), "its true peak is -"),
    "loudness": (lambda data: data.update(loudness_lufs=-23.0), "its loudness is -26.0 LUFS"),
    "words squeezed": (squeezed, "its first or last word is not where its sound begins or ends"),
    "word outside": (outside, "message 1: its times are not in order"),
    "turn earlier": (lambda data: moved(data["turns"][-1], -0.03), "is heard from "),
    "turn later": (lambda data: moved(data["turns"][-1], 0.03), "is heard from "),
    "turn longer": (longer, "is heard from "),
    "turn dropped": (lambda data: data["turns"].pop(0), "its turns are not those of the log"),
    "turn twice": (lambda data: data["turns"].append(data["turns"][-1]), "its turns are not those of the log"),
    "word": (another_word, "message 2: its words are not those of the log"),
    "word dropped": (lambda data: data["turns"][1]["words"].pop(), "message 1: its words are not those of the log"),
    "undelivered": (another_rest, "its words are not those of the log"),
    "speaker": (lambda data: data["turns"][1].update(speaker="agent"), "message 1: the agent does not speak here"),
    "words backwards": (backwards, "message 0: its times are not in order"),
    "behind the end": (behind_the_end, "its times are not in order"),
    "interruption dropped": (lambda data: data["interruptions"].clear(), "its interruptions are not those of the log"),
    "interruption twice": (
        lambda data: data["interruptions"].append(cut(data)),
        "its interruptions are not those of the log",
    ),
    "type": (lambda data: cut(data).update(type="normal"), "type, onset and cut are not those of the log"),
    "onset": (
        lambda data: cut(data).update(onset_word=cut(data)["onset_word"] - 1),
        "type, onset and cut are not those of the log",
    ),
    "onset's end": (
        lambda data: cut(data).update(onset_end_s=cut(data)["onset_end_s"] - 0.01),
        "the onset word, or the one behind it, ends elsewhere",
    ),
    "start too early": (
        too_early,
        "the caller does not start between the end of the onset word and the end of the next",
    ),
    "start elsewhere": (
        lambda data: cut_turns(data)[1].update(start_s=cut(data)["caller_start_s"] + 0.001),
        "the caller starts, or the agent stops, elsewhere",
    ),
    "cut elsewhere": (
        lambda data: cut(data).update(cut_s=cut(data)["cut_s"] + 0.001),
        "the caller starts, or the agent stops, elsewhere",
    ),
    "range": (lambda data: cut(data).update(most_overlap_s=5.0), "lies between"),
    "planned overlap": (lambda data: cut(data).update(planned_overlap_s=1.5), "the overlap as planned is 1.500 s"),
    "measured overlap": (lambda data: cut(data).update(measured_overlap_s=0.01), "the overlap as measured is 0.010 s"),
    "overlap that is not there": (
        lambda data: cut(data).update(measured_overlap_s=cut(data)["measured_overlap_s"] + 0.003),
        "s in the time-line",
    ),
}


@pytest.mark.parametrize("name", TIMELINES)
def test_a_change_of_a_time_line_is_named(name: str, spoken: Run) -> None:
    change, told = TIMELINES[name]
    call = id_of(spoken, CLEAN)
    spoken.edit_json(spoken.folder.timeline_file(call), change)
    assert any(fault.startswith(f"calls/{call}.json: ") and told in fault for fault in faults_of(spoken, call))


def test_where_an_engine_is_not_here_as_the_run_had_it_its_voices_are_not_checked(brief: Path) -> None:
    run = Run(brief)
    call = id_of(run, CLEAN)
    identity, place = run.folder.identity(), run.ids.index(call)
    timeline = run.folder.timeline(call).model_copy(update={"caller_voice": "nobody"})
    assert len(list(voice_faults(identity, timeline, place))) == 1
    other = identity.model_copy(update={"versions": identity.versions | {"hibari": "0"}})
    assert list(voice_faults(other, timeline, place)) == []


def heard(run: Run, edit: Callable[[int, HeardByEar], HeardByEar | None], **versions: str) -> list[str]:
    """What is told of a call to which somebody listened who understood all, where that is then edited."""
    call = id_of(run, CLEAN)
    rounds = tuple(read_finished(run.folder, call).rounds)
    turns = []
    for turn in run.folder.timeline(call).turns:
        text = " ".join(word.text for word in turn.words)
        if turn.speaker is Speaker.CALLER and has_words(text):
            ear = HeardByEar(text=text, words=word_errors(text, text).words, errors=0)
            turn = turn.model_copy(update={"heard_by_ear": edit(turn.message_index, ear)})
        turns.append(turn)
    timeline = run.folder.timeline(call).model_copy(update={"recogniser": "base", "turns": tuple(turns)})
    here = {package: metadata.version(package) for package in ("whisper-normalizer", "rapidfuzz", "num2words")}
    identity = run.folder.identity()
    listened = identity.model_copy(
        update={
            "recogniser": "base",
            "versions": identity.versions | here | {k.replace("_", "-"): v for k, v in versions.items()},
        }
    )
    return list(ear_faults(listened, timeline, rounds))


def test_word_errors_are_counted_once_more_from_what_was_understood(brief: Path) -> None:
    run, lie = Run(brief), HeardByEar.model_validate(EAR)
    assert heard(run, lambda _, ear: ear) == []
    faults = heard(run, lambda index, ear: lie if index == 1 else ear)
    assert len(faults) == 1 and faults[0].startswith("message 1: ") and "the time-line has 0 of 100" in faults[0]
    more = heard(run, lambda index, ear: ear.model_copy(update={"text": f"{ear.text} zebra"}) if index == 1 else ear)
    assert more[0].startswith("message 1: 1 of ")
    (gone,) = heard(run, lambda index, ear: None if index == 1 else ear)
    assert gone.startswith("message 1: what was understood of it is missing")
    assert heard(run, lambda _, ear: lie, rapidfuzz="0") == []


def another_sound(run: Run, suffix: str, change: Callable[[np.ndarray], np.ndarray], rate_hz: int = 24_000) -> str:
    """Changes a call's sound so that it is the one of its time-line; returns the call's id."""
    call = id_of(run, STREET)
    path = run.folder.call_file(call, suffix)
    buffer = io.BytesIO()
    soundfile.write(buffer, change(soundfile.read(path)[0]), rate_hz, format="FLAC")
    _put(run, call, path, buffer.getvalue())
    return call


def _put(run: Run, call: str, path: Path, content: bytes) -> None:
    path.write_bytes(content)
    digest = {path.relative_to(run.path).as_posix(): sha256(content)}
    run.edit_json(run.folder.timeline_file(call), lambda data: data["files"].update(digest))


def test_channels_that_were_swapped_are_heard(spoken: Run) -> None:
    call = another_sound(spoken, "clean.flac", lambda samples: samples[:, ::-1])
    assert "s in the time-line" in "".join(faults_of(spoken, call))


def test_a_caller_who_was_moved_is_heard(spoken: Run) -> None:
    def later(samples: np.ndarray) -> np.ndarray:
        return np.stack([samples[:, 0], np.roll(samples[:, 1], 240)], axis=1)

    (fault,) = faults_of(spoken, another_sound(spoken, "clean.flac", later))
    assert "s in the sound" in fault


@pytest.mark.parametrize(
    ("change", "rate_hz", "told"),
    [(lambda s: s, 8_000, "at 8000 Hz"), (lambda s: s[:, 0], 24_000, "the sound has 1 channels")],
    ids=["rate", "mono"],
)
def test_a_call_of_another_form_is_told(
    change: Callable[[np.ndarray], np.ndarray], rate_hz: int, told: str, spoken: Run
) -> None:
    call = another_sound(spoken, "clean.flac", change, rate_hz)
    assert any(told in fault for fault in faults_of(spoken, call))


def test_a_call_that_is_no_sound_is_told(spoken: Run) -> None:
    call = id_of(spoken, STREET)
    _put(spoken, call, spoken.folder.call_file(call, "clean.flac"), b"fLaC nothing")
    assert any("the sound file of the call cannot be read" in fault for fault in faults_of(spoken, call))


@pytest.mark.parametrize("suffix", ["flac", "clean.flac", "txt", "TextGrid"])
def test_a_file_that_is_not_the_time_lines_is_told(suffix: str, spoken: Run) -> None:
    call = id_of(spoken, STREET)
    path = spoken.folder.call_file(call, suffix)
    path.write_bytes(path.read_bytes() + b" ")
    assert f"calls/{path.name}: is not what the time-line has" in faults_of(spoken, call)


CALL_COLUMNS: dict[str, object] = {
    "audio": AudioCell(bytes=b"RIFF", path="other.flac"), "duration_s": 1.0, "condition": "car",
    "snr_db": 3.0, "packet_loss": 0.5, "caller_level_db": 9.0, "engine": "gtts",
    "agent_voice": "nobody", "caller_voice": "nobody", "loudness_lufs": -3.0, "peak_dbtp": 1.0,
}  # fmt: skip
TURN_COLUMNS: dict[str, object] = {
    "start_s": 0.001, "end_s": 0.002, "words": (), "overlap_s": 9.0, "asr_text": "Hm.", "asr_words": 1, "asr_errors": 1,
}  # fmt: skip


def test_every_column_of_a_call_is_held_against_the_time_line(brief: Path) -> None:
    run = Run(brief)
    call = id_of(run, CLEAN)
    timeline = run.folder.timeline(call)
    row = next(row for row in read_calls(run.folder.dataset / "calls.parquet") if row.conversation_id == call)
    assert CALL_COLUMNS.keys() == CallRow.model_fields.keys() - {"conversation_id"}
    assert list(sound_row_faults(run.folder, timeline, row, None, "flac")) == []
    for column, value in CALL_COLUMNS.items():
        (fault,) = sound_row_faults(run.folder, timeline, row.model_copy(update={column: value}), None, "flac")
        assert fault == f"dataset/calls.parquet: {call}: `{column}` is not what the log has"


def test_every_time_of_a_turn_is_held_against_the_time_line(brief: Path) -> None:
    run = Run(brief)
    call = id_of(run, CLEAN)
    timeline = run.folder.timeline(call)
    row = next(row for row in read_calls(run.folder.dataset / "calls.parquet") if row.conversation_id == call)
    rows = next(rows for rows in read_turns(run.folder.dataset / "turns.parquet") if rows[0].conversation_id == call)
    assert list(sound_row_faults(run.folder, timeline, row, rows, "flac")) == []
    caller = timeline.interruptions[0].message_index
    for column, value in TURN_COLUMNS.items():
        changed = (*rows[:caller], rows[caller].model_copy(update={column: value}), *rows[caller + 1 :])
        (fault,) = sound_row_faults(run.folder, timeline, row, changed, "flac")
        assert fault == f"dataset/turns.parquet: {call}: message {caller}: `{column}` is not what the log has"


def test_a_clean_run_with_conditions_holds(brief: Path) -> None:
    ended = factory("verify", brief)
    assert (ended.code, ended.out.strip()) == (0, f"{brief}: everything holds"), ended.err


def test_changes_of_published_sound_and_of_a_time_line_are_all_told_at_once(spoken: Run) -> None:
    first, second, third = spoken.ids
    spoken.edit_rows("calls.parquet", lambda rows: rows[0].update(engine="gtts"))
    spoken.edit_rows("turns.parquet", lambda rows: _row_of(rows, second).update(start_s=0.123))
    spoken.edit_json(spoken.folder.timeline_file(third), lambda data: cut(data).update(measured_overlap_s=0.0))
    spoken.folder.call_file(first, "TextGrid").unlink()
    faults = verify_run(spoken.path)
    for told in (
        f"dataset/calls.parquet: {first}: `engine` is not what the log has",
        f"dataset/turns.parquet: {second}: message 0: `start_s` is not what the log has",
        f"calls/{first}.TextGrid: is missing",
        f"calls/{third}.json: was changed after the build",
    ):
        assert told in faults
    assert any(fault.startswith(f"calls/{third}.json: message ") for fault in faults)


def _row_of(rows: list[Json], call: str) -> Json:
    return next(row for row in rows if row["conversation_id"] == call)


def test_a_time_line_that_is_gone_or_another_calls_is_told(spoken: Run) -> None:
    first, second, _ = spoken.ids
    spoken.folder.timeline_file(first).unlink()
    spoken.folder.timeline_file(second).write_bytes(spoken.folder.timeline_file(spoken.ids[2]).read_bytes())
    faults = verify_run(spoken.path)
    assert f"calls/{first}.json: is missing" in faults
    assert any(f"{second}.json: is the time-line of another call" in fault for fault in faults)
