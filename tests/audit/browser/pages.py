"""What the tests of the page have in common: how one is opened, and what is done on it."""

from collections.abc import Callable

from playwright.sync_api import Page

Open = Callable[..., Page]
"""Opens the page of a run's report: its address behind the `#`, its width, and what else a browser's context takes."""


def keys(page: Page) -> list[str]:
    """The calls in the list, by their keys."""
    return page.locator("#calls a").evaluate_all("all => all.map(a => a.dataset.key)")


def open_graph(page: Page) -> None:
    """Turns to the flow graph."""
    page.get_by_role("tab", name="Flow graph").click()


def unfold(page: Page) -> None:
    """Opens all that is folded, and waits for what the page puts into it: it does so in a later task."""
    page.locator("details").evaluate_all("all => all.forEach(d => { d.open = true })")
    page.wait_for_function("() => [...document.querySelectorAll('details')].every(d => d.childElementCount > 1)")
