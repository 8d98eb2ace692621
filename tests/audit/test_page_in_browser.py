"""The calls of a flow report that can be looked into, in a real browser: read, walked with keys, and safe."""

import re
import shutil
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from factory.audit.report import write_flow_report
from factory.run.folder import RunFolder
from tests.browsers import Watched, barriers, launched, needs_chromium

from .runs import first_of, interrupted, ledgers, read_ledger, read_of, reseal, rewrite_turn

HOSTILE = "</script><script>alert(1)</script><!-- <img src=x onerror=alert(2)> \" ' \u2028 \u202e"

pytestmark = needs_chromium

Open = Callable[..., Page]


@pytest.fixture(scope="module")
def browser(modelled: RunFolder) -> Iterator[Browser]:
    """A browser; behind its start no run can be built any more, for it has an event loop of its own."""
    with launched() as browser:
        yield browser


@pytest.fixture
def open_page(browser: Browser) -> Iterator[Open]:
    """Opens a run's report, or a place in it; at the end nothing may have gone wrong."""
    opened: list[Watched] = []

    def do(run: RunFolder, address: str = "", width: int = 1366, **context: object) -> Page:
        page = browser.new_context(viewport={"width": width, "height": 768}, **context).new_page()  # type: ignore[arg-type]
        opened.append(Watched(page, run.flow_report.as_uri()))
        page.goto(run.flow_report.as_uri() + address)
        return page

    yield do
    for watched in opened:
        watched.page.context.close()
        assert watched.faults == []


@pytest.fixture(scope="module")
def honest(plain: RunFolder, tmp_path_factory: pytest.TempPathFactory) -> RunFolder:
    return reported(plain, tmp_path_factory)


@pytest.fixture(scope="module")
def asked(modelled: RunFolder, tmp_path_factory: pytest.TempPathFactory) -> RunFolder:
    return reported(modelled, tmp_path_factory)


@pytest.fixture(scope="module")
def leaking(plain: RunFolder, tmp_path_factory: pytest.TempPathFactory) -> tuple[RunFolder, int]:
    """A run in which a caller's planner read what was never said, and says so; and the round of it."""
    run = RunFolder(Path(shutil.copytree(plain.path, tmp_path_factory.mktemp("leaking") / "run")))
    path = next(path for path in ledgers(run) if any(line["role"] == "cutter" for line in read_ledger(path)))
    lines = read_ledger(path)
    cut = first_of(lines, "cutter")
    caller = next(line for line in lines if line["role"] == "reaction_planner" and line["round"] == cut["round"])
    read_of(caller, "history_heard").update(read_of(cut, "utterance_as_meant"))
    reseal(run, path, lines)
    write_flow_report(run)
    return run, int(str(cut["round"]))


@pytest.fixture(scope="module")
def reworded(plain: RunFolder, tmp_path_factory: pytest.TempPathFactory) -> RunFolder:
    """A run with one word of a caller's changed in one file."""
    run = RunFolder(Path(shutil.copytree(plain.path, tmp_path_factory.mktemp("reworded") / "run")))
    _, caller = interrupted(run)
    rewrite_turn(run, "caller", text=f"{caller['text']} Indeed.")
    write_flow_report(run)
    return run


@pytest.fixture(scope="module")
def unmarked(plain: RunFolder, tmp_path_factory: pytest.TempPathFactory) -> RunFolder:
    """A run with a finding about no node: two columns of a row do not fit each other."""
    run = RunFolder(Path(shutil.copytree(plain.path, tmp_path_factory.mktemp("unmarked") / "run")))
    rewrite_turn(run, "agent", undelivered=" other words")
    write_flow_report(run)
    return run


def reported(run: RunFolder, tmp_path_factory: pytest.TempPathFactory) -> RunFolder:
    copy = RunFolder(Path(shutil.copytree(run.path, tmp_path_factory.mktemp("reported") / "run")))
    write_flow_report(copy)
    return copy


def keys(page: Page) -> list[str]:
    return page.locator("#calls a").evaluate_all("all => all.map(a => a.dataset.key)")


