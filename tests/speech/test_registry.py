"""Engines are found by name, loaded late, and say what they lack."""

import importlib.util
import shutil
import subprocess
import sys

import pytest

from factory.errors import FactoryError
from factory.speech import SpeechError, available_engines, open_engine


def test_an_unknown_engine_is_one_clear_error_that_lists_the_known() -> None:
    with pytest.raises(SpeechError, match=r"no speech engine 'festival'; use one of: hibari, pyttsx3\."):
        open_engine("festival")


def test_speech_errors_are_the_projects_errors() -> None:
    assert issubclass(SpeechError, FactoryError)


def test_importing_the_room_and_asking_for_status_loads_no_speech_library() -> None:
    code = (
        "import sys; from factory import speech; speech.available_engines(); speech.open_engine('hibari')\n"
        "heavy = {'hibari', 'onnxruntime', 'scipy', 'soundfile', 'pyttsx3', 'num2words'}\n"
        "print(sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_hibari_is_usable_as_installed() -> None:
    status = {engine.name: engine for engine in available_engines()}["hibari"]
    assert (status.usable, status.remedy) == (True, "")


def test_a_missing_system_voice_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda _: None)
    status = {engine.name: engine for engine in available_engines()}["pyttsx3"]
    assert not status.usable
    assert "apt-get install espeak-ng" in status.remedy
    with pytest.raises(SpeechError, match="'pyttsx3' cannot be used here: espeak-ng not found"):
        open_engine("pyttsx3")


def test_a_missing_package_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    found = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "onnxruntime" else found(name))
    with pytest.raises(SpeechError, match=r"onnxruntime not installed; run `pip install 'hibari-tts\[fast\]"):
        open_engine("hibari")
