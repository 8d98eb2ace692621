"""The list of calls, and the addresses of calls and rounds."""

import re

import pytest
from playwright.sync_api import expect

from factory.run.folder import RunFolder
from tests.browsers import needs_chromium

from .pages import Open, keys

pytestmark = needs_chromium


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


def test_a_list_of_calls_ends_with_a_whole_row(open_page: Open, honest: RunFolder) -> None:
    page = open_page(honest)
    row, most, edge = page.evaluate(
        "() => { const l = document.getElementById('calls'), s = getComputedStyle(l);"
        " return [l.querySelector('li').offsetHeight, parseFloat(s.maxHeight), 2 * parseFloat(s.borderTopWidth)] }"
    )
    assert (most - edge) % row == pytest.approx(0, abs=0.6) or (most - edge) % row == pytest.approx(row, abs=0.6)


def test_the_list_is_filtered_and_walked_with_keys(open_page: Open, honest: RunFolder) -> None:
    page = open_page(honest)
    page.locator("#calls a").first.focus()
    page.keyboard.press("ArrowDown")
    expect(page.locator("#calls a").nth(1)).to_be_focused()
    expect(page.locator("#chosen")).to_contain_text(keys(page)[1])
    expect(page).to_have_url(re.compile(re.escape(f"#{keys(page)[1]}") + "$"))
    page.get_by_label("Find a call").fill(keys(page)[2])
    expect(page.locator("#calls li:visible")).to_have_count(1)
    expect(page.locator("#shown")).to_have_text(f"1 of {len(keys(page))} calls")
