"""The pages in a real browser, opened from disk; skipped where Chromium is missing."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, expect

from factory.records.enums import InterruptionType
from factory.report.corpus import write_corpus_report
from factory.workflow.library import Library
from tests.browsers import Watched, barriers, launched, needs_chromium
from tests.report.runs import Call, make_run

pytestmark = needs_chromium
HOSTILE = "<script>alert(1)</script>\"><img src=x onerror=alert(2)><a href='javascript:alert(3)'>x</a>"
KINDS = [*InterruptionType, None]


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory, library: Library) -> Path:
    calls = [
        Call("one", KINDS, fails=True),
        Call("two", [InterruptionType.FILLER, *[None] * 6], outcome="unverified"),
        Call("three", KINDS * 2, agent=f"{HOSTILE}. {HOSTILE} I can see two free seats by the window. {HOSTILE}",
             caller=HOSTILE, rubric=HOSTILE),
    ]  # fmt: skip
    return write_corpus_report(make_run(tmp_path_factory.mktemp("run"), calls, audio=True), library)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with launched() as browser:
        yield browser


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    yield context
    context.close()


@pytest.fixture
def phone(browser: Browser) -> Iterator[Watched]:
    with browser.new_context(viewport={"width": 390, "height": 844}) as context:
        watched = Watched(context.new_page())
        yield watched
        assert watched.faults == []


@pytest.fixture
def watched(context: BrowserContext) -> Iterator[Watched]:
    watched = Watched(context.new_page())
    yield watched
    assert watched.faults == []


SCROLLERS = """() => [...document.querySelectorAll("*")].filter(e =>
    /auto|scroll/.test(getComputedStyle(e).overflowY) && e.scrollHeight > e.clientHeight + 1).map(e => e.className)"""


def test_the_index_opens_with_the_list_beside_the_whole(watched: Watched, report: Path) -> None:
    page = watched.page
    page.goto(report.as_uri())

    for seen in (page.locator("h1"), page.locator(".headline"), page.locator("#rows a").first):
        expect(seen).to_be_in_viewport(ratio=0.99)
    page.set_viewport_size({"width": 1280, "height": 560})
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")


def test_the_way_leads_from_a_call_to_the_whole_and_its_parts(watched: Watched, report: Path) -> None:
    page = watched.page
    page.goto(f"{report.as_uri()}#two")
    expect(page.locator("h1")).to_be_hidden()

    page.get_by_role("link", name="Coverage").click()
    expect(page.locator("iframe")).to_be_hidden()
    expect(page.get_by_role("columnheader", name="Workflow")).to_be_in_viewport()
    page.get_by_role("link", name="Overview").click()
    expect(page.locator("#overview")).to_be_in_viewport(ratio=0.99)
    assert page.locator("#rows a[aria-current]").count() == 0
    page.go_back()
    page.go_back()
    expect(page.frame_locator("iframe").locator(".facts .id")).to_have_text("two")


def test_on_a_phone_a_call_is_a_page_of_its_own_and_leads_back(phone: Watched, report: Path) -> None:
    page = phone.page
    page.goto(report.as_uri())
    expect(page.locator("#rows a").first).to_be_in_viewport(ratio=0.99)
    page.locator("#rows a").nth(1).click()

    expect(page.locator(".facts .id")).to_have_text("two")
    page.get_by_role("link", name="This call among all others").click()
    expect(page.locator("#rows li:target .id")).to_have_text("two")
    expect(page.locator("#rows li:target")).to_be_in_viewport(ratio=0.99)


def test_on_a_phone_the_way_stays_and_nothing_scrolls_within_the_page(phone: Watched, report: Path) -> None:
    page = phone.page
    page.goto(report.as_uri())
    assert page.evaluate(SCROLLERS) == []
    page.get_by_role("link", name="Coverage").click()
    page.wait_for_timeout(200)

    bar, part = page.locator("nav").bounding_box(), page.locator("#coverage").bounding_box()
    assert bar is not None and part is not None
    assert bar["y"] == 0 and part["y"] >= bar["height"]
    expect(page.get_by_role("columnheader", name="Workflow")).to_be_in_viewport()
    page.get_by_role("link", name="Calls", exact=True).click()
    expect(page.get_by_label("Find a call by its words")).to_be_in_viewport()


def test_a_window_that_is_made_small_shows_the_whole_again(watched: Watched, report: Path) -> None:
    page = watched.page
    page.goto(f"{report.as_uri()}#two")
    page.set_viewport_size({"width": 390, "height": 844})
    expect(page.locator("h1")).to_be_visible()
    expect(page.locator("iframe")).to_be_hidden()
    page.set_viewport_size({"width": 1280, "height": 800})
    expect(page.frame_locator("iframe").locator(".facts .id")).to_have_text("two")


def test_every_chart_is_drawn(watched: Watched, report: Path) -> None:
    page = watched.page
    page.goto(report.as_uri())

    for chart in page.locator(".charts svg .fill").all():
        box = chart.bounding_box()
        assert box is not None and box["height"] > 5
    widths = [b["width"] for bar in page.locator("svg.bar[class*=type-] .fill").all() if (b := bar.bounding_box())]
    assert len(widths) == len(InterruptionType)
    assert widths[list(InterruptionType).index(InterruptionType.FILLER)] == max(widths) > 50
    colours = page.locator("svg.bar[class*=type-] .fill").evaluate_all("all => all.map(e => getComputedStyle(e).fill)")
    assert len(set(colours)) == len(InterruptionType)


def test_a_click_shows_the_chosen_call_and_back_returns(watched: Watched, report: Path) -> None:
    page = watched.page
    page.goto(report.as_uri())
    shown = page.frame_locator("iframe").locator(".facts .id")
    page.locator("#rows a").nth(1).click()

    expect(shown).to_have_text("two")
    expect(page.locator("#rows a[aria-current]")).to_contain_text("two")
    assert page.url.endswith("#two")
    page.locator("#rows a").nth(0).click()
    expect(shown).to_have_text("one")
    page.go_back()
    expect(shown).to_have_text("two")


def test_an_address_with_a_call_opens_that_call(watched: Watched, report: Path) -> None:
    watched.page.goto(f"{report.as_uri()}#two")

    expect(watched.page.frame_locator("iframe").locator(".facts .id")).to_have_text("two")
    expect(watched.page.locator("#rows a[aria-current]")).to_contain_text("two")


def test_the_list_is_filtered_by_words_type_outcome_and_course(watched: Watched, report: Path) -> None:
    page = watched.page
    page.goto(report.as_uri())
    visible = page.locator("#rows li:visible .id")

    page.get_by_label("Interruption type").select_option("pushback")
    expect(visible).to_have_text(["one", "three"])
    page.get_by_label("Course of the call").select_option("asked")
    expect(visible).to_have_text(["one"])
    page.get_by_label("Interruption type").select_option("")
    page.get_by_label("Course of the call").select_option("")
    page.get_by_label("Outcome").select_option("Hard stop: unverified")
    expect(visible).to_have_text(["two"])
    expect(page.get_by_role("status")).to_have_text("1 of 3 calls")
    page.get_by_label("Find a call by its words").fill("seat three")
    expect(page.get_by_role("status")).to_have_text("No call fits.")


def test_a_list_of_thousands_is_filtered_at_once(watched: Watched, report: Path) -> None:
    head, row, tail = re.split(r"(<li id=\"two\".*?</li>\n)", report.read_text(encoding="utf-8"), flags=re.S)
    many = "".join(row.replace('"two"', f'"two-{i}"') for i in range(3000))
    long = report.with_name("long.html")
    long.write_text(head + many + tail, encoding="utf-8")
    watched.page.goto(long.as_uri())

    spent_ms = watched.page.evaluate("""() => {
        const words = document.getElementById("words"), start = performance.now();
        words.value = "three";
        words.dispatchEvent(new Event("input"));
        document.body.getBoundingClientRect();
        return performance.now() - start;
    }""")
    expect(watched.page.get_by_role("status")).to_have_text("1 of 3002 calls")
    assert spent_ms < 1500


def test_the_list_can_be_walked_with_the_keyboard(watched: Watched, report: Path) -> None:
    page = watched.page
    page.goto(report.as_uri())
    page.locator("#rows a").first.focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")

    expect(page.frame_locator("iframe").locator(".facts .id")).to_have_text("two")


def test_rubrics_open_and_jumps_lead_from_interruption_to_interruption(watched: Watched, report: Path) -> None:
    page = watched.page
    page.goto((report.parent / "calls" / "one.html").as_uri())
    details = page.locator("details.rubric").first

    expect(details.get_by_text("Reference recovery")).to_be_hidden()
    details.locator("summary").click()
    expect(details.get_by_text("Reference recovery")).to_be_visible()
    page.get_by_role("navigation", name="Interruptions of this call").get_by_role("link").nth(4).click()
    expect(page.locator("#turn-5 .caller")).to_be_in_viewport()
    page.locator("#turn-5").get_by_role("link", name="next interruption").click()
    expect(page.locator("#turn-6 .caller")).to_be_in_viewport()


def test_a_callers_voice_can_be_played(watched: Watched, report: Path) -> None:
    page = watched.page
    page.goto(report.as_uri())
    page.locator("#rows a").first.click()
    frame = page.frame_locator("iframe")
    player = frame.get_by_label("Caller's voice, turn 1", exact=True)
    frame.get_by_text("The clip alone").first.click()

    assert player.evaluate("a => Number.isNaN(a.duration)")
    player.evaluate("a => a.play()")
    assert player.evaluate("a => a.duration") == pytest.approx(0.5, abs=0.05)


@pytest.mark.parametrize("address", ["corpus.html#three", "calls/three.html"])
def test_nothing_that_is_planted_in_a_corpus_runs(watched: Watched, report: Path, address: str) -> None:
    page = watched.page
    page.goto(f"{report.parent.as_uri()}/{address}")
    frame = page.frames[-1]
    frame.locator("#turn-13 .caller").wait_for()
    page.wait_for_timeout(200)

    assert HOSTILE in frame.locator("#turn-1 .caller .words").inner_text()
    assert frame.locator("img, .talk script, a[href^=javascript]").count() == 0
    assert frame.locator("script").count() == 1


def test_even_text_that_escaped_would_not_run(watched: Watched, report: Path) -> None:
    page = watched.page
    page.goto((report.parent / "calls" / "one.html").as_uri())
    page.locator("h1").evaluate(
        "h => { h.innerHTML = '<img src=x onerror=alert(1)><button onclick=alert(2)>x</button>' }"
    )
    page.locator("h1 button").click()
    page.wait_for_timeout(200)

    assert "planted code ran" not in watched.faults
    assert any("Content Security Policy" in fault for fault in watched.faults)
    watched.faults.clear()


def test_a_state_machine_is_loaded_when_it_is_looked_at(watched: Watched, report: Path) -> None:
    page, asked = watched.page, []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(report.as_uri())
    page.locator(".coverage > details > summary").click()
    page.get_by_role("row", name="Changing a seat on a booked flight").wait_for()
    assert not [url for url in asked if url.endswith(".svg")]
    page.get_by_text("State machine, and what is not visited").click()
    picture = page.get_by_role("img", name="State machine of Changing a seat on a booked flight")

    expect(picture).to_be_in_viewport()
    page.wait_for_function("() => document.querySelector('.machine img').naturalWidth > 600")
    expect(page.get_by_text("nervous_flyer.first_flight")).to_be_visible()


def test_what_is_never_visited_looks_different_without_its_colour(watched: Watched, report: Path) -> None:
    page = watched.page
    page.goto((report.parent / "machines" / "travel--seat_change.svg").as_uri())

    def strokes(boxes: str) -> list[str]:
        return page.locator(boxes).evaluate_all("all => all.map(e => getComputedStyle(e).strokeDasharray)")

    assert set(strokes("rect.box.stage:not(.never)")) == {"none"}
    assert strokes("rect.box.hard_stop.never") == ["4px, 4px"]
    expect(page.get_by_text("never", exact=True)).to_have_count(1)


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (390, "dark")])
@pytest.mark.parametrize("address", ["corpus.html", "calls/three.html"])
def test_nobody_is_shut_out(browser: Browser, report: Path, address: str, width: int, scheme: str) -> None:
    assert barriers(browser, f"{report.parent.as_uri()}/{address}", width, scheme) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("address", ["corpus.html", "calls/three.html"])
def test_no_page_scrolls_sideways(browser: Browser, report: Path, address: str, width: int, scheme: str) -> None:
    with browser.new_context(viewport={"width": width, "height": 800}, color_scheme=scheme) as context:  # type: ignore[arg-type]
        watched = Watched(context.new_page())
        watched.page.goto(f"{report.parent.as_uri()}/{address}")
        for details in watched.page.locator("details").all():
            details.evaluate("d => { d.open = true }")

        for frame in watched.page.frames:
            assert frame.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert watched.faults == []


def test_without_javascript_every_call_can_be_read(browser: Browser, report: Path) -> None:
    with browser.new_context(java_script_enabled=False) as context:
        page = context.new_page()
        page.goto(report.as_uri())

        assert page.locator("#filters").is_hidden()
        expect(page.locator("iframe")).to_be_hidden()
        page.locator("#rows a").nth(1).click()
        expect(page.locator(".facts .id")).to_have_text("two")
