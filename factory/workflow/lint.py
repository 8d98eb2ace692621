"""Proves that a workflow can be used: every finding names a place and says what to do about it."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from factory.errors import WorkflowError
from factory.records.enums import Direction
from factory.records.shared import Shared
from factory.records.workflow import Workflow
from factory.workflow.checks import (
    caller,
    characters,
    gaps,
    intents,
    repeats,
    slots,
    structure,
    style,
    supply,
    withheld,
    wording,
)
from factory.workflow.fill import flatten
from factory.workflow.findings import Finding
from factory.workflow.flow import Flow
from factory.workflow.lines import agent_lines, caller_lines
from factory.workflow.reader import load_workflow
from factory.workflow.texts import placed_texts
from factory.workflow.yaml_nodes import locate_all


def lint(workflow: Workflow, shared: Shared) -> list[Finding]:
    """Everything that is wrong with a workflow, in the order in which an author mends it.

    First what is still to be written, then the structure, the wording, and what is counted; in each of these errors
    come first. Where an id names two things, nothing else is found but gaps, since no proof holds without it.
    """
    texts = placed_texts(workflow)
    open_gaps = list(gaps.check_gaps(texts))
    found = list(structure.check_ids(workflow)) or [*_prove(workflow, shared), *characters.check_characters(texts)]
    return sorted([*open_gaps, *gaps.clear_of(open_gaps, found)], key=lambda finding: finding.order)


def lint_files(paths: Iterable[Path], shared: Shared, together: bool = False) -> dict[Path, list[Finding]]:
    """The findings of each of some files, in their order.

    Args:
        paths: The files.
        shared: The phrases that fit everywhere.
        together: Whether they are all there is, so that what one workflow lacks another has to have.

    Raises:
        WorkflowError: with every problem of every file that cannot be read.
    """
    found: dict[Path, list[Finding]] = {}
    files: dict[str, Path] = {}
    directions: dict[str, Direction] = {}
    unreadable: list[str] = []
    for path in paths:
        try:
            workflow = load_workflow(path)
        except WorkflowError as exc:
            unreadable.append(str(exc))
        else:
            found[path] = lint(workflow, shared)
            files[workflow.id], directions[workflow.id] = path, workflow.goal.direction
    if unreadable:
        raise WorkflowError("\n".join(unreadable))
    for workflow_id, finding in intents.check_directions(directions) if together else ():
        found[files[workflow_id]].append(finding)
    return found


def report(path: Path, findings: Sequence[Finding]) -> list[str]:
    """Findings of one file as `file:line: severity: place: message [check]`.

    The order is that of `lint`, and within it that of lines.
    """
    lines = locate_all(path, [finding.place for finding in findings]) if findings else []
    told = sorted(zip(lines, findings, strict=True), key=lambda pair: (pair[1].order, pair[0]))
    return [f"{path}:{line}: {f.severity}: {f.place}: {f.message} [{f.check}]" for line, f in told]


def _prove(workflow: Workflow, shared: Shared) -> Iterator[Finding]:
    flow = Flow(workflow)
    yield from structure.check_references(workflow)
    yield from structure.check_ways(workflow, flow)
    yield from structure.check_ends(workflow)
    yield from structure.check_terminations(workflow)
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
    yield from repeats.check_subject(workflow, shared)
    known = flatten(workflow.known_user_information)
    for lines in spoken:
        yield from wording.check_variants(lines)
        yield from wording.check_mentions(known, lines)
        yield from style.check_agent_style(workflow, lines)
        yield from style.check_lead_in(shared, lines)
        for index, text in enumerate(lines.lines):
            yield from slots.check_braces(lines.at(index), text)
    names, numbers = caller.internal_names(workflow), caller.numbers_known(workflow)
    screen = caller.known_to_the_agent(workflow)
    for line in caller_lines(workflow):
        yield from caller.check_values(workflow, flow, line)
        yield from caller.check_numbers(numbers, line)
        yield from caller.check_known(screen, line)
        yield from caller.check_words(names, line)
        yield from style.check_caller_style(line.place, line.text)
        yield from slots.check_braces(line.place, line.text)
    yield from intents.check_intents(workflow)
    yield from withheld.check_withheld(workflow)
    yield from supply.check_moves(workflow)
    yield from supply.check_carry(workflow)
