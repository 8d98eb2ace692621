"""The order: rubrics in the chain and under the root, answers under the root, and what does not fit."""

import json
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest

from factory.audit.any_target import audit_target
from factory.audit.findings import Kind
from factory.audit.flow import FlowReport
from factory.audit.options import AuditOptions
from factory.audit.report import write_flow_report
from factory.audit.report_parts import AnswersResult
from factory.audit.target import find_target
from factory.audit.terminal import result_text
from factory.audit.verdict import answer_words
from factory.errors import RunError
from factory.records.run import EarlierFreeze, FrozenItem
from factory.run.answers import Refusal
from factory.run.commitment import write_commitment
from factory.run.folder import RunFolder

from .graphs import wrote
from .runs import (
    OTHER,
    Line,
    change_ledger,
    first_of,
    kinds,
    ledgers,
    read_ledger,
    refreeze,
    renew_ledger_root,
    rewrite_conversations,
)

SALT = "ab" * 32


def frozen_anew(
    folder: RunFolder, change: Callable[[dict[str, FrozenItem]], None], earlier: tuple[EarlierFreeze, ...] = ()
) -> None:
    """Changes what is frozen, with the root made to fit."""
    items = dict(folder.manifest().items)
    change(items)
    refreeze(folder, items=items, earlier=earlier)


def first_item(folder: RunFolder) -> str:
    """The item of the first rubric in the first ledger."""
    line = first_of(read_ledger(ledgers(folder)[0]), "rubric_writer")
    return f"{line['conversation_id']}#{int(str(line['round'])) + 1}"


def report_on(folder: RunFolder, answers: Path | None = None) -> FlowReport:
    return write_flow_report(folder, AuditOptions(scanned=False, answers=answers))


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


def _edited(lines: list[Line]) -> None:
    first_of(lines, "planner")["engine"] = "code"  # which it may be, and was not


def test_a_ledger_that_is_not_the_frozen_one_is_noticed_though_its_own_root_fits(run: RunFolder) -> None:
    path = ledgers(run)[0]
    lines = read_ledger(path)
    _edited(lines)
    renew_ledger_root(run, path, lines)
    report = report_on(run)
    assert kinds(report) == {Kind.FREEZE_DIFFERS}
    assert [f.message for f in report.findings] == [
        "manifest.json: is over another ledger than the one that ledger/root.json holds"
    ]


def test_one_root_is_of_one_ledger(run: RunFolder) -> None:
    """Forged all the way up, the ledger shows in the freeze's root."""
    before = run.manifest()
    report = chained(run, _edited)
    assert report.clean and report.order.freeze is not None
    assert run.manifest().items == before.items
    assert report.order.freeze.root != before.root
    assert report.order.freeze.ledger == report.chain.root != before.ledger


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
    answers = report.order.answers
    assert answers is not None
    assert (answers.seen, answers.accepted, answers.refused) == (8, 2, dict.fromkeys(refused, 1))
    assert [refusal.split(":")[0] for refusal in answers.refusals] == [
        f"line {number} of the answers" for number in (3, 4, 5, 6, 7, 8)
    ]
    assert all(refusal.isprintable() for refusal in answers.refusals)
    assert answer_words(answers) == (
        "answers: 6 of 8 refused: 1 damaged, 1 without_root, 1 another_root, 1 not_frozen, 1 older_than_freeze, "
        "1 answered_twice"
    )


def test_refused_answers_are_no_stain_on_the_corpus(run: RunFolder, tmp_path: Path) -> None:
    file = tmp_path / "answers.jsonl"
    file.write_text("\n".join([answer(run), answer(run), answer(run, root=OTHER)]))
    report, without = report_on(run, file), report_on(run)
    assert report.clean and kinds(report) == set()
    # With answers, calls of who writes the items are held as well: nothing else of the verdict may change.
    told = (f"{report.graph.sources} withheld", f"{report.graph.calls} role calls")
    before = (f"{without.graph.sources} withheld", f"{without.graph.calls} role calls")
    expected = without.verdict
    for old, new in zip(before, told, strict=True):
        expected = expected.replace(old, new)
    assert report.verdict == expected


def test_refused_answers_end_an_audit_with_a_finding_and_a_line_of_their_own(run: RunFolder, tmp_path: Path) -> None:
    file = tmp_path / "answers.jsonl"
    target = find_target(run.path)
    file.write_text(answer(run))
    accepted = audit_target(target, AuditOptions(answers=file))
    assert not accepted.counts_as_finding(strict=False)
    assert "\nanswers: 1 of 1 accepted under the freeze's root\n" in result_text(accepted, target, strict=False)
    file.write_text("\n".join([answer(run), answer(run, root=OTHER)]))
    refused = audit_target(target, AuditOptions(answers=file))
    text = result_text(refused, target, strict=False)
    assert refused.clean and refused.counts_as_finding(strict=False)
    assert text.startswith("clean: ")
    assert "\nanswers: 1 of 2 refused: 1 another_root\n- line 2 of the answers: " in text


def test_without_a_freeze_no_answer_is_accepted(run: RunFolder, tmp_path: Path) -> None:
    file = tmp_path / "answers.jsonl"
    file.write_text(answer(run))
    run.manifest_file.unlink()
    report = report_on(run, file)
    assert report.order.answers == AnswersResult(seen=1, accepted=0, refused={})
    assert kinds(report) == {Kind.FREEZE_MISSING}
    assert answer_words(report.order.answers) == ("answers: 1 of 1 refused: there is no freeze to hold them against")


def test_answers_that_cannot_be_read_are_one_clear_error(run: RunFolder, tmp_path: Path) -> None:
    with pytest.raises(RunError, match=r"nothing\.jsonl: cannot be read"):
        report_on(run, tmp_path / "nothing.jsonl")
