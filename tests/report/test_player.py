"""The page of a call with its sound: what stands in it, before any script runs."""

import re
from pathlib import Path

import pytest

from factory.errors import RunError
from factory.records.enums import InterruptionType
from factory.report.player import PIXELS_A_SECOND, player, sounded
from factory.workflow.library import Library
from tests.report.runs import HEARD, TALKED_OVER, UNDELIVERED, Call
from tests.report.test_pages import HOSTILE, Page, source_of
from tests.report.voiced import Heard, voiced
from tests.timelines import WORD_S

PUSHBACK, FILLER = InterruptionType.PUSHBACK, InterruptionType.FILLER


def page_of(heard: Heard) -> Page:
    return Page(heard.page)


def timed(page: Page) -> list[tuple[str, float, float]]:
    found = re.findall(r'<span data-start="([\d.]+)" data-end="([\d.]+)">([^<]*)</span>', page.source)
    return [(text, float(start), float(end)) for start, end, text in found]


def test_every_word_that_was_said_stands_there_with_its_times(tmp_path: Path, library: Library) -> None:
    heard = voiced(tmp_path, library, Call("a", [PUSHBACK, None], caller="Wait a moment"))

    said = [(w.text, w.start_s, w.end_s) for turn in heard.timeline.turns for w in turn.words]
    assert timed(page_of(heard)) == said


def test_what_was_heard_talked_over_and_never_said_is_told_apart(tmp_path: Path, library: Library) -> None:
    page = page_of(voiced(tmp_path, library, Call("a", [PUSHBACK])))

    agent = page.texts["article"][0]
    assert f"{HEARD} talked over: {TALKED_OVER} never said: {UNDELIVERED}" in agent
    over = re.findall(r'<span class="over"><span class="sr">.*?</span>(.*?)</span></span>', page.source)
    assert re.findall(r">([^<]+)<", over[0] + "<") == [TALKED_OVER.split()[0], " ", TALKED_OVER.split()[1]]
    assert page.texts["del"][1] == f"never said: {UNDELIVERED}"


def test_a_time_line_with_other_words_is_refused(tmp_path: Path, library: Library) -> None:
    timeline = voiced(tmp_path, library, Call("a", [None], caller="Yes please")).timeline

    assert sounded(timeline, 1, "Yes please", "Yes please").timed == timeline.turns[1]
    for message, text in ((1, "Yes thanks"), (1, "Yes"), (3, "Yes please")):
        with pytest.raises(RunError, match=f"a: the time-line has other words .* in message {message}; remove"):
            sounded(timeline, message, text, text)


def test_a_jump_begins_two_seconds_before_the_caller_and_never_before_the_call(
    tmp_path: Path, library: Library
) -> None:
    timeline = voiced(tmp_path, library, Call("a", [PUSHBACK, FILLER])).timeline
    early = timeline.interruptions[0].model_copy(update={"caller_start_s": 1.2})
    marks = player(timeline.model_copy(update={"interruptions": (early, timeline.interruptions[1])}), "a.flac").marks

    assert marks[1].jump_s == 0
    assert marks[2].jump_s == pytest.approx(timeline.interruptions[1].caller_start_s - 2)
    assert marks[2].width == pytest.approx(0.45 * PIXELS_A_SECOND, abs=0.1)


def test_what_was_never_said_is_as_long_as_it_would_have_been_up_to_the_agents_next_words(
    tmp_path: Path, library: Library
) -> None:
    short = voiced(
        tmp_path / "1", library, Call("a", [PUSHBACK], caller="Wait, wait, is that really the one by the window?")
    )
    long = voiced(tmp_path / "2", library, Call("a", [PUSHBACK], caller="Wait."))

    cut, caller, rest = player(long.timeline, "a.flac").blocks
    assert cut.rest == pytest.approx((rest.turn.start_s - cut.turn.end_s) * PIXELS_A_SECOND, abs=0.2)
    assert (caller.rest, rest.rest) == (0, 0)
    meant = len(UNDELIVERED.split()) * WORD_S * PIXELS_A_SECOND
    assert player(short.timeline, "a.flac").blocks[0].rest == pytest.approx(meant, abs=0.2)


