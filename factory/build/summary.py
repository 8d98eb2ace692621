"""What a build says when it is done."""

from collections import Counter
from pathlib import Path

from factory.models.cost import spent_lines
from factory.report.labels import counted
from factory.run.folder import RunFolder
from factory.run.log import read_progress


def summarise(path: Path) -> str:
    """A few lines: what was built, what was run again, and which file to open."""
    folder = RunFolder(path)
    audio = folder.identity().audio
    conversations = interruptions = messages = reruns = drops = voiced = 0
    stand_ins: Counter[str] = Counter()
    for blueprint in folder.built():
        progress = read_progress(folder.conversation_file(blueprint.conversation_id))
        conversations += 1
        messages += blueprint.messages
        interruptions += len(blueprint.interruptions)
        reruns += len(progress.reruns)
        drops += progress.draw
        if audio:
            voiced += sum(1 for done in progress.rounds if done.caller is not None)
            timeline = folder.timeline(blueprint.conversation_id)
            stand_ins[timeline.engine] += timeline.engine != timeline.asked_engine
    manifest = folder.manifest()
    version = f", version {manifest.version}" if manifest.earlier else ""
    lines = [
        f"built {counted(conversations, 'conversation')} with {counted(interruptions, 'interruption')} in "
        f"{counted(messages, 'message')}" + (f", {counted(voiced, 'caller turn')} voiced" if audio else ""),
        *(f"spoken by {name}, as the engine failed: {counted(n, 'call')}" for name, n in stand_ins.items() if n),
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
