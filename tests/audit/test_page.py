"""The flow report as a page: escaped, self-contained, and readable in a real browser."""

import re
from pathlib import Path

import pytest

from factory.audit.findings import Finding, Kind
from factory.audit.flow import FlowReport
from factory.audit.page.explorer import MOST_CALLS, Explorer
from factory.audit.page.kinds import MEANS, grouped
from factory.audit.page.page import flow_page
from factory.audit.report import write_flow_report
from factory.audit.report_parts import AnswersResult
from factory.dataset.read import read_conversations
from factory.dataset.write import CONVERSATIONS
from factory.run.answers import Refusal
from factory.run.folder import RunFolder
from tests.browsers import Watched, launched, needs_chromium

from .runs import first_of, interrupted, ledgers, read_ledger, read_of, reseal, rewrite_turn

HOSTILE = '<script>alert(1)</script>"><img src=x onerror=alert(2)>'


@pytest.fixture
def tampered(run: RunFolder) -> FlowReport:
    """A run in which a caller was given what was meant."""
    path = ledgers(run)[0]
    lines = read_ledger(path)
    read_of(first_of(lines, "user"), "history_heard")["label"] = "history_as_meant"
    reseal(run, path, lines)
    return write_flow_report(run)


def test_the_verdict_and_the_numbers_are_on_the_page(run: RunFolder) -> None:
    report = write_flow_report(run)
    page = (run.reports / "flow-report.html").read_text()
    assert "<strong>Clean</strong>" in page
    assert "76 <span>of 76 equal" in page
    assert "not planted in this run" in page
    assert report.chain.root in page
    assert "Findings</h2>" not in page


def test_findings_and_violations_are_on_the_page(tampered: FlowReport) -> None:
    page = flow_page(tampered, "small")
    assert "<strong>Not clean</strong>" in page
    assert page.count('<tr class="grave">') == 1
    assert page.count('<span class="kind">') > len(tampered.findings) == 2
    assert all(MEANS[finding.kind] in page for finding in tampered.findings)
    assert "1 not allowed" in page


def test_findings_of_one_kind_in_one_call_stand_folded_behind_the_first(tampered: FlowReport) -> None:
    found = [
        Finding(kind=kind, conversation_id=call, round=number, message=f"{kind.value} {call} {number}")
        for number in range(30)
        for call in ("one", "two")
        for kind in (Kind.VIEW_DIFFERS, Kind.PATH_LEAKS)
    ]
    groups = grouped(found)
    assert [(group.first.conversation_id, group.kind) for group in groups] == [
        ("one", Kind.PATH_LEAKS), ("two", Kind.PATH_LEAKS), ("one", Kind.VIEW_DIFFERS), ("two", Kind.VIEW_DIFFERS),
    ]  # fmt: skip
    assert all(group.first.round == 0 and len(group.others) == 29 for group in groups)
    page = flow_page(tampered.model_copy(update={"findings": tuple(found)}), "small")
    table = page.split('<table class="findings">')[1].split("</table>")[0]
    assert table.count("<tr") == 1 + len(groups)
    assert table.count("<summary>29 follow</summary>") == len(groups)
    assert all(finding.message in table for finding in found)


def test_every_kind_of_finding_is_put_into_words() -> None:
    assert set(MEANS) == set(Kind)
    assert len(set(MEANS.values())) == len(MEANS)


def test_rubrics_come_before_answers_only_where_there_are_answers(run: RunFolder) -> None:
    report = write_flow_report(run)
    page = flow_page(report, "small")
    assert "Rubrics frozen" in page and "Rubrics before answers" not in page
    assert "Counted are the role calls of the caller’s side; with answers" in page
    assert 'class="answers' not in page
    answers = AnswersResult(seen=4, accepted=3, refused={Refusal.WITHOUT_ROOT: 1})
    order = report.order.model_copy(update={"answers": answers})
    page = flow_page(report.model_copy(update={"order": order}), "small")
    assert "Rubrics before answers" in page and "Rubrics frozen" not in page
    assert "Counted are the role calls of both." in page
    assert '<p class="answers off">answers: 1 of 4 refused' in page


def test_what_comes_from_a_corpus_is_escaped(tampered: FlowReport) -> None:
    finding = Finding(kind=Kind.CHAIN_BROKEN, conversation_id=HOSTILE, message=HOSTILE)
    page = flow_page(tampered.model_copy(update={"findings": (finding,)}), HOSTILE)
    assert "<script" not in page and "<img" not in page
    assert page.count("&lt;script&gt;alert(1)&lt;/script&gt;") == 4  # title, heading, place, message


def test_a_script_in_an_utterance_is_in_the_page_as_data_alone(run: RunFolder) -> None:
    write_flow_report(run)
    honest = (run.reports / "flow-report.html").read_text()
    rewrite_turn(run, "caller", text=f"</script>{HOSTILE}<!--")
    assert not write_flow_report(run).clean
    page = (run.reports / "flow-report.html").read_text()
    assert r"\u003c/script>\u003cscript>alert(1)\u003c/script>" in page
    assert "<script>alert" not in page and "<img" not in page and "<!--" not in page
    assert page.count("</script>") == honest.count("</script>")