def test_a_turn_shows_side_by_side_what_was_meant_heard_given_and_said(open_page: Open, honest: RunFolder) -> None:
    agent, caller = interrupted(honest)
    page = open_page(honest, f"#{agent['conversation_id']}/{agent['round']}")
    row = page.locator(f"#round-{agent['round']}")
    expect(row).to_be_in_viewport()
    cells = row.locator("td")
    expect(cells.nth(0).locator("del")).to_contain_text(agent["undelivered"].strip())
    assert (
        page.evaluate("e => getComputedStyle(e).textDecorationLine", cells.nth(0).locator("del").element_handle())
        == "line-through"
    )
    expect(cells.nth(1)).to_contain_text(f"{agent['heard']} ▏the caller starts to speak")
    expect(cells.nth(2)).to_contain_text("Reaction planner: plans it")
    expect(cells.nth(3)).to_contain_text(caller["text"])
    tops = cells.evaluate_all("all => all.map(e => e.getBoundingClientRect().top)")
    assert len(set(tops)) == 1


def test_every_digest_is_taken_again_from_what_is_shown(open_page: Open, honest: RunFolder, asked: RunFolder) -> None:
    for run in (honest, asked):
        page = open_page(run)
        for link in page.locator("#calls a").all():
            link.click()
            marks = page.locator(".mark")
            page.wait_for_function("() => [...document.querySelectorAll('.mark')].every(mark => mark.textContent)")
            texts = marks.all_inner_texts()
            assert texts and all(re.fullmatch("✓ digest taken here: [0-9a-f]{16}, as in the ledger", t) for t in texts)


def test_a_digest_that_differs_is_told(
    open_page: Open, plain: RunFolder, copied: Callable[[RunFolder], RunFolder]
) -> None:
    run = copied(plain)
    agent, _ = interrupted(run)
    rewrite_turn(run, "caller", reaction_seed=1)
    write_flow_report(run)
    page = open_page(run, f"#{agent['conversation_id']}/{agent['round']}")
    expect(page.locator(f"#round-{agent['round']} .mark.differs")).to_have_count(1)
    expect(page.locator(f"#round-{agent['round']} .mark.equal")).to_have_count(1)


def test_the_very_prompt_opens(open_page: Open, asked: RunFolder) -> None:
    page = open_page(asked)
    page.locator(".given summary").first.click()
    messages = page.locator(".given pre")
    expect(messages.nth(0)).to_contain_text("You decide what a person on the phone will say next.")
    expect(messages.nth(1)).to_contain_text('<data name="heard">')


def test_an_address_opens_its_call_and_round(open_page: Open, honest: RunFolder) -> None:
    page = open_page(honest)
    last = keys(page)[-1]
    page = open_page(honest, f"#{last}/2")
    expect(page.locator("#chosen")).to_contain_text(last)
    expect(page.locator("#round-2")).to_be_focused()
    page.evaluate("location.hash = '#' + document.querySelector('#calls a').dataset.key")
    expect(page.locator("#chosen")).to_contain_text(keys(page)[0])


@pytest.mark.parametrize("address", ["#nobody", "#%", "#%E0%A4%A", "#x/y/z", "#scan"])
def test_an_address_of_nothing_opens_the_first_call(open_page: Open, honest: RunFolder, address: str) -> None:
    page = open_page(honest, address)
    expect(page.locator("#calls a[aria-current]")).to_have_count(1)


def test_a_finding_leads_to_its_place(open_page: Open, leaking: tuple[RunFolder, int]) -> None:
    run, number = leaking
    page = open_page(run)
    link = page.locator(".findings a").first
    link.click()
    expect(page.locator(f"#round-{number}")).to_be_in_viewport()
    expect(page.locator("tr.found").first).to_be_in_viewport()
    expect(page.locator("tr.found .kind").first).to_have_text(page.locator(".findings .kind").first.inner_text())
    page.get_by_label("with findings only").check()
    expect(page.locator("#calls li:visible")).to_have_count(1)
    expect(page.locator("#shown")).to_have_text(f"1 of {len(keys(page))} calls")


