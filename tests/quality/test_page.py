import shutil
from pathlib import Path

import pytest

from factory.errors import RunError
from factory.quality.write import write_quality
from factory.records.quality import FigureId
from factory.report.corpus import write_corpus_report
from factory.report.quality import LABELS, bar_text, quality_table
from factory.run.files import write_text
from factory.run.folder import RunFolder
from factory.workflow.library import Library
from tests.quality.hand import Said, call, report, spoken


def table(folder: Path, *calls):  # type: ignore[no-untyped-def]
    write_text(folder / "reports" / "quality.json", report(*calls).model_dump_json())
    found = quality_table(RunFolder(folder))
    assert found is not None
    return found


def test_every_figure_has_a_row(tmp_path: Path) -> None:
    assert [row.label for row in table(tmp_path, *spoken(["Hi."])).rows] == [LABELS[figure] for figure in FigureId]


def test_a_row_says_value_bar_verdict_and_the_worst_workflow(tmp_path: Path) -> None:
    calls = [call(f"c{i}", *(Said("Yes?", f"Plain w{i} v{j}.") for j in range(10))) for i in range(10)]
    row = next(r for r in table(tmp_path, *calls).rows if r.label == LABELS[FigureId.IMPERFECTIONS_CALLER])
    assert (row.corpus.value, row.corpus.bar, row.corpus.verdict) == ("0.0%", "50.0% to 90.0%", "missed")
    assert (row.worst.whose, row.worst.verdict) == ("utilities/meter_visit", "missed")


def test_the_summary_counts_what_is_missed_and_what_is_too_small(tmp_path: Path) -> None:
    assert (
        table(tmp_path, *spoken(["Let's open the call."])).summary
        == "2 figures kept, 1 missed, 12 with too little to judge"
    )


def test_a_run_that_was_not_measured_has_no_table(tmp_path: Path) -> None:
    assert quality_table(RunFolder(tmp_path)) is None


def test_a_damaged_file_is_refused(tmp_path: Path) -> None:
    write_text(tmp_path / "reports" / "quality.json", '{"figures": 1}')
    with pytest.raises(RunError, match="not a quality report"):
        quality_table(RunFolder(tmp_path))


def test_the_corpus_report_shows_the_table_with_a_way_to_each_place(
    run: RunFolder, library: Library, tmp_path: Path
) -> None:
    shutil.copytree(run.path, tmp_path / "run")
    folder = RunFolder(tmp_path / "run")
    write_quality(folder, library)
    found = quality_table(folder)
    page = write_corpus_report(folder, library).read_text()
    place = next(row.corpus.place for row in found.rows if row.corpus.place)
    assert found.summary in page
    assert f"calls/{place.conversation_id}.html#turn-{place.message // 2 + 1}" in page
    assert (
        f'id="turn-{place.message // 2 + 1}"'
        in (folder.reports / "calls" / f"{place.conversation_id}.html").read_text()
    )


def test_what_is_said_is_escaped(run: RunFolder, library: Library, tmp_path: Path) -> None:
    shutil.copytree(run.path, tmp_path / "run")
    hostile = "Let's open the call, <script>alert(1)</script>."
    write_text(tmp_path / "run" / "reports" / "quality.json", report(*spoken([hostile])).model_dump_json())
    page = write_corpus_report(RunFolder(tmp_path / "run"), library).read_text()
    assert "<script>alert" not in page
    assert "&lt;script&gt;alert(1)" in page


def test_a_figure_without_a_bar_says_nothing_of_one() -> None:
    assert bar_text(report(*spoken(["Hi."])).figures[0].unit, None) == ""
