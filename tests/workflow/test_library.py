"""Folders of workflows beside the built-in ones: what is found in them, and what is refused."""

from pathlib import Path

import pytest

from factory.errors import WorkflowError
from factory.records.enums import Direction
from factory.workflow.library import BUILT_IN, MOST_LISTED, Library, library_with, standard_library
from factory.workflow.reader import find_workflows
from factory.workflow.skeleton import skeleton

from .filling import filled


@pytest.fixture
def own(tmp_path: Path) -> Path:
    """A folder with one workflow."""
    path = tmp_path / "own" / "dining" / "book_table.yaml"
    path.parent.mkdir(parents=True)
    path.write_text(filled(skeleton("dining/book_table", Direction.INBOUND)), encoding="utf-8")
    return tmp_path / "own"


def test_own_workflows_stand_beside_the_built_in_ones_and_share_their_phrases(own: Path) -> None:
    library = library_with([own])
    assert set(library.ids) == {*standard_library().ids, "dining/book_table"}
    assert library.select(("dining/*",)) == ("dining/book_table",)
    assert library.workflow("dining/book_table").domain == "dining"
    assert library.shared_path == BUILT_IN / "shared.yaml"


def test_a_folder_that_is_named_twice_or_is_the_built_in_one_counts_once(own: Path) -> None:
    again = library_with([own, own.parent / "own", BUILT_IN, own / "dining" / ".."])
    assert again.ids == library_with([own]).ids
    assert library_with([BUILT_IN]) is standard_library()


def test_one_id_in_two_folders_is_refused_and_both_files_are_named(own: Path, tmp_path: Path) -> None:
    other = tmp_path / "other" / "dining" / "book_table.yaml"
    other.parent.mkdir(parents=True)
    other.touch()
    with pytest.raises(WorkflowError) as caught:
        library_with([own, tmp_path / "other"])
    assert str(other) in str(caught.value) and str(own / "dining" / "book_table.yaml") in str(caught.value)


def test_an_id_of_a_built_in_workflow_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "government" / "housing_inspection.yaml"
    path.parent.mkdir()
    path.touch()
    with pytest.raises(WorkflowError, match="`government/housing_inspection` is already at"):
        library_with([tmp_path])


def test_phrases_of_its_own_are_refused(own: Path) -> None:
    (own / "shared.yaml").touch()
    with pytest.raises(WorkflowError, match=r"shared\.yaml: is not read"):
        library_with([own])


def test_a_folder_without_workflows_is_told_how_they_are_laid_out(own: Path, tmp_path: Path) -> None:
    with pytest.raises(WorkflowError, match=r"holds no workflow; .* DOMAIN/GOAL\.yaml"):
        library_with([own / "dining"])
    with pytest.raises(WorkflowError, match="there is no such folder"):
        library_with([tmp_path / "none"])


@pytest.mark.parametrize("name", ["book_table.yml", "book_table.YAML"])
def test_another_ending_is_refused_with_the_right_one(name: str, own: Path) -> None:
    (own / "dining" / name).touch()
    with pytest.raises(WorkflowError, match=r"ends in `\.yaml`; rename it to book_table\.yaml"):
        library_with([own])


@pytest.mark.parametrize(
    "name", ["Dining/table.yaml", "dining/book-table.yaml", "dining/1.yaml", f"dining/{'x' * 61}.yaml"]
)
def test_a_name_that_is_no_id_is_refused(name: str, own: Path) -> None:
    (own / name).parent.mkdir(exist_ok=True)
    (own / name).touch()
    with pytest.raises(WorkflowError, match="is no id of a workflow"):
        library_with([own])


def test_hidden_files_and_what_is_no_yaml_are_passed_over(own: Path) -> None:
    for name in (".git/config.yaml", "dining/.draft.yaml", "dining/notes.md", "deep/er/still.yaml", "top.yaml"):
        (own / name).parent.mkdir(parents=True, exist_ok=True)
        (own / name).touch()
    assert list(find_workflows((own,))) == ["dining/book_table"]


def test_a_link_that_leads_out_of_the_folder_is_refused_whether_file_or_domain(own: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "secret.yaml").touch()
    for link, target in ((own / "dining" / "more.yaml", outside / "secret.yaml"), (own / "linked", outside)):
        link.symlink_to(target)
        with pytest.raises(WorkflowError, match="is a link that leads out of"):
            library_with([own])
        link.unlink()


def test_a_link_to_itself_is_refused(own: Path) -> None:
    (own / "dining" / "loop.yaml").symlink_to("loop.yaml")
    with pytest.raises(WorkflowError, match=r"loop\.yaml"):
        Library((BUILT_IN, own)).workflow("dining/loop")


def test_what_is_not_found_is_told_with_some_that_are_and_with_the_flag(tmp_path: Path) -> None:
    for number in range(MOST_LISTED + 3):
        (tmp_path / "dining").mkdir(exist_ok=True)
        (tmp_path / "dining" / f"goal_{number:02}.yaml").touch()
    library = Library((tmp_path,))
    for asked in (lambda: library.path("acme/order"), lambda: library.select(("acme/*",))):
        with pytest.raises(WorkflowError, match=r"`acme/.*dining/goal_11 and 3 more; .* --workflows DIR"):
            asked()
