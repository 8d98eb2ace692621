"""Which proofs can be made of which target, and why the others cannot: said, so that no silence looks like one."""

from collections.abc import Iterator, Sequence

from factory.audit.columns.rules import ColumnRule
from factory.audit.columns.tally import RuleTally
from factory.audit.columns.understood import Understood
from factory.audit.flow import FlowReport
from factory.audit.report_parts import HeardResult, ScanResult
from factory.audit.result import Proof, ProofResult, PublishedInputs

CUT_RULES = (
    ColumnRule.NOT_A_PREFIX,
    ColumnRule.ENDS_INSIDE_WORD,
    ColumnRule.NOTHING_CUT,
    ColumnRule.NOTHING_HEARD,
    ColumnRule.CUT_IN_LAST_SENTENCE,
    ColumnRule.CUT_ON_SENTENCE_END,
    ColumnRule.TOO_LITTLE_LEFT,
)
CONTINUATION_RULES = (
    ColumnRule.FILLER_ACKNOWLEDGED,
    ColumnRule.FILLER_REPEATS,
    ColumnRule.FILLER_NOT_CONTINUED,
    ColumnRule.NO_FRESH_START,
    ColumnRule.REPEATS_HEARD,
)
_OF_LEDGER = (Proof.CHAIN, Proof.LABELS, Proof.PATHS, Proof.ORDER, Proof.PROMPTS)
_NO_LEDGER = "there is no ledger: only a run's folder has one"
_NO_INPUTS = "the columns do not tell what a caller was given: seeds, plans and released lines are in turns.parquet"


def run_proofs(
    report: FlowReport, tally: RuleTally, understood: Understood, items: int | None
) -> tuple[ProofResult, ...]:
    """The proofs of a run.

    Args:
        report: Its flow report.
        tally: The rules of the columns, held against its published calls.
        understood: What the columns tell of these.
        items: Items that were compared; None where no list of them is there.
    """
    models, canary, scan = report.models, report.canary, report.scan
    return (
        _made(Proof.CHAIN, report.chain.lines, "each line of the ledger holds the digest of the one before"),
        _made(Proof.LABELS, report.chain.lines, "what each call read and wrote, against the policy"),
        _made(Proof.PATHS, report.graph.calls, "where all that reached each call came from, through the whole ledger"),
        _made(Proof.ORDER, report.order.frozen, "rubrics in the chain and under the proved root; answers name the root")
        if report.order.freeze is not None
        else _not(Proof.ORDER, "there is no manifest.json that can be read"),
        _made(
            Proof.PROMPTS, models.prompts.rebuilt, "rendered again from the rebuilt views, against the ledger's digest"
        )
        if models is not None
        else _not(Proof.PROMPTS, "no model wrote in this run"),
        _made(
            Proof.RE_DERIVATION,
            report.inputs.rebuilt,
            "made again from the published rows, against the ledger's digest",
        ),
        _made(Proof.NON_INTERFERENCE, report.inputs.rebuilt, "made again with every undelivered part replaced"),
        _made(Proof.CANARIES, canary.searched, "searched for the words that were planted")
        if canary.planted
        else _not(Proof.CANARIES, "none were planted in this run; `factory build --canaries` does"),
        _made(Proof.HEARD, report.heard.turns, "heard, delivered and undelivered text against onset and cut"),
        _made(Proof.TRANSCRIPTS, report.heard.turns, "conversations.parquet against turns.parquet"),
        _scanned(scan) if scan is not None else _not(Proof.CONTENT_SCAN, "it was left out"),
        *_of_published(tally, understood, items),
    )


def dataset_proofs(
    tally: RuleTally,
    understood: Understood,
    inputs: PublishedInputs,
    heard: HeardResult,
    items: int | None,
    scan: ScanResult,
) -> tuple[ProofResult, ...]:
    """The proofs of published files without their ledger.

    Args:
        tally: The rules, held against its calls.
        understood: What the columns tell of these.
        inputs: Inputs made again.
        heard: Turns whose texts were held against onset and cut.
        items: Items that were compared; None where no list of them is there.
        scan: The content scan.
    """
    return (
        *_without_ledger(),
        _made(
            Proof.RE_DERIVATION,
            inputs.rebuilt,
            "made again from the published rows, against the digests in turns.parquet; only the ledger's chain and "
            "root bind those to the build",
        ),
        _made(Proof.NON_INTERFERENCE, inputs.rebuilt, "made again with every undelivered part replaced"),
        _made(Proof.HEARD, heard.turns, "heard, delivered and undelivered text against onset and cut"),
        _made(Proof.TRANSCRIPTS, heard.turns, "conversations.parquet against turns.parquet"),
        *_of_published(tally, understood, items),
        _scanned(scan),
    )


