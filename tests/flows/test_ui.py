"""Prefect's own UI on the history of a finished run, in a real browser; skipped where Chromium is missing."""

import shutil
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect, sync_playwright

from tests.build.builds import environment
from tests.flows.conftest import Watched, ask, free_port

CHROMIUM = shutil.which("chromium")
pytestmark = pytest.mark.skipif(
    CHROMIUM is None, reason="Chromium is missing; install it (apt-get install chromium) to test Prefect's UI"
)


@pytest.fixture(scope="module")
def ui(watched: Watched, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of `prefect server start`, as docs/prefect.md has it."""
    port = free_port()
    server = subprocess.Popen(
        [sys.executable, "-m", "prefect", "server", "start", "--port", str(port)],
        env=environment(
            PREFECT_HOME=str(watched.folder / ".prefect"),
            PREFECT_SERVER_ANALYTICS_ENABLED="false",
            PREFECT_SERVER_UI_API_URL=f"http://127.0.0.1:{port}/api",
            PREFECT_SERVER_UI_STATIC_DIRECTORY=str(tmp_path_factory.mktemp("ui")),
        ),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    address = f"http://127.0.0.1:{port}"
    try:
        deadline = time.monotonic() + 120
        while not _answers(f"{address}/api/health"):
            assert server.poll() is None and time.monotonic() < deadline, "the server did not start"
            time.sleep(0.2)
        yield address
    finally:
        server.terminate()
        server.wait(20)


def _answers(url: str) -> bool:
    try:
        with urllib.request.urlopen(url, timeout=5):
            return True
    except OSError:
        return False


@pytest.fixture(scope="module")
def page() -> Iterator[Page]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        context = browser.new_context(viewport={"width": 1400, "height": 900})
        # The UI asks for a measuring service's settings; what is tested here does without the network.
        context.route(lambda url: "127.0.0.1" not in url, lambda route: route.abort())
        yield context.new_page()
        browser.close()


@pytest.mark.parametrize("version", ["v2", "v1"])
def test_the_drawing_of_a_state_machine_shows(ui: str, page: Page, version: str) -> None:
    drawing = ask(f"{ui}/api", "artifacts/filter", {})[0]
    page.goto(f"{ui}{'/v2' if version == 'v2' else ''}/artifacts/artifact/{drawing['id']}")
    image = page.get_by_alt_text("State machine of")
    expect(image).to_be_visible(timeout=30_000)
    assert image.evaluate("image => image.complete && image.naturalWidth") > 300


def test_the_run_shows_with_its_tasks(ui: str, page: Page) -> None:
    (run,) = ask(f"{ui}/api", "flow_runs/filter", {"flow_runs": {"name": {"any_": ["small-seed-0"]}}})
    page.goto(f"{ui}/v2/runs/flow-run/{run['id']}?tab=TaskRuns")
    for name in ("state-machines-government", "blueprints", "conversations-2", "freeze", "dataset-and-reports"):
        expect(page.get_by_text(name, exact=True).first).to_be_visible(timeout=30_000)
