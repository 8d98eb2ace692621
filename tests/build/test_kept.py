"""A call that is there: kept while its files are as they were made, and otherwise made anew."""

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from factory.build import calls
from factory.build.checksums import read_checksums
from factory.build.kept import call_fault
from factory.build.order import Order
from factory.build.steps import speak
from factory.corpus.specs import load_spec
from factory.records.enums import SoundFormat
from factory.run.display import Silent
from factory.run.finished import read_finished
from factory.speech import encode_sound
from factory.workflow.library import standard_library
from tests.build.spoken import copied
from tests.build.verify.runs import Json, Run
from tests.build.verify.test_sound import CLEAN, STREET, id_of, squeezed


@pytest.fixture
def spoken(brief: Path, tmp_path: Path) -> Run:
    """A finished run with sound, to damage."""
    return copied(brief, tmp_path)


def fault_of(run: Run, name: str, formats: Sequence[str] = ("flac",), finished: bool = True) -> str | None:
    """What a build that goes on says of a call's files."""
    rounds = tuple(read_finished(run.folder, name).rounds)
    checksums = read_checksums(run.folder) if finished else {}
    assert checksums is not None
    return call_fault(run.folder, name, rounds, formats, run.folder.timeline_file(name) == clean_one(run), checksums)


def clean_one(run: Run) -> Path:
    """The time-line of the clean call, which may be damaged."""
    return next(path for path in run.path.glob("calls/*.json") if not path.with_suffix(".clean.flac").exists())


def flip(path: Path) -> None:
    """Another byte in the middle."""
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)


def test_files_as_they_were_made_are_kept_by_a_build_that_was_finished_and_by_one_that_was_not(brief: Path) -> None:
    run = Run(brief)
    assert [fault_of(run, name, finished=finished) for name in run.ids for finished in (True, False)] == [None] * 6


@pytest.mark.parametrize("finished", [True, False])
@pytest.mark.parametrize("file", ["calls/{}.flac", "calls/{}.clean.flac", "calls/{}.txt", "calls/{}.TextGrid", "clip"])
def test_every_file_of_a_call_that_was_changed_or_is_missing_is_named(file: str, finished: bool, spoken: Run) -> None:
    call = id_of(spoken, STREET)
    name = f"audio/{call}/user_turn_02.wav" if file == "clip" else file.format(call)
    flip(spoken.path / name)
    assert fault_of(spoken, call, finished=finished) == f"{name}: was changed"
    (spoken.path / name).unlink()
    if ".clean." not in name:  # by which the tests tell which call is clean
        assert fault_of(spoken, call, finished=finished) == f"{name}: is missing"
        (spoken.path / name).mkdir()
        assert f"{name}: cannot be read" in str(fault_of(spoken, call, finished=finished))


def test_every_format_is_looked_at(spoken: Run) -> None:
    call = id_of(spoken, STREET)
    assert fault_of(spoken, call, ("flac", "opus")) == f"calls/{call}.opus: is missing"


TIMELINES: dict[str, Callable[[Json], object]] = {
    "voice": lambda data: data.update(agent_voice="nobody"),
    "peak": lambda data: data.update(peak_dbtp=-9.0),
    "ear": lambda data: data["turns"][1].update(heard_by_ear={"text": "x", "words": 100, "errors": 0}),
    "pace": lambda data: data["turns"][0].update(pace=0.5),
}


@pytest.mark.parametrize("name", TIMELINES)
def test_a_time_line_is_held_against_the_digest_that_was_taken_when_the_build_was_finished(
    name: str, spoken: Run
) -> None:
    call = id_of(spoken, CLEAN)
    spoken.edit_json(spoken.folder.timeline_file(call), TIMELINES[name])
    assert fault_of(spoken, call) == f"calls/{call}.json: was changed"


def test_words_that_were_moved_before_a_build_was_finished_are_not_those_of_the_labels(spoken: Run) -> None:
    call = id_of(spoken, CLEAN)
    spoken.edit_json(spoken.folder.timeline_file(call), squeezed)
    assert fault_of(spoken, call, finished=False) == f"calls/{call}.txt: was changed"


@pytest.mark.parametrize("damage", ["{}", "", "another call's"])
def test_a_time_line_that_is_no_longer_one_is_damaged(damage: str, spoken: Run) -> None:
    call, other = id_of(spoken, STREET), id_of(spoken, CLEAN)
    text = spoken.folder.timeline_file(other).read_text() if damage == "another call's" else damage
    spoken.folder.timeline_file(call).write_text(text)
    assert fault_of(spoken, call) == f"calls/{call}.json: is damaged"


def test_each_sound_is_on_the_disk_before_the_next_is_encoded_and_the_time_line_is_gone_until_all_are(
    brief_order: Path, spoken: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    call = id_of(spoken, STREET)
    place = spoken.ids.index(call)
    for path in spoken.path.glob(f"calls/{call}.*"):
        if path.suffix != ".json":
            path.unlink()
    there: list[list[str]] = []

    def seen(*arguments: object) -> bytes:
        there.append(sorted(path.name.removeprefix(f"{call}.") for path in spoken.path.glob(f"calls/{call}.*")))
        return encode_sound(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(calls, "encode_sound", seen)
    order = Order(load_spec(str(brief_order)), standard_library(), formats=(SoundFormat.WAV, SoundFormat.FLAC))
    speak(order, spoken.folder, range(place, place + 1), Silent())
    assert there == [[], ["wav"], ["flac", "wav"], ["clean.wav", "flac", "wav"]]
    assert fault_of(spoken, call, ("wav", "flac"), finished=False) is None


def test_checksums_that_cannot_be_read_are_as_if_there_were_none(spoken: Run) -> None:
    for damage in ("", "[]", "{"):
        spoken.folder.checksums_file.write_text(damage)
        assert read_checksums(spoken.folder) is None
