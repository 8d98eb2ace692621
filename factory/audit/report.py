"""A finished run's published files and ledger → `reports/flow-report.json` and `reports/flow-report.html`."""

import re
from collections.abc import Iterator
from itertools import zip_longest

from factory.audit.canaries import text_holds_canary
from factory.audit.content import ContentScan
from factory.audit.conversation import ConversationAudit, Rules, read_course
from factory.audit.findings import Findings, Kind, shown
from factory.audit.flow import CanaryResult, ChainResult, FlowReport, ScanResult
from factory.audit.page import flow_page
from factory.audit.prompts import PromptAudit
from factory.audit.scan.meaning import Embedder
from factory.audit.tally import Tally
from factory.audit.verdict import verdict
from factory.dataset.read import read_baseline, read_conversations, read_turns
from factory.dataset.rows import ConversationRow, TurnRow
from factory.dataset.write import BASELINE, CONVERSATIONS, TURNS
from factory.errors import RunError
from factory.models.prompt import Prompts
from factory.records.base import canonical_json, sha256
from factory.records.run import LedgerRoot, RunIdentity
from factory.run.files import write_text
from factory.run.folder import RunFolder
from factory.simulate.canary import canary_word

_FILE_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")

Call = tuple[ConversationRow, tuple[TurnRow, ...]]


def write_flow_report(
    folder: RunFolder, prompts: Prompts | None = None, embed: Embedder | None = None, scanned: bool = True
) -> FlowReport:
    """Audits a finished run and writes both forms of the report.

    Args:
        folder: The run.
        prompts: The templates that models were asked with; the project's own unless given.
        embed: The sentence model with which the content scan looks for paraphrases; without it it looks for none.
        scanned: Whether to scan what callers say; a build leaves that to those who audit it, and saves its time.

    Raises:
        RunError: if the folder holds no finished run, its dataset cannot be read, or the report not be written;
            an earlier report of the run is then taken away, since nothing vouches for it any more.
    """
    identity = folder.identity()
    record, page = folder.flow_record, folder.flow_report
    try:
        report = audit_run(folder, identity, prompts or Prompts(), embed, scanned)
    except RunError:
        record.unlink(missing_ok=True)
        page.unlink(missing_ok=True)
        raise
    write_text(record, report.canonical() + "\n")
    write_text(page, flow_page(report, identity.spec.name))
    return report


def audit_run(
    folder: RunFolder,
    identity: RunIdentity,
    templates: Prompts,
    embed: Embedder | None = None,
    scanned: bool = True,
) -> FlowReport:
    """Audits a finished run from its published files and its ledger, one conversation at a time.

    Neither the conversations' logs, nor the models' replies, nor the workflows are read. Of the project, the templates
    are, where models write. The published rows are read twice, the first time for what callers say anyway: kept, they
    would fill the memory.

    Raises:
        RunError: if the folder holds no finished run, or its dataset cannot be read.
    """
    root = folder.ledger_root()
    tally, findings = Tally(), Findings()
    rules = Rules(modelled=identity.models is not None, planted=identity.canaries)
    prompts = PromptAudit(templates, findings, identity.versions) if rules.modelled else None
    _check_root(folder, identity, root, findings)
    unseen = dict(root.heads)
    # What does not fit together is found when the rows are read again.
    scan = ContentScan(_calls(folder, Findings()), embed) if scanned else None
    for conversation, rows in _calls(folder, findings):
        conversation_id = conversation.conversation_id
        tally.conversations += 1
        head = unseen.pop(conversation_id, None)
        course = None
        if head is None or _FILE_NAME.fullmatch(conversation_id) is None:
            findings.add(Kind.LEDGER_MISSING, "root.json names no ledger of this conversation", conversation_id)
        else:
            course = read_course(folder.ledger_file(conversation_id), conversation_id, head, rules, tally, findings)
        canary = canary_word(identity.seed, conversation_id) if identity.canaries else None
        ConversationAudit(conversation, rows, course, canary, prompts, tally, findings).run()
        if scan is not None:
            scan.scan(conversation, rows)
    for conversation_id, head in unseen.items():
        findings.add(Kind.CONVERSATION_MISSING, "has a ledger, but is not in the dataset", conversation_id)
        if _FILE_NAME.fullmatch(conversation_id):
            read_course(folder.ledger_file(conversation_id), conversation_id, head, rules, tally, findings)
    if identity.canaries:
        _search_baseline(folder, identity, tally, findings)
    return _report(identity, root, tally, prompts, scan.result() if scan else None, findings)