def test_a_changed_word_is_quoted_at_its_place_and_its_nodes_are_red(open_page: Open, reworded: RunFolder) -> None:
    agent, caller = interrupted(reworded)
    page = open_page(reworded, f"#{agent['conversation_id']}/{agent['round']}")
    cell = page.locator(f"#round-{agent['round']} td").nth(3)
    expect(cell.locator(".mark.differs").first).to_contain_text(caller["text"])
    expect(cell).to_have_class(re.compile(r"\bwrong\b"))
    expect(page.locator("td.wrong")).to_have_count(1)
    page.get_by_role("tab", name="Flow graph").click()
    page.locator("#picture .node.bad.item.caller-words").focus()
    expect(page.locator("#about-node")).to_contain_text("its content is not what is published")
    expect(page.locator("#unmarked")).to_be_hidden()
    numbers = page.locator("#calls .numbers").evaluate_all("all => all.map(e => e.getClientRects().length)")
    heights = page.locator("#calls a").evaluate_all("all => [...new Set(all.map(e => e.offsetHeight))]")
    assert set(numbers) == {1} and len(heights) == 1


def test_findings_of_one_kind_are_folded_together(open_page: Open, reworded: RunFolder) -> None:
    page = open_page(reworded)
    follow = page.locator(".findings details").first
    expect(follow.locator("li").first).to_be_hidden()
    follow.locator("summary").click()
    expect(follow.locator("li a").first).to_be_visible()
    follow.locator("li a").last.click()
    expect(page.locator(".turns tr:focus")).to_be_in_viewport()
    rounds = page.locator("tr.found .kind").all_inner_texts()
    assert len(rounds) < page.locator(".findings li").count()


def test_a_graph_that_marks_nothing_says_that_there_are_findings(open_page: Open, unmarked: RunFolder) -> None:
    page = open_page(unmarked)
    page.get_by_role("tab", name="Flow graph").click()
    expect(page.locator("#unmarked")).to_be_visible()
    expect(page.locator("#unmarked")).to_contain_text("1 finding in this call, none about a single node")
    page.locator("#calls a").last.click()
    expect(page.locator("#unmarked")).to_be_hidden()


def test_a_list_of_calls_ends_with_a_whole_row(open_page: Open, honest: RunFolder) -> None:
    page = open_page(honest)
    row, most, edge = page.evaluate(
        "() => { const l = document.getElementById('calls'), s = getComputedStyle(l);"
        " return [l.querySelector('li').offsetHeight, parseFloat(s.maxHeight), 2 * parseFloat(s.borderTopWidth)] }"
    )
    assert (most - edge) % row == pytest.approx(0, abs=0.6) or (most - edge) % row == pytest.approx(row, abs=0.6)


def test_whole_height_leaves_the_node_that_was_chosen(open_page: Open, honest: RunFolder) -> None:
    page = open_page(honest)
    page.get_by_role("tab", name="Flow graph").click()
    page.locator("#picture .node.call.user").nth(1).focus()
    about, lit = page.locator("#about-node"), page.locator("#picture .node.lit")
    expect(about).to_contain_text("Reaches it only through")
    assert lit.count() > 3
    page.get_by_role("button", name="Whole height").click()
    page.mouse.move(0, 0)
    expect(lit).to_have_count(0)
    expect(about).to_contain_text("Point at a node")


def test_a_node_is_told_in_sight_of_the_picture(open_page: Open, honest: RunFolder) -> None:
    page = open_page(honest)
    page.emulate_media(reduced_motion="reduce")
    page.get_by_role("tab", name="Flow graph").click()
    for block in ("start", "end"):
        page.locator("#picture").evaluate("(e, block) => e.scrollIntoView({ block })", block)
        page.locator("#picture .node.item", has_text="history heard").first.hover()
        about = page.locator("#about-node")
        expect(about).to_contain_text("spoken (")
        expect(about).to_be_in_viewport(ratio=1)
        assert about.evaluate("e => e.scrollHeight <= e.clientHeight")


