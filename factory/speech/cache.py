"""Clips that were made once: a folder of files, each named by what its clip is made of.

Clips stay until somebody deletes them, which may be done at any time, with all of them or some; what a service was paid
for is then paid for again.
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from pathlib import Path

import numpy as np

from factory.speech.clip import SAMPLE_RATE, Clip
from factory.speech.engine import SpeechEngine, Voice
from factory.speech.errors import SpeechError

_FORM = 1  # of the files; another number, and none that are there are found
_SUFFIX = ".clip"
_DIGEST_BYTES = 32
_LONGEST_BYTES = 600 * SAMPLE_RATE * 2  # as long as a recording may be


def clip_key(engine: SpeechEngine, voice: Voice, spoken: str, seed: int) -> str:
    """Return the digest of all that decides a clip's samples: 64 hexadecimal digits."""
    how = [voice.id, voice.pitch, voice.formants, voice.pace]
    parts = [_FORM, SAMPLE_RATE, engine.name, engine.version, how, spoken, seed]
    return hashlib.sha256(json.dumps(parts, ensure_ascii=False, separators=(",", ":")).encode()).hexdigest()


class ClipCache:
    """A folder of clips; may be used by several threads and processes at once.

    A file is a digest over key and samples, and the samples. One whose digest does not fit, be it damaged, cut
    short or moved to another name, counts as not there, and is replaced when its clip has been made anew.

    Args:
        folder: Where the clips are; made when the first is written.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def get(self, key: str) -> Clip | None:
        """Return the clip of that key; None if there is none that is whole."""
        try:
            with self._path(key).open("rb") as file:
                content = file.read(_DIGEST_BYTES + _LONGEST_BYTES + 1)
        except OSError:
            return None
        digest, samples = content[:_DIGEST_BYTES], content[_DIGEST_BYTES:]
        if len(samples) > _LONGEST_BYTES or digest != _digest(key, samples):
            return None
        return Clip(np.frombuffer(samples, "<i2").astype(np.int16))

    def put(self, key: str, clip: Clip) -> None:
        """Keep a clip at 24 kHz under its key; whole or not at all, also where two write it at once.

        Raises:
            SpeechError: The folder cannot be written, or the disk is full.
        """
        samples = clip.samples.astype("<i2").tobytes()
        path = self._path(key)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            descriptor, partial = tempfile.mkstemp(dir=path.parent, prefix=".", suffix=".partial")
            try:
                with os.fdopen(descriptor, "wb") as file:
                    file.write(_digest(key, samples) + samples)
                os.replace(partial, path)
            except BaseException:
                Path(partial).unlink(missing_ok=True)
                raise
        except OSError as error:
            raise SpeechError(
                f"The clip cache {self._folder} cannot be written ({error.strerror}); make room, or use another folder."
            ) from None

    def _path(self, key: str) -> Path:
        return self._folder / key[:2] / f"{key}{_SUFFIX}"


def _digest(key: str, samples: bytes) -> bytes:
    return hashlib.sha256(key.encode() + samples).digest()
