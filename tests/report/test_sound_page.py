"""What the corpus report shows of a run's sound, in its source and in a real browser."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from factory.records.call import CallTimeline, HeardByEar
from factory.records.enums import InterruptionType
from factory.report.corpus import write_corpus_report
from factory.run.files import write_text
from factory.workflow.library import Library
from tests.browsers import Watched, barriers, launched, needs_chromium
from tests.report.runs import Call, make_run

FILLER, PUSHBACK = InterruptionType.FILLER, InterruptionType.PUSHBACK
HOSTILE = "<script>alert(1)</script>\"><img src=x onerror=alert(2)> {{ 7 * 7 }} ' & </style>"
CALLS = (Call("one", [*InterruptionType, None] * 3), Call("two", [FILLER, *[None] * 6]), Call("three", [None] * 4))


def heard_run(
    path: Path,
    library: Library,
    change: Callable[[CallTimeline], CallTimeline] = lambda timeline: timeline,
    audio: bool = True,
) -> Path:
    """The index of a run of `CALLS` with their time-lines changed."""
    folder = make_run(path, CALLS, audio=True)
    for call in CALLS:
        timeline = change(folder.timeline(call.conversation_id))
        write_text(folder.timeline_file(call.conversation_id), timeline.model_dump_json())
    if not audio:
        identity = folder.identity().model_copy(update={"audio": False})
        write_text(folder.identity_file, identity.model_dump_json())
    return write_corpus_report(folder, library)


def unheard(timeline: CallTimeline) -> CallTimeline:
    """The same where no recogniser listened."""
    turns = tuple(turn.model_copy(update={"heard_by_ear": None}) for turn in timeline.turns)
    return timeline.model_copy(update={"recogniser": None, "turns": turns})


def hostile(timeline: CallTimeline) -> CallTimeline:
    """The same where a turn was not understood, and what the recogniser wrote is hostile."""
    turns = list(timeline.turns)
    turns[3] = turns[3].model_copy(update={"heard_by_ear": HeardByEar(text=HOSTILE, words=6, errors=5)})
    return timeline.model_copy(update={"turns": tuple(turns)})


def cells(source: str, title: str) -> dict[str, list[str]]:
    """The rows of the table under a title: each by its name, with its cells as plain text."""
    body = source.partition(f">{title}</h3>")[2].partition("</table>")[0].partition("</thead>")[2]
    rows = (re.findall(r"<(?:th|td)[^>]*>(.*?)</(?:th|td)>", row, re.S) for row in body.split("<tr>")[1:])
    return {plain(first): [plain(cell) for cell in rest] for first, *rest in rows}


def plain(markup: str) -> str:
    without = re.sub(r'<span class="letter".*?</span>|<[^>]+>', "", markup)
    return " ".join(without.split())


def test_a_run_without_audio_has_the_page_that_it_had(tmp_path: Path, library: Library) -> None:
    silent = write_corpus_report(make_run(tmp_path / "silent", CALLS), library).read_bytes()
    unasked = heard_run(tmp_path / "unasked", library, audio=False).read_bytes()

    assert silent == unasked
    assert b"sound" not in silent
    assert b"sound-title" in heard_run(tmp_path / "heard", library).read_bytes()


def test_the_tables_hold_what_the_time_lines_say(tmp_path: Path, library: Library) -> None:
    page = heard_run(tmp_path, library).read_text(encoding="utf-8")

    # Both speak for 0.46 s in every call of tones, of which 0.01 s are the measurement's.
    overlaps = cells(page, "How long both speak at once, in seconds")
    assert overlaps["Pushback"][:6] == ["3", "0.15–1.20", "0.46", "0.46", "0.46", "0"]
    assert overlaps["Filler"][:6] == ["4", "0.15–0.50", "0.46", "0.46", "0.46", "0"]
    assert cells(page, "Conditions") == {"Clean": ["3", "192", "16.7%"]}
    assert cells(page, "Engines") == {"hibari": ["3"]}
    assert cells(page, "Voices") == {"alder": ["3", "0", "0", "–"], "fir": ["0", "3", "192", "16.7%"]}
    ear = cells(page, "Checked by ear")
    assert ear["Filler"] == ["24", "16.7%"]
    assert ear["None, a calm turn"] == ["78", "16.7%"]
    assert ear["In all"] == ["192", "16.7%"]
    assert "Listened to by ear in 3 calls." in page
    assert cells(page, "Pauses between turns")["the median"] == ["0.40"]
    assert cells(page, "Takes")["Taken more than once"] == ["0", "32"]


def test_a_run_that_nobody_listened_to_says_so_and_shows_no_rate(tmp_path: Path, library: Library) -> None:
    page = heard_run(tmp_path, library, unheard).read_text(encoding="utf-8")

    assert "not checked by a recogniser</span>" in page
    assert "The callers’ turns were not checked by a recogniser." in page
    assert cells(page, "Conditions") == {"Clean": ["3"]}
    assert "isheard" not in page.partition('<section class="sound"')[2]


def test_a_condition_has_a_row_for_each_of_its_figures(tmp_path: Path, library: Library) -> None:
    figures = {"one": (8.0, 0.0, 0.0), "two": (8.0, 0.0, 0.0), "three": (-3.5, 0.07, 2.0)}

    def recorded(timeline: CallTimeline) -> CallTimeline:
        names = ("snr_db", "packet_loss", "caller_level_db")
        told = dict(zip(names, figures[timeline.conversation_id], strict=True))
        return timeline.model_copy(update={"condition": "street", **told})

    rows = cells(heard_run(tmp_path, library, recorded).read_text(encoding="utf-8"), "Conditions")

    assert {name: row[0] for name, row in rows.items()} == {
        "Street 8 dB SNR": "2",
        "Street \u22123.5 dB SNR, 7% of packets lost, caller 2 dB louder": "1",
    }


def test_a_stand_in_is_told_with_the_engine_that_failed(tmp_path: Path, library: Library) -> None:
    def stood_in(timeline: CallTimeline) -> CallTimeline:
        return timeline.model_copy(update={"engine": "espeak"}) if timeline.conversation_id == "two" else timeline

    page = heard_run(tmp_path, library, stood_in).read_text(encoding="utf-8")

    assert cells(page, "Engines") == {"espeak in place of hibari, which failed": ["1"], "hibari": ["2"]}
    assert list(cells(page, "Voices")) == ["alder espeak", "fir espeak", "alder hibari", "fir hibari"]


def test_misheard_turns_are_listed_with_what_was_said_and_lead_to_their_calls(tmp_path: Path, library: Library) -> None:
    index = heard_run(tmp_path, library, hostile)
    page = index.read_text(encoding="utf-8").partition('id="misheard-title"')[2]

    assert page.startswith(">Turns with more than 25% of their words misheard: 3 turns</h3>")
    links = re.findall(r'<a href="(calls/\w+\.html)#(turn-2)"', page)
    assert [address for address, _ in links] == ["calls/one.html", "calls/two.html", "calls/three.html"]
    assert all(f'id="{turn}"' in (index.parent / address).read_text(encoding="utf-8") for address, turn in links)
    assert page.count("<td>Wait, is that by the window?</td>") == 3
    assert "<script>alert" not in index.read_text(encoding="utf-8")
    assert "<img src=x" not in index.read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory, library: Library) -> Path:
    return heard_run(tmp_path_factory.mktemp("run"), library, hostile)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with launched() as browser:
        yield browser


@needs_chromium
@pytest.mark.parametrize(("width", "scheme"), [(1366, "light"), (390, "dark")])
def test_nobody_is_shut_out(browser: Browser, report: Path, width: int, scheme: str) -> None:
    assert barriers(browser, report.as_uri(), width, scheme) == []


@pytest.fixture
def opened(request: pytest.FixtureRequest, browser: Browser, report: Path) -> Iterator[Page]:
    """The page with its section open, watched."""
    with browser.new_context(viewport={"width": getattr(request, "param", 1366), "height": 900}) as context:
        watched = Watched(context.new_page())
        watched.page.goto(report.as_uri())
        watched.page.locator(".sound summary").click()
        yield watched.page
        assert watched.faults == []


@needs_chromium
@pytest.mark.parametrize("opened", [1366, 390], indirect=True)
def test_the_section_is_read_at_every_width_and_nothing_planted_in_it_runs(opened: Page) -> None:
    assert opened.evaluate("document.documentElement.scrollWidth <= innerWidth")
    expect(opened.locator(".sound .misheard")).to_contain_text(HOSTILE)
    assert opened.locator(".sound img, .sound script").count() == 0


@needs_chromium
def test_an_overlap_is_drawn_within_the_shade_of_its_range(opened: Page) -> None:
    shades, columns = (
        [box for place in opened.locator(f".sound .{name}").all() if (box := place.bounding_box())]
        for name in ("shade", "plot .fill")
    )
    fills = opened.locator(".sound .plot .fill").evaluate_all("all => all.map(e => getComputedStyle(e).fill)")

    assert len(shades) == len(columns) == len(set(fills)) == len(InterruptionType)
    for shade, column in zip(shades, columns, strict=True):
        assert column["height"] > 10 and column["width"] > 3
        assert shade["x"] < column["x"] and column["x"] + column["width"] < shade["x"] + shade["width"]


@needs_chromium
def test_a_misheard_turn_opens_in_its_call(opened: Page) -> None:
    with opened.context.expect_page() as found:
        opened.get_by_role("link", name="two, turn 2").click()

    expect(found.value.locator("#turn-2 .caller")).to_be_in_viewport()
