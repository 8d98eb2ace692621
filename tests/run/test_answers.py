"""Which answers are accepted: to a frozen item, under its root, not before the freeze, and each once."""

import json
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from factory.errors import RunError
from factory.records.answer import Answer
from factory.records.freeze import Commitment
from factory.records.run import EarlierFreeze, FrozenItem, Manifest
from factory.run.answers import MOST_LINE_BYTES, Refusal, Refused, accept_answers, answer_lines
from factory.run.freeze import manifest_root

FROZEN = FrozenItem(rubric="1" * 64, wording="4" * 64, controls="2" * 64, item="3" * 64)
ITEMS = {"call-0001#3": FROZEN, "call-0002#1": FROZEN}
LEDGER = "6" * 64
EARLIER = (EarlierFreeze(version=1, root="a" * 64, reason="A wrong date"),)
MANIFEST = Manifest(items=ITEMS, ledger=LEDGER, earlier=EARLIER, root=manifest_root(ITEMS, LEDGER, EARLIER))
COMMITTED = Commitment(seal="5" * 64, items=2, spec="s", factory_version="0.1.0", committed_on=date(2026, 3, 1))


def line(**changed: Any) -> bytes:
    answer = {
        "item_id": "call-0001#3",
        "root": MANIFEST.root,
        "model": "target-a",
        "response": "Of course.",
        "answered_at": "2026-03-01T00:00:00Z",
    } | changed
    return json.dumps({name: value for name, value in answer.items() if value is not ...}).encode() + b"\n"


def refused(*lines: bytes, commitment: Commitment | None = COMMITTED) -> list[tuple[int, Refusal]]:
    found = accept_answers(MANIFEST, lines, commitment)
    return [(answer.line, answer.refusal) for answer in found if isinstance(answer, Refused)]


def accepted(*lines: bytes, commitment: Commitment | None = COMMITTED) -> list[Answer]:
    return [answer for answer in accept_answers(MANIFEST, lines, commitment) if isinstance(answer, Answer)]


def test_answers_of_several_models_to_frozen_items_are_accepted() -> None:
    lines = [
        line(),
        line(item_id="call-0002#1"),
        line(model="target-b", response=..., audio="audio/b.wav", answered_at="2026-04-01T12:00:00.5+00:00"),
    ]
    assert refused(*lines) == []
    assert [(answer.item_id, answer.model) for answer in accepted(*lines)] == [
        ("call-0001#3", "target-a"),
        ("call-0002#1", "target-a"),
        ("call-0001#3", "target-b"),
    ]


@pytest.mark.parametrize(
    ("changed", "refusal"),
    [
        ({"root": ...}, Refusal.WITHOUT_ROOT),
        ({"root": None}, Refusal.WITHOUT_ROOT),
        ({"root": ""}, Refusal.WITHOUT_ROOT),
        ({"root": "b" * 64}, Refusal.ANOTHER_ROOT),
        ({"root": "a" * 64}, Refusal.EARLIER_VERSION),
        ({"root": MANIFEST.root[:16]}, Refusal.DAMAGED),
        ({"root": 7}, Refusal.DAMAGED),
        ({"item_id": "call-0003#1"}, Refusal.NOT_FROZEN),
        ({"answered_at": "2026-02-28T23:59:59Z"}, Refusal.OLDER_THAN_FREEZE),
        ({"answered_at": "2026-03-02T12:00:00"}, Refusal.DAMAGED),
        ({"answered_at": "2026-03-02T12:00:00+05:30"}, Refusal.DAMAGED),
        ({"response": ...}, Refusal.DAMAGED),
        ({"rubric": "mine"}, Refusal.DAMAGED),
    ],
)
def test_an_answer_that_may_not_be_judged_is_refused(changed: dict[str, Any], refusal: Refusal) -> None:
    assert refused(line(), line(model="target-b", **changed)) == [(2, refusal)]


def test_without_a_day_in_the_commitment_no_answer_is_too_old() -> None:
    old = line(answered_at="1999-01-01T00:00:00Z")
    assert refused(old) == [(1, Refusal.OLDER_THAN_FREEZE)]
    assert refused(old, commitment=None) == []
    assert refused(old, commitment=COMMITTED.model_copy(update={"committed_on": None})) == []


def test_one_model_answers_an_item_once_and_a_refused_answer_does_not_count() -> None:
    lines = [line(root="b" * 64), line(), b"\n", line(response="Or so?"), line(model="target-b")]
    assert refused(*lines) == [(1, Refusal.ANOTHER_ROOT), (4, Refusal.ANSWERED_TWICE)]


@pytest.mark.parametrize("damaged", [b"{", b"\xff\n", b"[]", b"7", b"[" * 100_000, b"x" * (MOST_LINE_BYTES + 1)])
def test_a_line_that_is_no_answer_is_refused_and_the_others_stand(damaged: bytes) -> None:
    assert refused(damaged, line()) == [(1, Refusal.DAMAGED)]
    assert len(accepted(damaged, line())) == 1


def test_a_refusal_names_item_and_model() -> None:
    (found,) = accept_answers(MANIFEST, [line(root=...)])
    assert isinstance(found, Refused) and "call-0001#3" in found.message and "target-a" in found.message


def test_a_huge_line_is_one_line_and_is_not_held_whole(tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl"
    with path.open("wb") as file:
        file.write(line())
        for _ in range(20):
            file.write(b"x" * 500_000)
        file.write(b"\n" + line(model="target-b"))
    read: Iterator[bytes] = answer_lines(path)
    assert [min(len(part), MOST_LINE_BYTES + 1) == len(part) for part in read] == [True] * 3
    assert refused(*answer_lines(path)) == [(2, Refusal.DAMAGED)]


def test_missing_answers_are_an_error(tmp_path: Path) -> None:
    with pytest.raises(RunError, match=r"none\.jsonl: cannot be read"):
        list(answer_lines(tmp_path / "none.jsonl"))
