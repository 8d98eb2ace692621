"""The content scan as a part of the flow report: beside the verdict, on the page, and at the command line."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from factory.audit.content import CallScan, sentence_model
from factory.audit.findings import Kind
from factory.audit.flow import FlowReport
from factory.audit.options import AuditOptions
from factory.audit.report import write_flow_report
from factory.audit.scan.findings import Severity
from factory.audit.scan.meaning import ScanError, Vector
from factory.audit.scan.measured import scan_figures
from factory.cli import app
from factory.report.labels import words
from factory.run.folder import RunFolder

from .runs import interrupted, rewrite_turn

HOSTILE = "<script>alert(1)</script>"


def leak(run: RunFolder, before: str = "") -> str:
    """Has a caller say the rest of the utterance that they cut into; returns that rest."""
    agent, _ = interrupted(run)
    rest = str(agent["undelivered"]).strip()
    assert len(rest.split()) >= 6, "this run's first cut leaves too little to leak"
    rewrite_turn(run, "caller", text=f"{before}{rest}")
    return rest


def audit(run: RunFolder, *options: str) -> tuple[int, str]:
    """Exit code and output of `factory audit`."""
    command = [str(Path(sys.executable).with_name("factory")), "audit", str(run.path), *options]
    done = subprocess.run(command, env=os.environ | {"COLUMNS": "80"}, capture_output=True, text=True, check=False)
    assert not done.stderr
    return done.returncode, done.stdout


def test_an_honest_run_has_nothing_certain_or_likely(run: RunFolder) -> None:
    scan = write_flow_report(run).scan
    assert scan.turns == 38
    assert scan.strong == 0 and scan.findings == ()
    assert not scan.paraphrases
    page = (run.reports / "flow-report.html").read_text()
    assert "Nothing certain or likely in 38 caller turns; paraphrases were not looked for" in page


def test_an_undelivered_phrase_in_a_caller_turn_is_found_with_its_words(run: RunFolder) -> None:
    rest = leak(run)
    report = write_flow_report(run)
    first = report.scan.findings[0]
    assert first.severity is Severity.CERTAIN
    assert first.said.startswith(rest[:40])
    assert report.scan.number(Severity.CERTAIN) >= 1
    assert FlowReport.from_json(run.flow_record.read_bytes()) == report
    page = run.flow_report.read_text()
    assert f"{first.conversation_id}, round {first.round}" in page
    assert first.why.replace("'", "&#39;") in page


def test_the_scan_plays_no_part_in_the_verdict(run: RunFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    leak(run)
    whole = write_flow_report(run)
    assert whole.scan.strong
    monkeypatch.setattr(CallScan, "scan", lambda *_: None)
    without = write_flow_report(run)
    assert not without.scan.strong
    assert without == whole.model_copy(update={"scan": without.scan})


class OneMeaning:
    """A sentence model to which all sentences mean the same."""

    def vector(self, text: str) -> Vector:
        return np.array([1.0, 0.0], dtype=np.float32)


@pytest.mark.parametrize("meaning", [False, True])
def test_the_page_tells_how_well_such_a_scan_finds(run: RunFolder, meaning: bool) -> None:
    write_flow_report(run, AuditOptions(embed=OneMeaning() if meaning else None))
    page, figures = run.flow_report.read_text(), scan_figures(meaning)
    assert f"{figures.recall:.3f} of {figures.leaks} planted leaks found, precision {figures.precision:.3f}" in page
    for kind in figures.planted:
        row = f'<td class="number">{kind.of}</td><td class="number">{kind.right / kind.of:.2f}</td>'
        assert f'<tr><th scope="row">{words(kind.kind)}</th>{row}</tr>' in page


def test_a_script_in_an_utterance_stays_text_on_the_page(run: RunFolder) -> None:
    leak(run, before=f"{HOSTILE} ")
    write_flow_report(run)
    page = run.flow_report.read_text()
    assert "<script>alert" not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page


def test_what_a_finding_repeats_is_short_and_no_command_to_a_terminal(run: RunFolder) -> None:
    leak(run, before="\x1b[2J" + "well " * 200)
    for finding in write_flow_report(run).scan.findings:
        assert "\x1b" not in finding.said and len(finding.said) <= 400


def test_a_run_that_does_not_fit_together_is_scanned_as_far_as_it_is_audited(run: RunFolder) -> None:
    rewrite_turn(run, "caller", conversation_id="another")
    report = write_flow_report(run)
    assert Kind.DATASET_DAMAGED in report.findings_by_kind
    assert report.findings_by_kind[Kind.DATASET_DAMAGED] == 1
    assert report.scan.turns < 38


@pytest.mark.parametrize("number", ["9" * 6000, "1" + ",000" * 2000, f"{'1' * 4000}st", f"${'9' * 5000}.50"])
def test_a_number_without_end_does_not_end_the_audit(run: RunFolder, number: str) -> None:
    rewrite_turn(run, "caller", text=f"It is {number}.")
    assert write_flow_report(run).scan.turns == 38


def test_with_a_sentence_model_the_report_says_that_paraphrases_were_looked_for(run: RunFolder) -> None:
    scan = write_flow_report(run, AuditOptions(embed=OneMeaning())).scan
    assert scan.paraphrases
    assert "; paraphrases were looked for." in run.flow_report.read_text()


def test_a_sentence_model_that_is_asked_for_and_not_there_is_no_silent_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("factory.audit.content.installed_embedder", lambda: None)
    with pytest.raises(ScanError, match="install it"):
        sentence_model()


class TestAtTheCommandLine:
    def test_one_line_tells_how_many_there_are_and_strict_shows_them(self, run: RunFolder) -> None:
        rest = leak(run)
        _, output = audit(run)
        assert "content scan: 1 certain and" in output
        assert "says “" not in output
        code, output = audit(run, "--strict")
        assert code == 1
        assert f"says “{rest[:40]}" in output

    def test_strict_passes_an_honest_run(self, run: RunFolder) -> None:
        code, output = audit(run, "--strict")
        assert code == 0
        assert "content scan: nothing certain or likely in 38 caller turns" in output

    @pytest.mark.parametrize(("options", "code"), [((), 0), (("--strict",), 1)])
    def test_only_with_strict_does_a_clean_run_with_a_leak_fail(
        self, run: RunFolder, monkeypatch: pytest.MonkeyPatch, options: tuple[str, ...], code: int
    ) -> None:
        # Whoever changes published words is caught by the ledger as well; here only the scan finds something.
        honest = write_flow_report(run)
        leak(run)
        report = honest.model_copy(update={"scan": write_flow_report(run).scan})
        assert report.clean and report.scan.strong
        monkeypatch.setattr(
            "factory.audit.any_target.write_flow_report",
            lambda *args: write_flow_report(*args) and report,
        )
        assert CliRunner().invoke(app, ["audit", str(run.path), *options]).exit_code == code