def test_the_list_is_filtered_and_walked_with_keys(open_page: Open, honest: RunFolder) -> None:
    page = open_page(honest)
    page.locator("#calls a").first.focus()
    page.keyboard.press("ArrowDown")
    expect(page.locator("#calls a").nth(1)).to_be_focused()
    expect(page.locator("#chosen")).to_contain_text(keys(page)[1])
    assert page.url.endswith("#" + keys(page)[1])
    page.get_by_label("Find a call").fill(keys(page)[2])
    expect(page.locator("#calls li:visible")).to_have_count(1)
    expect(page.locator("#shown")).to_have_text(f"1 of {len(keys(page))} calls")


def test_the_graph_is_drawn_in_lanes_and_can_be_moved_by_keys(open_page: Open, honest: RunFolder) -> None:
    page = open_page(honest)
    page.get_by_role("tab", name="Flow graph").click()
    scene = page.locator("#picture > g").nth(1)
    place = lambda: scene.get_attribute("transform")  # noqa: E731
    assert page.locator("#picture .node.call").count() > 10
    page.locator("#picture").focus()
    seen = [place()]
    for key in ("+", "ArrowRight", "ArrowDown", "-", "0"):
        page.keyboard.press(key)
        assert place() != seen[-1]
        seen.append(place())
    assert seen[-1] == seen[0]
    before = place()
    page.locator("#closer").click()
    assert place() != before
    page.locator("#go").select_option("3")
    assert place() not in seen


def test_the_wheel_is_the_pages_until_the_picture_has_the_focus(open_page: Open, honest: RunFolder) -> None:
    page = open_page(honest)
    page.get_by_role("tab", name="Flow graph").click()
    picture, scene = page.locator("#picture"), page.locator("#picture > g").nth(1)
    picture.scroll_into_view_if_needed()
    picture.hover()
    before = scene.get_attribute("transform")
    page.mouse.wheel(0, 30)
    assert scene.get_attribute("transform") == before
    picture.focus()
    page.mouse.wheel(0, -200)
    expect(scene).not_to_have_attribute("transform", before or "")


def test_a_node_tells_what_it_is_and_lights_its_ways_back(open_page: Open, honest: RunFolder) -> None:
    page = open_page(honest)
    page.get_by_role("tab", name="Flow graph").click()
    page.locator("#picture").focus()
    page.keyboard.press("n")
    expect(page.locator("#picture .node:focus")).to_have_count(1)
    page.locator("#picture .node.call.user").nth(1).focus()
    about = page.locator("#about-node")
    expect(about).to_contain_text("history heard")
    expect(about).to_contain_text("caller words")
    lit = page.locator("#picture .node.lit")
    assert 3 < lit.count() < page.locator("#picture .node").count()
    assert page.locator("#picture .edge.lit").count() > 3
    page.keyboard.press("Escape")
    expect(page.locator("#picture")).to_be_focused()
    expect(lit).to_have_count(0)


def test_a_data_item_tells_who_may_read_it(open_page: Open, honest: RunFolder) -> None:
    page = open_page(honest)
    page.get_by_role("tab", name="Flow graph").click()
    about = page.locator("#about-node")
    page.locator("#picture .node.item", has_text="agent plan").first.focus()
    expect(about).to_contain_text("May be read by")
    expect(about.locator("dd").nth(5)).to_have_text("assistant")


def test_a_path_that_is_not_allowed_is_red(open_page: Open, leaking: tuple[RunFolder, int]) -> None:
    page = open_page(leaking[0], "")
    page.get_by_role("tab", name="Flow graph").click()
    assert page.locator("#picture .edge.bad").count() >= 1
    colours = page.locator("#picture .edge.bad").first.evaluate(
        "e => [getComputedStyle(e).stroke, getComputedStyle(document.querySelector('.verdict strong')).color]"
    )
    assert colours[0] == colours[1]


def test_without_a_picture_the_graph_is_a_table(open_page: Open, honest: RunFolder) -> None:
    page = open_page(honest)
    page.get_by_role("tab", name="Flow graph").click()
    page.get_by_text("The same as a table").click()
    rows = page.locator(".flow tbody tr")
    expect(rows).to_have_count(page.locator("#picture .node.call").count())
    expect(rows.first).to_contain_text("planner")


