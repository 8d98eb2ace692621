"""The flow report as a record: what reached whom, in numbers, and what does not hold."""

from factory.audit.findings import Finding, Kind
from factory.audit.report_parts import (
    CanaryResult,
    ChainResult,
    ChannelUse,
    GraphResult,
    HeardResult,
    InputsResult,
    MatrixCell,
    ModelsResult,
    OrderResult,
    RerunsResult,
    ScanResult,
)
from factory.records.base import SCHEMA_VERSION, Record


class FlowReport(Record):
    """`reports/flow-report.json`.

    Attributes:
        clean: Whether nothing was found in the corpus and everything could be checked; answers count apart.
        verdict: One line, with what it rests on.
        conversations: Conversations in the published files.
        matrix: Every role with every kind of data.
        graph: What the paths through the flow graphs come to.
        order: Whether every rubric was there before any answer.
        models: What models were asked; None where the composer writes.
        scan: What the content scan came to; `clean` and the verdict do not rest on it. None in the report that a
            build itself writes.
        findings: The first findings, in the order in which they were met.
        findings_by_kind: All findings, counted.
    """

    schema_version: int = SCHEMA_VERSION
    clean: bool
    verdict: str
    conversations: int
    matrix: tuple[MatrixCell, ...]
    chain: ChainResult
    inputs: InputsResult
    heard: HeardResult
    canary: CanaryResult
    reruns: RerunsResult
    channels: tuple[ChannelUse, ...]
    graph: GraphResult
    order: OrderResult
    models: ModelsResult | None = None
    scan: ScanResult | None = None
    findings: tuple[Finding, ...]
    findings_by_kind: dict[Kind, int]
