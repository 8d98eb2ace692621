"""What a corpus visits, as the report shows it: a table, and the drawn state machines."""

import re
from pathlib import Path
from xml.etree import ElementTree

from factory.records.enums import InterruptionType
from factory.report.corpus import write_corpus_report
from factory.workflow.library import Library
from tests.report.runs import WORKFLOW, Call, make_run

PUSHBACK = InterruptionType.PUSHBACK
SVG = "{http://www.w3.org/2000/svg}"


def report(path: Path, library: Library, calls: list[Call]) -> Path:
    return write_corpus_report(make_run(path, calls), library)


def drawn(index: Path, name: str = "travel--seat_change") -> ElementTree.Element:
    return ElementTree.fromstring((index.parent / "machines" / f"{name}.svg").read_text(encoding="utf-8"))


def classes(root: ElementTree.Element, tag: str) -> list[str]:
    return [element.get("class", "") for element in root.iter(f"{SVG}{tag}")]


def test_the_table_counts_what_is_visited_and_names_what_is_not(tmp_path: Path, library: Library) -> None:
    page = report(tmp_path, library, [Call("a", [PUSHBACK, None]), Call("b", [None])]).read_text(encoding="utf-8")
    row = page.partition("travel/<wbr>seat_change</span>")[2]
    cells = re.findall(r'<td class="count">(\d+) <span class="soft">of (\d+)</span>', row)

    assert cells == [("2", "2"), ("2", "2"), ("2", "2"), ("0", "1")]
    assert "2 of 2 stages, 2 of 2 transitions, 2 of 2 acts, 0 of 1 reaction<" in page
    assert re.findall(r"<dt>(.*?)</dt>\s*<dd><ul><li>(.*?)</li></ul>", page) == [
        ("Reactions not visited: 1", "nervous_flyer.first_flight")
    ]


def test_the_picture_says_how_many_calls_come_to_each_part_and_to_which_none(tmp_path: Path, library: Library) -> None:
    root = drawn(report(tmp_path, library, [Call("a", [PUSHBACK]), Call("b", [None]), Call("c", [None])]))
    texts = [element.text or "" for element in root.iter(f"{SVG}text")]

    assert texts.count("3×") == 5  # two stages, the success, and the ways to the second and to the third
    assert texts.count("never") == 1  # the hard stop
    assert classes(root, "rect").count("box hard_stop never") == 1
    assert "box stage never" not in classes(root, "rect")


def test_a_way_that_no_call_goes_is_thin_hollow_and_says_so(tmp_path: Path, library: Library) -> None:
    root = drawn(report(tmp_path, library, [Call("a", [None], outcome="unverified")]))

    assert classes(root, "path")[:4] == ["way next", "head next", "way next never", "head next never"]
    assert [e.text for e in root.iter(f"{SVG}text") if e.get("class") == "beside next never"] == ["never"]
    style = root.findtext(f"{SVG}style") or ""
    assert ".never.box { fill: #ffffff; stroke-dasharray: 4 4; }" in style
    assert ".never.head { fill: #ffffff;" in style


def test_a_workflow_that_no_call_is_drawn_from_is_in_the_table(tmp_path: Path, library: Library) -> None:
    many, index = fifty(tmp_path, library)
    page = index.read_text(encoding="utf-8")

    assert "1 of 51 workflows in use" in page
    assert all(f">{workflow.replace('/', '/<wbr>')}</span>" in page for workflow in many)


def test_fifty_workflows_leave_the_page_small_and_each_is_drawn_once(tmp_path: Path, library: Library) -> None:
    small = len(report(tmp_path / "small", library, [Call("a", [None])]).read_bytes())
    _, index = fifty(tmp_path, library)
    page = index.read_text(encoding="utf-8")

    assert len(page.encode()) - small < 50 * 4_000
    assert "<svg xmlns" not in page
    sources = re.findall(r'<img src="machines/(.*?)" loading="lazy"', page)
    assert len(sources) == len(set(sources)) == 51
    assert sorted(sources) == sorted(path.name for path in (index.parent / "machines").iterdir())
    assert page.count("<details open") == 0


def fifty(path: Path, library: Library) -> tuple[list[str], Path]:
    """A run of one call that could have drawn from fifty workflows more."""
    home = path / "workflows"
    text = library.path(WORKFLOW).read_text(encoding="utf-8")
    ids = [WORKFLOW, *(f"travel/seat_{i}" for i in range(50))]
    for workflow in ids:
        file = home / f"{workflow}.yaml"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text.replace(f"id: {WORKFLOW}", f"id: {workflow}"), encoding="utf-8")
    folder = make_run(path / "run", [Call("a", [None])])
    identity = folder.identity().model_copy(update={"workflows": dict.fromkeys(ids, "0" * 64)})
    folder.identity_file.write_text(identity.model_dump_json(), encoding="utf-8")
    return ids, write_corpus_report(folder, Library((home,)))
