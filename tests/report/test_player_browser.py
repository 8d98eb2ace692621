"""The player of a call in a real browser, with real sound; skipped where Chromium is missing."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from factory.records.enums import InterruptionType, SoundFormat
from factory.workflow.library import Library
from tests.browsers import Watched, barriers, launched, needs_chromium
from tests.report.runs import Call
from tests.report.voiced import Heard, spoken_at, voiced

pytestmark = needs_chromium
PUSHBACK, FILLER, NORMAL = InterruptionType.PUSHBACK, InterruptionType.FILLER, InterruptionType.NORMAL
HOSTILE = (
    "</script><script>alert(1)</script> \"' </span> <img src=x onerror=alert(2)> \u202edeifitnu\u202c "
    "\u05e9\u05dc\u05d5\u05dd \x07\x1b[31m &lt;b&gt; {{7*7}} ${alert(3)}"
)


@pytest.fixture(scope="module")
def heard(tmp_path_factory: pytest.TempPathFactory, library: Library) -> Heard:
    kinds = [None, PUSHBACK, None, None, FILLER, None, NORMAL, None]
    return voiced(tmp_path_factory.mktemp("run"), library, Call("call", kinds))


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with launched() as browser:
        yield browser


@pytest.fixture
def page(browser: Browser, heard: Heard) -> Iterator[Page]:
    yield from opened(browser, heard)


def opened(browser: Browser, heard: Heard, width: int = 1366, height: int = 900) -> Iterator[Page]:
    """The page of a call, watched."""
    with browser.new_context(viewport={"width": width, "height": height}, reduced_motion="reduce") as context:
        watched = Watched(context.new_page())
        watched.page.goto(heard.page.as_uri())
        until(watched.page, "sound.readyState >= 1")
        yield watched.page
        assert watched.faults == []


def until(page: Page, condition: str) -> None:
    """Waits for a condition of the page; `wait_for_function` would need the policy to permit `eval`."""
    page.evaluate(f"""() => new Promise((done, failed) => {{
        const look = () => {condition} ? done() : setTimeout(look, 10);
        setTimeout(() => failed(new Error("waited in vain for {condition.replace('"', "'")}")), 5000);
        look();
    }})""")


def now(page: Page) -> float:
    return float(page.evaluate("sound.currentTime"))


def seek(page: Page, to_s: float) -> None:
    page.evaluate(
        """to => new Promise((done, failed) => {
            setTimeout(() => failed(new Error(`the sound cannot go to ${to} s`)), 5000);
            sound.onseeked = () => done();
            sound.currentTime = to;
        })""",
        to_s,
    )


def lit(page: Page) -> list[str]:
    return page.locator(".lit").all_inner_texts()


def settled(page: Page) -> float:
    """Where the sound is when it has come to where it was to go."""
    until(page, "!sound.seeking")
    return now(page)


def test_the_words_that_are_spoken_are_lit_and_in_an_overlap_two(page: Page, heard: Heard) -> None:
    cut_in = heard.timeline.interruptions[0]
    both = (cut_in.caller_start_s + cut_in.cut_s) / 2
    first, *_, last = heard.timeline.turns
    times = [0.1, 0.5, 3.3, both, first.end_s + 0.1, last.end_s - 0.1]
    for at_s in times:
        seek(page, at_s)
        assert lit(page) == spoken_at(heard.timeline, at_s)
    assert [len(spoken_at(heard.timeline, at_s)) for at_s in times] == [0, 1, 1, 2, 0, 1]
    assert spoken_at(heard.timeline, both)[1] == "Wait,"


@pytest.mark.parametrize("sound_format", SoundFormat)
def test_the_words_are_lit_as_they_sound(
    browser: Browser, tmp_path: Path, library: Library, sound_format: SoundFormat
) -> None:
    heard = voiced(tmp_path, library, Call("call", [PUSHBACK]), sound_format)
    for page in opened(browser, heard):
        assert page.evaluate("sound.duration") == pytest.approx(heard.timeline.duration_s, abs=0.02)
        cut_in = heard.timeline.interruptions[0]
        seek(page, cut_in.caller_start_s - 0.3)
        seen = page.evaluate("""async () => {
            const seen = [];
            await sound.play();
            const look = (done) => {
                seen.push([sound.currentTime, ...[...document.querySelectorAll(".lit")].map(e => e.textContent)]);
                seen.length < 50 ? requestAnimationFrame(() => look(done)) : done();
            };
            await new Promise(look);
            sound.pause();
            return seen;
        }""")
        late_s = 0.1
        for at_s, *words in seen:
            near = {word for t in (at_s - late_s, at_s, at_s + 0.02) for word in spoken_at(heard.timeline, max(t, 0))}
            assert set(words) <= near
        assert seen[-1][0] > seen[0][0] + 0.6
        assert max(len(words) for _, *words in seen) == 2


def test_every_interruption_can_be_jumped_to(page: Page, heard: Heard) -> None:
    starts = [one.caller_start_s - 2 for one in heard.timeline.interruptions]
    links = page.get_by_role("navigation", name="Interruptions of this call").get_by_role("link")

    expect(links).to_have_count(len(starts))
    for link, start in zip(links.all(), starts, strict=True):
        link.click()
        assert start - 0.01 <= settled(page) < start + 1.5
        assert not page.evaluate("sound.paused")
    expect(page.get_by_role("status")).to_have_text("Normal at 0:51, turn 7")
    expect(links.last).to_have_attribute("aria-current", "true")
    expect(page.locator("#turn-7 .agent .lit")).to_be_in_viewport()


@pytest.mark.parametrize("by", ["buttons", "keys"])
def test_interruptions_can_be_stepped_through(page: Page, heard: Heard, by: str) -> None:
    starts = [one.caller_start_s - 2 for one in heard.timeline.interruptions]
    page.evaluate("sound.playbackRate = 0.1")

    def step(name: str) -> float:
        if by == "keys":
            page.keyboard.press(name[0])
        else:
            page.get_by_role("button", name=f"{name} interruption").click()
        return settled(page)

    came_to = [step(name) for name in ("next", "next", "previous", "next", "next", "next")]
    assert came_to == pytest.approx([starts[i] for i in (0, 1, 0, 1, 2, 2)], abs=0.3)
    seek(page, starts[2] + 1.8)
    assert step("previous") == pytest.approx(starts[2], abs=0.3)


def test_a_click_on_a_word_goes_there_and_so_does_enter(page: Page, heard: Heard) -> None:
    word = heard.timeline.turns[4].words[3]
    page.locator("#turn-3 .agent [data-start]").nth(3).click()
    assert settled(page) == pytest.approx(word.start_s, abs=0.05)
    expect(page.locator("#turn-3 .agent .lit")).to_have_text(word.text)

    for _ in range(2):
        page.keyboard.press("ArrowLeft")
    page.keyboard.press("Enter")
    assert settled(page) == pytest.approx(heard.timeline.turns[4].words[1].start_s, abs=0.05)
    assert page.evaluate("sound.paused")


def test_the_words_are_one_stop_for_the_tab_key(page: Page) -> None:
    reachable = page.locator(".talk [data-start][tabindex='0']")
    expect(reachable).to_have_count(1)
    page.locator("#turn-2 .caller [data-start]").nth(1).click()
    settled(page)

    expect(reachable).to_have_count(1)
    expect(reachable).to_have_text("is")


def test_a_click_into_the_time_line_goes_there(page: Page, heard: Heard) -> None:
    page.locator("#lanes").click(position={"x": 321, "y": 60})
    assert settled(page) == pytest.approx(10, abs=0.05)
    box = page.locator("#overview").bounding_box()
    assert box is not None
    page.locator("#overview").click(position={"x": box["width"] / 2, "y": 5})
    assert settled(page) == pytest.approx(heard.timeline.duration_s / 2, abs=0.1)


def test_the_time_line_goes_along_with_the_play_head(page: Page) -> None:
    inside = """() => {
        const [outer, inner] = [lanes, head].map(e => e.getBoundingClientRect());
        return inner.left >= outer.left && inner.right <= outer.right;
    }"""
    for at_s in (0, 20, 40, 3):
        seek(page, at_s)
        assert page.evaluate(inside)
    assert page.evaluate("lanes.scrollWidth > 1.5 * lanes.clientWidth")


def test_keys_play_and_go_back_and_forth(page: Page) -> None:
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowLeft")
    until(page, "!sound.seeking && Math.abs(sound.currentTime - 5) < 0.05")
    page.keyboard.press(" ")
    until(page, "sound.currentTime > 5.2")
    page.keyboard.press(" ")
    assert page.evaluate("sound.paused")


def test_keys_are_not_taken_from_what_has_a_use_for_them(page: Page) -> None:
    page.locator("summary", has_text="What a good answer does").first.focus()
    page.keyboard.press(" ")
    expect(page.locator("details[open]")).to_have_count(1)
    page.keyboard.press("Control+ArrowRight")
    keys = page.get_by_role("checkbox")
    keys.focus()
    page.keyboard.press(" ")
    expect(keys).not_to_be_checked()
    for key in ("n", "ArrowRight"):
        page.keyboard.press(key)
    assert (now(page), page.evaluate("sound.paused")) == (0, True)
    page.keyboard.press(" ")
    page.keyboard.press("ArrowRight")
    assert settled(page) == pytest.approx(5, abs=0.05)


def test_the_page_follows_the_words_unless_somebody_reads_elsewhere(page: Page) -> None:
    page.emulate_media(reduced_motion="no-preference")
    spoken = page.locator(".lit").first
    seek(page, 30)
    assert page.evaluate("scrollY") == 0
    page.evaluate("sound.play()")
    expect(spoken).to_be_in_viewport()
    box, desk = spoken.bounding_box(), page.locator("#desk").bounding_box()
    assert box is not None and desk is not None and box["y"] > desk["y"] + desk["height"]

    page.mouse.move(700, 700)
    for _ in range(2):  # the first may be lost to the page's own scroll
        page.mouse.wheel(0, -5000)
        page.wait_for_timeout(300)
    until(page, "scrollY == 0")
    until(page, f"sound.currentTime > {now(page) + 0.8}")
    assert page.evaluate("scrollY") == 0
    page.keyboard.press("n")
    expect(page.locator("#turn-5 .lit").first).to_be_in_viewport()


def test_one_sound_is_heard_at_a_time(page: Page) -> None:
    page.evaluate("sound.play()")
    page.locator(".sounded summary").first.click()
    page.evaluate("document.querySelectorAll('audio')[1].play()")
    until(page, "sound.paused")
    page.evaluate("sound.play()")
    until(page, "document.querySelectorAll('audio')[1].paused")


def test_a_sound_that_cannot_be_played_is_told(browser: Browser, tmp_path: Path, library: Library) -> None:
    heard = voiced(tmp_path, library, Call("call", [PUSHBACK]))
    (tmp_path / "calls" / "call.flac").unlink()
    page = browser.new_page()
    page.goto(heard.page.as_uri())

    expect(page.get_by_role("alert")).to_contain_text("call.flac is missing")
    expect(page.locator("#turn-1 .agent .words")).to_contain_text("Your booking is open now.")
    page.close()


def test_without_javascript_the_call_can_be_heard_and_read(browser: Browser, heard: Heard) -> None:
    with browser.new_context(java_script_enabled=False) as context:
        page = context.new_page()
        page.goto(heard.page.as_uri())

        assert page.locator("#sound").get_attribute("controls") is not None
        expect(page.get_by_role("button")).to_have_count(0)
        expect(page.get_by_role("checkbox")).to_have_count(0)
        expect(page.get_by_role("img")).to_be_visible()
        expect(page.locator("#turn-2 .caller .words")).to_have_text("Wait, is that by the window?")
        assert "/calls/call.flac#t=" in str(page.locator("#turn-2 .caller .at").get_attribute("href"))


def test_nothing_that_is_planted_in_a_corpus_runs(browser: Browser, tmp_path: Path, library: Library) -> None:
    agent = f"{HOSTILE}. {HOSTILE} I can see two free seats by the window. {HOSTILE}"
    call = Call("call", [PUSHBACK, None], agent=agent, caller=HOSTILE, rubric=HOSTILE)
    heard = voiced(tmp_path, library, call, condition=HOSTILE, engine=HOSTILE, caller_voice=HOSTILE, recogniser=HOSTILE)
    for page in opened(browser, heard):
        words = page.locator("#turn-2 .caller [data-start]")
        assert words.evaluate_all("all => all.map(e => e.textContent)") == HOSTILE.split(" ")
        assert page.locator("img, .talk script, .talk b").count() == 0
        words.nth(2).click()
        settled(page)
        assert lit(page) == [HOSTILE.split(" ")[2]]


def test_a_long_call_opens_at_once(browser: Browser, tmp_path: Path, library: Library) -> None:
    agent = "Your booking is open. " + " ".join(f"word{i}" for i in range(66)) + " end."
    heard = voiced(tmp_path, library, Call("call", [None, PUSHBACK] * 10, agent=agent))
    assert sum(len(turn.words) for turn in heard.timeline.turns) > 950
    for page in opened(browser, heard):
        spent_ms = page.evaluate("""() => {
            const [it] = performance.getEntriesByType("navigation");
            return it.domComplete - it.responseEnd;
        }""")
        assert spent_ms < 1500


@pytest.mark.parametrize("width", [1366, 390])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nobody_is_shut_out(browser: Browser, heard: Heard, width: int, scheme: str) -> None:
    assert barriers(browser, heard.page.as_uri(), width, scheme) == []


def test_the_page_does_not_scroll_sideways_on_a_phone(browser: Browser, heard: Heard) -> None:
    for page in opened(browser, heard, 390, 844):
        page.locator("details").evaluate_all("all => all.forEach(d => { d.open = true })")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        desk = page.locator("#desk").bounding_box()
        assert desk is not None and desk["height"] < 300


def test_the_interruption_that_was_come_to_is_in_sight_among_many(
    browser: Browser, tmp_path: Path, library: Library
) -> None:
    heard = voiced(tmp_path, library, Call("call", [PUSHBACK] * 14))
    for page in opened(browser, heard, 390, 844):
        links = page.get_by_role("navigation").get_by_role("link")
        expect(links.last).not_to_be_in_viewport()
        seek(page, heard.timeline.interruptions[-1].caller_start_s)
        expect(links.last).to_be_in_viewport(ratio=1)
