"""What an attack is: who cheats, how, on which way through the project, and by what that is caught."""

import shutil
from abc import ABC, abstractmethod
from collections.abc import Set
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Generic, TypeVar

import pytest

from factory.audit.findings import Kind
from factory.audit.flow import FlowReport
from factory.audit.options import AuditOptions
from factory.audit.report import audit_run
from factory.audit.scan.findings import LeakKind, Severity
from factory.errors import FactoryError
from factory.records.conversation import RerunReason
from factory.run.answers import Refusal
from factory.run.folder import RunFolder
from factory.templates import PROMPTS
from factory.workflow.findings import Check
from factory.workflow.library import Library

C = TypeVar("C")


class Who(StrEnum):
    """Who cheats. A builder may change the program; a publisher comes later, and has the finished files alone."""

    PLANNER = "planner"
    ASSISTANT = "assistant"
    CALLER = "caller's model"
    BOTH = "one model on both sides"
    AUTHOR = "author of a workflow"
    TEMPLATE = "author of a prompt"
    BUILDER = "builder"
    PUBLISHER = "publisher"
    EVALUATOR = "evaluator"


class Seen(StrEnum):
    """What somebody sees who does more than audit the folder; the values are words for people."""

    PUBLISHED_ROOT = "`factory verify --root`: not the published root"
    COMMITMENT = "`factory verify --commitment`: not the committed freeze"
    REBUILT = "another corpus when it is built again"


Caught = Kind | LeakKind | Refusal | RerunReason | Check | Seen | type[FactoryError]
"""By what an attack is caught."""


OTHER_INPUTS = (Kind.CONTENT_DIFFERS, Kind.RECORDED_VIEW_DIFFERS, Kind.VIEW_DIFFERS)
"""By what it is caught that the caller's side was given something else than is published."""


@dataclass
class Stage:
    """What attacks are carried out on: finished runs, which they copy, and a place to build others."""

    path: Path
    library: Library
    patch: pytest.MonkeyPatch
    plain: RunFolder
    canaried: RunFolder
    modelled: RunFolder
    rewound: RunFolder

    def copy(self, of: str) -> RunFolder:
        """A run of one of these names, to tamper with."""
        folder: RunFolder = getattr(self, of)
        return RunFolder(Path(shutil.copytree(folder.path, self.path / "run")))


class Way(ABC, Generic[C]):
    """A way through the project on which somebody may cheat; frozen, so that equal ways need one honest look."""

    @abstractmethod
    def go(self, stage: Stage, cheat: C | None) -> Set[Caught]:
        """Goes it to its end, honestly where `cheat` is None, and says what was caught."""


@dataclass(frozen=True)
class Attack(Generic[C]):
    """One way to cheat.

    Attributes:
        name: What is done, in words that go on behind who does it.
        by: Everything that notices it, and nothing else.
        way: On which way it is done.
        cheat: What is done there; the way knows what that is.
    """

    name: str
    who: Who
    by: frozenset[Caught]
    way: Way[C]
    cheat: C

    def go(self, stage: Stage) -> Set[Caught]:
        """Does it, and says what was caught."""
        return self.way.go(stage, self.cheat)


def report_on(
    folder: RunFolder, *, templates: Path = PROMPTS, scanned: bool = False, answers: Path | None = None
) -> FlowReport:
    """What an audit of a run comes to; nothing is written."""
    return audit_run(folder, folder.identity(), AuditOptions(templates=templates, scanned=scanned, answers=answers))


def caught_in(report: FlowReport) -> set[Caught]:
    """What a report holds: kinds of findings, refusals, and of the scan's those that count under `--strict`."""
    assert_says_what_it_found(report)
    leaks: set[Caught] = set()
    if report.scan is not None:
        leaks = {count.kind for count in report.scan.counts if count.severity is not Severity.HINT}
    refused = report.order.answers.refused if report.order.answers is not None else {}
    return {*report.findings_by_kind, *refused, *leaks}


def assert_says_what_it_found(report: FlowReport) -> None:
    """Verdict and findings say the same, and no finding says more than a line."""
    assert report.clean == (not report.findings_by_kind)
    assert report.verdict.startswith("clean" if report.clean else "not clean")
    assert all(len(finding.message) < 400 and finding.message.isprintable() for finding in report.findings)
