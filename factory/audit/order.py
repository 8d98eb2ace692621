"""The proof of the order: each rubric's digest was in the chain, and under the freeze's root, before any answer.

The rubric writer's line holds the digest of a rubric, and `manifest.json` holds the same under its root. An answer
names that root, so that whoever gave it was given what the root was already the digest of.
"""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from factory.audit.course.course import Course
from factory.audit.findings import MOST_KEPT, Findings, Kind, shown
from factory.audit.report_parts import AnswersResult, OrderResult
from factory.dataset.rows import PublishedTurn
from factory.errors import RunError
from factory.records.answer import Answer
from factory.records.base import canonical_json, sha256
from factory.records.freeze import FreezeResult
from factory.records.ledger import Role
from factory.records.rubric import item_id_of
from factory.records.run import Manifest
from factory.run.answers import Refusal, accept_answers, answer_lines
from factory.run.folder import RunFolder
from factory.run.freeze import wording_digest
from factory.run.versions import freeze_result

MOST_FAULT = 300
"""Characters of a fault of the freeze, or of a refused answer, that are told."""


@dataclass
class OrderAudit:
    """Holds the freeze against the chains, call by call, and answers against the freeze.

    Attributes:
        answered: Digests of what targets answered.
    """

    findings: Findings
    manifest: Manifest | None
    freeze: FreezeResult | None
    answers: AnswersResult | None
    answered: frozenset[str]
    _unseen: set[str] = field(init=False)
    _in_chain: int = field(init=False, default=0)
    _frozen: int = field(init=False, default=0)
    _published: int = field(init=False, default=0)

    def __post_init__(self) -> None:
        """Begins with all frozen items unseen."""
        self._unseen = set(self.manifest.items) if self.manifest is not None else set()

    def hold(self, conversation_id: str, turns: Sequence[PublishedTurn], course: Course | None) -> None:
        """Holds one call's rubrics against the freeze.

        Args:
            conversation_id: The call.
            turns: Its turns as published; none where the call is not.
            course: Its calls; None where they cannot be followed, so that nothing can be said of its items.
        """
        if self.manifest is None:
            return
        for number, turn in enumerate(turns):
            self._hold_published(self.manifest, conversation_id, number, turn)
            if course is None:
                self._unseen.discard(item_id_of(conversation_id, number + 1))
        for round, made in _written(course).items() if course is not None else ():
            self._hold_chain(self.manifest, conversation_id, round, made)

    def result(self) -> OrderResult:
        """What it came to, once all calls were held."""
        for item_id in sorted(self._unseen):
            conversation_id, _, _ = item_id.rpartition("#")
            self._differs(f"item {shown(item_id)} is frozen, but no chain holds its rubric", conversation_id or None)
        return OrderResult(
            items=len(self.manifest.items) if self.manifest is not None else 0,
            in_chain=self._in_chain,
            frozen=self._frozen,
            published=self._published,
            freeze=self.freeze,
            answers=self.answers,
        )

    def _hold_published(self, manifest: Manifest, conversation_id: str, number: int, turn: PublishedTurn) -> None:
        """Whether the rubric that is frozen is published, and no other."""
        frozen = manifest.items.get(item_id_of(conversation_id, number + 1))
        texts = (*((turn.tf_rubric,) if turn.tf_rubric is not None else ()), *turn.rq_rubrics)
        if frozen is None:
            if texts:
                self._differs("a rubric is published of an item that is not frozen", conversation_id, number)
        elif not texts:
            self._differs("no rubric of this item is published", conversation_id, number)
        elif wording_digest(texts) != frozen.wording:
            self._differs("the published rubric is not the one that is frozen", conversation_id, number)
        else:
            self._published += 1

    def _hold_chain(self, manifest: Manifest, conversation_id: str, round: int, made: dict[Role, str]) -> None:
        """The digests that the chain has of one item, against those that are frozen."""
        item_id = item_id_of(conversation_id, round + 1)
        self._unseen.discard(item_id)
        self._in_chain += Role.RUBRIC_WRITER in made
        frozen = manifest.items.get(item_id)
        if frozen is None:
            self._differs("the chain holds a rubric that is not frozen", conversation_id, round)
            return
        wanted = {Role.RUBRIC_WRITER: frozen.rubric, Role.CONTROL_WRITER: frozen.controls}
        self._frozen += made == wanted
        for role, what in ((Role.RUBRIC_WRITER, "rubric has"), (Role.CONTROL_WRITER, "controls have")):
            if made.get(role, wanted[role]) != wanted[role]:
                self._differs(f"the frozen {what} another digest than the chain", conversation_id, round)

    def _differs(self, message: str, conversation_id: str | None = None, round: int | None = None) -> None:
        self.findings.add(Kind.FREEZE_DIFFERS, message, conversation_id, round)


