"""pyttsx3: system voices, one bounded child process a text."""

import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import numpy as np
import psutil
import pytest

from factory.speech import Clip, EngineFailure, SpeechError, Voice
from factory.speech import pyttsx3_engine as module
from factory.speech.checks import check_clip
from factory.speech.pyttsx3_engine import Pyttsx3Engine
from factory.speech.spoken import spoken_form

from .measure import pitch_hz, timbre_distance_db, voiced

pytestmark = pytest.mark.skipif(shutil.which("espeak-ng") is None, reason="needs espeak-ng: apt-get install espeak-ng")

ENGINE = Pyttsx3Engine()
TEXT = "I already gave my case number to the other person, so why do you need it again?"


@pytest.fixture(scope="module")
def clips() -> dict[str, Clip]:
    return {voice.id: voiced(ENGINE, TEXT, voice, 1) for voice in ENGINE.voices()}


def test_there_are_at_least_eight_distinct_voices(clips: dict[str, Clip]) -> None:
    assert len(clips) >= 8
    pitches = {name: 12 * np.log2(pitch_hz(clip)) for name, clip in clips.items()}
    for (one, first), (other, second) in combinations(clips.items(), 2):
        semitones = abs(pitches[one] - pitches[other])
        assert semitones > 1.5 or timbre_distance_db(first, second) > 3, f"{one} and {other} sound alike"


def test_clips_are_at_24_khz_whatever_espeak_writes(clips: dict[str, Clip]) -> None:
    for clip in clips.values():
        assert clip.sample_rate == 24_000
        check_clip(clip, TEXT)


def test_same_bytes_in_any_order_and_on_any_number_of_threads(clips: dict[str, Clip]) -> None:
    """Often, because espeak loses a setting once in a hundred runs where nobody waits for it."""
    often = [voice for _ in range(8) for voice in reversed(ENGINE.voices())]
    with ThreadPoolExecutor(4) as pool:
        again = list(pool.map(lambda voice: voiced(ENGINE, TEXT, voice, 1), often))
    wrong = [v.id for v, c in zip(often, again, strict=True) if c.to_wav_bytes() != clips[v.id].to_wav_bytes()]
    assert wrong == []


@pytest.mark.parametrize("text", ["No.", "Mm-hmm.", "Wait—", "I...", "It's <b>DR-48</b> & that's it, José."])
def test_short_and_odd_texts_give_whole_clips(text: str) -> None:
    clip = voiced(ENGINE, text, ENGINE.voices()[0], 1)
    check_clip(clip, spoken_form(text))


@pytest.mark.parametrize("pace", [0.6, 0.8, 1.25, 1.6])
def test_the_pace_is_heard(clips: dict[str, Clip], pace: float) -> None:
    plain = ENGINE.voices()[3]
    assert plain.pace == 1
    paced = voiced(ENGINE, TEXT, replace(plain, pace=pace), 1)
    assert clips[plain.id].duration_s / paced.duration_s == pytest.approx(pace, rel=0.08)


def test_a_pace_out_of_reach_is_refused() -> None:
    with pytest.raises(SpeechError, match=r"0\.6 to 1\.6 times its own pace, not at 2\.00"):
        ENGINE.speak(TEXT, replace(ENGINE.voices()[0], pace=2.0), 1)


def test_the_version_names_both_programs() -> None:
    assert re.fullmatch(r"pyttsx3 [\d.]+, espeak-ng [\d.]+, revision \d+", ENGINE.version)


def test_nothing_is_printed(capfd: pytest.CaptureFixture[str]) -> None:
    ENGINE.speak("Hello there.", ENGINE.voices()[0], 1)
    assert capfd.readouterr() == ("", "")


def test_a_worker_that_hangs_is_stopped_and_the_next_one_works(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    hung = tmp_path / "hung.py"
    hung.write_text("while True: pass")
    engine = Pyttsx3Engine(time_limit_s=1)
    with monkeypatch.context() as patched:
        patched.setattr(module, "_WORKER", hung)
        started_s = time.monotonic()
        with pytest.raises(SpeechError, match="within 1 s and was stopped"):
            engine.speak("Hello there.", engine.voices()[0], 1)
        assert time.monotonic() - started_s < 3
    assert psutil.Process().children(recursive=True) == []
    assert engine.speak("Hello there.", engine.voices()[0], 1).duration_s > 0.3


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (lambda whole: None, "gave no audio"),
        (lambda whole: b"", "gave no audio"),
        (lambda whole: whole[: len(whole) // 2], "bytes of it are missing"),
        (lambda whole: whole[:44] + bytes(len(whole) - 44), "is silent"),
        (lambda whole: whole[:24] + (96_000).to_bytes(4, "little") + whole[28:], "too short"),
    ],
    ids=["nothing", "an empty file", "half a file", "silence", "the wrong rate"],
)
def test_what_is_no_whole_speech_does_not_get_through(
    clips: dict[str, Clip],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    content: Callable[[bytes], bytes | None],
    why: str,
) -> None:
    voice = ENGINE.voices()[0]
    written = content(clips[voice.id].to_wav_bytes())
    worker = tmp_path / "worker.py"
    worker.write_text("" if written is None else f"import sys; open(sys.argv[4], 'wb').write({written!r})")
    monkeypatch.setattr(module, "_WORKER", worker)
    with pytest.raises(EngineFailure, match=why):
        voiced(ENGINE, TEXT, voice, 1)


def test_a_worker_whose_parent_is_gone_ends_by_itself(tmp_path: Path) -> None:
    nowhere = tmp_path / "no" / "such" / "folder.wav"  # espeak fails on its own thread and never reports back
    worker = [sys.executable, "-P", str(module._WORKER), "en-us+m1", "50", "165", str(nowhere), "1"]
    done = subprocess.run(worker, input=b"Hello.", capture_output=True, timeout=5, check=False)
    assert done.returncode == -signal.SIGALRM


def test_a_voice_that_espeak_lacks_is_an_error_not_another_voice(monkeypatch: pytest.MonkeyPatch) -> None:
    missing = Voice("xx-yy+m1", 1, 1, 1, "nobody")
    monkeypatch.setattr(module, "_VOICES", (missing,))
    with pytest.raises(SpeechError, match="espeak-ng has no voice 'xx-yy\\+m1'"):
        ENGINE.speak("Hello there.", missing, 1)


def test_an_unknown_voice_is_one_clear_error() -> None:
    with pytest.raises(SpeechError, match="no voice 'alder'; use one of: en-us"):
        ENGINE.speak("Hello.", Voice("alder", 1, 1, 1, ""), 1)
