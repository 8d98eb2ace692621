"""`factory audit TARGET`: one command for all targets, with one document, one page, and three exit codes."""

import json
import re
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from factory.audit.any_target import audit_target
from factory.audit.flow import FlowReport
from factory.audit.report import audit_run
from factory.audit.result import AuditResult, Proof, TargetKind
from factory.audit.target import find_target
from factory.audit.terminal import MOST_SHOWN, result_text
from factory.cli import main
from factory.dataset.write import CONVERSATIONS, INTERRUPTIONS
from factory.run.folder import RunFolder
from tests.audit.runs import interrupted, rewrite, rewrite_turn
from tests.browsers import barriers, launched, needs_chromium

from .files import Row, honest, put, turn, write

LEAK = turn(6, caller="So the chain has to be ordered first, I see.")

OF_COLUMNS = (
    Proof.ITEMS,
    Proof.CUTS,
    Proof.OVERLAP,
    Proof.CONTINUATIONS,
    Proof.RUBRICS,
    Proof.VERIFICATION_ORDER,
)
"""Proofs that a run's audit makes beside those of the flow."""

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
    assert any(line.startswith("columns: no rule is broken for certain in ") for line in lines)
    assert lines[-2].startswith("ledger root: ")
    assert lines[-1] == f"the whole report: {run.flow_report}"


def conversations(folder: RunFolder) -> Path:
    return folder.dataset / CONVERSATIONS


class TestTheRulesOfARun:
    """A run's published files keep the same rules as those of a dataset, whether it has a ledger or not."""

    @pytest.fixture
    def run(self, plain: RunFolder, tmp_path: Path) -> RunFolder:
        return RunFolder(Path(shutil.copytree(plain.path, tmp_path / "run")))

    def test_come_to_the_same_as_those_of_its_dataset(self, audit: Audit, run: RunFolder) -> None:
        result, alone = (AuditResult.from_json(audit(path, "--json")[1]) for path in (run.path, run.dataset))
        assert result.rules == alone.rules
        by_proof = [{proof.proof: proof for proof in found.proofs} for found in (result, alone)]
        assert all(by_proof[0][proof] == by_proof[1][proof] for proof in OF_COLUMNS)
        assert by_proof[0][Proof.CUTS].made and by_proof[0][Proof.ITEMS].made

    def test_count_if_one_is_broken_for_certain_whatever_the_flow_report_says(
        self, plain: RunFolder, run: RunFolder
    ) -> None:
        clean = audit_run(plain, plain.identity())
        agent, _ = interrupted(run)
        rewrite_turn(run, "agent", as_meant=agent["text"])
        rewrite(conversations(run), cut_nothing)

        def as_if_clean(folder: RunFolder, audit: Callable[[], FlowReport]) -> FlowReport:
            assert not audit().clean
            return clean

        target = find_target(run.path)
        result = audit_target(target, carry=as_if_clean)
        assert result.flow == clean and clean.clean
        assert not result.clean and result.counts_as_finding(strict=False)
        assert re.match(r"not clean: [\d,]+ breaks? of .*nothing_cut.*; the flow: clean: ", result.verdict)
        lines = result_text(result, target, strict=False).splitlines()
        assert lines[0] == result.verdict
        assert any(line.startswith("columns: ") and "nothing_cut" in line for line in lines)
        assert any(line.startswith("- nothing_cut: ") for line in lines)

    def test_count_only_strictly_if_one_looks_broken(self, audit: Audit, run: RunFolder) -> None:
        record = AuditResult.from_json(audit(run.path, "--json")[1])
        looks = record.rules.counts[0].model_copy(update={"looks_broken": 1})
        unsure = record.model_copy(update={"rules": record.rules.model_copy(update={"counts": (looks,)})})
        assert unsure.clean and unsure.strong_leaks == 0
        assert not unsure.counts_as_finding(strict=False) and unsure.counts_as_finding(strict=True)

    def test_hold_the_lists_of_items_as_well(self, audit: Audit, run: RunFolder) -> None:
        path = run.dataset / INTERRUPTIONS
        path.write_text(json.dumps(json.loads(path.read_text())[1:]))
        code, output, _ = audit(run.path)
        assert code == 1
        assert any(line.startswith("- dataset_damaged: ") and INTERRUPTIONS in line for line in output.splitlines())


