"""What a reader makes who follows the pages in a clone of the project is not for its history."""

import re
from pathlib import Path

import pytest

from tests.docs.pages import ROOT, blocks
from tests.docs.test_links import PAGES

IGNORED = set((ROOT / ".gitignore").read_text(encoding="utf-8").splitlines())
_WRITTEN = re.compile(
    r"(?:--proof |--out |open\(\"|copy\([^)]*, \")(?!(?:FILE|DIR)\b)([\w./-]+)(?=\"|\s|$)", re.MULTILINE
)
_CODE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)


def written(text: str) -> set[str]:
    """The entries of the reader's folder that a page has them make: marked files, and what commands write."""
    names = {block.argument for block in blocks(text) if block.kind in ("file", "fill")}
    names |= {name for code in _CODE.findall(text) for name in _WRITTEN.findall(code)}
    return {name.split("/")[0] + "/" * ("/" in name) for name in names}


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_git_ignores_what_a_page_leaves_behind(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert {name for name in written(text) if f"/{name}" not in IGNORED} <= {"outputs/"}


def test_what_pages_leave_behind_is_seen() -> None:
    made = set().union(*(written(path.read_text(encoding="utf-8")) for path in PAGES))
    assert made >= {"outputs/", "fake.yaml", "own/", "answers.jsonl", "proof.json", "published.json", "meter_visit.svg"}
