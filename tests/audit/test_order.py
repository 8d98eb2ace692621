"""The order: rubrics in the chain and under the root, answers under the root, and what does not fit."""

import json
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest

from factory.audit.findings import Kind
from factory.audit.flow import AnswersResult, FlowReport
from factory.audit.report import write_flow_report
from factory.errors import RunError
from factory.records.run import EarlierFreeze, FrozenItem, Manifest
from factory.run.answers import Refusal
from factory.run.commitment import write_commitment
from factory.run.folder import RunFolder
from factory.run.freeze import manifest_root

from .graphs import wrote
from .runs import OTHER, Line, change_ledger, first_of, kinds, ledgers, read_ledger, rewrite_conversations

SALT = "ab" * 32


def frozen_anew(
    folder: RunFolder, change: Callable[[dict[str, FrozenItem]], None], earlier: tuple[EarlierFreeze, ...] = ()
) -> None:
    """Changes what is frozen, with the root made to fit."""
    items = dict(folder.manifest().items)
    change(items)
    manifest = Manifest(items=items, earlier=earlier, root=manifest_root(items, earlier))
    folder.manifest_file.write_text(manifest.model_dump_json())


def first_item(folder: RunFolder) -> str:
    """The item of the first rubric in the first ledger."""
    line = first_of(read_ledger(ledgers(folder)[0]), "rubric_writer")
    return f"{line['conversation_id']}#{int(str(line['round'])) + 1}"


def report_on(folder: RunFolder, answers: Path | None = None) -> FlowReport:
    return write_flow_report(folder, scanned=False, answers=answers)


def chained(folder: RunFolder, attack: Callable[[list[Line]], None]) -> FlowReport:
    """The report on a run whose first ledger was changed, with chain, head and root made to fit."""
    change_ledger(folder, attack)
    return report_on(folder)


def test_every_rubric_is_in_the_chain_and_frozen_with_the_same_digest(run: RunFolder) -> None:
    report = report_on(run)
    order, manifest = report.order, run.manifest()
    assert kinds(report) == set()
    assert order.items == order.in_chain == order.frozen == order.published == len(manifest.items) == 14
    assert order.freeze is not None and order.answers is None
    assert (order.freeze.root, order.freeze.version, order.freeze.faults) == (manifest.root, 1, ())
    assert f"14 of 14 rubrics in the chain and frozen under root {manifest.root[:16]}" in report.verdict


def test_a_rubric_changed_behind_the_freeze_is_not_the_one_in_the_chain(run: RunFolder) -> None:
    """Digest and root are computed anew; only the chain remembers."""
    name = first_item(run)
    frozen_anew(run, lambda items: items.update({name: items[name].model_copy(update={"rubric": OTHER})}))
    report = report_on(run)
    assert kinds(report) == {Kind.FREEZE_DIFFERS}
    assert [(f"{f.conversation_id}#{(f.round or 0) + 1}", f.message) for f in report.findings] == [
        (name, "the frozen rubric has another digest than the chain")
    ]
    assert (report.order.in_chain, report.order.frozen) == (14, 13)


def test_a_rubric_changed_in_the_chain_is_not_the_one_that_is_frozen(run: RunFolder) -> None:
    def attack(lines: list[Line]) -> None:
        old = wrote(first_of(lines, "rubric_writer"))["content"]
        for line in lines:
            for read in (*line["reads"], wrote(line)):  # type: ignore[misc]
                if read["content"] == old:
                    read["content"] = OTHER

    report = chained(run, attack)
    assert Kind.FREEZE_DIFFERS in kinds(report)
    assert any(f.message == "the frozen rubric has another digest than the chain" for f in report.findings)


def test_controls_are_held_too(run: RunFolder) -> None:
    name = first_item(run)
    frozen_anew(run, lambda items: items.update({name: items[name].model_copy(update={"controls": OTHER})}))
    report = report_on(run)
    assert [f.message for f in report.findings] == ["the frozen controls have another digest than the chain"]


def test_an_item_that_is_not_frozen_and_one_that_nobody_wrote_are_named(run: RunFolder) -> None:
    name = first_item(run)
    frozen_anew(run, lambda items: items.update({"nobody#1": items.pop(name)}))
    report = report_on(run)
    assert kinds(report) == {Kind.FREEZE_DIFFERS}
    assert {f.message for f in report.findings} == {
        "a rubric is published of an item that is not frozen",
        "the chain holds a rubric that is not frozen",
        "item nobody#1 is frozen, but no chain holds its rubric",
    }


def test_a_rubric_that_comes_into_the_chain_behind_its_controls_is_noticed(run: RunFolder) -> None:
    def behind(lines: list[Line]) -> None:
        line = first_of(lines, "rubric_writer")
        lines.remove(line)
        lines.append(line)

    assert Kind.CONTENT_DIFFERS in kinds(chained(run, behind))


