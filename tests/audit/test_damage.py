"""Damaged and hostile input: a finding or one clear error, never a traceback, never a clean verdict."""

import json
import os
import shutil
from pathlib import Path

import pyarrow.parquet as pq  # type: ignore[import-untyped]
import pytest

from factory.audit.any_target import audit_target
from factory.audit.findings import MOST_KEPT, Finding, Findings, Kind, shown
from factory.audit.options import AuditOptions
from factory.audit.report import Unwritten, write_flow_report
from factory.audit.target import find_target
from factory.dataset.write import CONVERSATIONS, TURNS
from factory.errors import RunError
from factory.records.base import canonical_json, sha256
from factory.run.folder import RunFolder

from .runs import kinds, ledgers, read_ledger, reseal, rewrite_turn


def test_a_missing_ledger(run: RunFolder) -> None:
    ledgers(run)[0].unlink()
    report = write_flow_report(run)
    assert kinds(report) == {Kind.LEDGER_MISSING}
    assert (report.chain.unbroken, report.chain.conversations) == (3, 4)
    assert report.inputs.equal < report.inputs.rebuilt


@pytest.mark.parametrize("kept", [0, 1, 700, -1, -300])
def test_half_a_ledger(run: RunFolder, kept: int) -> None:
    path = ledgers(run)[0]
    path.write_bytes(path.read_bytes()[:kept])
    assert kinds(write_flow_report(run)) == {Kind.LEDGER_DAMAGED}


@pytest.mark.parametrize(
    "line",
    [b"", b"{}", b"null", b"\xff\xfe", b"\0" * 40, b"[" * 9_999, b'{"round": ' + b"9" * 5_000 + b"}", b"x" * 5_000_000],
    ids=["empty", "no fields", "null", "no text", "zeros", "deep", "huge number", "huge line"],
)  # fmt: skip
def test_a_line_that_is_none(run: RunFolder, line: bytes) -> None:
    path = ledgers(run)[0]
    whole = path.read_bytes().split(b"\n")
    path.write_bytes(b"\n".join([*whole[:4], line, *whole[4:]]))
    report = write_flow_report(run)
    assert kinds(report) == {Kind.LEDGER_DAMAGED}
    assert report.findings[0].message == "line 5 of the ledger is not a ledger line"


def test_a_line_of_five_megabytes_that_is_one(run: RunFolder) -> None:
    path = ledgers(run)[0]
    lines = read_ledger(path)
    lines[3]["engine"] = "<script>" * 700_000
    reseal(run, path, lines)
    assert write_flow_report(run).conversations == 4
    assert (run.reports / "flow-report.html").stat().st_size < 500_000


def test_a_ledger_that_is_too_large_to_be_one(run: RunFolder) -> None:
    os.truncate(ledgers(run)[0], 100_000_000)
    assert kinds(write_flow_report(run)) == {Kind.LEDGER_DAMAGED}


def test_a_folder_in_a_ledgers_place(run: RunFolder) -> None:
    path = ledgers(run)[0]
    path.unlink()
    path.mkdir()
    assert kinds(write_flow_report(run)) == {Kind.LEDGER_DAMAGED}


def test_a_ledger_that_the_root_does_not_name(run: RunFolder) -> None:
    shutil.copy(ledgers(run)[0], run.ledger_root_file.parent / "stranger.jsonl")
    assert kinds(write_flow_report(run)) == {Kind.LEDGER_FOREIGN}


def test_an_id_that_leads_out_of_the_folder_is_not_followed(run: RunFolder) -> None:
    path = ledgers(run)[0]
    outside = run.path.parent / "outside.jsonl"
    shutil.copy(path, outside)
    heads = run.ledger_root().heads
    heads["../../outside"] = heads.pop(path.stem)
    run.ledger_root_file.write_text(json.dumps({"heads": heads, "root": sha256(canonical_json(heads))}))
    report = write_flow_report(run)
    assert {Kind.LEDGER_MISSING, Kind.CONVERSATION_MISSING} <= kinds(report)
    assert report.chain.lines < sum(len(read_ledger(p)) for p in ledgers(run))


def test_messages_that_are_not_where_they_belong(run: RunFolder) -> None:
    rewrite_turn(run, "caller", message_index=40)
    report = write_flow_report(run)
    assert kinds(report) == {Kind.DATASET_DAMAGED}
    assert "message 40" in report.findings[0].message


@pytest.mark.parametrize("name", [CONVERSATIONS, TURNS])
def test_missing_columns_are_one_clear_error(run: RunFolder, name: str) -> None:
    path = run.dataset / name
    table = pq.read_table(path)
    pq.write_table(table.drop_columns([table.column_names[-1]]), path)
    with pytest.raises(RunError, match=rf"{name}: its columns are not those of this file"):
        write_flow_report(run)


@pytest.mark.parametrize("name", [f"dataset/{CONVERSATIONS}", f"dataset/{TURNS}", "run.json", "ledger/root.json"])
@pytest.mark.parametrize("damage", ["missing", "cut short"])
def test_what_no_audit_can_do_without_is_one_clear_error(run: RunFolder, name: str, damage: str) -> None:
    write_flow_report(run)
    path = run.path / name
    if damage == "missing":
        path.unlink()
    else:
        path.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(RunError, match=path.name) as error:
        write_flow_report(run)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("name", [f"dataset/{CONVERSATIONS}", f"dataset/{TURNS}", "ledger/root.json"])