def foreign_proofs(
    tally: RuleTally, understood: Understood, rubrics: bool, scan: ScanResult
) -> tuple[ProofResult, ...]:
    """The proofs of calls in the reference's columns alone; `rubrics` says whether there are columns for them."""
    return (
        *_without_ledger(),
        _not(Proof.RE_DERIVATION, _NO_INPUTS),
        _not(Proof.NON_INTERFERENCE, _NO_INPUTS),
        _not(Proof.HEARD, "no column tells where the caller began to speak: all that was delivered counts as heard"),
        _not(Proof.TRANSCRIPTS, "there is no second file that says what was said"),
        _not(Proof.ITEMS, "lists of items and recoveries are read only beside turns.parquet"),
        _not(Proof.OVERLAP, "no column tells when the caller began to speak, and audio is not read"),
        *_of_columns(tally, understood, rubrics),
        _scanned(scan, understood.missing_for_scan()),
    )


def _without_ledger() -> Iterator[ProofResult]:
    yield from (_not(proof, _NO_LEDGER) for proof in _OF_LEDGER)
    yield _not(Proof.CANARIES, "published files are as without canaries; the ledger tells where they stood")


def _of_published(tally: RuleTally, understood: Understood, items: int | None) -> Iterator[ProofResult]:
    yield (
        _made(Proof.ITEMS, items, "baseline.parquet and interruptions_all.json against the interruptions")
        if items is not None
        else _not(Proof.ITEMS, "baseline.parquet or interruptions_all.json is not there")
    )
    yield _checked(
        Proof.OVERLAP, tally, (ColumnRule.OVERLAP_NOT_POSSIBLE,), "from onset and cut word, at 2 to 4 words a second"
    )
    yield from _of_columns(tally, understood)


def _of_columns(tally: RuleTally, understood: Understood, rubrics: bool = True) -> Iterator[ProofResult]:
    yield _checked(Proof.CUTS, tally, CUT_RULES, "delivered text against original; stages of turns are not told")
    yield _checked(Proof.CONTINUATIONS, tally, CONTINUATION_RULES, "the agent's next turn against what was left")
    if rubrics:
        yield _checked(
            Proof.RUBRICS,
            tally,
            (ColumnRule.RUBRIC_MISSING, ColumnRule.RUBRIC_WITHOUT_INTERRUPTION),
            "rubrics against interruptions",
        )
    else:
        yield _not(Proof.RUBRICS, "there are no columns for rubrics")
    if tally.checked(ColumnRule.TOLD_BEFORE_VERIFIED):
        yield _made(
            Proof.VERIFICATION_ORDER,
            tally.checked(ColumnRule.TOLD_BEFORE_VERIFIED),
            f"values of the record in {understood.verifying:,} calls whose stages verify somebody; who is verified "
            "when is not told",
        )
    else:
        yield _not(Proof.VERIFICATION_ORDER, understood.why_no_verification())


def _checked(proof: Proof, tally: RuleTally, rules: Sequence[ColumnRule], why: str) -> ProofResult:
    checked = tally.checked(*rules)
    return _made(proof, checked, why) if checked else _not(proof, "there was nothing to hold against these rules")


def _scanned(scan: ScanResult, missing: str = "") -> ProofResult:
    asked = "paraphrases were looked for" if scan.paraphrases else "paraphrases were not looked for"
    why = f"what callers say, against what they had not heard; {asked}{missing and f'; {missing}'}"
    return (
        _made(Proof.CONTENT_SCAN, scan.turns, why) if scan.turns else _not(Proof.CONTENT_SCAN, "no caller says a word")
    )


def _made(proof: Proof, number: int, why: str) -> ProofResult:
    return ProofResult(proof=proof, made=True, number=number, why=why)


def _not(proof: Proof, why: str) -> ProofResult:
    return ProofResult(proof=proof, made=False, number=0, why=why)
