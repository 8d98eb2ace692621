"""A Prefect server of the run's own: quiet, offline, and gone when the build is."""

import json
import os
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING

from factory.errors import RunError
from flows import QUIET

if TYPE_CHECKING:
    from prefect.settings.legacy import Setting

START_S = 180.0
"""Seconds that the server may take to answer; 8 are usual, with an empty home on two cores."""
RECORD_S = 10.0
"""Seconds that the server gets to write down the last task runs; 1 to 2 are usual."""
_END_S = 5.0
_REACH_S = 10.0
_direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))  # this machine is never behind a proxy


@dataclass(frozen=True)
class FlowServer:
    """Where a flow reports to.

    Attributes:
        own_api: The API of the run's own server; None where `PREFECT_API_URL` names one that stays.
    """

    own_api: str | None

    def wait_until_recorded(self, flow_run: str, task_runs: int) -> None:
        """Gives the run's own server the time to write down what has happened, before it is ended.

        Nothing depends on what it has written: a server that is too slow is not waited for.

        Args:
            flow_run: The flow run's id.
            task_runs: How many task runs it had.
        """
        if self.own_api is None:
            return
        from prefect.events.worker import EventsWorker

        EventsWorker.drain_all(timeout=RECORD_S)
        query = {
            "flow_runs": {"id": {"any_": [flow_run]}},
            "task_runs": {"state": {"type": {"any_": ["COMPLETED"]}}},
        }
        deadline = time.monotonic() + RECORD_S
        while time.monotonic() < deadline and _count(f"{self.own_api}/task_runs/count", query) < task_runs:
            time.sleep(0.1)


@contextmanager
def flow_server(home: Path) -> Iterator[FlowServer]:
    """Lets flows in its body report to `PREFECT_API_URL`, or to a server of the run's own.

    Only the environment variable counts: a profile of the user's that points elsewhere is left alone.

    Args:
        home: Folder for all files of the run's own server and of Prefect in this process.

    Raises:
        RunError: if the server does not start, or the other one cannot be reached.
    """
    with ExitStack() as until_done:
        api, own = os.environ.get("PREFECT_API_URL"), None
        if api:
            _require_answer(api)
        else:
            own = until_done.enter_context(_own_server(home.resolve()))
        from prefect.settings import (
            PREFECT_API_AUTH_STRING,
            PREFECT_API_KEY,
            PREFECT_API_URL,
            PREFECT_FLOWS_HEARTBEAT_FREQUENCY,
            PREFECT_HOME,
            temporary_settings,
        )

        # The heartbeat costs a second at each flow's end.
        changed: dict[Setting, object] = {PREFECT_FLOWS_HEARTBEAT_FREQUENCY: None}
        if own:
            changed |= {
                PREFECT_API_URL: own,
                PREFECT_API_KEY: None,
                PREFECT_API_AUTH_STRING: None,
                PREFECT_HOME: home.resolve(),
            }
        until_done.enter_context(temporary_settings(changed))
        yield FlowServer(own)


@contextmanager
def _own_server(home: Path) -> Iterator[str]:
    home.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryFile() as said:
        with socket.create_server(("127.0.0.1", 0)) as listening:
            port = listening.getsockname()[1]
            server = subprocess.Popen(
                [sys.executable, "-P", str(Path(__file__).with_name("serve.py")), str(listening.fileno())],
                env=_server_environment(home),
                cwd=home,
                pass_fds=[listening.fileno()],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=said,
                start_new_session=True,  # Ctrl-C is for the build, which ends its server itself
            )
        try:
            _await_start(f"http://127.0.0.1:{port}/api/health", server, said)
            yield f"http://127.0.0.1:{port}/api"
            _end(server)
        finally:
            server.kill()
            server.communicate()


def _server_environment(home: Path) -> dict[str, str]:
    """The environment without any Prefect setting of the user's: this server is the run's alone."""
    plain = {name: value for name, value in os.environ.items() if not name.startswith("PREFECT_")}
    own = {
        "PREFECT_HOME": str(home),
        "PREFECT_UI_ENABLED": "0",
        "PREFECT__SERVER_EPHEMERAL": "1",
        "PREFECT_SERVER_LOGGING_LEVEL": "ERROR",  # read only if the server does not start
        "PREFECT_LOGGING_HANDLERS_CONSOLE_LEVEL": "ERROR",
    }
    return plain | QUIET | own


def _await_start(url: str, server: subprocess.Popen[bytes], said: IO[bytes]) -> None:
    """Waits in one request: the socket listens already, and is closed if the server ends."""
    try:
        with _direct.open(url, timeout=START_S):
            return
    except OSError as exc:
        server.kill()
        server.wait()
        said.seek(0)
        last = said.read().decode(errors="replace").split("\n")
        why = next((line.strip() for line in reversed(last) if "Error" in line), str(exc))
        raise RunError(f"Prefect's server did not start ({why}); --engine inline builds without it") from None


def _require_answer(api: str) -> None:
    """Raises `RunError` if nobody answers there; any answer will do, for access is Prefect's matter."""
    try:
        with urllib.request.urlopen(f"{api.rstrip('/')}/health", timeout=_REACH_S):
            return
    except urllib.error.HTTPError:
        return
    except (OSError, ValueError) as exc:
        why = getattr(exc, "reason", exc)
        raise RunError(f"PREFECT_API_URL: no answer from {api} ({why}); start that server, or unset it") from None


def _end(server: subprocess.Popen[bytes]) -> None:
    """Lets the server finish its writing; if that takes too long, it is killed next."""
    server.terminate()
    with suppress(subprocess.TimeoutExpired):
        server.wait(_END_S)


def _count(url: str, query: dict[str, object]) -> int:
    """A count by the API; 0 if it does not answer."""
    request = urllib.request.Request(url, json.dumps(query).encode(), {"Content-Type": "application/json"})
    try:
        with _direct.open(request, timeout=RECORD_S) as answer:
            return int(json.load(answer))
    except (OSError, ValueError):
        return 0
