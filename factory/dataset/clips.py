"""The clips of a run's callers."""

import io
import wave
from dataclasses import dataclass

from factory.dataset.sound import read_sound
from factory.errors import RunError
from factory.records.call import CallTimeline
from factory.run.folder import RunFolder


@dataclass(frozen=True)
class WavClip:
    """A caller turn's voice.

    Attributes:
        wav: The bytes of a WAV file: 24 kHz, mono, 16 bit.
        name: What it is called in the published rows.
        samples: Its length in samples of 1/24,000 s.
    """

    wav: bytes
    name: str
    samples: int


def read_clip(folder: RunFolder, timeline: CallTimeline, turn: int) -> WavClip:
    """The clip of a caller turn (numbered from 1).

    Raises:
        RunError: if it is missing, another than the time-line has, or no WAV file; names the file.
    """
    path = folder.audio_file(timeline.conversation_id, turn)
    data = read_sound(folder, timeline, path)
    try:
        with wave.open(io.BytesIO(data)) as clip:
            samples = clip.getnframes()
    except (wave.Error, EOFError) as exc:
        raise RunError(
            f"{path}: not a WAV file ({exc or 'it ends too soon'}); build again to make the call anew"
        ) from None
    return WavClip(wav=data, name=f"{timeline.conversation_id}_{path.name}", samples=samples)
