"""One conversation's ledger, against its log, the run's root and the blueprint that it was played from."""

from collections.abc import Iterator

from factory.audit.findings import Findings
from factory.audit.ledger import ChainReader
from factory.records.blueprint import Blueprint
from factory.records.ledger import Label, Role
from factory.records.run import LedgerRoot
from factory.run.folder import RunFolder
from factory.run.log import Progress
from factory.simulate.ledger import data_item


def ledger_faults(folder: RunFolder, blueprint: Blueprint, progress: Progress, root: LedgerRoot) -> Iterator[str]:
    """Where the chain does not hold, or tells of another conversation than log, root and blueprint."""
    name = blueprint.conversation_id
    findings = Findings()
    chain = ChainReader(folder.ledger_file(name), name, findings)
    heads, entries = {chain.head}, dict[int, str]()
    for line in chain.calls():
        heads.add(chain.head)
        if line.role is Role.PLANNER:
            entries.update((line.round, read.content) for read in line.reads if read.label is Label.BLUEPRINT_ROUND)
    yield from (f"ledger/{name}.jsonl: {finding.message}" for finding in findings.kept)
    if chain.head != progress.head or root.heads.get(name) != chain.head:
        yield f"ledger/{name}.jsonl: its head is not the one that log and root hold"
    for number, head in enumerate(progress.heads, 1):
        if head not in heads:
            yield f"conversations/{name}.jsonl: line {number}: the ledger holds no such head"
    for number, plan in enumerate(blueprint.rounds):
        wanted = data_item(Label.BLUEPRINT_ROUND, "entry", plan.model_dump(mode="json")).content
        if entries.get(number, wanted) != wanted:
            yield f"blueprints.jsonl: {name}: round {number} is not the one that the planner read"
