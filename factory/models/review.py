"""A workflow's text as a model wrote it: read by the real reader, proved by the real linter, and what is told of it.

A text is data. It is never run, its YAML holds plain texts only, and whatever it says about its own id, it has the one
that was asked for.
"""

import re
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from factory.errors import WorkflowError
from factory.records.base import SCHEMA_VERSION
from factory.records.shared import Shared
from factory.workflow.aloud import is_unseen
from factory.workflow.findings import Finding, Severity
from factory.workflow.lint import lint
from factory.workflow.reader import SUFFIX, load_workflow

MOST_TOLD = 30
"""Faults that go back to the writer at once: whoever is told more mends less."""

MOST_ALIKE = 6
"""Faults of one check among them; how many more there are is said in one line."""

_FENCE = re.compile(r"\A\s*```[a-z]*[ \t]*\n(.*?)\n?```\s*\Z", re.DOTALL)
_BEGINNING = re.compile(r"\A(?:---[ \t]*\n)?")


@dataclass(frozen=True)
class DraftFault:
    """One thing that is wrong with a text.

    Attributes:
        line: What, where, and what to do about it, in one line.
        check: The rule that it breaks; empty where the text cannot be read.
        is_error: Whether it makes the workflow unusable.
    """

    line: str
    check: str
    is_error: bool


@dataclass(frozen=True)
class Review:
    """A text with all that is wrong with it.

    Attributes:
        text: The workflow file, whole.
        readable: Whether it is a workflow at all.
        faults: The most important first.
    """

    text: str
    readable: bool
    faults: tuple[DraftFault, ...]

    @property
    def errors(self) -> int:
        """Faults that make it unusable."""
        return sum(fault.is_error for fault in self.faults)

    @property
    def warnings(self) -> int:
        """Faults that make it poorer."""
        return len(self.faults) - self.errors

    @property
    def passes(self) -> bool:
        """Whether a build takes it."""
        return self.readable and not self.errors

    @property
    def rank(self) -> tuple[bool, int, int]:
        """Less is better."""
        return not self.readable, self.errors, self.warnings

    def counted(self) -> str:
        """How many faults there are, for a person."""
        if not self.readable:
            return "not readable yet"
        return f"{_many(self.errors, 'error')}, {_many(self.warnings, 'warning')}"

    def told(self) -> tuple[str, ...]:
        """What its writer is told: at most `MOST_TOLD` lines, of every check some."""
        told, left, seen = list[str](), Counter[str](), Counter[str]()
        for fault in self.faults:
            seen[fault.check] += 1
            if fault.check and seen[fault.check] > MOST_ALIKE:
                left[fault.check] += 1
            else:
                told.append(fault.line)
        more = [
            f"and {_many(count, 'fault')} more of the kind [{check}], all over the file"
            for check, count in left.items()
        ]
        told = told[: max(1, MOST_TOLD - len(more))] + more[: MOST_TOLD - 1]
        return tuple(told)


def review(text: str, workflow_id: str, shared: Shared) -> Review:
    """Reads a text as the file of a workflow and proves it.

    Args:
        text: What a model or a person wrote.
        workflow_id: The id that it has, whatever it says.
        shared: The phrases that fit everywhere.
    """
    text = _with_head(_tidy(text), workflow_id)
    with TemporaryDirectory() as scratch:
        path = Path(scratch, f"{workflow_id}{SUFFIX}")
        path.parent.mkdir()
        path.write_text(text, encoding="utf-8")
        try:
            workflow = load_workflow(path)
        except WorkflowError as exc:
            return Review(text, False, tuple(_unread(line, path) for line in str(exc).splitlines()))
    findings = sorted(lint(workflow, shared), key=lambda f: (f.severity is Severity.WARNING, f.order))
    return Review(text, True, tuple(map(_fault, findings)))


def _unread(line: str, path: Path) -> DraftFault:
    """A problem of the reader's without the scratch file's name: `line 12: stages[0].acts: …`."""
    said = line.removeprefix(f"{path}:").removeprefix(str(path)).strip(": ")
    return DraftFault(_one_line(f"line {said}" if said[:1].isdigit() else said), "", True)


def _fault(finding: Finding) -> DraftFault:
    line = f"{finding.severity}: {finding.place}: {finding.message} [{finding.check}]"
    return DraftFault(_one_line(line), finding.check, finding.severity is Severity.ERROR)


def _one_line(text: str) -> str:
    """A text that quotes a draft, as one line without anything unseen."""
    return "".join(c for c in " ".join(text.split()) if not is_unseen(c))


def _tidy(text: str) -> str:
    """The text without a fence around it, a document's start, and characters that nobody can see."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    fenced = _FENCE.match(text)
    text = _BEGINNING.sub("", (fenced[1] if fenced else text).strip("\n"))
    return "".join(c for c in text if c in "\n\t" or not is_unseen(c)) + "\n"


def _with_head(text: str, workflow_id: str) -> str:
    """The text with the id that was asked for, and today's version of the form."""
    for name, value in (("id", workflow_id), ("schema_version", str(SCHEMA_VERSION))):
        line, there = f"{name}: {value}", re.compile(rf"^{name}[ ]*:.*$", re.MULTILINE)
        text = there.sub(line, text, count=1) if there.search(text) else f"{line}\n{text}"
    return text


def _many(count: int, what: str) -> str:
    return f"{count or 'no'} {what}{'' if count == 1 else 's'}"