def test_a_build_that_is_not_finished_is_told_as_such_and_how_it_goes_on(run: RunFolder, name: str) -> None:
    (run.path / name).unlink()
    with pytest.raises(RunError) as error:
        audit_target(find_target(run.path))
    assert str(error.value) == (
        f"{run.path}: its build is not finished ({name} is not there yet); the same build command goes on with it, "
        "and then it can be audited"
    )
    run.checksums_file.write_text("{}")  # which a build writes last
    with pytest.raises(RunError) as error:
        audit_target(find_target(run.path))
    assert "and then it can be audited" not in str(error.value)


def test_an_earlier_verdict_does_not_outlive_the_files_it_rests_on(run: RunFolder) -> None:
    assert write_flow_report(run).clean
    (run.dataset / TURNS).unlink()
    with pytest.raises(RunError):
        write_flow_report(run)
    assert list(run.reports.iterdir()) == []


def test_answers_that_are_not_there_leave_the_earlier_report_alone(run: RunFolder) -> None:
    write_flow_report(run)
    with pytest.raises(RunError, match="nowhere: cannot be read"):
        write_flow_report(run, AuditOptions(answers=run.path / "nowhere"))
    assert run.flow_record.exists() and run.flow_report.exists()


@pytest.mark.parametrize("blocked", ["flow_record", "flow_report"])
def test_an_earlier_page_does_not_outlive_a_report_that_cannot_be_written(run: RunFolder, blocked: str) -> None:
    assert write_flow_report(run).clean
    rewrite_turn(run, "caller", text="other words")
    place: Path = getattr(run, blocked)
    place.unlink()
    place.mkdir()
    with pytest.raises(Unwritten, match=r"is of an earlier audit, .* cannot be removed") as error:
        write_flow_report(run)
    assert not error.value.report.clean
    assert place.name in str(error.value)
    other = run.flow_report if place == run.flow_record else run.flow_record
    assert not other.exists()
    place.rmdir()
    (run.dataset / TURNS).unlink()
    with pytest.raises(RunError):
        write_flow_report(run)
    assert list(run.reports.iterdir()) == []


@pytest.mark.parametrize("name", ["reports", "ledger", "dataset", "manifest.json"])
def test_nothing_of_a_run_that_lies_elsewhere_is_read_or_written(run: RunFolder, name: str) -> None:
    write_flow_report(run)
    elsewhere = run.path.parent / "elsewhere"
    (run.path / name).rename(elsewhere)
    (run.path / name).symlink_to(elsewhere)
    with pytest.raises(RunError, match=rf"{name}: is a link that leads out of the folder"):
        write_flow_report(run)
    if name == "reports":
        assert (elsewhere / run.flow_record.name).exists()
    else:
        assert not run.flow_record.exists()


@pytest.mark.parametrize("kind", ["pipe", "endless"])
@pytest.mark.parametrize("name", [f"dataset/{TURNS}", "run.json", "ledger/root.json"])
def test_a_pipe_or_a_device_is_one_clear_error(run: RunFolder, name: str, kind: str) -> None:
    _replace(run.path / name, kind)
    with pytest.raises(RunError, match=r"no regular file|leads out of the folder"):
        write_flow_report(run)


def test_a_pipe_in_a_ledgers_place(run: RunFolder) -> None:
    _replace(ledgers(run)[0], "pipe")
    assert kinds(write_flow_report(run)) == {Kind.LEDGER_DAMAGED}


def test_a_ledger_without_end_is_refused(run: RunFolder) -> None:
    _replace(ledgers(run)[0], "endless")
    with pytest.raises(RunError, match="leads out of the folder"):
        write_flow_report(run)


def _replace(path: Path, kind: str) -> None:
    path.unlink()
    if kind == "pipe":
        os.mkfifo(path)
    else:
        path.symlink_to("/dev/zero")


def test_a_folder_that_is_no_run_is_refused_and_left_alone(run: RunFolder) -> None:
    write_flow_report(run)
    run.identity_file.unlink()
    with pytest.raises(RunError, match=r"run\.json"):
        write_flow_report(run)
    assert (run.reports / "flow-report.json").exists()


def test_findings_are_counted_without_end_and_kept_up_to_a_limit() -> None:
    findings = Findings()
    for number in range(MOST_KEPT + 5):
        findings.add(Kind.CHAIN_BROKEN, str(number))
    assert (len(findings.kept), findings.total) == (MOST_KEPT, MOST_KEPT + 5)


def test_a_finding_names_the_round_and_the_turn_that_it_is_in_the_columns() -> None:
    assert Finding(kind=Kind.HEARD_DIFFERS, conversation_id="a-1", round=1, message="").place == "a-1, round 1 (turn 2)"


def test_texts_out_of_the_files_cannot_command_a_terminal() -> None:
    assert shown("a\x1b[2Jb\nc\u202ed") == "a�[2Jb�c�d"
    assert len(shown("x" * 5_000_000)) == 80