def test_what_is_not_listed_is_counted(audit: Audit, plain: RunFolder, tmp_path: Path) -> None:
    run = RunFolder(Path(shutil.copytree(plain.path, tmp_path / "run")))
    rewrite(conversations(run), change_every_caller)
    for target, more_in in ((run.path, "the whole report has them"), (run.dataset, "--json has them")):
        result = AuditResult.from_json(audit(target, "--json")[1])
        found = result.flow or result.published
        assert found is not None
        total = sum(found.findings_by_kind.values())
        assert total > MOST_SHOWN
        lines = audit(target)[1].splitlines()
        assert f"- … and {total - MOST_SHOWN} more; {more_in}" in lines


def test_places_of_a_rule_that_are_not_listed_are_counted(audit: Audit, tmp_path: Path) -> None:
    rows = [honest(f"harbor-{number}") | {"num_turns": 5} for number in range(5)]
    lines = audit(write(tmp_path / "calls.parquet", rows))[1].splitlines()
    assert sum(line.startswith("- turn_count_differs: harbor-") for line in lines) == 3
    assert "- turn_count_differs: … and 2 more; --json has the first places of each rule" in lines


def cut_nothing(row: Row) -> None:
    """Gives every cut turn of the agent's the original that it has delivered."""
    for name in row:
        if name.endswith("_original") and row[name]:
            row[name] = row[name.replace("_original", "_transcript")]


def change_every_caller(row: Row) -> None:
    for name in row:
        if name.startswith("user_turn_") and name.endswith("_transcript") and row[name]:
            row[name] = "Something wholly different."


class TestAPage:
    def test_is_written_where_it_is_asked_for(self, audit: Audit, tmp_path: Path) -> None:
        path = tmp_path / "page.html"
        assert audit(calls(tmp_path, put(num_turns=5)), "--report", path)[0] == 1
        page = path.read_text()
        assert page.startswith("<!doctype html>")
        assert "num_turns is 5, but the columns hold 13" in page
        assert "<script" not in page

    @needs_chromium
    @pytest.mark.parametrize(("width", "scheme"), [(1366, "light"), (390, "dark")])
    def test_shuts_nobody_out(self, audit: Audit, tmp_path: Path, width: int, scheme: str) -> None:
        path = tmp_path / "page.html"
        audit(calls(tmp_path, put(num_turns=5)), "--report", path)
        with launched() as browser:
            assert barriers(browser, path.as_uri(), width, scheme) == []

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


def test_the_verdict_is_told_where_the_report_cannot_be_written(audit: Audit, run: RunFolder) -> None:
    audit(run.path)
    run.flow_record.unlink()
    run.flow_record.mkdir()
    code, told, errors = audit(run.path)
    assert (code, told.splitlines()[0]) == (0, audit_target(find_target(run.path)).verdict)
    assert "flow-report.html" not in told
    assert "\nnot written: the new report was not written; " in f"\n{errors}"
    assert "flow-report.json: is of an earlier audit" in errors
    code, document, _ = audit(run.path, "--json")
    assert (code, json.loads(document)["unwritten"] in errors) == (0, True)


def test_a_list_of_items_that_cannot_be_read_takes_an_earlier_report_away(audit: Audit, run: RunFolder) -> None:
    audit(run.path)
    (run.dataset / INTERRUPTIONS).write_text("[")
    assert audit(run.path)[0] == 2
    assert not run.flow_record.exists() and not run.flow_report.exists()


def test_a_page_that_cannot_be_written_hides_no_verdict(audit: Audit, tmp_path: Path) -> None:
    (tmp_path / "taken").mkdir()
    code, told, errors = audit(calls(tmp_path), "--report", tmp_path / "taken")
    assert (code, told.startswith("clean")) == (2, True)
    assert "taken: cannot be written" in errors


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