def test_the_page_asks_for_nothing_and_permits_its_own_style_and_script_alone(run: RunFolder) -> None:
    write_flow_report(run)
    page = (run.reports / "flow-report.html").read_text()
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', page)
    assert policy is not None
    one = "&#39;sha256-[^;]*=&#39;"
    assert re.fullmatch(
        f"default-src &#39;none&#39;; style-src {one}; script-src {one}; base-uri &#39;none&#39;; "
        "form-action &#39;none&#39;",
        policy[1],
    )
    assert not re.search(r"src=|href=\"(?!#)|url\(|@import|http:|https:| on\w+=", page)


def test_without_calls_to_look_into_the_page_permits_no_script(tampered: FlowReport) -> None:
    page = flow_page(tampered, "small")
    assert "script-src" not in page and "<script" not in page


def test_a_finding_links_to_its_place_if_its_call_is_in_the_page(run: RunFolder) -> None:
    agent, _ = interrupted(run)
    rewrite_turn(run, "caller", text="something else")
    report = write_flow_report(run)
    page = (run.reports / "flow-report.html").read_text()
    assert f'<a href="#{agent["conversation_id"]}/{agent["round"]}">{agent["conversation_id"]}, round' in page
    assert (
        'class="findings"' in flow_page(report, "small")
        and "<a href=" not in flow_page(report, "small").split("<main>")[1]
    )


def test_a_page_that_leaves_calls_out_says_so(run: RunFolder) -> None:
    report = write_flow_report(run)
    explorer = Explorer(None)
    conversation = next(read_conversations(run.dataset / CONVERSATIONS))
    for number in range(MOST_CALLS + 20):
        renamed = conversation.model_copy(update={"conversation_id": str(number)})
        explorer.add(renamed, (), None, None, (), flagged=False)
    page = flow_page(report, "small", explorer.calls())
    assert "Of 120 calls, 100 are in this page: those with findings first, then the first of the corpus." in page


@needs_chromium
@pytest.mark.parametrize("width", [1366, 390])
def test_in_a_browser_every_role_and_number_of_models_can_be_read(modelled: RunFolder, width: int) -> None:
    write_flow_report(modelled)
    with launched() as browser:
        page = browser.new_page(viewport={"width": width, "height": 768})
        watched = Watched(page, modelled.flow_report.as_uri())
        page.goto(modelled.flow_report.as_uri())
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        # No number is broken over two lines, and no word of a heading.
        heights = page.locator(".matrix tbody tr").evaluate_all("all => all.map(e => e.offsetHeight)")
        assert max(heights) < 40
        heads = page.locator(".matrix thead th, .models thead th")
        assert max(heads.evaluate_all("all => all.map(e => e.offsetHeight)")) < 90
        assert heads.evaluate_all("all => all.every(e => e.scrollWidth <= e.offsetWidth)")
        if width > 1000:
            assert page.locator(".matrix").evaluate("e => e.offsetWidth <= e.parentElement.clientWidth")
        assert watched.faults == []


@needs_chromium
def test_in_a_browser_what_is_left_out_of_the_matrix_unfolds(run: RunFolder) -> None:
    write_flow_report(run)
    with launched() as browser:
        page = browser.new_page()
        page.goto((run.reports / "flow-report.html").as_uri())
        left_out = page.get_by_text("Without a role call: system writer")
        assert left_out.is_hidden()
        page.locator("#matrix .folded summary").click()
        assert left_out.is_visible()


@needs_chromium
@pytest.mark.parametrize("width", [1366, 390])
def test_in_a_browser_a_leak_can_be_read_whatever_its_words_are(run: RunFolder, width: int) -> None:
    agent, _ = interrupted(run)
    rewrite_turn(run, "caller", text=f"{agent['undelivered']} {'w' * 300} {HOSTILE}")
    assert write_flow_report(run).scan.findings
    with launched() as browser:
        page = browser.new_page(viewport={"width": width, "height": 768})
        page.goto(run.flow_report.as_uri())
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert page.locator(".leaks tbody td").evaluate_all("all => all.every(e => e.scrollWidth <= e.offsetWidth)")
        assert page.locator(".leaks td:nth-child(3)").first.is_visible()


@needs_chromium
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_in_a_browser_it_fits_and_raises_no_fault(tampered: FlowReport, tmp_path: Path, scheme: str) -> None:
    path = tmp_path / "flow-report.html"
    path.write_text(flow_page(tampered, "small"))
    with launched() as browser:
        for width in (1366, 390):
            page = browser.new_page(viewport={"width": width, "height": 768}, color_scheme=scheme)  # type: ignore[arg-type]
            watched = Watched(page, path.as_uri())
            page.goto(path.as_uri())
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
            # The style was let in by its digest: without it the card would have no border.
            assert page.locator(".verdict").evaluate("e => getComputedStyle(e).borderLeftWidth") == "5px"
            assert page.get_by_text("1 not allowed").is_visible()
            assert watched.faults == []
