import re
from pathlib import Path

import pytest

from tests.docs.pages import DOCS, ROOT

PAGES = [ROOT / "README.md", *sorted(DOCS.glob("*.md"))]
_FENCE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
_CODE = re.compile(r"`[^`\n]*`")
_LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)|<(?:img|a)\b[^>]*\b(?:src|href)=\"([^\"]+)\"")


def prose(path: Path) -> str:
    """A page without its code."""
    return _CODE.sub("", _FENCE.sub("", path.read_text(encoding="utf-8")))


def anchors(path: Path) -> set[str]:
    """What a link into a page may name: its headings, as GitHub writes them."""
    text = _FENCE.sub("", path.read_text(encoding="utf-8"))
    found: set[str] = set()
    for heading in re.findall(r"^#+ (.*)$", text, re.MULTILINE):
        slug = re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
        number = 0
        while (name := slug if not number else f"{slug}-{number}") in found:
            number += 1
        found.add(name)
    return found


def broken_links(path: Path, root: Path = ROOT) -> list[str]:
    """The relative links and images of a page that lead nowhere, or out of the project."""
    broken = []
    for match in _LINK.finditer(prose(path)):
        target = match[1] or match[2]
        if re.match(r"[a-z]+:", target):
            continue
        name, _, anchor = target.partition("#")
        file = (path.parent / name).resolve() if name else path
        lost = not file.exists() or not file.is_relative_to(root)
        if lost or (anchor and anchor not in anchors(file)):
            broken.append(target)
    return broken


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_every_relative_link_and_image_leads_somewhere(path: Path) -> None:
    assert broken_links(path) == []


def test_the_map_leads_to_every_page() -> None:
    linked = set(re.findall(r"\]\(([\w-]+\.md)\)", (DOCS / "index.md").read_text(encoding="utf-8")))
    assert linked == {path.name for path in DOCS.glob("*.md")} - {"index.md"}


def test_every_page_that_the_code_names_is_there() -> None:
    named = {
        (path.relative_to(ROOT).as_posix(), page)
        for room in ("factory", "flows", "prompts", "workflows", "outputs/README.md", "Makefile")
        for path in ([ROOT / room] if (ROOT / room).is_file() else sorted((ROOT / room).rglob("*.*")))
        if path.suffix in (".py", ".yaml", ".j2", ".md", "")
        for page in re.findall(r"\bdocs/[\w-]+\.md\b", path.read_text(encoding="utf-8"))
    }
    assert {(path, page) for path, page in named if not (ROOT / page).is_file()} == set()


def test_a_link_that_leads_nowhere_is_noticed(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("# Here\n[a](gone.md) [b](#here) [c](#there) ![d](no.png) `[e](code.md)`\n", encoding="utf-8")
    assert broken_links(page, tmp_path) == ["gone.md", "#there", "no.png"]
