"""The engines there are, which of them can be used here, and how one is opened."""

from __future__ import annotations

import importlib.util
import shutil
from collections.abc import Callable
from dataclasses import dataclass

from factory.speech.engine import SpeechEngine
from factory.speech.errors import SpeechError
from factory.speech.hibari_engine import NAME as HIBARI
from factory.speech.hibari_engine import HibariEngine, bundled_model
from factory.speech.pyttsx3_engine import NAME as PYTTSX3
from factory.speech.pyttsx3_engine import Pyttsx3Engine


@dataclass(frozen=True, slots=True)
class EngineStatus:
    """Whether an engine can be used on this machine.

    Attributes:
        name: The name that `open_engine` takes.
        usable: True if everything it needs is installed.
        remedy: What is missing and how to install it; empty if usable.
    """

    name: str
    usable: bool
    remedy: str


def available_engines() -> tuple[EngineStatus, ...]:
    """Return the status of every engine, found without importing or loading any of them."""
    missing = {name: found() for name, (_, found) in _ENGINES.items()}
    return tuple(EngineStatus(name, not remedy, remedy) for name, remedy in missing.items())


def require_known(name: str) -> None:
    """Make sure that there is an engine of that name, usable here or not.

    Raises:
        SpeechError: There is none; the message lists those there are.
    """
    if name not in _ENGINES:
        raise SpeechError(f"There is no speech engine {name!r}; use one of: {', '.join(_ENGINES)}.")


def open_engine(name: str) -> SpeechEngine:
    """Return the speech engine of that name, ready to speak; its models load on first use.

    Raises:
        SpeechError: There is no such engine, or it cannot be used here; says what to do.
    """
    require_known(name)
    make, missing = _ENGINES[name]
    remedy = missing()
    if remedy:
        raise SpeechError(f"The speech engine {name!r} cannot be used here: {remedy}")
    return make()


def _missing_for_hibari() -> str:
    absent = [package for package in ("hibari", "onnxruntime", "scipy") if not importlib.util.find_spec(package)]
    if absent:
        return f"{', '.join(absent)} not installed; run `pip install 'hibari-tts[fast]==0.2.1'`."
    try:
        bundled_model()
    except SpeechError as error:
        return str(error)
    return ""


def _missing_for_pyttsx3() -> str:
    if not importlib.util.find_spec("pyttsx3"):
        return "pyttsx3 not installed; run `pip install pyttsx3`."
    if not shutil.which("espeak-ng"):
        return "espeak-ng not found on PATH; run `apt-get install espeak-ng`."
    return ""


_ENGINES: dict[str, tuple[Callable[[], SpeechEngine], Callable[[], str]]] = {
    HIBARI: (HibariEngine, _missing_for_hibari),
    PYTTSX3: (Pyttsx3Engine, _missing_for_pyttsx3),
}
