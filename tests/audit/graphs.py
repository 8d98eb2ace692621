"""Flow graphs of a run, reads forged into its ledgers, and the paths that are found then."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import cast

import networkx as nx  # type: ignore[import-untyped]

from factory.audit.conversation import Rules, read_course
from factory.audit.course.course import Course
from factory.audit.expected import ExpectedRound, expected_rounds
from factory.audit.findings import Findings, Kind
from factory.audit.flow import FlowReport
from factory.audit.graph.graph import conversation_graph
from factory.audit.options import AuditOptions
from factory.audit.report import write_flow_report
from factory.audit.tally import Tally
from factory.dataset.read import read_conversations, read_turns
from factory.dataset.write import CONVERSATIONS, TURNS
from factory.run.folder import RunFolder
from factory.simulate.canary import canary_word

from .runs import Line, change_ledger, read_ledger


def followed(folder: RunFolder) -> Iterator[tuple[Course, Sequence[ExpectedRound]]]:
    """Each conversation of a run: its calls, and its rounds as published."""
    identity, heads = folder.identity(), folder.ledger_root().heads
    rules = Rules.of(identity)
    calls = zip(read_conversations(folder.dataset / CONVERSATIONS), read_turns(folder.dataset / TURNS), strict=True)
    for conversation, rows in calls:
        name = conversation.conversation_id
        course = read_course(folder.ledger_file(name), name, heads[name], rules, Tally(), Findings())
        assert course is not None
        canary = canary_word(identity.seed, name) if identity.canaries else None
        yield course, tuple(expected_rounds(conversation, rows, canary))


def graphs(folder: RunFolder) -> list[nx.DiGraph]:
    """The flow graph of each conversation of a run."""
    return [conversation_graph(course, rounds) for course, rounds in followed(folder)]


def with_lines(folder: RunFolder) -> Iterator[tuple[list[Line], nx.DiGraph]]:
    """Each conversation of a run: the lines of its ledger, and its flow graph."""
    for course, rounds in followed(folder):
        lines = read_ledger(folder.ledger_file(course.lines[0].conversation_id))
        yield lines, conversation_graph(course, rounds)


def reads(line: Line) -> list[Line]:
    """What a line says was read."""
    return cast(list[Line], line["reads"])


def wrote(line: Line) -> Line:
    """What a line says was written."""
    return cast(Line, line["wrote"])


def calls_of(lines: list[Line], role: str, round: int | None = None) -> list[Line]:
    """The calls of a role, of one round or of all."""
    return [line for line in lines if line["role"] == role and round in (None, line["round"])]


def forge(line: Line, item: str, content: str, label: str = "seed") -> None:
    """Lets a call read one thing more, under a label that it may read."""
    reads(line).append({"label": label, "item": item, "content": content})


def tampered(folder: RunFolder, attack: Callable[[list[Line]], None], path: Path | None = None) -> FlowReport:
    """The report on a run in which one ledger was changed, with chain, head and root made to fit."""
    change_ledger(folder, attack, None if path is None else folder.ledger_file(path.stem))
    return write_flow_report(folder, AuditOptions(scanned=False))


def leaks(report: FlowReport) -> list[str]:
    """The paths that were found, in words."""
    assert report.graph.leaks == report.findings_by_kind.get(Kind.PATH_LEAKS, 0)
    return [finding.message for finding in report.findings if finding.kind is Kind.PATH_LEAKS]
