"""`factory audit TARGET`: one command for all targets, with one document, one page, and three exit codes."""

import json
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from factory.audit.flow import FlowReport
from factory.audit.result import AuditResult, Proof, TargetKind
from factory.cli import main
from factory.run.folder import RunFolder

from .files import Row, honest, put, turn, write

LEAK = turn(6, caller="So the chain has to be ordered first, I see.")

Audit = Callable[..., tuple[int, str, str]]
"""Exit code, output and errors of `factory audit` with a target and options."""


@pytest.fixture
def audit(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Audit:
    def run(target: Path, *options: str | Path) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["factory", "audit", str(target), *map(str, options)])
        with pytest.raises(SystemExit) as ended:
            main()
        output, errors = capsys.readouterr()
        return int(ended.value.code or 0), output, errors

    return run


def calls(folder: Path, *changes: Callable[[Row], object]) -> Path:
    row = honest()
    for change in changes:
        change(row)
    return write(folder / "calls.parquet", [row])


@pytest.mark.parametrize(
    ("changes", "plainly", "strictly"),
    [
        ((), 0, 0),
        ((put(num_turns=5),), 1, 1),
        ((turn(3, delivered="Fine, before we look at any days, your code?"),), 0, 1),
        ((LEAK,), 0, 1),
    ],
)
def test_the_exit_code_says_whether_something_counts(
    audit: Audit, changes: tuple[Callable[[Row], object], ...], plainly: int, strictly: int, tmp_path: Path
) -> None:
    path = calls(tmp_path, *changes)
    assert audit(path)[0] == plainly
    assert audit(path, "--strict")[0] == strictly


def test_what_cannot_be_audited_has_code_2_and_one_line(audit: Audit, tmp_path: Path) -> None:
    code, output, errors = audit(tmp_path / "nothing")
    assert (code, output) == (2, "")
    assert errors == f"error: {tmp_path / 'nothing'}: there is no such file or folder\n"


def test_the_text_names_every_rule_with_its_counts_and_what_cannot_be_shown(audit: Audit, tmp_path: Path) -> None:
    code, output, errors = audit(calls(tmp_path, put(num_turns=5)))
    assert (code, errors) == (1, "")
    lines = output.splitlines()
    assert lines[0].startswith(
        "not clean: 1 break of a rule (1 turn_count_differs) in 6 interruptions of 1 conversation"
    )
    assert any(line.split() == ["turn_count_differs", "1/1", *["-"] * 6] for line in lines)
    assert any(line.split() == ["cut_in_last_sentence", "0/6", *["0/1"] * 6] for line in lines)
    assert "- turn_count_differs: harbor-1, row 1: num_turns is 5, but the columns hold 13" in lines
    assert "- chain: there is no ledger: only a run's folder has one" in lines


def test_json_is_one_document_for_every_kind_of_target(audit: Audit, plain: RunFolder, tmp_path: Path) -> None:
    run = Path(shutil.copytree(plain.path, tmp_path / "run"))
    kinds = {TargetKind.RUN: run, TargetKind.DATASET: run / "dataset", TargetKind.FOREIGN: calls(tmp_path)}
    for kind, target in kinds.items():
        code, output, errors = audit(target, "--json")
        assert (code, errors) == (0, "")
        assert output.count("\n") == 1
        result = AuditResult.from_json(output)
        assert (result.target, result.clean) == (kind, True)
        assert result.canonical() + "\n" == output
        assert (result.flow is not None) == (kind is TargetKind.RUN)
        assert {proof.proof for proof in result.proofs} == set(Proof)


def test_a_runs_document_holds_its_flow_report(audit: Audit, plain: RunFolder, tmp_path: Path) -> None:
    run = RunFolder(Path(shutil.copytree(plain.path, tmp_path / "run")))
    result = AuditResult.from_json(audit(run.path, "--json")[1])
    assert result.flow == FlowReport.from_json(run.flow_record.read_text())


def test_a_run_is_told_in_words_as_before(audit: Audit, plain: RunFolder, tmp_path: Path) -> None:
    run = RunFolder(Path(shutil.copytree(plain.path, tmp_path / "run")))
    code, output, errors = audit(run.path)
    assert (code, errors) == (0, "")
    lines = output.splitlines()
    assert lines[0].startswith("clean: ")
    assert lines[-2].startswith("ledger root: ")
    assert lines[-1] == f"the whole report: {run.flow_report}"


class TestAPage:
    def test_is_written_where_it_is_asked_for(self, audit: Audit, tmp_path: Path) -> None:
        path = tmp_path / "page.html"
        assert audit(calls(tmp_path, put(num_turns=5)), "--report", path)[0] == 1
        page = path.read_text()
        assert page.startswith("<!doctype html>")
        assert "num_turns is 5, but the columns hold 13" in page
        assert "<script" not in page

    def test_is_never_written_into_what_is_audited(self, audit: Audit, plain: RunFolder, tmp_path: Path) -> None:
        dataset = Path(shutil.copytree(plain.dataset, tmp_path / "dataset"))
        before = sorted(dataset.iterdir())
        code, _, errors = audit(dataset, "--report", dataset / "page.html")
        assert (code, errors.count("\n")) == (2, 1)
        assert "lies in what is audited" in errors
        assert sorted(dataset.iterdir()) == before

    def test_does_not_replace_the_file_that_is_audited(self, audit: Audit, tmp_path: Path) -> None:
        path = calls(tmp_path)
        before = path.read_bytes()
        assert audit(path, "--report", path)[0] == 2
        assert path.read_bytes() == before

    def test_is_refused_of_a_run(self, audit: Audit, plain: RunFolder, tmp_path: Path) -> None:
        code, output, errors = audit(plain.path, "--report", tmp_path / "page.html")
        assert (code, output) == (2, "")
        assert "reports/flow-report.html" in errors


def test_answers_are_about_a_run(audit: Audit, tmp_path: Path) -> None:
    code, _, errors = audit(calls(tmp_path), "--answers", tmp_path / "answers.jsonl")
    assert code == 2
    assert errors.startswith("error: --answers is about a run")


def test_the_same_file_gives_the_same_bytes(audit: Audit, tmp_path: Path) -> None:
    path = calls(tmp_path, LEAK)
    first, second = (audit(path, "--json", "--report", tmp_path / name) for name in ("a.html", "b.html"))
    assert first == second
    assert (tmp_path / "a.html").read_bytes() == (tmp_path / "b.html").read_bytes()
    assert json.loads(first[1])["scan"]["findings"]
