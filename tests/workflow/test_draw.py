import subprocess
import sys
from itertools import combinations
from pathlib import Path
from xml.etree import ElementTree

import pytest

from factory.errors import WorkflowError
from factory.workflow.draw import draw
from factory.workflow.graph import build_graph, transitions
from factory.workflow.layout import layout
from factory.workflow.mermaid import escape
from factory.workflow.svg import to_svg
from factory.workflow.visits import Visits, way_name

from .base import Edit

STARTS = {"svg": b"<?xml", "png": b"\x89PNG", "mmd": b"---\n", "md": b"```mermaid\n"}
NASTY = 'Take "it"; end] --> <script>alert(1)</script> & $x_1$ #1 `a|b` {c} ünï'


@pytest.mark.parametrize("ending", ["mmd", "md", "svg", "png"])
def test_a_drawing_is_the_same_every_time(tmp_path: Path, ending: str) -> None:
    workflow = Edit().workflow()
    draw(workflow, tmp_path / f"one.{ending}")
    draw(workflow, tmp_path / "deeper" / f"two.{ending}")
    one, two = (tmp_path / f"one.{ending}").read_bytes(), (tmp_path / "deeper" / f"two.{ending}").read_bytes()
    assert one == two
    assert one.startswith(STARTS[ending])


@pytest.mark.parametrize("name", ["graph.pdf", "graph", "graph.PNGX"])
def test_another_ending_is_refused_with_those_there_are(tmp_path: Path, name: str) -> None:
    with pytest.raises(WorkflowError, match=r"\.mmd.*\.svg.*\.png"):
        draw(Edit().workflow(), tmp_path / name)


def test_a_file_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "graph.svg").mkdir()
    with pytest.raises(WorkflowError, match=r"graph\.svg: cannot be written"):
        draw(Edit().workflow(), tmp_path / "graph.svg")


def test_every_stage_end_and_rule_stands_in_the_mermaid_text(tmp_path: Path) -> None:
    draw(Edit().workflow(), tmp_path / "graph.mmd")
    text = (tmp_path / "graph.mmd").read_text()
    assert 'n1[["Verify the customer"]]:::verification' in text
    assert 'n1 -.->|"asks again, 1x at most"| n1' in text
    assert 'n1 ==>|"fails once more"| n6' in text
    assert 'n2 -.->|"skip if wants text: no"| n4' in text
    assert 'n2 ==>|"ends if still wanted: no"| n7' in text
    assert "n4 --> n5" in text


def test_no_text_acts_as_mermaid_or_html(tmp_path: Path) -> None:
    edit = Edit().put("title", NASTY + "\n---").put("stages.verify.name", NASTY)
    draw(edit.workflow(), tmp_path / "graph.mmd")
    text = (tmp_path / "graph.mmd").read_text()
    body = text.split("flowchart TD\n")[1]
    assert "<" not in body and "#34;it#34;#59;" in body
    assert body.count('"') == _quotes(edit)
    assert set(escape('"<>[]{}()|`;&$#_\\')) <= set("#;0123456789")


def _quotes(edit: Edit) -> int:
    """Quotes that delimit labels: two for each node and each labelled edge."""
    graph = build_graph(edit.workflow())
    return 2 * len(graph) + 2 * sum(way.kind != "next" for way in transitions(graph))


def test_an_svg_holds_its_texts_as_text(tmp_path: Path) -> None:
    draw(Edit().put("stages.verify.name", "Check <b> & $x$").workflow(), tmp_path / "graph.svg")
    raw = (tmp_path / "graph.svg").read_text()
    texts = [element.text for element in ElementTree.fromstring(raw).iter() if element.tag.endswith("text")]
    assert "Check <b> & $x$" in texts and "Booking a meter visit" in texts
    assert "<dc:date>" not in raw


def test_boxes_do_not_overlap_and_stages_stand_in_order() -> None:
    edit = Edit()
    for i in range(6):
        edit.put(f"hard_stops.stop_{i}", edit.get("hard_stops.withdrawn"))
        edit.add("stages.arrange.terminate_when", {"says": "x", "slot": "mobile", "is": "0", "then": f"stop_{i}"})
    graph = build_graph(edit.workflow())
    boxes = layout(graph, transitions(graph))
    for one, other in combinations(boxes.values(), 2):
        apart = one.right < other.left or other.right < one.left or one.bottom > other.top or other.bottom > one.top
        assert apart, (one.node, other.node)
    order = [box.y for box in boxes.values() if box.x == 0]
    assert order == sorted(order, reverse=True)


def test_matplotlib_is_not_paid_for_by_mermaid(tmp_path: Path) -> None:
    code = "import sys, factory.workflow.draw; sys.exit('matplotlib' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_a_drawing_says_nothing_of_calls_unless_it_is_told(tmp_path: Path) -> None:
    graph = build_graph(Edit().workflow())
    nothing = Visits(nodes={}, ways={})
    visited = Visits(nodes={"verify": 1200}, ways={way_name(way): 7 for way in transitions(graph)})

    assert "never" not in _texts(to_svg(graph)) and "×" not in "".join(_texts(to_svg(graph)))
    assert _texts(to_svg(graph, nothing)).count("never") >= len(graph)
    assert "1,200×" in _texts(to_svg(graph, visited))
    assert sum(text.endswith("7×") for text in _texts(to_svg(graph, visited))) == len(transitions(graph))


def test_ways_between_the_same_two_nodes_have_names_of_their_own() -> None:
    edit = Edit().add("stages.arrange.terminate_when", {"says": "x", "slot": "mobile", "is": "0", "then": "withdrawn"})
    ways = transitions(build_graph(edit.workflow()))
    assert len({way_name(way) for way in ways}) == len(ways)


def test_characters_that_no_svg_can_hold_are_replaced() -> None:
    svg = to_svg(build_graph(Edit().put("stages.verify.name", "Check\x1b[2J it\x00").workflow()))
    assert "Check\N{REPLACEMENT CHARACTER}[2J it\N{REPLACEMENT CHARACTER}" in _texts(svg)


def _texts(svg: str) -> list[str]:
    return [element.text or "" for element in ElementTree.fromstring(svg).iter() if element.tag.endswith("text")]
