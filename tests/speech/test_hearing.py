"""What is heard: the words of every voice, nothing where nobody speaks, and what is said when no model can be had."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from factory.speech import SpeechEngine, SpeechError, Voice
from factory.speech.hearing import Listener, open_listener, recogniser_digest, recogniser_name, require_listener
from factory.speech.word_errors import word_errors
from tests.speech.whisper_model import join_whisper

from .measure import voiced

RATE_HZ = 24_000
SAID = (
    "Hi, I'd like to know where my parcel is. It was supposed to be here on Tuesday.",
    "Sure, the number is 555-0136. You can call me there any time.",
    "Hold on, that's not right. I paid $150 for the table, not two hundred.",
    "Okay.",
    "No, I'm sorry, the meeting was moved to half past eight. Can you change it for me, please?",
)


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return join_whisper(tmp_path_factory.mktemp("models") / "whisper-base")


@pytest.fixture(scope="module")
def listener(model: Path) -> Listener:
    return open_listener(str(model))


@pytest.fixture(scope="module")
def clips(hibari: SpeechEngine) -> list[NDArray[np.float32]]:
    return [sound_of(hibari, text, voice) for text, voice in zip(SAID, hibari.voices()[::2], strict=True)]


def sound_of(engine: SpeechEngine, text: str, voice: Voice) -> NDArray[np.float32]:
    return voiced(engine, text, voice, 7).samples.astype(np.float32) / np.float32(32_768)


@pytest.fixture(scope="module")
def heard(listener: Listener, clips: list[NDArray[np.float32]]) -> tuple[str, ...]:
    return listener.hear(clips)


def test_words_of_every_voice_are_heard(heard: tuple[str, ...]) -> None:
    errors = [word_errors(said, text) for said, text in zip(SAID, heard, strict=True)]
    words = sum(each.words for each in errors)
    assert words >= 60
    assert sum(each.errors for each in errors) <= 0.02 * words, heard
    assert word_errors(SAID[3], heard[3]).rate == 0


def test_the_same_sounds_are_heard_the_same(
    listener: Listener, clips: list[NDArray[np.float32]], heard: tuple[str, ...]
) -> None:
    assert listener.hear(clips) == heard


def test_nothing_is_heard_where_nobody_speaks(listener: Listener, clips: list[NDArray[np.float32]]) -> None:
    noise = np.random.default_rng(1)
    hum = np.sin(2 * np.pi * 50 * np.arange(3 * RATE_HZ) / RATE_HZ)
    quiet = [
        np.zeros(2 * RATE_HZ),
        noise.normal(0, 0.001, 4 * RATE_HZ),
        noise.normal(0, 0.1, 2 * RATE_HZ),
        np.cumsum(noise.normal(0, 0.001, 3 * RATE_HZ)),
        0.1 * hum,
        np.zeros(0),
    ]
    first, *nothing, last = listener.hear([clips[3], *(sound.astype(np.float32) for sound in quiet), clips[3]])
    assert nothing == [""] * len(quiet)
    assert word_errors(SAID[3], first).rate == word_errors(SAID[3], last).rate == 0
    assert listener.hear([]) == ()


def test_a_sound_longer_than_a_window_is_heard_to_its_end(listener: Listener, clips: list[NDArray[np.float32]]) -> None:
    long = np.concatenate([*clips, *clips])
    assert len(long) > 30 * RATE_HZ
    assert word_errors(" ".join(SAID * 2), listener.hear([long])[0]).rate <= 0.04


def test_telephone_sound_is_heard_at_its_own_rate(listener: Listener, clips: list[NDArray[np.float32]]) -> None:
    import soxr

    assert word_errors(SAID[0], listener.hear([soxr.resample(clips[0], RATE_HZ, 8_000)], 8_000)[0]).rate == 0


def test_what_is_no_number_is_refused(listener: Listener) -> None:
    with pytest.raises(SpeechError, match="no number"):
        listener.hear([np.full(RATE_HZ, np.nan, np.float32)])


def test_a_listener_is_called_by_its_model_and_never_by_a_path(listener: Listener) -> None:
    assert listener.name == "whisper-base"


def test_a_folder_has_its_own_name_however_it_is_given_and_a_name_of_the_hub_stays_whole(
    model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "alias").symlink_to(model)
    monkeypatch.setenv("HOME", str(model.parent))
    monkeypatch.chdir(model)
    for given in (str(model), f"{model}/", str(tmp_path / "alias"), "~/whisper-base", "."):
        assert recogniser_name(given) == "whisper-base", given
    assert recogniser_name("Systran/faster-whisper-base") == "Systran/faster-whisper-base"


@pytest.mark.parametrize("file", ["model.bin", "config.json", "tokenizer.json"])
def test_a_folder_is_told_from_another_by_each_of_its_files(model: Path, tmp_path: Path, file: str) -> None:
    other = linked(model, tmp_path, file)
    (other / file).write_bytes((model / file).read_bytes())
    assert recogniser_digest(str(other)) == recogniser_digest(str(model))
    with (other / file).open("ab") as content:
        content.write(b" ")
    assert recogniser_digest(str(other)) != recogniser_digest(str(model))


def test_what_is_no_model_has_no_digest(model: Path, tmp_path: Path) -> None:
    with pytest.raises(SpeechError, match=r"config\.json is missing"):
        recogniser_digest(str(linked(model, tmp_path, "config.json")))


def test_a_model_of_the_hub_is_the_one_that_was_fetched_before_and_has_its_revision(
    model: Path, tmp_path: Path
) -> None:
    revision = "5" * 40
    kept = tmp_path / "hub" / "models--somebody--some-model"
    (kept / "snapshots" / revision).mkdir(parents=True)
    linked(model, kept / "snapshots" / revision, but="")
    (kept / "refs").mkdir()
    (kept / "refs" / "main").write_text(revision)
    program = """
