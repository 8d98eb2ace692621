"""What was ordered comes out of a build by models: the same bytes, however fast and in whatever order calls end."""

from pathlib import Path

import pytest

from factory.audit.report import write_flow_report
from factory.models.roles_file import load_models
from factory.models.store import Books, read_kept
from factory.records.models import ModelRole, Models
from factory.run.display import Silent
from factory.run.folder import RunFolder
from factory.workflow.library import Library
from flows.build import run_with_prefect
from tests.build.builds import contents, difference

from .engine_builds import assert_as_ordered, assert_holds, build, logs, models_of, order
from .servers import RunningServer, roles_file

MODEL = "player-order"


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory, small: Library, up: RunningServer) -> RunFolder:
    """All that was ordered, one call at a time."""
    folder = tmp_path_factory.mktemp("order")
    return build(folder / "run", small, models_of(folder, up, MODEL, at_once=1), limit=None)


def test_interruptions_and_messages_are_as_ordered(whole: RunFolder) -> None:
    assert_as_ordered(whole)


def test_it_holds_and_nothing_leaked(whole: RunFolder, small: Library) -> None:
    assert_holds(whole, small)


def test_fifty_calls_at_once_change_no_byte(
    whole: RunFolder, small: Library, up: RunningServer, tmp_path: Path
) -> None:
    build(tmp_path / "run", small, models_of(tmp_path, up, MODEL, at_once=50), limit=None)
    assert difference(whole.path, tmp_path / "run") == []


def test_nor_does_prefect(whole: RunFolder, small: Library, up: RunningServer, tmp_path: Path) -> None:
    run_with_prefect(order(small, models_of(tmp_path, up, MODEL), limit=None), tmp_path / "run", False, Silent())
    assert difference(whole.path, tmp_path / "run") == []


def test_a_slow_server_gives_the_same_corpus(
    whole: RunFolder, small: Library, up: RunningServer, tmp_path: Path
) -> None:
    slow = build(tmp_path / "run", small, models_of(tmp_path, up, f"{MODEL};slow=0.02"), limit=None)
    # The model's name stands in the ledger, and so under the root, and on the card; items and tables do not hold it.
    names = ("blueprints.jsonl", *(f"dataset/{p.name}" for p in whole.dataset.glob("*.[!m]*")))
    assert len(names) >= 4 and contents(slow.path, names) == contents(whole.path, names)
    assert slow.manifest().items == whole.manifest().items
    assert slow.manifest().root != whole.manifest().root
    assert [p.items for p in logs(slow).values()] == [p.items for p in logs(whole).values()]


def test_roles_may_be_played_by_two_makers_in_one_call(
    whole: RunFolder, small: Library, up: RunningServer, tmp_path: Path
) -> None:
    others = {ModelRole.REACTION_PLANNER, ModelRole.USER, ModelRole.VERIFIER}
    ours, theirs = (load_models(roles_file(tmp_path, up, model=MODEL, kind=kind)) for kind in ("openai", "anthropic"))
    models = Models(
        providers={**ours.providers, "other": theirs.providers["fake"]},
        roles={r: c.model_copy(update={"provider": "other"}) if r in others else c for r, c in ours.roles.items()},
    )
    mixed = build(tmp_path / "run", small, models, limit=1)
    assert_holds(mixed, small)
    kept = [line for path in Books.of_run(mixed.replies).replies for line in read_kept(path)]
    assert {line.role for line in kept if line.provider == "other"} == others
    assert {line.role for line in kept if line.provider == "fake"}.isdisjoint(others)
    ((name, progress),) = logs(mixed).items()
    assert progress.items == logs(whole)[name].items


def test_no_planted_word_reaches_the_callers_side(small: Library, up: RunningServer, tmp_path: Path) -> None:
    planted = build(tmp_path / "run", small, models_of(tmp_path, up, MODEL), limit=None, canaries=True)
    assert_holds(planted, small)
    found = write_flow_report(planted).canary
    assert found.planted and found.utterances > 10
    assert (found.found, found.searched > 10) == (0, True)
