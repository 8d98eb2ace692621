"""Which answers may be judged: those of a target to a frozen item, under its root, and none twice."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from pydantic import ValidationError

from factory.errors import RunError
from factory.records.answer import Answer
from factory.records.freeze import Commitment
from factory.records.run import Manifest
from factory.run.reading import open_given

MOST_LINE_BYTES = 1_000_000
"""A longer line is no answer: nobody speaks that long in one turn."""


class Refusal(StrEnum):
    """Why an answer is not accepted."""

    DAMAGED = "damaged"
    WITHOUT_ROOT = "without_root"
    ANOTHER_ROOT = "another_root"
    EARLIER_VERSION = "earlier_version"
    NOT_FROZEN = "not_frozen"
    OLDER_THAN_FREEZE = "older_than_freeze"
    ANSWERED_TWICE = "answered_twice"


@dataclass(frozen=True)
class Refused:
    """An answer that is not accepted.

    Attributes:
        line: Number of its line, from 1.
        message: Which item and model it is about, as far as that is known, and what is wrong.
    """

    line: int
    refusal: Refusal
    message: str


def accept_answers(
    manifest: Manifest, lines: Iterable[bytes], commitment: Commitment | None = None
) -> Iterator[Answer | Refused]:
    """Goes through answers, one JSON object a line; gives each as it is if it may be judged, or why it may not.

    Empty lines do not count. Memory grows with the number of accepted answers only, by item and model.

    Args:
        manifest: The freeze; whether its root holds is for `factory.run.versions` to say.
        lines: The lines, as `answer_lines` reads them.
        commitment: The commitment to this freeze, where there is one: no answer is older than its day.
    """
    seen: set[tuple[str, str]] = set()
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        answer = _read(line)
        fault = answer if isinstance(answer, _Fault) else _fault(answer, manifest, commitment, seen)
        if isinstance(fault, _Fault):
            yield Refused(number, fault.refusal, fault.message)
        elif isinstance(answer, Answer):
            seen.add((answer.item_id, answer.model))
            yield answer


def answer_lines(path: Path) -> Iterator[bytes]:
    """The lines of a file of answers; of one that is too long only so much that this can be seen.

    Raises:
        RunError: if the file cannot be read.
    """
    try:
        with open_given(path) as file:
            while line := file.readline(MOST_LINE_BYTES + 1):
                rest = line
                while len(rest) > MOST_LINE_BYTES and not rest.endswith(b"\n"):
                    rest = file.readline(MOST_LINE_BYTES + 1)
                yield line
    except OSError as exc:
        raise RunError(f"{path}: cannot be read: {exc.strerror}") from None


@dataclass(frozen=True)
class _Fault:
    refusal: Refusal
    message: str


def _read(line: bytes) -> Answer | _Fault:
    if len(line) > MOST_LINE_BYTES:
        return _Fault(Refusal.DAMAGED, f"is longer than {MOST_LINE_BYTES} bytes")
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return _Fault(Refusal.DAMAGED, "is no JSON")
    if not isinstance(found, dict):
        return _Fault(Refusal.DAMAGED, "is no JSON object")
    if not found.get("root"):
        return _Fault(Refusal.WITHOUT_ROOT, f"{_named(found)}: names no root of a freeze")
    try:
        return Answer.from_json(line)
    except ValidationError as exc:
        first = exc.errors(include_url=False)[0]
        place = ".".join(map(str, first["loc"])) or "answer"
        return _Fault(Refusal.DAMAGED, f"{_named(found)}: `{place}`: {first['msg']}")


def _named(found: dict[str, object]) -> str:
    item_id, model = found.get("item_id"), found.get("model")
    return f"{item_id if isinstance(item_id, str) else 'no item'} by {model if isinstance(model, str) else 'nobody'}"


def _fault(
    answer: Answer, manifest: Manifest, commitment: Commitment | None, seen: set[tuple[str, str]]
) -> _Fault | None:
    """Why a well-formed answer is not accepted."""
    who = f"{answer.item_id} by {answer.model}"
    if answer.root != manifest.root:
        for given_up in manifest.earlier:
            if given_up.root == answer.root:
                told = f"{who}: answers version {given_up.version}, which was given up: {given_up.reason}"
                return _Fault(Refusal.EARLIER_VERSION, told)
        return _Fault(Refusal.ANOTHER_ROOT, f"{who}: names another root, {answer.root}")
    if answer.item_id not in manifest.items:
        return _Fault(Refusal.NOT_FROZEN, f"{who}: the item is not in the manifest")
    day = commitment.committed_on if commitment is not None else None
    if day is not None and answer.answered_at.date() < day:
        told = f"{who}: is of {answer.answered_at.date()}, and the freeze was committed to on {day}"
        return _Fault(Refusal.OLDER_THAN_FREEZE, told)
    if (answer.item_id, answer.model) in seen:
        return _Fault(Refusal.ANSWERED_TWICE, f"{who}: was answered before")
    return None
