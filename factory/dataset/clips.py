"""The clips of a run: read from its folder, and not taken for good."""

import io
import wave
from dataclasses import dataclass

from factory.dataset.schema import SAMPLE_RATE_HZ
from factory.errors import RunError
from factory.run.folder import RunFolder
from factory.run.reading import read_bytes

MOST_CLIP_BYTES = 32 * 2**20
"""Largest clip of a caller turn: ten minutes take less."""


@dataclass(frozen=True)
class WavClip:
    """A caller turn's voice.

    Attributes:
        wav: The WAV file's bytes.
        name: What it is called in the published rows.
        samples: Its length in samples of 1/24,000 s.
    """

    wav: bytes
    name: str
    samples: int


def read_clip(folder: RunFolder, conversation_id: str, turn: int) -> WavClip:
    """The clip of a caller turn (numbered from 1).

    Raises:
        RunError: if it is missing or not a 24 kHz, mono, 16-bit WAV file with sound in it; names the file.
    """
    path = folder.audio_file(conversation_id, turn)
    try:
        data = read_bytes(path, MOST_CLIP_BYTES)
    except FileNotFoundError:
        raise RunError(f"{path}: the clip is missing; run the build again to voice it") from None
    except OSError as exc:
        raise RunError(f"{path}: cannot be read: {exc.strerror}") from None
    try:
        with wave.open(io.BytesIO(data)) as clip:
            found = (clip.getframerate(), clip.getnchannels(), clip.getsampwidth(), clip.getcomptype())
            samples = clip.getnframes()
            whole = len(clip.readframes(samples)) == samples * clip.getnchannels() * clip.getsampwidth()
    except (wave.Error, EOFError) as exc:
        raise RunError(f"{path}: not a WAV file ({exc or 'it ends too soon'}); remove it and build again") from None
    if found != (SAMPLE_RATE_HZ, 1, 2, "NONE") or not samples or not whole:
        raise RunError(
            f"{path}: expected whole 24 kHz, mono, 16-bit audio that is not empty, found {found[0]} Hz, "
            f"{found[1]} channels, {8 * found[2]} bits, {samples} samples{'' if whole else ' (cut off)'}; "
            "remove it and build again"
        )
    return WavClip(wav=data, name=f"{conversation_id}_{path.name}", samples=samples)
