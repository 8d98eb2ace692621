from pathlib import Path

from tests.docs.pages import UPDATE, blocks, page
from tests.docs.reader import followed

PAGE = page("write-a-workflow.md")


def test_a_domain_of_ones_own_comes_about_as_the_page_tells(tmp_path: Path) -> None:
    assert followed(PAGE, tmp_path) == PAGE, UPDATE
    assert (tmp_path / "outputs" / "tables" / "reports" / "corpus.html").is_file()


def test_every_step_is_taken() -> None:
    taken = [block.body.split()[2:4] for block in blocks(PAGE) if block.kind == "run"]
    verbs = [below if verb == "workflow" else verb for verb, below in taken]
    assert verbs == ["new", "lint", "lint", "preview", "build"]
