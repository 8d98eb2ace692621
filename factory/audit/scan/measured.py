"""How well the content scan finds: figures of the labelled set's held-out half, as `docs/content-scan.md` has them."""

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path

FIGURES = Path(__file__).resolve().parent / "measured.json"
"""Written by whoever measures the scan; the tests measure it again."""


@dataclass(frozen=True, slots=True)
class KindFigure:
    """One kind.

    Attributes:
        kind: Of what was planted, or of a finding.
        right: Planted leaks that were found, or findings that lie in a planted leak.
        of: How many were planted, or how many findings of the kind there are.
    """

    kind: str
    right: int
    of: int

    @property
    def share(self) -> float:
        """Recall of what was planted, or precision of a finding."""
        return self.right / self.of


@dataclass(frozen=True, slots=True)
class ScanFigures:
    """The scan on planted leaks and on clean turns.

    Attributes:
        leaks: Leaks that were planted.
        clean: Clean turns beside them.
        recall: Share of the leaks that were found.
        precision: Share of the turns with a finding in which a leak was planted.
        planted: Recall by kind of leak.
        found: Precision by kind of finding.
    """

    leaks: int
    clean: int
    recall: float
    precision: float
    planted: tuple[KindFigure, ...]
    found: tuple[KindFigure, ...]


@cache
def scan_figures(paraphrases: bool) -> ScanFigures:
    """The figures with a sentence model, or without one."""
    run = json.loads(FIGURES.read_text(encoding="utf-8"))["with_model" if paraphrases else "without_model"]
    return ScanFigures(
        leaks=run["leaks"],
        clean=run["clean"],
        recall=run["recall"],
        precision=run["precision"],
        planted=tuple(KindFigure(kind, *counts) for kind, counts in run["recall_by_kind"].items()),
        found=tuple(KindFigure(kind, leaks, leaks + clean) for kind, (leaks, clean) in run["findings_by_kind"].items()),
    )
