"""pyttsx3: system voices, one bounded child process a text."""

import shutil
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from itertools import combinations
from pathlib import Path

import numpy as np
import psutil
import pytest

from factory.speech import Clip, SpeechError, Voice, check_clip, spoken_form, voice_text
from factory.speech import pyttsx3_engine as module
from factory.speech.pyttsx3_engine import Pyttsx3Engine

from .measure import pitch_hz, timbre_distance_db

pytestmark = pytest.mark.skipif(shutil.which("espeak-ng") is None, reason="needs espeak-ng: apt-get install espeak-ng")

ENGINE = Pyttsx3Engine()
TEXT = "I already gave my case number to the other person, so why do you need it again?"


@pytest.fixture(scope="module")
def clips() -> dict[str, Clip]:
    return {voice.id: voice_text(ENGINE, TEXT, voice, 1) for voice in ENGINE.voices()}


def test_there_are_at_least_eight_distinct_voices(clips: dict[str, Clip]) -> None:
    assert len(clips) >= 8
    for (one, first), (other, second) in combinations(clips.items(), 2):
        semitones = abs(12 * np.log2(pitch_hz(first) / pitch_hz(second)))
        assert semitones > 1.5 or timbre_distance_db(first, second) > 3, f"{one} and {other} sound alike"


def test_clips_are_at_24_khz_whatever_espeak_writes(clips: dict[str, Clip]) -> None:
    for clip in clips.values():
        assert clip.sample_rate == 24_000
        check_clip(clip, TEXT)


def test_same_bytes_in_any_order_and_on_any_number_of_threads(clips: dict[str, Clip]) -> None:
    """Often, because espeak loses a setting once in a hundred runs where nobody waits for it."""
    often = [voice for _ in range(8) for voice in reversed(ENGINE.voices())]
    with ThreadPoolExecutor(4) as pool:
        again = list(pool.map(lambda voice: voice_text(ENGINE, TEXT, voice, 1), often))
    wrong = [v.id for v, c in zip(often, again, strict=True) if c.to_wav_bytes() != clips[v.id].to_wav_bytes()]
    assert wrong == []


@pytest.mark.parametrize("text", ["No.", "Mm-hmm.", "Wait—", "I...", "It's <b>DR-48</b> & that's it, José."])
def test_short_and_odd_texts_give_whole_clips(text: str) -> None:
    clip = voice_text(ENGINE, text, ENGINE.voices()[0], 1)
    check_clip(clip, spoken_form(text))


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


def test_a_worker_whose_parent_is_gone_ends_by_itself(tmp_path: Path) -> None:
    nowhere = tmp_path / "no" / "such" / "folder.wav"  # espeak fails on its own thread and never reports back
    worker = [sys.executable, "-P", str(module._WORKER), "en-us+m1", "50", "165", str(nowhere), "1"]
    done = subprocess.run(worker, input=b"Hello.", capture_output=True, timeout=10, check=False)
    assert done.returncode == -signal.SIGALRM


def test_a_voice_that_espeak_lacks_is_an_error_not_another_voice(monkeypatch: pytest.MonkeyPatch) -> None:
    missing = Voice("xx-yy+m1", 1, 1, 1, "nobody")
    monkeypatch.setattr(module, "_VOICES", (missing,))
    with pytest.raises(SpeechError, match="espeak-ng has no voice 'xx-yy\\+m1'"):
        ENGINE.speak("Hello there.", missing, 1)


def test_an_unknown_voice_is_one_clear_error() -> None:
    with pytest.raises(SpeechError, match="no voice 'alder'; use one of: en-us"):
        ENGINE.speak("Hello.", Voice("alder", 1, 1, 1, ""), 1)
