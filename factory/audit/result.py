"""What an audit of any target came to, as one record: the proofs that could be made, and what was found."""

from enum import StrEnum

from factory.audit.columns.result import RulesResult
from factory.audit.findings import Finding, Kind
from factory.audit.flow import FlowReport
from factory.audit.report_parts import HeardResult, ScanResult
from factory.records.base import SCHEMA_VERSION, Record


class TargetKind(StrEnum):
    """What is audited.

    `run`: the folder of a run, with its ledger. `dataset`: the published files of one, without the ledger. `foreign`:
    calls in the reference's columns alone, whoever made them.
    """

    RUN = "run"
    DATASET = "dataset"
    FOREIGN = "foreign"


class Proof(StrEnum):
    """What an audit can show.

    `chain`: no call was added, dropped or changed afterwards. `labels`: no role read what it may not. `paths`: no
    path leads from undelivered words or the agent's own material to the caller's side, but through a named rule.
    `order`: each rubric was there before any answer to its item. `prompts`: models were asked with what the views say.
    `re_derivation`: each input of the caller's side is made again from published rows, and has the digest on record.
    `non_interference`: none of these changes with the undelivered words. `canaries`: planted words never came up on
    the caller's side. `heard`: what counts as heard is what was said up to the onset. `transcripts`: the published
    files say the same. `items`: list of items and recoveries fit the interruptions. `cuts`: delivered text and original
    keep the rules of the cut. `overlap`: the caller can have started when the type asks for. `continuations`: the
    agent's next turn goes on as the type asks. `rubrics`: every interruption has its rubric and nothing else has.
    `verification_order`: nothing of the record is told before the caller gave some of it. `content_scan`: callers say
    nothing that they had not heard.
    """

    CHAIN = "chain"
    LABELS = "labels"
    PATHS = "paths"
    ORDER = "order"
    PROMPTS = "prompts"
    RE_DERIVATION = "re_derivation"
    NON_INTERFERENCE = "non_interference"
    CANARIES = "canaries"
    HEARD = "heard"
    TRANSCRIPTS = "transcripts"
    ITEMS = "items"
    CUTS = "cuts"
    OVERLAP = "overlap"
    CONTINUATIONS = "continuations"
    RUBRICS = "rubrics"
    VERIFICATION_ORDER = "verification_order"
    CONTENT_SCAN = "content_scan"


class ProofResult(Record):
    """Whether one proof could be made of a target; what came of it is in the findings and counts.

    Attributes:
        proof: Which.
        made: Whether it was made.
        number: Of how many things: calls, inputs, turns, checks of rules; 0 where it could not be made.
        why: What it rests on, or why it could not be made.
    """

    proof: Proof
    made: bool
    number: int
    why: str


class PublishedInputs(Record):
    """Re-derivation and non-interference from the published files alone.

    Attributes:
        rebuilt: Inputs of the caller's side made again from the rows.
        equal: Those with the digest that `turns.parquet` has.
        unmoved: Those that are the same with every undelivered part replaced by other words, given the cut.
    """

    rebuilt: int
    equal: int
    unmoved: int


class PublishedResult(Record):
    """What the published files say of themselves.

    Attributes:
        heard: What was said against what was heard.
        findings: The first findings, in the order in which they were met.
        findings_by_kind: All findings, counted.
    """

    inputs: PublishedInputs
    heard: HeardResult
    findings: tuple[Finding, ...]
    findings_by_kind: dict[Kind, int]


class AuditResult(Record):
    """What `factory audit --json` prints, whatever the target.

    Attributes:
        target: What was audited.
        clean: Whether something was checked, and nothing is broken for certain; the content scan apart.
        verdict: One line, with what it rests on.
        conversations: Conversations in the target.
        proofs: What could be shown of it and what not, with the reasons.
        rules: The rules of the reference's columns, held against the published calls.
        flow: Of a run: the flow report, content scan included; else None. Its own verdict rests on no rule.
        item_findings: Of a run: where its lists of items do not fit the interruptions; of a dataset, that is among
            what is found in `published`.
        published: Of a dataset: what its rows say of themselves; else None.
        scan: Of a dataset or foreign calls: what the content scan came to; else None.
        unwritten: Of a run: why its report could not be written, on which nothing else rests; None where it was.
    """

    schema_version: int = SCHEMA_VERSION
    target: TargetKind
    clean: bool
    verdict: str
    conversations: int
    proofs: tuple[ProofResult, ...]
    rules: RulesResult
    flow: FlowReport | None = None
    item_findings: tuple[Finding, ...] = ()
    published: PublishedResult | None = None
    scan: ScanResult | None = None
    unwritten: str | None = None

    @property
    def strong_leaks(self) -> int:
        """How many certain or likely findings the content scan has."""
        scan = self.flow.scan if self.flow is not None else self.scan
        return scan.strong if scan is not None else 0

    @property
    def cut_short(self) -> int:
        """How many calls were too long to be scanned whole."""
        scan = self.flow.scan if self.flow is not None else self.scan
        return scan.cut_short if scan is not None else 0

    @property
    def looks_broken(self) -> int:
        """How often a rule of the columns looks broken."""
        return self.rules.looks_broken

    @property
    def refused_answers(self) -> int:
        """How many answers of targets are refused."""
        answers = self.flow.order.answers if self.flow is not None else None
        return answers.not_accepted if answers is not None else 0

    def counts_as_finding(self, strict: bool) -> bool:
        """Whether something was found, or an answer refused; strictly, what is not certain counts as well."""
        uncertain = self.strong_leaks + self.looks_broken + self.cut_short
        return not self.clean or self.refused_answers > 0 or (strict and uncertain > 0)
