"""A real browser for the pages: started offline, watched for all that goes wrong, asked whether they can be used."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Dialog, Page, Request, sync_playwright

CHROMIUM = shutil.which("chromium")
needs_chromium = pytest.mark.skipif(
    CHROMIUM is None, reason="Chromium is missing; install it (apt-get install chromium) to test pages in a browser"
)
_ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--autoplay-policy=no-user-gesture-required",
]


@contextmanager
def launched() -> Iterator[Browser]:
    """A browser; while it runs nothing else may start an event loop in this thread, such as a build."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=_ARGUMENTS)
        yield browser
        browser.close()


@dataclass
class Watched:
    """A page with all that went wrong on it.

    Attributes:
        page: The page.
        within: The beginning of every address that it may ask for.
        faults: What went wrong.
    """

    page: Page
    within: str = "file:"
    faults: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Listens."""
        self.page.on("console", lambda message: self.faults.append(f"{message.type}: {message.text}"))
        self.page.on("pageerror", lambda error: self.faults.append(f"error: {error}"))
        self.page.on("requestfailed", self._failed)
        self.page.on("request", lambda request: self._require_within(request.url))
        self.page.on("dialog", self._ran)

    def _require_within(self, url: str) -> None:
        if not url.startswith(self.within):
            self.faults.append(f"asked for {url}")

    def _failed(self, request: Request) -> None:
        """A browser leaves off reading a sound once it knows how long it is."""
        if (request.resource_type, request.failure) != ("media", "net::ERR_ABORTED"):
            self.faults.append(f"failed: {request.url}")

    def _ran(self, dialog: Dialog) -> None:
        self.faults.append("planted code ran")
        dialog.dismiss()


def barriers(browser: Browser, address: str, width: int, scheme: str, tab: str | None = None) -> list[str]:
    """What axe-core finds in the way of those who use a page by keys or ears, everything in it unfolded.

    Args:
        browser: The browser.
        address: The page's.
        width: Of the window, in pixels.
        scheme: `light` or `dark`.
        tab: The tab to choose first; the page stays as it opens without one.
    """
    context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme, bypass_csp=True)  # type: ignore[arg-type]
    page = context.new_page()
    page.goto(address)
    if tab is not None:
        page.get_by_role("tab", name=tab).click()
    page.locator("details").evaluate_all("all => all.forEach(d => { d.open = true })")
    found = Axe().run(page).response["violations"]
    context.close()
    return [f"{rule['id']}: {node['html'][:100]}" for rule in found for node in rule["nodes"]]
