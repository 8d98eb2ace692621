import base64
import gc
import hashlib
import re
import tracemalloc
from html.parser import HTMLParser
from pathlib import Path

import pytest

from factory.errors import RunError
from factory.records.enums import InterruptionType
from factory.records.models import ModelRole, PlayedBy, ProviderKind
from factory.report.corpus import write_corpus_report
from factory.run.files import write_text
from factory.run.log import Kind
from factory.workflow.library import Library
from tests.report.runs import HEARD, TALKED_OVER, UNDELIVERED, Call, make_run, rerun

PUSHBACK, FILLER = InterruptionType.PUSHBACK, InterruptionType.FILLER
HOSTILE = "<script>alert(1)</script> \"><img src=x onerror=alert(2)> {{ 7 * 7 }} ' & </style>"


class Page(HTMLParser):
    """The elements of a page and the text inside some of them."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.source = path.read_text(encoding="utf-8")
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.texts: dict[str, list[str]] = {}
        self._open: list[str] = []
        self.feed(self.source)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        self._open.append(tag)
        self.texts.setdefault(tag, []).append("")

    def handle_endtag(self, tag: str) -> None:
        if tag in self._open:
            while self._open.pop() != tag:
                pass

    def handle_data(self, data: str) -> None:
        for tag in set(self._open):
            self.texts[tag][-1] += data

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attrs for name, attrs in self.elements if name == tag]


def report(path: Path, library: Library, calls: list[Call], **run: bool | int) -> Path:
    return write_corpus_report(make_run(path, calls, **run), library)  # type: ignore[arg-type]


def call_of(index: Path, conversation_id: str) -> Page:
    return Page(index.parent / "calls" / f"{conversation_id}.html")


def test_a_report_is_an_index_and_a_page_for_every_call(tmp_path: Path, library: Library) -> None:
    index = report(tmp_path, library, [Call("a-1", [PUSHBACK]), Call("b-2", [None])])

    assert index == tmp_path / "reports" / "corpus.html"
    found = {p.relative_to(tmp_path / "reports").as_posix() for p in (tmp_path / "reports").rglob("*") if p.is_file()}
    assert found == {"corpus.html", "calls/a-1.html", "calls/b-2.html", "machines/travel--seat_change.svg"}


def test_the_index_links_every_call(tmp_path: Path, library: Library) -> None:
    page = Page(report(tmp_path, library, [Call("a-1", [PUSHBACK]), Call("b-2", [None])]))

    assert [a["href"] for a in page.all("a") if "calls/" in str(a["href"])] == ["calls/a-1.html", "calls/b-2.html"]


def test_every_link_within_the_index_has_a_place(tmp_path: Path, library: Library) -> None:
    page = Page(report(tmp_path, library, [Call("a", [PUSHBACK])], audio=True))

    ids = {attrs["id"] for _, attrs in page.elements if "id" in attrs}
    links = {str(a["href"])[1:] for a in page.all("a") if str(a["href"]).startswith("#")}
    assert links == {"top", "calls", "overview", "coverage", "heard"} and links <= ids


def headline(index: Path) -> dict[str, str]:
    """The figures at the top of the index, each with what stands below it."""
    source = index.read_text(encoding="utf-8").partition('<dl class="headline">')[2].partition("</dl>")[0]
    entries = (re.findall(r"<d[td][^>]*>(.*?)</d[td]>", entry, re.S) for entry in source.split("<div>")[1:])
    return {name: ", ".join(rest) for name, *rest in entries}


def test_the_index_begins_with_its_figures(tmp_path: Path, library: Library) -> None:
    calls = [Call("a", [PUSHBACK, FILLER]), Call("b", [None])]
    assert headline(report(tmp_path / "1", library, calls, audio=True)) == {
        "Calls": "2, 1 domain",
        "Interruptions": "2, of 2 ordered",
        "Messages a call": "4.0, 3 to 5",
        "Sound": "1 min, no overlap out of range",
    }
    short = headline(report(tmp_path / "2", library, calls, extra=2, limit=1))
    assert short == {"Calls": "1, of 2 planned", "Interruptions": "2, of 2 ordered", "Messages a call": "5.0, 5 to 5"}


def test_a_figure_that_misses_its_order_stands_out(tmp_path: Path, library: Library) -> None:
    index = report(tmp_path, library, [Call("a", [PUSHBACK])], extra=2)
    assert 'class="note off">of 3 ordered<' in index.read_text(encoding="utf-8")


def test_the_index_says_what_was_built(tmp_path: Path, library: Library) -> None:
    index = report(tmp_path, library, [Call("a", [PUSHBACK, FILLER]), Call("b", [None])], extra=2)

    text = " ".join(Page(index).texts["p"])
    assert "2 conversations with 2 interruptions, planned from seed 7" in text
    assert "abababababab" in text
    assert re.search(r"Pushback</th>.*?>1 <span class=\"soft\">of 3</span>", Page(index).source, re.S)


def written_by(path: Path, library: Library, **models: str) -> str:
    """What the index says of who wrote it, where these models play these roles."""
    folder = make_run(path, [Call("a", [PUSHBACK])])
    played = {
        ModelRole(role): PlayedBy(
            provider="home",
            kind=ProviderKind.OPENAI,
            model=model,
            max_output_tokens=100,
            temperature=None,
            seeded=False,
            patterns=False,
        )
        for role, model in models.items()
    }
    write_text(folder.identity_file, folder.identity().model_copy(update={"models": played or None}).model_dump_json())
    index = Page(write_corpus_report(folder, library))
    assert not index.all("img")[1:] and "alert" not in index.texts["script"][-1]
    return next(text for text in index.texts["p"] if text.startswith("Written by"))


def test_the_index_says_who_wrote_the_calls(tmp_path: Path, library: Library) -> None:
    composed = written_by(tmp_path / "1", library)
    assert composed == "Written by the embedded composer from authored lines; no language model was asked."
    one = written_by(tmp_path / "2", library, planner="big-1", user="big-1")
    assert one == "Written by the model big-1. Reference and wrong recoveries are the composer’s."
    two = written_by(tmp_path / "3", library, planner="big-1", user="small-1", reaction_planner="small-1")
    assert two.startswith("Written by models: big-1 as planner; small-1 as user, reaction planner.")
    assert written_by(tmp_path / "4", library, user=HOSTILE).startswith(f"Written by the model {HOSTILE}.")


def test_only_the_calls_within_the_limit_are_shown(tmp_path: Path, library: Library) -> None:
    index = report(tmp_path, library, [Call("a", [PUSHBACK]), Call("b", [PUSHBACK])], limit=1)

    assert "Only the first 1 call of 2 are built" in Page(index).source
    assert [p.name for p in (tmp_path / "reports" / "calls").iterdir()] == ["a.html"]


def test_an_interrupted_turn_shows_what_was_heard_talked_over_and_never_said(tmp_path: Path, library: Library) -> None:
    page = call_of(report(tmp_path, library, [Call("a", [PUSHBACK])]), "a")

    assert page.texts["del"][1:] == [f"never said: {UNDELIVERED}"]  # the first one is in the legend
    assert f"{HEARD} " in page.source
    assert f"talked over: </span>{TALKED_OVER}</span>" in page.source


def test_the_transcript_names_a_stage_where_the_call_comes_to_it(tmp_path: Path, library: Library) -> None:
    agent = "I can open your booking now and then look at the free seats by the window. Which one suits you?"
    index = report(tmp_path, library, [Call("whole", [None], agent), Call("cut", [PUSHBACK], agent)])

    def stages(name: str) -> list[str]:
        return re.findall(r'<li class="stage">(.*?)</li>', call_of(index, name).source)

    assert stages("whole") == ["Find the booking → Choose the seat"] * 2 + ["Goal reached"]
    assert stages("cut") == ["Find the booking", "Choose the seat", "Goal reached"]


def test_a_turn_that_was_not_cut_has_nothing_struck_out(tmp_path: Path, library: Library) -> None:
    page = call_of(report(tmp_path, library, [Call("a", [None])]), "a")

    assert len(page.texts["del"]) == 1
    assert UNDELIVERED in page.source
    assert not page.all("details")


def test_an_interruption_shows_its_rubric_and_every_control(tmp_path: Path, library: Library) -> None:
    page = call_of(report(tmp_path, library, [Call("a", [None, PUSHBACK], rubric="Names the row")]), "a")

    assert [d for d in page.texts["details"] if "Names the row, turn 2." in d] == page.texts["details"]
    inside = page.texts["details"][0]
    for text in ("It starts afresh.", "Yes, both are by the window.", "Restarts", "Stalls", "Let me see.", "a#2"):
        assert text in inside


def test_interruptions_are_linked_with_each_other(tmp_path: Path, library: Library) -> None:
    page = call_of(report(tmp_path, library, [Call("a", [PUSHBACK, None, FILLER])]), "a")

    ids = {attrs["id"] for _, attrs in page.elements if "id" in attrs}
    links = [str(a["href"]) for a in page.all("a") if str(a["href"]).startswith("#")]
    assert links == ["#turn-1", "#turn-3", "#turn-3", "#turn-1"]
    assert all(link[1:] in ids for link in links)


def test_a_round_that_was_run_again_says_why(tmp_path: Path, library: Library) -> None:
    call = Call("a", [None, None], history=[rerun(Kind.RERUN, 1, "agent_wording")])
    page = call_of(report(tmp_path, library, [call]), "a")

    assert page.source.count("This round was run again 1 time: agent wording.") == 1


def test_a_round_that_a_model_found_fault_with_says_so(tmp_path: Path, library: Library) -> None:
    history = [
        rerun(Kind.DROPPED, 0, "found_beyond_repair"),
        rerun(Kind.RERUN, 0, "found_in_agent_words"),
        rerun(Kind.RERUN, 0, "found_in_caller_words"),
        rerun(Kind.RERUN, 1, "unusable_reply"),
    ]
    page = call_of(report(tmp_path, library, [Call("a", [PUSHBACK, None], history=history)]), "a")
    assert "This round was run again 2 times: found in agent words, found in caller words." in page.texts["p"]
    assert "This round was run again 1 time: unusable reply." in page.texts["p"]
    assert any("1 draw dropped: found beyond repair" in text for text in page.texts["dd"])


def test_what_only_the_caller_knows_is_marked_as_such(tmp_path: Path, library: Library) -> None:
    page = call_of(report(tmp_path, library, [Call("a", [None])]), "a")

    secret = next(text for text in page.texts["section"] if "Only the caller knows" in text)
    assert "polite but nervous" in secret
    assert "This is their very first flight." in secret


def test_audio_is_linked_beside_the_reports_and_not_loaded(tmp_path: Path, library: Library) -> None:
    index = report(tmp_path, library, [Call("a", [PUSHBACK, None])], audio=True)

    players = call_of(index, "a").all("audio")
    assert [p["preload"] for p in players] == ["metadata", "none", "none"]
    assert all((index.parent / "calls" / str(p["src"])).resolve().is_file() for p in players)


def test_a_run_without_audio_has_no_players(tmp_path: Path, library: Library) -> None:
    assert not call_of(report(tmp_path, library, [Call("a", [PUSHBACK])]), "a").all("audio")


def test_corpus_text_is_text_whatever_it_looks_like(tmp_path: Path, library: Library) -> None:
    agent = f"{HOSTILE}. {HOSTILE} and more {HOSTILE}. {HOSTILE}"
    page = call_of(report(tmp_path, library, [Call("a", [PUSHBACK], agent=agent, caller=HOSTILE, rubric=HOSTILE)]), "a")

    assert not page.all("script") and not page.all("img")
    assert not [name for _, attrs in page.elements for name in attrs if name.startswith("on")]
    assert HOSTILE in page.texts["article"][1]
    assert HOSTILE in page.texts["details"][0]


@pytest.mark.parametrize("conversation_id", ["../outside", "a/b", ".hidden", "", 'a"b', "a b", "a\n"])
def test_an_id_that_is_no_plain_name_is_refused(tmp_path: Path, library: Library, conversation_id: str) -> None:
    folder = make_run(tmp_path / "run", [Call("plain", [None])])
    text = folder.blueprints_file.read_text(encoding="utf-8")
    escaped = conversation_id.replace('"', '\\"').replace("\n", "\\n")
    folder.blueprints_file.write_text(text.replace('"plain"', f'"{escaped}"'), encoding="utf-8")

    with pytest.raises(RunError, match="not a blueprint"):
        write_corpus_report(folder, library)
    assert not list(tmp_path.rglob("*.html"))


def test_every_page_forbids_all_that_it_does_not_need(tmp_path: Path, library: Library) -> None:
    index = report(tmp_path, library, [Call("a", [PUSHBACK])])

    for page, script in ((Page(index), True), (call_of(index, "a"), False)):
        policies = [m["content"] for m in page.all("meta") if m.get("http-equiv") == "Content-Security-Policy"]
        allowed = dict(part.split(" ", 1) for part in str(policies[0]).split("; "))
        assert allowed["default-src"] == allowed["base-uri"] == allowed["form-action"] == "'none'"
        assert "unsafe" not in str(policies[0])
        assert allowed["style-src"] == source_of(page.texts["style"][0])
        assert (allowed.get("script-src") == source_of(page.texts["script"][0])) if script else not page.all("script")


def source_of(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def test_equal_runs_give_equal_bytes(tmp_path: Path, library: Library) -> None:
    calls = [Call("a", [PUSHBACK, FILLER]), Call("b", [None], outcome="unverified")]
    first, second = (report(tmp_path / name, library, calls) for name in ("one", "two"))

    for path in sorted(first.parent.rglob("*.html")):
        assert path.read_bytes() == (second.parent / path.relative_to(first.parent)).read_bytes()


def test_an_unfinished_run_gets_no_report(tmp_path: Path, library: Library) -> None:
    folder = make_run(tmp_path, [Call("a", [PUSHBACK])])
    log = folder.conversation_file("a")
    log.write_text("".join(log.read_text(encoding="utf-8").splitlines(keepends=True)[:-1]), encoding="utf-8")

    with pytest.raises(RunError, match="not finished"):
        write_corpus_report(folder, library)
    assert not (folder.reports / "corpus.html").exists()


def test_memory_does_not_grow_with_the_number_of_calls(tmp_path: Path, library: Library) -> None:
    def peak(number: int) -> int:
        folder = make_run(tmp_path / str(number), [Call(f"call-{i}", [PUSHBACK] * 8) for i in range(number)])
        gc.disable()  # nothing of a call is left for the collector, which comes when it likes
        tracemalloc.start()
        try:
            write_corpus_report(folder, library)
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()
            gc.enable()

    peak(2)  # loads what is loaded once
    assert peak(200) < 2 * peak(40)
