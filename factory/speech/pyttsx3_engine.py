"""The system's voices: espeak-ng through pyttsx3, one child process for each text.

pyttsx3 has one engine a process, crashes when threads share it, and espeak-ng
carries its noise and vibrato over from one text to the next. A fresh process each
time (about 0.06 s) keeps texts apart: the same call gives the same samples in
whatever order and on however many threads, and a hung one can simply be stopped.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from functools import cached_property
from importlib import metadata
from pathlib import Path

import numpy as np

from factory.speech.clip import SAMPLE_RATE, Clip, settle
from factory.speech.engine import Voice, require_speakable
from factory.speech.errors import SpeechError, shown
from factory.speech.recording import read_recording
from factory.speech.spoken import respell_letter_a

NAME = "pyttsx3"
_WORKER = Path(__file__).with_name("pyttsx3_worker.py")
_WORDS_A_MINUTE = 165
_MIDDLE_PITCH = 50  # on espeak's scale of 0 to 99
_TIME_LIMIT_S = 30
_TAIL_S = 0.1
_REVISION = 2  # to be raised with whatever changes the samples
_PACES = (0.6, 1.6)

# A recogniser (Whisper base) mishears a tenth to a fifth of the words of these voices, and
# more than a third of those of espeak's Scottish accent.
_VOICES = (
    Voice("en-us+f2", 1.00, 1.0, 0.95, "woman, American, even pace", speaker="en-us+f2"),
    Voice("en-us+f3", 1.40, 1.0, 1.10, "woman, American, high, quick", speaker="en-us+f3"),
    Voice("en-us+f5", 0.70, 1.0, 0.90, "woman, American, low, slow", speaker="en-us+f5"),
    Voice("en-us+m1", 1.30, 1.0, 1.00, "man, American, even pace", speaker="en-us+m1"),
    Voice("en-us+m3", 1.60, 1.0, 1.10, "man, American, high, quick", speaker="en-us+m3"),
    Voice("en-us+m7", 0.60, 1.0, 0.90, "man, American, deep, slow", speaker="en-us+m7"),
    Voice("en-us+m5", 0.90, 1.0, 1.00, "man, American, muffled", speaker="en-us+m5"),
    Voice("en-gb-x-rp+f5", 1.10, 1.0, 1.00, "woman, English, even pace", speaker="en-gb-x-rp+f5"),
    Voice("en-gb-x-rp+m2", 1.40, 1.0, 1.05, "man, English, middle pitch", speaker="en-gb-x-rp+m2"),
)


class Pyttsx3Engine:
    """Speech by espeak-ng; one instance may be shared by threads.

    Args:
        time_limit_s: Whole seconds that one text may take; at least 1.
    """

    name = NAME
    paces = _PACES

    def __init__(self, time_limit_s: int = _TIME_LIMIT_S) -> None:
        self._time_limit_s = time_limit_s

    @cached_property
    def version(self) -> str:
        """The versions of pyttsx3 and of espeak-ng, and our revision."""
        try:
            said = subprocess.run(["espeak-ng", "--version"], capture_output=True, text=True, timeout=10, check=True)
        except (OSError, subprocess.SubprocessError):
            raise SpeechError("espeak-ng does not tell its version; run `apt-get install espeak-ng`.") from None
        espeak = said.stdout.partition(": ")[2].partition(" ")[0]
        return f"pyttsx3 {metadata.version('pyttsx3')}, espeak-ng {espeak}, revision {_REVISION}"

    def voices(self) -> tuple[Voice, ...]:
        """Nine callers in two accents; `pitch` is on espeak's own scale against its middle."""
        return _VOICES

    def speak(self, text: str, voice: Voice, seed: int) -> Clip:
        """Voice `text`; espeak-ng draws nothing, so that `seed` changes nothing.

        Raises:
            SpeechError: The voice is not one of `voices()`, its pace is out of reach, espeak-ng failed, or it took too
                long.
        """
        require_speakable(self, voice)
        with tempfile.TemporaryDirectory(prefix="speech-") as folder:
            path = Path(folder) / "clip.wav"
            self._run_worker(respell_letter_a(text, "ay"), voice, path)
            recording = path.read_bytes() if path.exists() else b""
        if not recording:
            raise SpeechError(f"pyttsx3 gave no audio for {shown(text)} in voice {voice.id!r}; check the text.")
        # A whole file, as the worker says, and yet it may end with the last sound itself.
        return settle(np.pad(read_recording(recording, "pyttsx3"), (0, round(_TAIL_S * SAMPLE_RATE))))

    def _run_worker(self, text: str, voice: Voice, path: Path) -> None:
        pitch = str(round(_MIDDLE_PITCH * voice.pitch))
        rate = str(round(_WORDS_A_MINUTE * voice.pace))
        limit = str(self._time_limit_s + 1)
        command = [sys.executable, "-P", str(_WORKER), voice.id, pitch, rate, str(path), limit]
        try:
            done = subprocess.run(
                command, input=text.encode(), capture_output=True, timeout=self._time_limit_s, check=False
            )
        except subprocess.TimeoutExpired:
            raise SpeechError(
                f"pyttsx3 did not finish {shown(text)} in voice {voice.id!r} within {self._time_limit_s} s and "
                "was stopped; try again, or use `--tts hibari`."
            ) from None
        if done.returncode != 0:
            reason = done.stderr.decode(errors="replace").strip().splitlines() or [f"exit code {done.returncode}"]
            raise SpeechError(
                f"pyttsx3 could not voice {shown(text)} in voice {voice.id!r}: {reason[-1]}. "
                "Check that Debian's espeak-ng is installed, or use `--tts hibari`."
            )
