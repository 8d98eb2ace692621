"""What a run says about itself: how much of it is built, and which logs are finished."""

from pathlib import Path

import pytest

from factory.errors import RunError
from factory.run.files import read_lines, truncate_to
from factory.run.finished import read_finished
from factory.run.folder import RunFolder
from tests.report.runs import Call, make_run


@pytest.fixture
def folder(tmp_path: Path) -> RunFolder:
    return make_run(tmp_path / "run", [Call(name, [None, None]) for name in ("a", "b", "c")])


def test_a_finished_log_is_read_to_its_end(folder: RunFolder) -> None:
    progress = read_finished(folder, "b")
    assert progress.finished and len(progress.rounds) == 3


def test_an_unfinished_log_is_refused_by_its_name(folder: RunFolder) -> None:
    path = folder.conversation_file("b")
    truncate_to(path, len(read_lines(path)) - 1)
    with pytest.raises(RunError, match=r"b\.jsonl: the conversation is not finished; run the build again"):
        read_finished(folder, "b")


def test_a_missing_log_is_an_unfinished_one(folder: RunFolder) -> None:
    with pytest.raises(RunError, match=r"nobody\.jsonl: the conversation is not finished"):
        read_finished(folder, "nobody")


@pytest.mark.parametrize(("limit", "built"), [(None, 3), (2, 2), (3, 3), (9, 3)])
def test_a_limit_leaves_out_what_is_behind_it(tmp_path: Path, limit: int | None, built: int) -> None:
    calls = [Call(name, [None]) for name in ("a", "b", "c")]
    folder = make_run(tmp_path / "run", calls, limit=limit)
    assert folder.identity().conversations == built
    assert [blueprint.conversation_id for blueprint in folder.built()] == ["a", "b", "c"][:built]