def test_tab_leads_through_the_page_and_is_never_caught(open_page: Open, honest: RunFolder) -> None:
    page = open_page(honest)
    page.get_by_role("tab", name="Flow graph").click()
    page.locator("#picture").focus()
    page.keyboard.press("Tab")
    assert page.evaluate("!document.getElementById('picture').contains(document.activeElement)")
    page.keyboard.press("Shift+Tab")
    expect(page.locator("#picture")).to_be_focused()


def test_headings_go_down_one_step_at_a_time(open_page: Open, honest: RunFolder) -> None:
    levels = open_page(honest).evaluate(
        "[...document.querySelectorAll('h1,h2,h3,h4,h5,h6')].map(h => Number(h.tagName[1]))"
    )
    assert levels[0] == 1 and levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))


@pytest.mark.parametrize(("width", "scheme"), [(1366, "light"), (390, "dark")])
@pytest.mark.parametrize("tab", ["Turn by turn", "Flow graph"])
def test_nobody_is_shut_out(
    browser: Browser, asked: RunFolder, leaking: tuple[RunFolder, int], tab: str, width: int, scheme: str
) -> None:
    for run in (asked, leaking[0]):
        assert barriers(browser, run.flow_report.as_uri(), width, scheme, tab) == []


@pytest.mark.parametrize("width", [1366, 390])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_scrolls_sideways(open_page: Open, leaking: tuple[RunFolder, int], width: int, scheme: str) -> None:
    page = open_page(leaking[0], width=width, color_scheme=scheme)
    for tab in ("Turn by turn", "Flow graph"):
        page.get_by_role("tab", name=tab).click()
        page.locator("details").evaluate_all("all => all.forEach(d => { d.open = true })")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_nothing_that_is_planted_in_a_corpus_runs(
    open_page: Open, plain: RunFolder, copied: Callable[[RunFolder], RunFolder]
) -> None:
    run = copied(plain)
    agent, _ = interrupted(run)
    rewrite_turn(run, "caller", text=HOSTILE)
    rewrite_turn(run, "agent", undelivered=HOSTILE, as_meant=agent["text"] + HOSTILE)
    write_flow_report(run)
    page = open_page(run, f"#{agent['conversation_id']}/{agent['round']}")
    row = page.locator(f"#round-{agent['round']}")
    expect(row.locator("td").nth(3)).to_contain_text("</script><script>alert(1)</script><!--")
    expect(row.locator("td").nth(3)).to_contain_text("⟨U+2028⟩ ⟨U+202E⟩")
    page.get_by_role("tab", name="Flow graph").click()
    assert page.locator("img").count() == 0
    assert page.locator("script:not([type])").count() == 1


def test_an_utterance_without_an_end_does_not_stop_the_page(
    open_page: Open, plain: RunFolder, copied: Callable[[RunFolder], RunFolder]
) -> None:
    run = copied(plain)
    agent, _ = interrupted(run)
    rewrite_turn(run, "caller", text="word " * 200_000)
    write_flow_report(run)
    assert run.flow_report.stat().st_size < 2_000_000
    page = open_page(run, f"#{agent['conversation_id']}/{agent['round']}")
    expect(page.locator(f"#round-{agent['round']}")).to_contain_text("(1,000,000 characters)")


def test_even_text_that_escaped_would_not_run(browser: Browser, honest: RunFolder) -> None:
    page = browser.new_page()
    watched = Watched(page, honest.flow_report.as_uri())
    page.goto(honest.flow_report.as_uri())
    page.locator("h1").evaluate("h => { h.innerHTML = '<img src=x onerror=alert(1)>' }")
    page.wait_for_timeout(200)
    page.close()
    assert "planted code ran" not in watched.faults
    assert any("Content Security Policy" in fault for fault in watched.faults)


def test_without_a_script_all_but_single_calls_can_be_read(open_page: Open, leaking: tuple[RunFolder, int]) -> None:
    page = open_page(leaking[0], java_script_enabled=False)
    for heading in ("Findings", "What the verdict rests on", "Who read what", "Declared channels", "Order and freeze"):
        expect(page.get_by_role("heading", name=heading)).to_be_visible()
    expect(page.get_by_text("drawn by a script")).to_be_visible()
    expect(page.locator("#calls")).to_be_hidden()
