"""Which files a call has."""

from collections.abc import Sequence
from pathlib import Path

from factory.run.folder import RunFolder

_BEFORE = "clean."
"""Stands in the name of a call's sound as it was before its condition."""


def sound_files(folder: RunFolder, conversation_id: str, formats: Sequence[str]) -> tuple[Path, ...]:
    """The call as it is recorded, in each format."""
    return tuple(folder.call_file(conversation_id, suffix) for suffix in formats)


def original_files(folder: RunFolder, conversation_id: str, formats: Sequence[str]) -> tuple[Path, ...]:
    """The clean original, in each format; only a call that is recorded under a condition has one of its own."""
    return tuple(folder.call_file(conversation_id, f"{_BEFORE}{suffix}") for suffix in formats)


def label_files(folder: RunFolder, conversation_id: str) -> tuple[Path, Path]:
    """The time-line as labels for Audacity, and for Praat."""
    return folder.call_file(conversation_id, "txt"), folder.call_file(conversation_id, "TextGrid")


def call_files(folder: RunFolder, conversation_id: str, formats: Sequence[str], clean: bool) -> tuple[Path, ...]:
    """All files of a call in `calls/`.

    Args:
        folder: The run.
        conversation_id: The call's id.
        formats: In which formats its sound is kept.
        clean: Whether it is recorded as it was mixed.
    """
    sounds = sound_files(folder, conversation_id, formats)
    originals = () if clean else original_files(folder, conversation_id, formats)
    return (*sounds, *originals, *label_files(folder, conversation_id), folder.timeline_file(conversation_id))
