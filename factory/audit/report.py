"""A finished run's published files and ledger → `reports/flow-report.json` and `reports/flow-report.html`."""

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from factory.audit.calls import Beside, nothing_beside, published_calls
from factory.audit.canaries import search_recoveries
from factory.audit.content import CallScan
from factory.audit.conversation import ConversationAudit, Evidence, Rules, read_course
from factory.audit.findings import Findings, Kind, shown
from factory.audit.flow import FlowReport
from factory.audit.graph.outside import Outside, read_intents
from factory.audit.options import USUAL, AuditOptions
from factory.audit.order import open_order
from factory.audit.page.explorer import Explorer
from factory.audit.page.page import flow_page
from factory.audit.prompts import PromptAudit
from factory.audit.report_parts import CanaryResult, ChainResult, OrderResult, ScanResult
from factory.audit.scan.call import call_of_rows
from factory.audit.tally import Tally
from factory.audit.unfinished import require_finished
from factory.audit.verdict import Proved, verdict
from factory.dataset.read import read_baseline
from factory.dataset.write import BASELINE, CONVERSATIONS, TURNS
from factory.errors import RunError
from factory.models.prompt import Prompts
from factory.records.base import canonical_json, sha256
from factory.records.run import LedgerRoot, RunIdentity
from factory.run.done import Done
from factory.run.files import write_text
from factory.run.folder import RunFolder
from factory.run.reading import refuse_links_out, require_given
from factory.simulate.canary import canary_word

_READ = ("manifest.json", "commitment.json", "opening.json", "earlier", "ledger", "dataset")
"""What of a run is read beside `run.json`; nothing of it may lie elsewhere."""
_FILE_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")


class Unwritten(RunError):
    """A report that was made and could not be written; what it says holds all the same.

    Attributes:
        report: The report.
    """

    def __init__(self, message: str, report: FlowReport) -> None:
        """Takes why it could not be written, and the report."""
        super().__init__(message)
        self.report = report


def write_flow_report(folder: RunFolder, options: AuditOptions = USUAL, beside: Beside = nothing_beside) -> FlowReport:
    """Audits a finished run and writes both forms of the report.

    Args:
        folder: The run.
        options: What it is made with.
        beside: Gets each call once, as it is published.

    Raises:
        Unwritten: if the audit was made, and only its report could not be written; holds the report.
        RunError: if the folder holds no finished run, or its dataset or the answers cannot be read. Either way an
            earlier report of the run is taken away, since nothing vouches for it any more; but nothing is touched where
            there is no run, its `reports/` lies elsewhere, or there are no answers in the place that is named.
    """
    identity = require_auditable(folder, options.answers)
    record, page = folder.flow_record, folder.flow_report
    explorer = Explorer(Prompts(options.templates) if identity.models is not None else None)
    with vouched(folder):
        report = audit_run(folder, identity, options, explorer, beside)
    try:
        _take_away(folder, "the new report was not written")
        write_text(page, flow_page(report, identity.spec.name, explorer.calls()))
        write_text(record, report.canonical() + "\n")
    except RunError as exc:
        raise Unwritten(str(exc), report) from None
    return report


def require_auditable(folder: RunFolder, answers: Path | None = None) -> RunIdentity:
    """What a run is, before anything of it is touched.

    Raises:
        RunError: if there is no run, its `reports/` lies elsewhere, or there are no answers in the place that is named.
    """
    refuse_links_out(folder.path, (folder.identity_file.name, folder.reports.name))
    if answers is not None:
        require_given(answers)
    return folder.identity()


@contextmanager
def vouched(folder: RunFolder) -> Iterator[None]:
    """Takes an earlier report of a run away if what is done inside fails with a `RunError`."""
    try:
        yield
    except RunError as exc:
        _take_away(folder, str(exc))
        raise


def _take_away(folder: RunFolder, why: str) -> None:
    """Removes an earlier report; raises `RunError` with the reason for it if that cannot be done."""
    left: list[str] = []
    for path in (folder.flow_record, folder.flow_report):
        try:
            path.unlink(missing_ok=True)
        except OSError as exc:
            if os.path.lexists(path):
                what = "is of an earlier audit, does not hold any more, and cannot be removed"
                left.append(f"{path}: {what}: {exc.strerror}")
    if left:
        raise RunError("; ".join((why, *left)))