def test_the_page_says_how_the_call_sounds(tmp_path: Path, library: Library) -> None:
    call = Call("a", [PUSHBACK, FILLER, None], caller="Is it <free>")
    page = page_of(voiced(tmp_path, library, call, engine="espeak"))

    facts = " ".join(page.texts["dd"])
    assert "espeak in place of hibari, which failed agent (left) alder, caller (right) fir clean" in facts
    assert "\u221226.0 LUFS, peak \u22126.0 dBTP 2 of 2 within their type’s range ear: 3 of 9 words differ" in facts
    told = page.texts["article"][1]
    assert "Both speak for 0.46 s; planned 0.45 s, allowed 0.15 to 1.20 s" in told
    assert "By ear: Is it <free> too, 1 of 3 words differs" in told
    assert "Take 2" in told


def test_the_page_says_under_which_figures_the_call_is_recorded_and_why_another_engine_spoke(
    tmp_path: Path, library: Library
) -> None:
    changed = {"condition": "street", "snr_db": 8.0, "stand_in_because": "best: HTTP 503 <later>"}
    page = page_of(voiced(tmp_path, library, Call("a", [None]), asked_engine="best", **changed))

    facts = page.texts["dd"]
    assert "street, 8 dB SNR" in facts
    assert "hibari in place of best, which failed: best: HTTP 503 <later>" in facts


def test_an_overlap_out_of_its_range_is_told(tmp_path: Path, library: Library) -> None:
    timeline = voiced(tmp_path / "1", library, Call("a", [PUSHBACK])).timeline
    late = tuple(one.model_copy(update={"measured_overlap_s": 1.9}) for one in timeline.interruptions)
    page = page_of(voiced(tmp_path / "2", library, Call("a", [PUSHBACK]), interruptions=late))

    assert "1.90 s out of range; planned" in page.texts["article"][1]
    assert "0 of 1 within" in " ".join(page.texts["dd"])


def test_a_call_that_nobody_listened_to_says_so(tmp_path: Path, library: Library) -> None:
    page = page_of(voiced(tmp_path, library, Call("a", [None]), recogniser=None))

    assert "not checked" in page.texts["dd"]


def test_a_call_nobody_cuts_into_has_nothing_to_jump_to(tmp_path: Path, library: Library) -> None:
    page = page_of(voiced(tmp_path, library, Call("a", [None])))

    assert not page.all("nav") and not page.all("button")
    assert page.all("audio")[0]["src"] == "../../calls/a.flac"


def test_the_page_plays_a_file_beside_the_reports_and_permits_its_own_script_alone(
    tmp_path: Path, library: Library
) -> None:
    heard = voiced(tmp_path, library, Call("a", [PUSHBACK]))
    page = page_of(heard)

    assert (heard.page.parent / str(page.all("audio")[0]["src"])).resolve().is_file()
    policy = next(m["content"] for m in page.all("meta") if m.get("http-equiv") == "Content-Security-Policy")
    allowed = dict(part.split(" ", 1) for part in str(policy).split("; "))
    assert allowed["default-src"] == "'none'"
    assert allowed["script-src"] == source_of(page.texts["script"][0])
    assert allowed["style-src"] == source_of(page.texts["style"][0])
    assert not [name for _, attrs in page.elements for name in attrs if name == "style" or name.startswith("on")]


def test_corpus_text_is_text_in_the_player_too(tmp_path: Path, library: Library) -> None:
    agent = f"{HOSTILE}. {HOSTILE} and more {HOSTILE}. {HOSTILE}"
    call = Call("a", [PUSHBACK, None], agent=agent, caller=HOSTILE)
    page = page_of(voiced(tmp_path, library, call, condition=HOSTILE, engine=HOSTILE, stand_in_because=HOSTILE))

    assert len(page.all("script")) == 1 and not page.all("img")
    assert HOSTILE in page.texts["article"][1]
    assert HOSTILE in page.texts["dd"]
    assert f"which failed: {HOSTILE}" in " ".join(page.texts["dd"])


def test_equal_calls_give_equal_pages(tmp_path: Path, library: Library) -> None:
    one, two = (voiced(tmp_path / name, library, Call("a", [PUSHBACK, FILLER])) for name in ("one", "two"))

    assert one.page.read_bytes() == two.page.read_bytes()
