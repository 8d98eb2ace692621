"""The fake server as a program: how it is started, what it says, and how it ends."""

import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from factory.errors import FactoryError
from factory.models.fake.server import serve
from factory.models.roles_file import load_models
from factory.records.models import ModelRole
from tests.models.fake_calls import HANGS, until
from tests.models.servers import RunningServer, roles_file, running_server

_COMMAND = """
import runpy, signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background job would leave it ignored
sys.argv = ["factory", "fake-server", "--port", "0"]
runpy.run_module("factory", run_name="__main__")
"""


@pytest.fixture(scope="module")
def server() -> Iterator[RunningServer]:
    with running_server() as running:
        yield running


def test_it_serves_loopback_only() -> None:
    with pytest.raises(FactoryError, match=r"127\.0\.0\.1 only"):
        serve(host="0.0.0.0")


def test_a_taken_port_and_a_file_out_of_reach_are_said_plainly(server: RunningServer, tmp_path: Path) -> None:
    with pytest.raises(FactoryError, match=f"port {server.port} cannot be served"):
        serve(port=server.port)
    with pytest.raises(FactoryError, match="cannot be written"):
        serve(log=tmp_path)


def test_ctrl_c_ends_it_quietly_even_with_a_call_under_way() -> None:
    with running_server() as server:
        hanging = subprocess.Popen([sys.executable, "-c", HANGS, server.openai_url], stderr=subprocess.DEVNULL)
        until(lambda: server.stats()["under_way"] == 1)
        code, printed = server.interrupt()
        hanging.wait(timeout=20)
    assert code == 0
    assert "Traceback" not in printed and printed.strip().splitlines()[-1] == "Fake server ended."


def test_ctrl_c_ends_the_command_as_quietly() -> None:
    begun = subprocess.Popen(
        [sys.executable, "-c", _COMMAND], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert begun.stdout is not None
    assert any("/_log" in line for line in begun.stdout)
    begun.send_signal(signal.SIGINT)
    assert begun.communicate(timeout=20) == ("Fake server ended.\n", "")
    assert begun.returncode == 0


def test_ctrl_c_in_its_first_moment_ends_it_quietly_too() -> None:
    with running_server() as server:
        assert server.interrupt() == (0, "Fake server ended.\n")


def test_the_greeting_holds_a_roles_file_that_can_be_read(tmp_path: Path) -> None:
    path = tmp_path / "models.yaml"
    with running_server() as server:
        printed = server.greeting
    path.write_text(printed[printed.index("providers:") : printed.index("Other models")])
    models = load_models(path)
    assert models.roles[ModelRole.PLANNER].model == "player"
    assert str(models.providers["fake"].base_url).rstrip("/") == server.openai_url


def test_a_roles_file_lets_every_role_be_played(server: RunningServer, tmp_path: Path) -> None:
    path = roles_file(tmp_path, server, kind="anthropic", provider={"at_once": 7}, verifier="player;findings=1")
    models = load_models(path)
    assert models.roles[ModelRole.VERIFIER].model == "player;findings=1"
    assert models.roles[ModelRole.USER].model == "player"
    assert models.providers["fake"].at_once == 7 and models.providers["fake"].free
