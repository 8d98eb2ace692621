"""One conversation's ledger, against its log, the run's root and the blueprint that it was played from."""

from collections.abc import Iterator

from factory.audit.course.chain import ChainReader
from factory.audit.course.engines import Engines
from factory.audit.findings import Findings
from factory.build.verify.models import introduction_faults
from factory.records.blueprint import Blueprint
from factory.records.ledger import Label, LedgerLine, Role
from factory.records.run import LedgerRoot, RunIdentity
from factory.run.folder import RunFolder
from factory.run.log import Progress
from factory.simulate.ledger import data_item


def ledger_faults(
    folder: RunFolder, identity: RunIdentity, blueprint: Blueprint, progress: Progress, root: LedgerRoot
) -> Iterator[str]:
    """Where the chain does not hold, or tells of another conversation than log, root, blueprint and identity."""
    name = blueprint.conversation_id
    findings, engines = Findings(), Engines.of(identity)
    chain = ChainReader(folder.ledger_file(name), name, findings)
    heads, entries = {chain.head}, dict[int, str]()
    asked: dict[str, None] = {}  # in order, each once: a wrong model is wrong in every line
    introduction: LedgerLine | None = None
    for line in chain.calls():
        heads.add(chain.head)
        asked |= dict.fromkeys(engines.faults(line))
        if line.role is Role.SYSTEM_WRITER:
            introduction = line
        if line.role is Role.PLANNER:
            entries.update((line.round, read.content) for read in line.reads if read.label is Label.BLUEPRINT_ROUND)
    yield from (f"ledger/{name}.jsonl: {finding.message}" for finding in findings.kept)
    asked |= dict.fromkeys(introduction_faults(introduction, progress.system_message))
    yield from (f"ledger/{name}.jsonl: {fault}" for fault in asked)
    if chain.head != progress.head or root.heads.get(name) != chain.head:
        yield f"ledger/{name}.jsonl: its head is not the one that log and root hold"
    for number, head in enumerate(progress.heads, 1):
        if head not in heads:
            yield f"conversations/{name}.jsonl: line {number}: the ledger holds no such head"
    for number, plan in enumerate(blueprint.rounds):
        wanted = data_item(Label.BLUEPRINT_ROUND, "entry", plan.model_dump(mode="json")).content
        if entries.get(number, wanted) != wanted:
            yield f"blueprints.jsonl: {name}: round {number} is not the one that the planner read"
