"""Starts the fake server as a process of its own, and writes roles files for it."""

import json
import os
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

LONGEST_REPLY_TOKENS = 32_000
"""Enough for whole workflows."""
_PROGRAM = """
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background job would leave it ignored
import sys
from pathlib import Path
from factory.models.fake.server import run_server
port, log, bodies, seed = sys.argv[1:]
run_server(int(port), Path(log) if log else None, Path(bodies) if bodies else None, int(seed))
"""


@dataclass
class RunningServer:
    """A fake server that is up."""

    process: subprocess.Popen[str]
    greeting: str

    @property
    def address(self) -> str:
        """Where it is."""
        return self.greeting.split("anthropic ")[1].split()[0]

    @property
    def openai_url(self) -> str:
        """Its base URL for the openai SDK."""
        return f"{self.address}/v1"

    @property
    def anthropic_url(self) -> str:
        """Its base URL for the anthropic SDK."""
        return self.address

    @property
    def port(self) -> int:
        return int(self.address.rsplit(":", 1)[1])

    def log(self) -> list[dict[str, Any]]:
        """Every call that has ended, in the order of arrival."""
        return list(self._get("/_log"))

    def stats(self) -> dict[str, Any]:
        """Sums over all calls."""
        return dict(self._get("/_stats"))

    def kill(self) -> None:
        """Ends it at once, as a crash would."""
        self.process.kill()
        self.process.wait()

    def interrupt(self) -> tuple[int, str]:
        """Ends it with Ctrl-C; its exit code, and what it printed after the greeting."""
        self.process.send_signal(signal.SIGINT)
        printed, _ = self.process.communicate(timeout=10)
        return self.process.returncode, printed

    def _get(self, path: str) -> Any:
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        with opener.open(self.address + path, timeout=30) as answer:
            return json.load(answer)


@contextmanager
def running_server(
    *, port: int = 0, log: Path | None = None, keep_bodies: Path | None = None, seed: int = 0
) -> Iterator[RunningServer]:
    """A fake server on a free port, or on the one given; ended behind the block."""
    arguments = [str(port), str(log or ""), str(keep_bodies or ""), str(seed)]
    root = str(Path(__file__).parents[2])
    environment = os.environ | {"PYTHONPATH": root}
    process = subprocess.Popen(
        [sys.executable, "-c", _PROGRAM, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env=environment,
    )
    try:
        yield RunningServer(process, _greeting(process))
    finally:
        if process.poll() is None:
            process.kill()
        process.wait()
        if process.stdout is not None:
            process.stdout.close()


def _greeting(process: subprocess.Popen[str]) -> str:
    """What the server prints once it can be asked, up to the line that names its log."""
    assert process.stdout is not None
    printed = ""
    for line in process.stdout:
        printed += line
        if "/_log" in line:
            return printed
    raise AssertionError(f"the fake server did not start:\n{printed}")


def roles_file(
    folder: Path,
    server: RunningServer,
    model: str = "player",
    kind: str = "openai",
    provider: Mapping[str, object] | None = None,
    **roles: Mapping[str, object] | str,
) -> Path:
    """A roles file in which every role is played by that server, at no cost.

    Args:
        folder: Where it is written, as `models.yaml`.
        server: Who is asked.
        model: The scenario of all roles that are not named.
        kind: The wire format, `openai` or `anthropic`.
        provider: Fields of the provider beside those that are needed (`at_once`, `timeout_s`, …).
        roles: By role, its model's name or what else differs.
    """
    url = server.openai_url if kind == "openai" else server.anthropic_url
    document: dict[str, object] = {
        "providers": {"fake": {"kind": kind, "base_url": url, "free": True, **(provider or {})}},
        "defaults": {"provider": "fake", "model": model, "max_output_tokens": LONGEST_REPLY_TOKENS},
    }
    if roles:
        document["roles"] = {
            role: {"model": differs} if isinstance(differs, str) else dict(differs) for role, differs in roles.items()
        }
    path = folder / "models.yaml"
    path.write_text(yaml.safe_dump(document, sort_keys=False), encoding="utf-8")
    return path
