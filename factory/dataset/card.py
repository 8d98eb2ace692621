"""The dataset card: front matter for Hugging Face readers, and what a person should know."""

from pathlib import Path

from factory.calls.pauses import SOURCE
from factory.dataset.counts import DatasetCounts
from factory.records.models import ModelRole, ProviderKind
from factory.records.run import RunIdentity
from factory.run.files import write_text
from factory.simulate.cut import OVERLAP_S
from factory.templates import render

TEMPLATE = Path(__file__).with_name("card.md.j2")

WRITES: dict[ModelRole, str] = {
    ModelRole.SYSTEM_WRITER: "the agent's system messages",
    ModelRole.PLANNER: "how the agent is to go about a turn; what it does there was planned by code",
    ModelRole.ASSISTANT: "the agent's words",
    ModelRole.REACTION_PLANNER: "what the caller says, from lines that code released",
    ModelRole.USER: "the caller's words",
    ModelRole.RUBRIC_WRITER: "the wording of the rubrics; what they ask for was decided by code",
    ModelRole.VERIFIER: "nothing that is published: it read the finished calls for faults",
    ModelRole.MODIFIER: "the agent's words in turns in which such a fault was found",
}
"""What of a dataset is each role's work."""

_WIRES = {ProviderKind.OPENAI: "OpenAI's format", ProviderKind.ANTHROPIC: "Anthropic's format"}

_SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"))
"""Hugging Face's size categories, by the number below which they hold."""


def write_card(path: Path, identity: RunIdentity, manifest_root: str, counts: DatasetCounts) -> None:
    """Writes the card of a dataset.

    Args:
        path: Where to.
        identity: What the run is.
        manifest_root: Root digest of its freeze.
        counts: What the dataset comes to.

    Raises:
        RunError: if the file cannot be written.
    """
    card = render(
        TEMPLATE,
        identity=identity,
        spec=identity.spec,
        manifest_root=manifest_root,
        counts=counts,
        audio=identity.audio,
        writers=[(role, played, WRITES[role]) for role, played in (identity.models or {}).items() if role in WRITES],
        wires=_WIRES,
        size_category=next((name for below, name in _SIZES if counts.conversations < below), "1M<n<10M"),
        mean_messages=f"{counts.messages / max(1, counts.conversations):.1f}",
        speech_minutes=f"{counts.speech_s / 60:.1f}",
        call_minutes=f"{counts.calls_s / 60:.1f}",
        overlaps=OVERLAP_S,
        pauses_from=SOURCE,
        word_error_rate=f"{counts.asr_errors / max(1, counts.asr_words):.1%}",
    )
    write_text(path, card)
