"""The page as a whole: everybody can use it, it fits, and nothing that a corpus holds runs in it."""

from collections.abc import Callable
from itertools import pairwise

import pytest
from playwright.sync_api import Browser, expect

from factory.audit.report import write_flow_report
from factory.run.folder import RunFolder
from tests.audit.runs import interrupted, rewrite_turn
from tests.browsers import Watched, barriers, needs_chromium

from .pages import Open, open_graph, unfold

HOSTILE = "</script><script>alert(1)</script><!-- <img src=x onerror=alert(2)> \" ' \u2028 \u202e"

pytestmark = needs_chromium


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
        unfold(page)
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
    unfold(page)
    open_graph(page)
    assert page.locator("img").count() == 0
    assert page.locator("script:not([type])").count() == 1


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
