"""The audit of a run as a Prefect flow: the report's verdict, its matrix and its findings as artifacts."""

from collections.abc import Callable

from prefect import flow, task
from prefect.artifacts import create_markdown_artifact, create_table_artifact
from prefect.cache_policies import NO_CACHE

from factory.audit.flow import FlowReport
from factory.audit.verdict import Verdict
from factory.records.ledger import Label, Role
from factory.run.folder import RunFolder
from flows.runs import flow_run_id, server_failures
from flows.server import flow_server

MOST_FINDINGS = 100
"""Findings that are shown as an artifact; the report has more."""

Audit = Callable[[], FlowReport]
"""Makes the audit and writes its report."""


@task(cache_policy=NO_CACHE, persist_result=False)
def flow_report(audit: Audit) -> FlowReport:
    """Audits the run and shows what came of it."""
    report = audit()
    create_markdown_artifact(key="verdict", markdown=verdict_markdown(report), description="Verdict of the flow report")
    create_table_artifact(key="matrix", table=matrix_table(report), description="Who read what, and how often")
    if report.findings:
        create_table_artifact(key="findings", table=findings_table(report), description="What does not hold")
    return report


def verdict_markdown(report: FlowReport) -> str:
    """The verdict with what it rests on; text out of the run stands as code, so that it is no markup."""
    verdict = Verdict.read(report.verdict)
    return f"**{verdict.head}**\n\n" + "\n".join(f"- `{part.replace('`', ' ')}`" for part in verdict.parts)


def matrix_table(report: FlowReport) -> list[dict[str, str | int]]:
    """A row for each kind of data that anybody read, with how often each role did; violations are named."""
    cells = {(cell.label, cell.role): cell for cell in report.matrix if cell.used}
    roles = [role for role in Role if any(cell.role is role for cell in cells.values())]
    rows: list[dict[str, str | int]] = []
    for label in Label:
        found = {role: cells[label, role] for role in roles if (label, role) in cells}
        if found:
            numbers = {r.value: found[r].used if r in found else 0 for r in roles}
            violated = ", ".join(f"{r.value}: {cell.violated}" for r, cell in found.items() if cell.violated)
            rows.append({"data": label.value, **numbers, "violated": violated})
    return rows


def findings_table(report: FlowReport) -> list[dict[str, str]]:
    """The first findings, one to a row."""
    return [
        {"kind": finding.kind.value, "where": finding.place, "what": finding.message}
        for finding in report.findings[:MOST_FINDINGS]
    ]


def audit_with_prefect(folder: RunFolder, audit: Audit) -> FlowReport:
    """Audits a run under Prefect: on the server of `PREFECT_API_URL`, or on one of its own.

    Args:
        folder: The run; what its own server writes down stays there, in `.prefect`.
        audit: Makes the audit and writes its report.

    Raises:
        FactoryError: as the audit does, or if Prefect's server fails.
    """

    @flow(name="audit-corpus", flow_run_name="{corpus}", validate_parameters=False, persist_result=False)
    def audit_corpus(corpus: str) -> tuple[str, FlowReport]:
        return flow_run_id(), flow_report.with_options(task_run_name="flow-report")(audit)

    name = folder.identity().spec.name
    with flow_server(folder.path / ".prefect") as server:
        with server_failures("--engine inline audits without it"):
            run_id, report = audit_corpus(name)
        server.wait_until_recorded(run_id, 1)
    return report
