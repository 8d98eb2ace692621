"""A call as a flow graph: drawn, moved, and told node by node, with a table for whoever sees no picture."""

from playwright.sync_api import Locator, expect

from factory.run.folder import RunFolder
from tests.browsers import needs_chromium

from .pages import Open, open_graph

pytestmark = needs_chromium


def test_a_graph_that_marks_nothing_says_that_there_are_findings(open_page: Open, unmarked: RunFolder) -> None:
    page = open_page(unmarked)
    open_graph(page)
    expect(page.locator("#unmarked")).to_be_visible()
    expect(page.locator("#unmarked")).to_contain_text("1 finding in this call, none about a single node")
    page.locator("#calls a").last.click()
    expect(page.locator("#unmarked")).to_be_hidden()


def test_whole_height_leaves_the_node_that_was_chosen(open_page: Open, honest: RunFolder) -> None:
    page = open_page(honest)
    open_graph(page)
    page.locator("#picture .node.call.user").nth(1).focus()
    about, lit = page.locator("#about-node"), page.locator("#picture .node.lit")
    expect(about).to_contain_text("Reaches it only through")
    expect(lit.nth(3)).to_be_attached()
    page.get_by_role("button", name="Whole height").click()
    page.mouse.move(0, 0)
    expect(lit).to_have_count(0)
    expect(about).to_contain_text("Point at a node")


def test_a_node_is_told_in_sight_of_the_picture(open_page: Open, honest: RunFolder) -> None:
    page = open_page(honest)
    page.emulate_media(reduced_motion="reduce")
    open_graph(page)
    for block in ("start", "end"):
        page.locator("#picture").evaluate("(e, block) => e.scrollIntoView({ block })", block)
        page.locator("#picture .node.item", has_text="history heard").first.hover()
        about = page.locator("#about-node")
        expect(about).to_contain_text("spoken (")
        expect(about).to_be_in_viewport(ratio=1)
        assert about.evaluate("e => e.scrollHeight <= e.clientHeight")


def place_of(scene: Locator) -> str:
    """Which part of the picture is seen, and how large."""
    return scene.get_attribute("transform") or ""


def test_the_graph_is_drawn_in_lanes_and_can_be_moved_by_keys(open_page: Open, honest: RunFolder) -> None:
    page = open_page(honest)
    open_graph(page)
    scene = page.locator("#picture > g").nth(1)
    expect(page.locator("#picture .node.call").nth(10)).to_be_attached()
    page.locator("#picture").focus()
    seen = [place_of(scene)]
    for key in ("+", "ArrowRight", "ArrowDown", "-"):
        page.keyboard.press(key)
        expect(scene).not_to_have_attribute("transform", seen[-1])
        seen.append(place_of(scene))
    page.keyboard.press("0")
    expect(scene).to_have_attribute("transform", seen[0])
    page.locator("#closer").click()
    expect(scene).not_to_have_attribute("transform", seen[0])
    closer = place_of(scene)
    page.locator("#go").select_option("3")
    expect(scene).not_to_have_attribute("transform", closer)
    assert place_of(scene) not in seen


def test_the_wheel_is_the_pages_until_the_picture_has_the_focus(open_page: Open, honest: RunFolder) -> None:
    page = open_page(honest)
    open_graph(page)
    picture, scene = page.locator("#picture"), page.locator("#picture > g").nth(1)
    picture.scroll_into_view_if_needed()
    picture.hover()
    before, height = place_of(scene), page.evaluate("scrollY")
    page.mouse.wheel(0, -30)
    page.wait_for_function("height => scrollY < height", arg=height)
    assert place_of(scene) == before
    picture.focus()
    page.mouse.wheel(0, -200)
    expect(scene).not_to_have_attribute("transform", before)


def test_a_node_tells_what_it_is_and_lights_its_ways_back(open_page: Open, honest: RunFolder) -> None:
    page = open_page(honest)
    open_graph(page)
    page.locator("#picture").focus()
    page.keyboard.press("n")
    expect(page.locator("#picture .node:focus")).to_have_count(1)
    page.locator("#picture .node.call.user").nth(1).focus()
    about = page.locator("#about-node")
    expect(about).to_contain_text("history heard")
    expect(about).to_contain_text("caller words")
    lit = page.locator("#picture .node.lit")
    expect(lit.nth(3)).to_be_attached()
    expect(page.locator("#picture .node:not(.lit)").first).to_be_attached()
    expect(page.locator("#picture .edge.lit").nth(3)).to_be_attached()
    page.keyboard.press("Escape")
    expect(page.locator("#picture")).to_be_focused()
    expect(lit).to_have_count(0)


def test_a_data_item_tells_who_may_read_it(open_page: Open, honest: RunFolder) -> None:
    page = open_page(honest)
    open_graph(page)
    about = page.locator("#about-node")
    page.locator("#picture .node.item", has_text="agent plan").first.focus()
    expect(about).to_contain_text("May be read by")
    expect(about.locator("dd").nth(5)).to_have_text("assistant")


def test_a_path_that_is_not_allowed_is_red(open_page: Open, leaking: tuple[RunFolder, int]) -> None:
    page = open_page(leaking[0], "")
    open_graph(page)
    colours = page.locator("#picture .edge.bad").first.evaluate(
        "e => [getComputedStyle(e).stroke, getComputedStyle(document.querySelector('.verdict strong')).color]"
    )
    assert colours[0] == colours[1]


def test_without_a_picture_the_graph_is_a_table(open_page: Open, honest: RunFolder) -> None:
    page = open_page(honest)
    open_graph(page)
    page.get_by_text("The same as a table").click()
    rows = page.locator(".flow tbody tr")
    expect(rows).to_have_count(page.locator("#picture .node.call").count())
    expect(rows.first).to_contain_text("planner")


def test_tab_leads_through_the_page_and_is_never_caught(open_page: Open, honest: RunFolder) -> None:
    page = open_page(honest)
    open_graph(page)
    page.locator("#picture").focus()
    page.keyboard.press("Tab")
    expect(page.locator("#picture:focus-within")).to_have_count(0)
    page.keyboard.press("Shift+Tab")
    expect(page.locator("#picture")).to_be_focused()
