"""A Prefect server of the run's own: quiet, offline, and gone when the build is."""

import os
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from factory.errors import RunError

FLUSH_S = 1.0
"""Seconds that the server gets to write down the last task runs."""
_SERVER = "prefect.server.api.server:create_app"


@contextmanager
def flow_server(home: Path) -> Iterator[None]:
    """Runs its body against `PREFECT_API_URL`, or against a server whose files are in `home`.

    A server that a killed build left behind is ended first.
    """
    from prefect.settings import PREFECT_API_URL, PREFECT_FLOWS_HEARTBEAT_FREQUENCY, temporary_settings

    if PREFECT_API_URL.value():
        with temporary_settings({PREFECT_FLOWS_HEARTBEAT_FREQUENCY: None}):
            yield
        return
    pid_file = home / "server.pid"
    _end_orphan(pid_file)
    home.mkdir(parents=True, exist_ok=True)
    with _own_server(home, pid_file) as api_url:
        with temporary_settings({PREFECT_API_URL: api_url, PREFECT_FLOWS_HEARTBEAT_FREQUENCY: None}):
            yield
            time.sleep(FLUSH_S)


@contextmanager
def _own_server(home: Path, pid_file: Path) -> Iterator[str]:
    from prefect.server.api.server import SubprocessASGIServer

    os.environ["PREFECT_HOME"] = str(home.resolve())
    server = SubprocessASGIServer()
    try:
        server.start(timeout=120)
    except RuntimeError as exc:
        server.stop()
        raise RunError(f"Prefect's server did not start ({exc}); --engine inline builds without it") from None
    try:
        if server.server_process is not None:
            pid_file.write_text(f"{server.server_process.pid}\n")
        yield server.api_url
    finally:
        server.stop()
        pid_file.unlink(missing_ok=True)


def _end_orphan(pid_file: Path) -> None:
    """Ends the server of a build that was killed, if the process of that number still is one."""
    try:
        pid = int(pid_file.read_text())
    except (OSError, ValueError):
        return
    command = subprocess.run(
        ["ps", "-p", str(pid), "-o", "command="], capture_output=True, text=True, check=False
    ).stdout
    if _SERVER in command:
        os.kill(pid, signal.SIGTERM)
    pid_file.unlink(missing_ok=True)