def open_order(folder: RunFolder, answers: Path | None, findings: Findings) -> OrderAudit:
    """Reads a run's freeze and what targets answered.

    Args:
        folder: The run.
        answers: A file with one answer a line; None where there is none.
        findings: Gets what does not hold of the freeze.

    Raises:
        RunError: if the answers cannot be read.
    """
    manifest = freeze = None
    try:
        manifest = folder.manifest()
        freeze = _told(freeze_result(folder, manifest))
    except RunError as exc:
        there = folder.manifest_file.exists()
        message = shown(str(exc), MOST_FAULT) if there else "there is no manifest.json, so no rubric is frozen"
        findings.add(Kind.FREEZE_DAMAGED if there else Kind.FREEZE_MISSING, message)
    for fault in freeze.faults if freeze is not None else ():
        findings.add(Kind.FREEZE_DIFFERS, fault)
    answered = _Answered(answer_lines(answers)) if answers is not None else None
    result = _accept(answered, manifest, freeze) if answered is not None else None
    given = frozenset(answered.digests) if answered is not None else frozenset()
    return OrderAudit(findings, manifest, freeze, result, given)


class _Answered:
    """Lines of answers that go by, with the digests of what was answered, whether it is accepted or not."""

    def __init__(self, lines: Iterable[bytes]) -> None:
        self._lines = lines
        self.digests: set[str] = set()
        self.seen = 0

    def __iter__(self) -> Iterator[bytes]:
        for line in self._lines:
            self.seen += bool(line.strip())
            self.digests |= _digests(line)
            yield line


def _digests(line: bytes) -> set[str]:
    """The digest of what a line answers; none where that cannot be read."""
    try:
        found = json.loads(line)
        response = found.get("response") if isinstance(found, dict) else None
        return {sha256(canonical_json(response))} if isinstance(response, str) and response else set()
    except (ValueError, RecursionError):
        return set()


def _accept(answered: _Answered, manifest: Manifest | None, freeze: FreezeResult | None) -> AnswersResult:
    """Which answers are given under the freeze's root, and to its items."""
    if manifest is None:
        return AnswersResult(seen=sum(1 for line in answered if line.strip()), accepted=0, refused={})
    refused: Counter[Refusal] = Counter()
    told: list[str] = []
    accepted = 0
    for answer in accept_answers(manifest, answered, freeze.commitment if freeze is not None else None):
        if isinstance(answer, Answer):
            accepted += 1
        else:
            refused[answer.refusal] += 1
            if len(told) < MOST_KEPT:
                told.append(shown(f"line {answer.line} of the answers: {answer.message}", MOST_FAULT))
    return AnswersResult(
        seen=answered.seen,
        accepted=accepted,
        refused={reason: refused[reason] for reason in Refusal if reason in refused},
        refusals=tuple(told),
    )


def _told(freeze: FreezeResult) -> FreezeResult:
    """A freeze as it is told: texts out of damaged files made short and harmless."""
    faults = tuple(shown(fault, MOST_FAULT) for fault in freeze.faults)
    return freeze.model_copy(update={"root": shown(freeze.root), "faults": faults})


def _written(course: Course) -> dict[int, dict[Role, str]]:
    """By round, the digests of what its rubric writer and its control writer wrote."""
    written: dict[int, dict[Role, str]] = {}
    for line in course.rubrics:
        written.setdefault(line.round, {}).setdefault(line.role, line.wrote.content)
    return written
