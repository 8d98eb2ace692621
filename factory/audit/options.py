"""How an audit is made, handed on as one record from whoever asks for it to whoever makes it."""

from dataclasses import dataclass
from pathlib import Path

from factory.audit.scan.meaning import Embedder
from factory.run.done import ShowDone, show_nothing
from factory.templates import PROMPTS


@dataclass(frozen=True)
class AuditOptions:
    """What an audit is made with; what is only of a run is not used for anything else.

    Attributes:
        embed: The sentence model with which the content scan looks for paraphrases; without it it looks for none.
        show: Told of each call that was read; with the scan, each is read twice.
        templates: Of a run: the folder of the templates that models were asked with.
        scanned: Of a run: whether to scan what callers say; a build leaves that to those who audit it, and saves its
            time.
        answers: Of a run: what targets answered, one answer a line, which have to be younger than its rubrics; None
            where there is nothing yet.
    """

    embed: Embedder | None = None
    show: ShowDone = show_nothing
    templates: Path = PROMPTS
    scanned: bool = True
    answers: Path | None = None


USUAL = AuditOptions()
"""The project's own templates, a scan without paraphrases, and no answers."""
