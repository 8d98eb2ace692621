"""Proves that a workflow can be used: every finding names a place and says what to do about it."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from factory.records.shared import Shared
from factory.records.workflow import Workflow
from factory.workflow.checks import caller, repeats, slots, structure, style, supply, wording
from factory.workflow.fill import flatten
from factory.workflow.findings import Finding, Severity
from factory.workflow.flow import Flow
from factory.workflow.lines import agent_lines, caller_lines
from factory.workflow.yaml_nodes import locate_all


def lint(workflow: Workflow, shared: Shared) -> list[Finding]:
    """Everything that is wrong with a workflow, errors first, else in the order of the checks.

    Where an id names two things only that is found, since no proof holds without it.
    """
    found = list(structure.check_ids(workflow)) or list(_prove(workflow, shared))
    return sorted(found, key=lambda finding: finding.severity is Severity.WARNING)


def report(path: Path, findings: Sequence[Finding]) -> list[str]:
    """Findings of one file as `file:line: severity: place: message [check]`, in order of lines."""
    lines = locate_all(path, [finding.place for finding in findings])
    told = sorted(zip(lines, findings, strict=True), key=lambda pair: pair[0])
    return [f"{path}:{line}: {f.severity}: {f.place}: {f.message} [{f.check}]" for line, f in told]


def _prove(workflow: Workflow, shared: Shared) -> Iterator[Finding]:
    flow = Flow(workflow)
    yield from structure.check_references(workflow)
    yield from structure.check_ways(workflow, flow)
    yield from structure.check_ends(workflow)
    yield from structure.check_leads_to(workflow)
    yield from structure.check_tells_in_a_row(workflow, flow)
    yield from structure.check_grounded(workflow, flow)
    yield from structure.check_about(workflow)
    spoken = tuple(agent_lines(workflow))
    yield from slots.check_reads(workflow, flow, spoken)
    yield from slots.check_sensitive(workflow, flow, spoken)
    yield from slots.check_slots(workflow)
    yield from slots.check_conditions(workflow, flow)
    yield from wording.check_forms(workflow)
    yield from repeats.check_repeats(workflow)
    known = flatten(workflow.known_user_information)
    for lines in spoken:
        yield from wording.check_variants(lines)
        yield from wording.check_mentions(known, lines)
        yield from style.check_agent_style(workflow, lines)
        yield from style.check_lead_in(shared, lines)
        for index, text in enumerate(lines.lines):
            yield from slots.check_braces(lines.at(index), text)
    names, numbers = caller.internal_names(workflow), caller.numbers_known(workflow)
    for line in caller_lines(workflow):
        yield from caller.check_values(workflow, flow, line)
        yield from caller.check_numbers(numbers, line)
        yield from caller.check_words(names, line)
        yield from style.check_caller_style(line.place, line.text)
        yield from slots.check_braces(line.place, line.text)
    yield from supply.check_moves(workflow)
    yield from supply.check_carry(workflow)
