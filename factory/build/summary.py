"""What a build says when it is done."""

from pathlib import Path

from factory.models.cost import spent_lines
from factory.report.labels import counted
from factory.run.folder import RunFolder
from factory.run.log import read_progress


def summarise(path: Path) -> str:
    """A few lines: what was built, what was run again, and which file to open."""
    folder = RunFolder(path)
    conversations = interruptions = messages = reruns = drops = clips = 0
    for blueprint in folder.built():
        progress = read_progress(folder.conversation_file(blueprint.conversation_id))
        conversations += 1
        messages += blueprint.messages
        interruptions += len(blueprint.interruptions)
        reruns += len(progress.reruns)
        drops += progress.draw
        clips += sum(
            1 for n in range(1, len(progress.rounds) + 1) if folder.audio_file(blueprint.conversation_id, n).exists()
        )
    manifest = folder.manifest()
    version = f", version {manifest.version}" if manifest.earlier else ""
    lines = [
        f"built {counted(conversations, 'conversation')} with {counted(interruptions, 'interruption')} in "
        f"{counted(messages, 'message')}" + (f", {counted(clips, 'caller turn')} voiced" if clips else ""),
        f"rounds run again: {reruns}; conversations dropped and replaced: {drops}",
        f"frozen under {manifest.root}{version}; ledger root {manifest.ledger}",
        *_commitment_lines(folder),
        *spent_lines(path),
        f"dataset: {folder.dataset}",
        f"open:    {folder.corpus_report}",
    ]
    return "\n".join(lines)


def _commitment_lines(folder: RunFolder) -> list[str]:
    if not folder.commitment_file.exists():
        return []
    return [
        f"publish: {folder.commitment_file} before any target answers",
        f"secret:  {folder.opening_file} until the corpus is published",
    ]