def test_a_rubric_that_is_not_published_is_noticed(run: RunFolder) -> None:
    name = first_item(run)
    conversation_id, _, turn = name.rpartition("#")

    def change(row: dict[str, object]) -> None:
        if row["conversation_id"] == conversation_id:
            row[f"turn_{turn}_tf_rubric"], row[f"turn_{turn}_rq_rubrics"] = None, None

    rewrite_conversations(run, change)
    report = report_on(run)
    assert [f.message for f in report.findings] == ["no rubric of this item is published"]
    assert report.order.published == 13


def test_without_a_freeze_nothing_is_clean(run: RunFolder) -> None:
    run.manifest_file.unlink()
    report = report_on(run)
    assert kinds(report) == {Kind.FREEZE_MISSING}
    assert report.order.freeze is None and report.order.items == 0


@pytest.mark.parametrize("text", ["", "{", "[]", '{"items": {}}', "\x00" * 100, '{"schema_version": 1, "items": 3}'])
def test_a_damaged_freeze_is_named(run: RunFolder, text: str) -> None:
    run.manifest_file.write_text(text)
    assert kinds(report_on(run)) == {Kind.FREEZE_DAMAGED}


def test_another_root_is_not_that_of_the_items(run: RunFolder) -> None:
    manifest = run.manifest().model_copy(update={"root": OTHER})
    run.manifest_file.write_text(manifest.model_dump_json())
    report = report_on(run)
    assert kinds(report) == {Kind.FREEZE_DIFFERS}
    assert "the root is not the digest of the items" in report.findings[0].message


def test_versions_and_commitment_are_told_and_held(run: RunFolder) -> None:
    write_commitment(run, SALT, date(2026, 1, 2))
    report = report_on(run)
    assert kinds(report) == set()
    assert report.order.freeze is not None and report.order.freeze.commitment is not None
    assert report.order.freeze.commitment.committed_on == date(2026, 1, 2)

    earlier = EarlierFreeze(version=1, root=OTHER, reason="a mistake in a rubric")
    frozen_anew(run, lambda items: None, (earlier,))
    report = report_on(run)
    assert kinds(report) == {Kind.FREEZE_DIFFERS}
    assert report.order.freeze is not None and report.order.freeze.earlier == (earlier,)
    assert any("manifest.v1.json: is missing" in f.message for f in report.findings)


def answer(folder: RunFolder, **other: object) -> str:
    """An answer that can be accepted, but for what is given."""
    good = {
        "schema_version": 1,
        "item_id": first_item(folder),
        "root": folder.manifest().root,
        "model": "a-target",
        "response": "Of course.",
        "answered_at": "2026-02-01T12:00:00Z",
    }
    return json.dumps(good | other)


def test_answers_are_accepted_under_the_root_and_refused_by_name(run: RunFolder, tmp_path: Path) -> None:
    write_commitment(run, SALT, date(2026, 1, 2))
    file = tmp_path / "answers.jsonl"
    lines = [
        answer(run),
        answer(run, model="another"),
        answer(run),
        answer(run, model="early", answered_at="2026-01-01T12:00:00Z"),
        answer(run, model="elsewhere", root=OTHER),
        answer(run, model="nowhere", root=""),
        answer(run, item_id="nobody#1"),
        "no JSON \x1b[31m",
        "",
    ]
    file.write_text("\n".join(lines))
    report = report_on(run, file)
    refused = (
        Refusal.DAMAGED,
        Refusal.WITHOUT_ROOT,
        Refusal.ANOTHER_ROOT,
        Refusal.NOT_FROZEN,
        Refusal.OLDER_THAN_FREEZE,
        Refusal.ANSWERED_TWICE,
    )
    assert report.order.answers == AnswersResult(seen=8, accepted=2, refused=dict.fromkeys(refused, 1))
    assert report.findings_by_kind == {Kind.ANSWER_REFUSED: 6}
    assert all(finding.message.isprintable() for finding in report.findings)


def test_accepted_answers_stand_in_the_verdict(run: RunFolder, tmp_path: Path) -> None:
    file = tmp_path / "answers.jsonl"
    file.write_text(answer(run))
    assert ", 1 of 1 answer accepted under it; " in report_on(run, file).verdict


def test_without_a_freeze_no_answer_is_accepted(run: RunFolder, tmp_path: Path) -> None:
    file = tmp_path / "answers.jsonl"
    file.write_text(answer(run))
    run.manifest_file.unlink()
    report = report_on(run, file)
    assert report.order.answers == AnswersResult(seen=1, accepted=0, refused={})
    assert kinds(report) == {Kind.FREEZE_MISSING, Kind.ANSWER_REFUSED}


def test_answers_that_cannot_be_read_are_one_clear_error(run: RunFolder, tmp_path: Path) -> None:
    with pytest.raises(RunError, match=r"nothing\.jsonl: cannot be read"):
        report_on(run, tmp_path / "nothing.jsonl")
