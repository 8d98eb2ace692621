"""Whether a call that is there is still the one that was made."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from factory.calls.files import label_files, original_files, sound_files
from factory.calls.labels import audacity_labels, praat_textgrid
from factory.errors import RunError
from factory.records.base import sha256
from factory.records.call import CallTimeline
from factory.records.conversation import Round
from factory.run.folder import RunFolder, file_digest


def call_fault(
    folder: RunFolder,
    conversation_id: str,
    rounds: Sequence[Round],
    formats: Sequence[str],
    clean: bool,
    checksums: Mapping[str, str],
) -> str | None:
    """What is wrong with the files of a call that was made whole; None where they are as they were made.

    Args:
        folder: The run.
        conversation_id: The call's id; its time-line is there.
        rounds: The conversation's.
        formats: In which formats its sound is kept.
        clean: Whether it is recorded as it was mixed.
        checksums: What an earlier build found when it was finished; empty where none was.
    """
    at = folder.timeline_file(conversation_id)
    try:
        timeline = folder.timeline(conversation_id)
    except RunError:
        return f"{folder.name_of(at)}: is damaged"
    clips = (folder.audio_file(conversation_id, done.index + 1) for done in rounds if done.caller is not None)
    wanted = {path: timeline.files.get(folder.name_of(path)) for path in clips}
    wanted |= wanted_digests(folder, timeline, formats, clean)
    if (finished := checksums.get(folder.name_of(at))) is not None:
        wanted[at] = finished
    return next((fault for path, digest in wanted.items() if (fault := _fault(folder, path, digest))), None)


def wanted_digests(
    folder: RunFolder, timeline: CallTimeline, formats: Sequence[str], clean: bool
) -> dict[Path, str | None]:
    """The digests that a whole call's sounds and labels have to have by its time-line; None for what it lacks."""
    name = timeline.conversation_id
    sounds = (*sound_files(folder, name, formats), *(() if clean else original_files(folder, name, formats)))
    labels = zip(label_files(folder, name), (audacity_labels(timeline), praat_textgrid(timeline)), strict=True)
    digests = {path: timeline.files.get(folder.name_of(path)) for path in sounds}
    return {**digests, **{path: sha256(text.encode()) for path, text in labels}}


def _fault(folder: RunFolder, path: Path, digest: str | None) -> str | None:
    try:
        changed = file_digest(path) != digest
    except FileNotFoundError:
        return f"{folder.name_of(path)}: is missing"
    except OSError as exc:
        return f"{folder.name_of(path)}: cannot be read: {exc.strerror}"
    return f"{folder.name_of(path)}: was changed" if changed else None
