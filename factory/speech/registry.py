"""The engines there are, which of them can be used here, and how one is opened."""

from __future__ import annotations

import importlib.util
import os
import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from factory.speech.engine import SpeechEngine
from factory.speech.errors import SpeechError
from factory.speech.gtts_engine import NAME as GTTS
from factory.speech.gtts_engine import GttsEngine
from factory.speech.hibari_engine import NAME as HIBARI
from factory.speech.hibari_engine import HibariEngine, bundled_model
from factory.speech.openai_engine import KEY, OpenAIEngine, missing_for_openai
from factory.speech.openai_engine import NAME as OPENAI
from factory.speech.pyttsx3_engine import NAME as PYTTSX3
from factory.speech.pyttsx3_engine import Pyttsx3Engine


@dataclass(frozen=True, slots=True)
class EngineStatus:
    """Whether an engine can be used on this machine.

    Attributes:
        name: The name that `open_engine` takes.
        usable: True if everything it needs is installed and set; whether a network can be reached is not tried.
        remedy: What is missing and how to get it; empty if usable.
        asks: What it needs from outside this machine ("network", "network, OPENAI_API_KEY"); empty if nothing. Such an
            engine speaks only where it is asked for by name.
    """

    name: str
    usable: bool
    remedy: str
    asks: str


@dataclass(frozen=True, slots=True)
class _Entry:
    make: Callable[[Mapping[str, str]], SpeechEngine]
    missing: Callable[[Mapping[str, str]], str]
    asks: str = ""


def available_engines(environ: Mapping[str, str] = os.environ) -> tuple[EngineStatus, ...]:
    """Return the status of every engine, found without importing, loading or asking any of them.

    Args:
        environ: Where keys are; only whether they are set is looked at.
    """
    missing = {name: entry.missing(environ) for name, entry in _ENGINES.items()}
    return tuple(EngineStatus(name, not remedy, remedy, _ENGINES[name].asks) for name, remedy in missing.items())


def require_known(name: str) -> None:
    """Make sure that there is an engine of that name, usable here or not.

    Raises:
        SpeechError: There is none; the message lists those there are.
    """
    if name not in _ENGINES:
        raise SpeechError(f"There is no speech engine {name!r}; use one of: {', '.join(_ENGINES)}.")


def open_engine(name: str, environ: Mapping[str, str] = os.environ) -> SpeechEngine:
    """Return the speech engine of that name, ready to speak; its models load on first use.

    Args:
        name: The engine's name.
        environ: Where the keys and addresses of services are.

    Raises:
        SpeechError: There is no such engine, or it cannot be used here; says what to do.
    """
    require_known(name)
    entry = _ENGINES[name]
    remedy = entry.missing(environ)
    if remedy:
        raise SpeechError(f"The speech engine {name!r} cannot be used here: {remedy}")
    return entry.make(environ)


def _missing_for_hibari(environ: Mapping[str, str]) -> str:
    absent = [package for package in ("hibari", "onnxruntime", "scipy") if not importlib.util.find_spec(package)]
    if absent:
        return f"{', '.join(absent)} not installed; run `pip install 'hibari-tts[fast]==0.2.1'`."
    try:
        bundled_model()
    except SpeechError as error:
        return str(error)
    return ""


def _missing_for_pyttsx3(environ: Mapping[str, str]) -> str:
    if not importlib.util.find_spec("pyttsx3"):
        return "pyttsx3 not installed; run `pip install pyttsx3`."
    if not shutil.which("espeak-ng"):
        return "espeak-ng not found on PATH; run `apt-get install espeak-ng`."
    return ""


def _missing_for_gtts(environ: Mapping[str, str]) -> str:
    if not importlib.util.find_spec("gtts"):
        return "gTTS not installed; run `pip install 'blueprint-factory[gtts]'`."
    return ""


_ENGINES = {
    HIBARI: _Entry(lambda _: HibariEngine(), _missing_for_hibari),
    PYTTSX3: _Entry(lambda _: Pyttsx3Engine(), _missing_for_pyttsx3),
    GTTS: _Entry(lambda _: GttsEngine(), _missing_for_gtts, asks="network"),
    OPENAI: _Entry(OpenAIEngine, missing_for_openai, asks=f"network, {KEY}"),
}
