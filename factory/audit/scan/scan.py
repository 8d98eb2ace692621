"""Scans a call: every caller turn against all that its speaker had not heard."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from factory.audit.scan.background import Background
from factory.audit.scan.call import ScannedCall
from factory.audit.scan.findings import LeakFinding, LeakKind, Severity, Where
from factory.audit.scan.likeness import Likeness
from factory.audit.scan.matching import Match, Said
from factory.audit.scan.meaning import Embedder
from factory.audit.scan.sources import Known, Unheard, reached, unheard_at, unheard_of_base
from factory.audit.scan.values import WHEN
from factory.audit.scan.words import pieces

INBOUND = "[INBOUND]"
"""How the goal of a call begins whose caller knows why they call."""
LIKELY_BITS = 7.5
"""Evidence from which a person should look: two words in a row that nobody says otherwise."""
LIKELY_BITS_OF_TRANSCRIPT = 9.0
"""The same where nothing tells what the caller knew."""
HINT_BITS = 6.0
"""Evidence that honest calls have, too."""
LIKELY_RUN_OF_TRANSCRIPT = 5
"""Words in a row, numbers apart, at which a person should look where nothing tells what the caller knew."""
CERTAIN_RUN = 6
"""Words in a row, numbers apart, that chance does not explain."""
MOST_WORDS = 400
"""Words that are scanned at once; a longer turn is none of a person's."""
STAGE_BITS = 20.0
"""What a stage's name tells."""
CERTAIN_VALUE_BITS = 13.0
"""What a value has to tell to make it certain."""


def scan_call(call: ScannedCall, background: Background, embed: Embedder | None = None) -> tuple[LeakFinding, ...]:
    """Everything that a caller says and had no way to know, in the order of the call.

    Args:
        call: The call.
        background: What people say anyway.
        embed: Puts sentences into vectors, for paraphrases; without it none are looked for.

    Returns:
        For each caller turn at most one finding of a kind, the one for which most speaks.
    """
    known = Known()
    known.add(call.own)
    if not call.with_releases and call.topic.startswith(INBOUND):
        known.add((call.topic,))
    base = unheard_of_base(call, background.hidden_of_others(call))
    likeness = None if embed is None else Likeness(embed, call.own)
    found: list[LeakFinding] = []
    for number, turn in enumerate(call.turns):
        known.add(reached(turn))
        if likeness is not None:
            likeness.hear(reached(turn))
        if turn.caller:
            passages = _unknown((*unheard_at(call, number), *base), known)
            found += _Turn(call, number, known, background, passages, likeness).findings()
            known.add((turn.caller,))
            if likeness is not None:
                likeness.hear((turn.caller,))
        # In later rounds the words that were talked over count as heard, and with them those around them.
        known.add((f"{turn.heard} {turn.talked_over}",))
        if likeness is not None and turn.talked_over:
            likeness.hear((f"{turn.heard} {turn.talked_over}",))
    return tuple(found)


def _unknown(passages: Iterable[Unheard], known: Known) -> list[Unheard]:
    """Those of which something is not known, each once: many turns repeat what is still to come."""
    once: dict[tuple[Where, tuple[str, ...], bool], Unheard] = {}
    for passage in passages:
        once.setdefault((passage.where, passage.stems, passage.is_fact), passage)
    return [p for p in once.values() if not known.holds(p.stems)]