def audit_run(
    folder: RunFolder,
    identity: RunIdentity,
    options: AuditOptions = USUAL,
    explorer: Explorer | None = None,
    beside: Beside = nothing_beside,
) -> FlowReport:
    """Audits a finished run from its published files, its freeze and its ledger, one conversation at a time.

    Neither the conversations' logs, nor the models' replies, nor the workflows are read. Of the project, the templates
    are, where models write. The published rows are read twice, the first time for what callers say anyway: kept, they
    would fill the memory.

    Args:
        folder: The run.
        identity: What the run is.
        options: What the audit is made with.
        explorer: Gets every call, for a page that shows some of them.
        beside: Gets each call, as it is published.

    Raises:
        RunError: if the folder holds no finished run, or its dataset or the answers cannot be read.
    """
    refuse_links_out(folder.path, _READ)
    require_finished(
        folder, (folder.ledger_root_file, *(folder.dataset / t for t in (CONVERSATIONS, TURNS))), "audited"
    )
    root = folder.ledger_root()
    tally, findings = Tally(), Findings()
    rules = Rules.of(identity)
    prompts = PromptAudit(Prompts(options.templates), findings, identity.versions) if rules.modelled else None
    _check_root(folder, identity, root, findings)
    order = open_order(folder, options.answers, findings)
    outside = Outside(intents=read_intents(folder.dataset / CONVERSATIONS), answers=order.answered)
    unseen = dict(root.heads)
    done = Done(options.show, (1 + options.scanned) * len(root.heads))
    scan = None
    if options.scanned:
        # What does not fit together is found when the rows are read again.
        calls = done.counting(published_calls(folder.dataset, Findings()))
        scan = CallScan((call_of_rows(row, messages) for row, messages in calls), options.embed)
    for conversation, rows in done.counting(published_calls(folder.dataset, findings)):
        conversation_id = conversation.conversation_id
        tally.conversations += 1
        before = findings.total
        head = unseen.pop(conversation_id, None)
        course = None
        if head is None or _FILE_NAME.fullmatch(conversation_id) is None:
            findings.add(Kind.LEDGER_MISSING, "root.json names no ledger of this conversation", conversation_id)
        else:
            course = read_course(folder.ledger_file(conversation_id), conversation_id, head, rules, tally, findings)
        canary = canary_word(identity.seed, conversation_id) if identity.canaries else None
        evidence = Evidence(course, canary, prompts, outside.of(conversation))
        audit = ConversationAudit(conversation, rows, tally, findings, evidence)
        audit.run()
        order.hold(conversation_id, conversation.turns, course)
        beside(conversation, rows)
        leaks = scan is not None and scan.scan(call_of_rows(conversation, rows))
        if explorer is not None:
            flagged = leaks or findings.total > before
            explorer.add(conversation, audit.rounds, course, audit.graph, audit.leaks, flagged)
    for conversation_id, head in unseen.items():
        findings.add(Kind.CONVERSATION_MISSING, "has a ledger, but is not in the dataset", conversation_id)
        if _FILE_NAME.fullmatch(conversation_id):
            course = read_course(folder.ledger_file(conversation_id), conversation_id, head, rules, tally, findings)
            order.hold(conversation_id, (), course)
    if identity.canaries:
        search_recoveries(read_baseline(folder.dataset / BASELINE), identity.seed, tally, findings)
    return _report(identity, root, tally, prompts, order.result(), scan.result() if scan else None, findings)


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


def _report(
    identity: RunIdentity,
    root: LedgerRoot,
    tally: Tally,
    prompts: PromptAudit | None,
    order: OrderResult,
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
    graph = tally.graph()
    return FlowReport(
        clean=not findings.total,
        verdict=str(verdict(findings, Proved(inputs, models, graph, order, chain, canary))),
        conversations=tally.conversations,
        matrix=tally.matrix(),
        chain=chain,
        inputs=inputs,
        heard=heard,
        canary=canary,
        reruns=tally.reruns(),
        channels=tally.channels(),
        graph=graph,
        order=order,
        models=models,
        scan=scan,
        findings=tuple(findings.kept),
        findings_by_kind=findings.by_kind(),
    )