def _check_root(folder: RunFolder, identity: RunIdentity, root: LedgerRoot, findings: Findings) -> None:
    """The root against its heads, the order, and the ledgers that lie beside it."""
    if sha256(canonical_json(root.heads)) != root.root:
        findings.add(Kind.ROOT_DIFFERS, "the root in root.json is not the digest of its heads")
    wanted = identity.conversations
    if len(root.heads) != wanted:
        findings.add(
            Kind.CONVERSATION_MISSING, f"run.json orders {wanted} conversations, root.json names {len(root.heads)}"
        )
    for path in sorted(folder.ledger_root_file.parent.glob("*.jsonl")):
        if path.stem not in root.heads:
            findings.add(Kind.LEDGER_FOREIGN, f"root.json does not name the ledger {shown(path.name)}")


def _calls(folder: RunFolder, findings: Findings) -> Iterator[Call]:
    """Each call's row with its messages; both files hold the calls in the same order."""
    seen: set[str] = set()
    conversations = read_conversations(folder.dataset / CONVERSATIONS)
    for conversation, rows in zip_longest(conversations, read_turns(folder.dataset / TURNS)):
        name = conversation.conversation_id if conversation is not None else None
        other = rows[0].conversation_id if rows is not None else None
        if conversation is None or rows is None or name != other or name in seen:
            # Behind such a place nothing says which row belongs to which, so nothing behind it is believed.
            findings.add(
                Kind.DATASET_DAMAGED,
                f"conversations.parquet has {shown(name or 'nothing')} where turns.parquet has "
                f"{shown(other or 'nothing')}; nothing behind it was audited",
            )
            return
        seen.add(conversation.conversation_id)
        yield conversation, rows


def _search_baseline(folder: RunFolder, identity: RunIdentity, tally: Tally, findings: Findings) -> None:
    """Looks for canaries in the published recoveries."""
    for row in read_baseline(folder.dataset / BASELINE):
        tally.searched += 1
        if text_holds_canary(row.response, canary_word(identity.seed, row.conversation_id)):
            tally.found += 1
            findings.add(
                Kind.CANARY_PUBLISHED,
                "a recovery in baseline.parquet holds a canary",
                row.conversation_id,
                row.turn - 1,
            )


def _report(
    identity: RunIdentity,
    root: LedgerRoot,
    tally: Tally,
    prompts: PromptAudit | None,
    scan: ScanResult | None,
    findings: Findings,
) -> FlowReport:
    if not tally.conversations:
        findings.add(Kind.CONVERSATION_MISSING, "the dataset holds no conversation, so there is nothing to prove")
    inputs, heard = tally.inputs(), tally.heard()
    canary = CanaryResult(
        planted=identity.canaries, utterances=tally.planted, searched=tally.searched, found=tally.found
    )
    chain = ChainResult(
        conversations=len(root.heads), unbroken=tally.unbroken, lines=tally.lines, root=shown(root.root)
    )
    models = None if prompts is None else tally.models(prompts.result())
    return FlowReport(
        clean=not findings.total,
        verdict=verdict(findings, inputs, models, chain, canary),
        conversations=tally.conversations,
        matrix=tally.matrix(),
        chain=chain,
        inputs=inputs,
        heard=heard,
        canary=canary,
        reruns=tally.reruns(),
        channels=tally.channels(),
        models=models,
        scan=scan,
        findings=tuple(findings.kept),
        findings_by_kind={kind: findings.counts[kind] for kind in Kind if kind in findings.counts},
    )
