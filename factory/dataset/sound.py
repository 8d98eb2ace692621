"""The calls of a run as sound: their files, read from its folder and not taken for good."""

from pathlib import Path

from factory.dataset.rows import AudioCell, CallRow
from factory.errors import RunError
from factory.records.base import sha256
from factory.records.call import CallTimeline
from factory.run.folder import RunFolder
from factory.run.reading import read_bytes

MOST_CALL_BYTES = 512 * 2**20
"""Largest sound file of a call: an hour and a half as WAV takes less."""


def read_sound(folder: RunFolder, timeline: CallTimeline, path: Path) -> bytes:
    """A sound file of a call, as it was when its time-line was written.

    Raises:
        RunError: if it is missing, or another than the time-line has; names the file.
    """
    name = folder.name_of(path)
    try:
        content = read_bytes(path, MOST_CALL_BYTES)
    except FileNotFoundError:
        raise RunError(f"{path}: is missing; run the build again to make it") from None
    except OSError as exc:
        raise RunError(f"{path}: cannot be read: {exc.strerror}") from None
    if sha256(content) != timeline.files.get(name):
        raise RunError(
            f"{path}: is not the file that {folder.timeline_file(timeline.conversation_id).name} tells of; "
            "build again to make the call anew"
        )
    return content


def call_row(folder: RunFolder, timeline: CallTimeline, suffix: str) -> CallRow:
    """The row of a call in `calls.parquet`, with its sound in one of its formats.

    Raises:
        RunError: as `read_sound`.
    """
    path = folder.call_file(timeline.conversation_id, suffix)
    return CallRow(
        conversation_id=timeline.conversation_id,
        audio=AudioCell(bytes=read_sound(folder, timeline, path), path=path.name),
        duration_s=timeline.duration_s,
        condition=timeline.condition,
        snr_db=timeline.snr_db,
        packet_loss=timeline.packet_loss,
        caller_level_db=timeline.caller_level_db,
        engine=timeline.engine,
        agent_voice=timeline.agent_voice,
        caller_voice=timeline.caller_voice,
        loudness_lufs=timeline.loudness_lufs,
        peak_dbtp=timeline.peak_dbtp,
    )