@dataclass
class _Turn:
    """One caller turn beside the passages that its speaker had not heard."""

    call: ScannedCall
    number: int
    known: Known
    background: Background
    passages: Sequence[Unheard]
    likeness: Likeness | None

    def findings(self) -> list[LeakFinding]:
        """The best finding of each kind."""
        turn = self.call.turns[self.number]
        best: dict[LeakKind, LeakFinding] = {}
        for text in (turn.caller, turn.plan):
            for finding in (f for piece in pieces(text or "", MOST_WORDS) for f in self._of(piece)):
                kept = best.get(finding.kind)
                if kept is None or _rank(finding) > _rank(kept):
                    best[finding.kind] = finding
        return list(best.values())

    def _of(self, text: str) -> Iterator[LeakFinding]:
        said = Said(text, self.known, self.background, self.call.topic)
        if said.is_new:
            for name in self.call.stages:
                if said.names(name):
                    severity = Severity.CERTAIN
                    if said.is_everyday(name):
                        severity = Severity.LIKELY if self.call.with_releases else Severity.HINT
                    yield self._finding(LeakKind.STAGE_NAME, severity, text, name, Where.STAGE, name, STAGE_BITS)
            for passage in self.passages:
                match = said.beside(passage)
                sure = None if match is None else _severity(match, self.call.with_releases)
                if passage.is_fact and match is not None and said.gives(passage):
                    sure = Severity.LIKELY
                if match is not None and sure is not None:
                    bits = round(match.bits + len(match.run), 1)
                    yield self._finding(_kind(match), sure, text, passage.text, passage.where, passage.place, bits)
        if self.likeness is not None:
            for paraphrase in self.likeness.of(text, self.passages, said):
                yield self._finding(
                    LeakKind.PARAPHRASE,
                    Severity.LIKELY if self.call.with_releases else Severity.HINT,
                    paraphrase.said,
                    paraphrase.unheard.text,
                    paraphrase.unheard.where,
                    paraphrase.unheard.place,
                    round(paraphrase.nearness, 2),
                )

    def _finding(
        self, kind: LeakKind, severity: Severity, said: str, unheard: str, where: Where, place: str, weight: float
    ) -> LeakFinding:
        return LeakFinding(
            kind=kind,
            severity=severity,
            conversation_id=self.call.conversation_id,
            round=self.number,
            message=2 * self.number + 1,
            said=said,
            unheard=unheard,
            where=where,
            place=place,
            why=_WHY[where],
            weight=weight,
        )


def _severity(match: Match, with_releases: bool) -> Severity | None:
    """How sure a match is; None where it tells nothing."""
    if not with_releases:
        return _severity_of_transcript(match)
    if match.bits < LIKELY_BITS and not match.is_phrase:
        return Severity.HINT if match.bits >= HINT_BITS else None
    return _strong(match)


def _severity_of_transcript(match: Match) -> Severity | None:
    """How sure a match is where nothing tells what the caller knew.

    What the agent's side knows of a caller is mostly their own; what it says later may be what they say now; and what
    it offered in vain before may be their wish.
    """
    where, value = match.unheard.where, sum(v.weight for v in match.values)
    bits = match.bits - value if where in (Where.LATER, Where.EARLIER) else match.bits
    if where in (Where.KNOWN_USER, Where.LATER):
        strong = match.words_in_run >= CERTAIN_RUN
    else:
        strong = bits >= LIKELY_BITS_OF_TRANSCRIPT or match.words_in_run >= LIKELY_RUN_OF_TRANSCRIPT
    if strong:
        return _strong(match)
    return Severity.HINT if bits >= HINT_BITS else None


def _strong(match: Match) -> Severity:
    """Likely, or certain: chance does not explain it, and the caller could not have had it from elsewhere."""
    value = max((v.weight for v in match.values), default=0.0)
    if match.unheard.where is not Where.LATER_ANSWER and (
        match.words_in_run >= CERTAIN_RUN or value >= CERTAIN_VALUE_BITS
    ):
        return Severity.CERTAIN
    return Severity.LIKELY


def _kind(match: Match) -> LeakKind:
    """What a match is called, by what speaks most for it."""
    if match.unheard.where is Where.LATER_ANSWER:
        return LeakKind.UNASKED_ANSWER
    of_values = sum(v.weight for v in match.values)
    if of_values and of_values >= match.bits / 2:
        return (
            LeakKind.DATE if sum(v.weight for v in match.values if v.sort in WHEN) > of_values / 2 else LeakKind.VALUE
        )
    if match.unheard.where in (Where.LATER, Where.STAGE, Where.GUIDELINE):
        return LeakKind.FUTURE_STEP
    return LeakKind.WORDS if match.words_in_run >= CERTAIN_RUN else LeakKind.HALF_PHRASE


_SEVERITIES = (Severity.HINT, Severity.LIKELY, Severity.CERTAIN)


def _rank(finding: LeakFinding) -> tuple[int, float]:
    return _SEVERITIES.index(finding.severity), finding.weight


_WHY = {
    Where.TALKED_OVER: "The caller was already speaking over these words.",
    Where.UNDELIVERED: "The agent had not said these words when the caller spoke.",
    Where.EARLIER: "An interruption kept the agent from saying these words, and nobody said them since.",
    Where.LATER: "The agent comes to this only in a later turn.",
    Where.STAGE: "This stands in the agent's plan of the call, which no caller sees.",
    Where.GUIDELINE: "This stands in the agent's rules, which no caller sees.",
    Where.KNOWN_USER: "This is on the agent's screen; nobody said it, and it was not handed to the caller.",
    Where.OTHER_CALLER: "This is what another caller about the same subject keeps to themselves.",
    Where.LATER_ANSWER: "This answers a question that had not been asked.",
}
