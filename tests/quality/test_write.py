import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from factory.errors import RunError
from factory.quality.write import quality_faults, write_quality
from factory.records.quality import FigureId, QualityReport
from factory.run.folder import RunFolder
from factory.workflow.library import Library, standard_library
from tests.build.builds import factory, write_spec
from tests.dataset.runs import build_run


@pytest.fixture
def measured(run: RunFolder, library: Library, tmp_path: Path) -> RunFolder:
    shutil.copytree(run.path, tmp_path / "run")
    folder = RunFolder(tmp_path / "run")
    write_quality(folder, library)
    return folder


def changed(folder: RunFolder, change: Callable[[dict], object]) -> None:  # type: ignore[type-arg]
    path = folder.reports / "quality.json"
    data = json.loads(path.read_text())
    change(data)
    path.write_text(json.dumps(data))


def test_the_report_counts_the_calls_and_has_every_figure(measured: RunFolder) -> None:
    report = QualityReport.from_json((measured.reports / "quality.json").read_bytes())
    assert (report.schema_version, report.conversations, report.sampled) == (1, 4, 4)
    assert [figure.id for figure in report.figures] == list(FigureId)


def test_equal_runs_give_equal_bytes(measured: RunFolder, library: Library, tmp_path: Path) -> None:
    again = build_run(tmp_path / "again", library, audio=False)
    assert write_quality(again, library).read_bytes() == (measured.reports / "quality.json").read_bytes()


def test_canaries_leave_no_trace(measured: RunFolder, library: Library, tmp_path: Path) -> None:
    planted = build_run(tmp_path / "planted", library, audio=False, canaries=True)
    assert write_quality(planted, library).read_bytes() == (measured.reports / "quality.json").read_bytes()


def test_what_was_measured_is_computed_again(measured: RunFolder, library: Library) -> None:
    assert list(quality_faults(measured, library)) == []


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        (lambda d: d["figures"][0].update(value=0.99), "`distinct_2_caller` is not what the calls come to"),
        (lambda d: d["figures"][11].update(verdict="met"), "`imperfections_caller` is not what the calls come to"),
        (lambda d: d["figures"].pop(), "`returned_values` is not what the calls come to"),
        (lambda d: d["figures"].append(d["figures"][0]), "was not measured on the calls of this run"),
        (lambda d: d.update(conversations=5), "was not measured on the calls of this run"),
        (lambda d: d.update(extra=5), "is damaged"),
        (lambda d: d.pop("figures"), "is damaged"),
    ],
)
def test_a_changed_report_is_found(measured: RunFolder, library: Library, change, fault: str) -> None:  # type: ignore[no-untyped-def]
    changed(measured, change)
    assert list(quality_faults(measured, library)) == [f"reports/quality.json: {fault}"]


def test_a_missing_report_is_found(measured: RunFolder, library: Library) -> None:
    (measured.reports / "quality.json").unlink()
    assert list(quality_faults(measured, library)) == ["reports/quality.json: is missing"]


def test_a_changed_call_is_found(measured: RunFolder, library: Library) -> None:
    log = next((measured.path / "conversations").iterdir())
    log.write_text(log.read_text().replace("Uh, it's LP-204417.", "It's LP-204417, let's open the call."))
    assert "reports/quality.json: `stages_named` is not what the calls come to" in quality_faults(measured, library)


def test_with_other_workflows_nothing_is_computed_again(measured: RunFolder, library: Library, tmp_path: Path) -> None:
    shutil.copytree(library.path("utilities/meter_visit").parents[1], tmp_path / "workflows")
    path = tmp_path / "workflows" / "utilities" / "meter_visit.yaml"
    path.write_text(path.read_text() + "\n")
    other = Library((tmp_path / "workflows",))
    changed(measured, lambda data: data["figures"][0].update(value=0.99))
    assert list(quality_faults(measured, other)) == []
    path.unlink()
    assert list(quality_faults(measured, Library((tmp_path / "workflows",)))) == []


def test_an_unfinished_call_is_named(measured: RunFolder, library: Library) -> None:
    log = sorted((measured.path / "conversations").iterdir())[0]
    log.write_text("".join(log.read_text().splitlines(keepends=True)[:-1]))
    with pytest.raises(RunError, match=log.name):
        write_quality(measured, library)


def test_a_build_measures_itself(tmp_path: Path) -> None:
    ended = factory("build", write_spec(tmp_path), "--out", tmp_path / "run", "--engine", "inline", "--no-audio")
    assert ended.code == 0, ended.err
    assert list(quality_faults(RunFolder(tmp_path / "run"), standard_library())) == []
    assert ">Quality</h2>" in (tmp_path / "run" / "reports" / "corpus.html").read_text()
