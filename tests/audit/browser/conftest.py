"""Reports of runs, and a browser to open their pages in."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from factory.audit.report import write_flow_report
from factory.run.folder import RunFolder
from tests.audit.runs import first_of, interrupted, ledgers, read_ledger, read_of, reseal, rewrite_turn
from tests.browsers import Watched, launched

from .pages import Open


@pytest.fixture(scope="module")
def browser(modelled: RunFolder) -> Iterator[Browser]:
    """A browser; behind its start no run can be built any more, for it has an event loop of its own."""
    with launched() as browser:
        yield browser


@pytest.fixture
def open_page(browser: Browser) -> Iterator[Open]:
    """Opens a run's report, or a place in it; at the end nothing may have gone wrong."""
    opened: list[Watched] = []

    def do(run: RunFolder, address: str = "", width: int = 1366, **context: object) -> Page:
        page = browser.new_context(viewport={"width": width, "height": 768}, **context).new_page()  # type: ignore[arg-type]
        opened.append(Watched(page, run.flow_report.as_uri()))
        page.goto(run.flow_report.as_uri() + address)
        return page

    yield do
    for watched in opened:
        watched.page.context.close()
        assert watched.faults == []


@pytest.fixture(scope="session")
def honest(plain: RunFolder, tmp_path_factory: pytest.TempPathFactory) -> RunFolder:
    return reported(plain, tmp_path_factory)


@pytest.fixture(scope="session")
def asked(modelled: RunFolder, tmp_path_factory: pytest.TempPathFactory) -> RunFolder:
    return reported(modelled, tmp_path_factory)


@pytest.fixture(scope="session")
def leaking(plain: RunFolder, tmp_path_factory: pytest.TempPathFactory) -> tuple[RunFolder, int]:
    """A run in which a caller's planner read what was never said, and says so; and the round of it."""
    run = RunFolder(Path(shutil.copytree(plain.path, tmp_path_factory.mktemp("leaking") / "run")))
    path = next(path for path in ledgers(run) if any(line["role"] == "cutter" for line in read_ledger(path)))
    lines = read_ledger(path)
    cut = first_of(lines, "cutter")
    caller = next(line for line in lines if line["role"] == "reaction_planner" and line["round"] == cut["round"])
    read_of(caller, "history_heard").update(read_of(cut, "utterance_as_meant"))
    reseal(run, path, lines)
    write_flow_report(run)
    return run, int(str(cut["round"]))


@pytest.fixture(scope="session")
def reworded(plain: RunFolder, tmp_path_factory: pytest.TempPathFactory) -> RunFolder:
    """A run with one word of a caller's changed in one file."""
    run = RunFolder(Path(shutil.copytree(plain.path, tmp_path_factory.mktemp("reworded") / "run")))
    _, caller = interrupted(run)
    rewrite_turn(run, "caller", text=f"{caller['text']} Indeed.")
    write_flow_report(run)
    return run


@pytest.fixture(scope="session")
def unmarked(plain: RunFolder, tmp_path_factory: pytest.TempPathFactory) -> RunFolder:
    """A run with a finding about no node: two columns of a row do not fit each other."""
    run = RunFolder(Path(shutil.copytree(plain.path, tmp_path_factory.mktemp("unmarked") / "run")))
    rewrite_turn(run, "agent", undelivered=" other words")
    write_flow_report(run)
    return run


def reported(run: RunFolder, tmp_path_factory: pytest.TempPathFactory) -> RunFolder:
    copy = RunFolder(Path(shutil.copytree(run.path, tmp_path_factory.mktemp("reported") / "run")))
    write_flow_report(copy)
    return copy