import sys
asked = []
sys.addaudithook(lambda event, _: asked.append(event) if event == "socket.connect" else None)
from factory.speech import SpeechError
from factory.speech.hearing import open_listener, recogniser_digest
print(recogniser_digest("somebody/some-model"))
try:
    print(open_listener("somebody/some-model").name)
except SpeechError:
    print("refused")
print(bool(asked))
"""
    # Another room of the tests puts the hub offline for its whole process.
    nowhere = {"HF_ENDPOINT": "http://127.0.0.1:9", "HF_HOME": str(tmp_path), "HF_HUB_OFFLINE": "0"}
    assert run(program, **nowhere).stdout.split() == [revision, "somebody/some-model", "False"]
    (kept / "snapshots" / revision / "model.bin").unlink()
    assert run(program, **nowhere).stdout.split() == [revision, "refused", "True"], "half a model is fetched anew"


def test_a_folder_is_opened_without_any_network(model: Path) -> None:
    program = f"""
import sys
calls = []
sys.addaudithook(lambda event, args: calls.append((event, args)) if event.startswith("socket.") else None)
import numpy as np
from factory.speech.hearing import open_listener
print(open_listener({str(model)!r}, threads=1).hear([np.zeros(24_000, np.float32)]))
print([event for event, _ in calls if event in ("socket.connect", "socket.getaddrinfo", "socket.sendto")])
"""
    assert run(program).stdout == "('',)\n[]\n"


def test_a_missing_package_is_named_with_what_to_do() -> None:
    program = """
import importlib.util, sys
from factory.speech import SpeechError
from factory.speech.hearing import open_listener
find = importlib.util.find_spec
importlib.util.find_spec = lambda name: None if name == "faster_whisper" else find(name)
try:
    open_listener("base")
except SpeechError as error:
    print(error)
"""
    assert run(program).stdout == (
        "To listen, faster_whisper is missing: install with `pip install 'blueprint-factory[asr]'`.\n"
    )


@pytest.mark.parametrize(
    "name", ["/no/such/folder", "models/of/whisper", "./base", "~/base", "~nobody.here/base", "base model"]
)
def test_what_is_neither_a_folder_nor_a_name_is_refused(name: str) -> None:
    with pytest.raises(SpeechError, match="there is no such folder; give that of a Whisper model"):
        require_listener(name)


@pytest.mark.parametrize("missing", ["model.bin", "config.json", "tokenizer.json"])
def test_a_folder_without_a_file_of_the_model_is_refused(model: Path, tmp_path: Path, missing: str) -> None:
    folder = linked(model, tmp_path, missing)
    with pytest.raises(SpeechError, match=f"{missing} is missing; give the folder"):
        open_listener(str(folder))


@pytest.mark.parametrize(
    ("file", "content"), [("model.bin", 1_000_000), ("tokenizer.json", 1_000), ("config.json", 20)]
)
def test_a_broken_model_is_refused(model: Path, tmp_path: Path, file: str, content: int) -> None:
    folder = linked(model, tmp_path, file)
    (folder / file).write_bytes((model / file).read_bytes()[:content])
    with pytest.raises(SpeechError, match=r"no Whisper model that can be loaded \(.+\); get it anew"):
        open_listener(str(folder))


def test_a_name_that_cannot_be_fetched_is_said_to_be_so(tmp_path: Path) -> None:
    program = """
from factory.speech import SpeechError
from factory.speech.hearing import open_listener
for name in ("nobody/no-model", "huge-model"):
    try:
        open_listener(name)
    except SpeechError as error:
        print(error)
"""
    # Another room of the tests puts the hub offline for its whole process.
    nowhere = {"HF_ENDPOINT": "http://127.0.0.1:9", "HF_HOME": str(tmp_path), "HF_HUB_OFFLINE": "0"}
    unreachable, unknown = run(program, **nowhere).stdout.splitlines()
    assert unreachable.startswith("There is no folder 'nobody/no-model', and the model of that name cannot be fetched")
    assert unreachable.endswith("give the folder of a model, or go online.")
    assert "Invalid model size 'huge-model', expected one of: tiny.en" in unknown


def linked(model: Path, folder: Path, but: str) -> Path:
    for file in model.iterdir():
        if file.name != but:
            (folder / file.name).symlink_to(file)
    return folder


def run(program: str, **environ: str) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-c", program]
    return subprocess.run(
        command, capture_output=True, text=True, check=True, env={**os.environ, **environ}, timeout=60
    )
