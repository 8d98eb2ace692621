"""One build under Prefect, watched, and inline builds of the same orders to compare with."""

import json
import socket
import urllib.request
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.build.builds import ROOT, Ended, factory
from tests.build.conftest import silent, spec, voiced

__all__ = ["silent", "spec", "voiced"]

# Loaded by every Python process of the build, the server's too: notes whom it would talk to.
_WATCH = """
import os, sys
def write(who):
    with open(os.environ["WATCH_LOG"], "a") as log:
        log.write(f"{os.getpid()} {who}\\n")
def note(event, args):
    if event in ("socket.getaddrinfo", "socket.gethostbyname"):
        who = args[0]
    elif event in ("socket.connect", "socket.sendto"):
        who = args[1][0] if isinstance(args[1], tuple) else "unix"
    else:
        return
    write(who)
write("nobody yet")
sys.addaudithook(note)
"""
_PROFILE = 'active = "work"\n[profiles.work]\nPREFECT_API_URL = "http://127.0.0.1:9/api"\nPREFECT_API_KEY = "secret"\n'


@dataclass(frozen=True)
class Watched:
    """A build under Prefect.

    Attributes:
        folder: Its run folder.
        ended: How it ended.
        talked_to: Addresses and names that any process of it asked for.
        processes: How many processes were watched.
        home: The home folder of its user, who has a Prefect profile.
    """

    folder: Path
    ended: Ended
    talked_to: set[str]
    processes: int
    home: Path


@pytest.fixture(scope="session")
def watched(spec: Path, tmp_path_factory: pytest.TempPathFactory) -> Watched:
    place = tmp_path_factory.mktemp("prefect")
    (place / "watch").mkdir()
    (place / "watch" / "sitecustomize.py").write_text(_WATCH)
    (place / "home" / ".prefect").mkdir(parents=True)
    (place / "home" / ".prefect" / "profiles.toml").write_text(_PROFILE)
    log = place / "log"
    ended = factory(
        "build", spec, "--out", place / "run", "--no-audio",
        PYTHONPATH=f"{place / 'watch'}:{ROOT}", WATCH_LOG=str(log), HOME=str(place / "home"),
    )  # fmt: skip
    lines = [line.split(" ", 1) for line in log.read_text().splitlines()]
    return Watched(
        folder=place / "run",
        ended=ended,
        talked_to={who for _, who in lines} - {"nobody yet"},
        processes=len({pid for pid, _ in lines}),
        home=place / "home",
    )


def ask(api: str, path: str, query: object) -> list[dict[str, object]]:
    """A list from a Prefect server's API."""
    request = urllib.request.Request(f"{api}/{path}", json.dumps(query).encode(), {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=30) as answer:
        found: list[dict[str, object]] = json.load(answer)
    return found


def free_port() -> int:
    """A port that nobody listens on now."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port: int = listening.getsockname()[1]
    return port
