"""Engines are found by name, loaded late, and say what they lack."""

import importlib.util
import shutil
import subprocess
import sys

import pytest

from factory.errors import FactoryError
from factory.speech import SpeechError, available_engines, open_engine


def test_an_unknown_engine_is_one_clear_error_that_lists_the_known() -> None:
    with pytest.raises(SpeechError, match=r"no speech engine 'festival'; use one of: hibari, pyttsx3, gtts, openai\."):
        open_engine("festival")


def test_speech_errors_are_the_projects_errors() -> None:
    assert issubclass(SpeechError, FactoryError)


def test_whoever_does_not_speak_loads_no_speech_library_and_asks_nobody() -> None:
    code = (
        "import sys; seen = []\n"
        "sys.addaudithook(lambda event, _: seen.append(event) if event.startswith('socket.') else None)\n"
        "from factory import speech; key = {'OPENAI_API_KEY': 'sk-none'}; speech.available_engines(key)\n"
        "for name in ('hibari', 'gtts', 'openai'):\n"
        "    engine = speech.open_engine(name, key); engine.voices(); engine.version\n"
        "heavy = {'hibari', 'onnxruntime', 'scipy', 'soundfile', 'pyttsx3', 'num2words', 'soxr', 'gtts', 'openai',\n"
        "         'httpx2', 'requests'}\n"
        "print(sorted(heavy & set(sys.modules)), seen)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[] []"


def test_hibari_is_usable_as_installed_and_asks_nobody() -> None:
    status = {engine.name: engine for engine in available_engines({})}["hibari"]
    assert (status.usable, status.remedy, status.asks) == (True, "", "")


def test_engines_over_a_network_say_so_and_whether_their_key_is_there() -> None:
    without, with_key = (
        {engine.name: engine for engine in available_engines(environ)} for environ in ({}, {"OPENAI_API_KEY": "sk-1"})
    )
    assert (without["gtts"].usable, without["gtts"].asks) == (True, "network")
    assert without["openai"].asks == "network, OPENAI_API_KEY"
    assert (without["openai"].usable, with_key["openai"].usable) == (False, True)
    assert "set the environment variable OPENAI_API_KEY" in without["openai"].remedy
    with pytest.raises(SpeechError, match="'openai' cannot be used here: no key"):
        open_engine("openai", {})


def test_a_missing_system_voice_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda _: None)
    status = {engine.name: engine for engine in available_engines()}["pyttsx3"]
    assert not status.usable
    assert "apt-get install espeak-ng" in status.remedy
    with pytest.raises(SpeechError, match="'pyttsx3' cannot be used here: espeak-ng not found"):
        open_engine("pyttsx3")


@pytest.mark.parametrize(
    ("package", "engine", "remedy"),
    [
        ("onnxruntime", "hibari", r"onnxruntime not installed; run `pip install 'hibari-tts\[fast\]"),
        ("gtts", "gtts", r"gTTS not installed; run `pip install 'blueprint-factory\[gtts\]"),
    ],
)
def test_a_missing_package_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, package: str, engine: str, remedy: str
) -> None:
    found = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == package else found(name))
    with pytest.raises(SpeechError, match=remedy):
        open_engine(engine)
