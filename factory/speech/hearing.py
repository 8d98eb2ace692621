"""What a recogniser hears in a clip: Whisper, by faster-whisper, on this machine."""

from __future__ import annotations

import hashlib
import importlib.util
import os
import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from factory.speech.clip import SAMPLE_RATE
from factory.speech.errors import SpeechError
from factory.speech.spoken import spoken_form

if TYPE_CHECKING:
    from faster_whisper import WhisperModel  # type: ignore[import-untyped]

_FILES = ("model.bin", "config.json", "tokenizer.json")  # without the last, faster-whisper would ask the hub for it
_HUB_NAME = re.compile(r"\w[\w.-]*(?:/\w[\w.-]*)?")
_WHISPER_HZ = 16_000
_MOST_S = 30.0  # at a time; Whisper takes as long for one second
_PAUSE_S = 1.0
_EDGES_S = 0.5
_SLOWEST_LETTER_S = 0.08  # one clip in sixteen is slower, or was not heard whole
_HOW: dict[str, object] = {
    "language": "en",
    "beam_size": 5,
    "temperature": 0.0,  # alone, so that nothing is tried again by chance
    "word_timestamps": True,
}


@dataclass(frozen=True, slots=True)
class Listener:
    """A recogniser with its model loaded.

    Attributes:
        name: The model's, as `recogniser_name` has it.
    """

    name: str
    _model: WhisperModel

    def hear(self, sounds: Sequence[NDArray[np.float32]], rate_hz: int = SAMPLE_RATE) -> tuple[str, ...]:
        """Return what is said in each sound, as Whisper writes it; empty where nobody speaks.

        The same sounds give the same texts on one machine; another processor rounds otherwise.

        Args:
            sounds: English speech: mono, shape (n,), between -1 and 1.
            rate_hz: Samples a second.

        Raises:
            SpeechError: A sound holds what is no number, or the model cannot be used.
        """
        import soxr  # type: ignore[import-untyped]

        waveforms: list[NDArray[np.float32]] = []
        for sound in sounds:
            if not np.isfinite(sound).all():
                raise SpeechError("A sound to be heard holds what is no number; voice it anew.")
            waveforms.append(soxr.resample(sound, rate_hz, _WHISPER_HZ))
        texts = [""] * len(waveforms)
        try:
            for window in _windows(waveforms):
                for index, text in zip(window, self._hear_window([waveforms[index] for index in window]), strict=True):
                    texts[index] = text
                    if len(window) > 1 and _is_scant(text, waveforms[index]):
                        texts[index] = max(text, *self._hear_window([waveforms[index]]), key=len)
        except (RuntimeError, ValueError) as error:
            raise SpeechError(f"The recogniser {self.name!r} cannot hear: {error}; use another model.") from None
        return tuple(texts)

    def _hear_window(self, waveforms: Sequence[NDArray[np.float32]]) -> list[str]:
        """Hear some sounds as one recording, and tell by the times of the words which were said in which."""
        from faster_whisper import BatchedInferencePipeline

        pause = np.zeros(round(_PAUSE_S * _WHISPER_HZ), np.float32)
        lengths_s = [len(waveform) / _WHISPER_HZ for waveform in waveforms]
        starts_s = [0.0, *accumulate(length_s + _PAUSE_S for length_s in lengths_s)][:-1]
        joined = np.concatenate([part for waveform in waveforms for part in (waveform, pause)][:-1])
        if len(joined) <= _MOST_S * _WHISPER_HZ:
            whole = [{"start": 0.0, "end": len(joined) / _WHISPER_HZ}]
            once = BatchedInferencePipeline(self._model)  # the model by itself would listen to the end a second time
            segments, _ = once.transcribe(joined, clip_timestamps=whole, batch_size=1, **_HOW)
        else:
            segments, _ = self._model.transcribe(joined, condition_on_previous_text=False, **_HOW)
        texts = [""] * len(waveforms)
        for word in (word for segment in segments for word in segment.words):
            index = max(bisect_left(starts_s, word.end) - 1, 0)
            if word.start < starts_s[index] + lengths_s[index]:
                texts[index] += word.word
        return [text.strip() for text in texts]


