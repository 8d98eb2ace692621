"""A call turn by turn: what was meant, heard, given and said, its digests, and its findings at their places."""

import re
from collections.abc import Callable

from playwright.sync_api import expect

from factory.audit.report import write_flow_report
from factory.run.folder import RunFolder
from tests.audit.runs import interrupted, rewrite_turn
from tests.browsers import needs_chromium

from .pages import Open, keys, open_graph

pytestmark = needs_chromium


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
    open_graph(page)
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