def _windows(waveforms: Sequence[NDArray[np.float32]]) -> Iterator[list[int]]:
    """Yield the places of sounds that are heard together; those in which nobody speaks are in none."""
    from faster_whisper.vad import get_speech_timestamps  # type: ignore[import-untyped]

    window: list[int] = []
    length_s = 0.0
    for index, waveform in enumerate(waveforms):
        if not get_speech_timestamps(waveform):  # Whisper finds words in silence and noise, too
            continue
        more_s = len(waveform) / _WHISPER_HZ + _PAUSE_S
        if window and length_s + more_s > _MOST_S:
            yield window
            window, length_s = [], 0.0
        window.append(index)
        length_s += more_s
    if window:
        yield window


def _is_scant(text: str, waveform: NDArray[np.float32]) -> bool:
    """Tell whether a text is so short for its sound that some of it may have been passed over."""
    return len(waveform) / _WHISPER_HZ > _EDGES_S + len(spoken_form(text)) * _SLOWEST_LETTER_S


def open_listener(model: str, threads: int = 2) -> Listener:
    """Return a listener with its model loaded; only a name of the hub may go over the network.

    Args:
        model: A folder with a Whisper model in CTranslate2's format, or the name of one on the Hugging Face hub
            ("base", "Systran/faster-whisper-base"), which is fetched unless it was before. What is a folder is no name.
        threads: How many processor cores to use.

    Raises:
        SpeechError: A package is missing, there is no such folder or name, the hub cannot be reached, or what is there
            is no model; says what to do.
    """
    require_listener(model)
    from faster_whisper import WhisperModel

    folder = _folder_of(model) or _fetched(model)
    try:
        loaded = WhisperModel(
            str(folder), device="cpu", compute_type="int8", cpu_threads=threads, local_files_only=True
        )
    except Exception as error:  # the libraries below raise plain exceptions of their own
        raise SpeechError(f"{model}: no Whisper model that can be loaded ({error}); get it anew.") from None
    return Listener(recogniser_name(model), loaded)


def recogniser_name(model: str) -> str:
    """Return what a model is called in cards and reports: its folder's own name without the path, or the hub's."""
    folder = _folder_of(model)
    return folder.name if folder else model


def recogniser_digest(model: str) -> str:
    """Return what tells a model from another of its name: a digest of its folder's files, or the hub's revision.

    A model of the hub is fetched unless it was before, so that what is told is what will hear.

    Raises:
        SpeechError: As for `open_listener`, but for what only loading the model would find.
    """
    require_listener(model)
    folder = _folder_of(model)
    if folder is None:
        return _fetched(model).name
    digest = hashlib.sha256()
    for name in _FILES:
        try:
            with (folder / name).open("rb") as file:
                digest.update(hashlib.file_digest(file, "sha256").digest())
        except OSError as error:
            raise SpeechError(f"{model}: {name} cannot be read ({error.strerror}); get it anew.") from None
    return digest.hexdigest()[:16]


def require_listener(model: str) -> None:
    """Make sure, without loading or asking anything, that a model could be opened.

    Raises:
        SpeechError: A package is missing, or `model` is neither a folder with a model nor what could be a name.
    """
    absent = [package for package in ("faster_whisper", "whisper_normalizer") if not importlib.util.find_spec(package)]
    if absent:
        raise SpeechError(
            f"To listen, {', '.join(absent)} is missing: install with `pip install 'blueprint-factory[asr]'`."
        )
    folder = _folder_of(model)
    if folder:
        missing = _missing_in(folder)
        if missing:
            raise SpeechError(
                f"{model}: not a Whisper model for faster-whisper, {', '.join(missing)} is missing; give the folder of "
                "one, or a name such as 'base'."
            )
    elif not _HUB_NAME.fullmatch(model):
        raise SpeechError(f"{model}: there is no such folder; give that of a Whisper model, or a name such as 'base'.")


def _folder_of(model: str) -> Path | None:
    folder = Path(os.path.expanduser(model))  # pathlib's own raises where there is no such user
    return folder.resolve() if folder.is_dir() else None


def _missing_in(folder: Path) -> list[str]:
    return [file for file in _FILES if not (folder / file).is_file()]


def _fetched(name: str) -> Path:
    """The folder of the hub's model, named by its revision; the one fetched before, whatever the hub has now."""
    from faster_whisper import download_model

    try:
        with suppress(FileNotFoundError):  # as the hub's library says that there is none, or half a one
            folder = Path(download_model(name, local_files_only=True))
            if not _missing_in(folder):
                return folder
        return Path(download_model(name))
    except Exception as error:  # of the hub's library, or of whichever it uses for HTTP
        raise SpeechError(
            f"There is no folder {name!r}, and the model of that name cannot be fetched from the Hugging Face hub "
            f"({str(error).splitlines()[0]}); give the folder of a model, or go online."
        ) from None
