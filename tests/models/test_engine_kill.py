"""A build by models that is killed at any moment: nothing that was answered is asked again."""

import random
import subprocess
import sys
import time
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from factory.workflow.library import Library
from tests.build.builds import ROOT, difference, environment, kill

from .engine_builds import assert_holds, build, kept_replies, models_of
from .servers import RunningServer, running_server

MODEL = "player-kill;slow=0.03"
HANDED_OVER_S = 0.2
"""An answer that was handed over less than this before a kill may not have been written down yet."""

_BUILD = """
import sys
from pathlib import Path
from factory.build.inline import run_inline
from factory.build.order import Order
from factory.run.display import Silent
from factory.models.roles_file import load_models
from factory.workflow.library import Library
from tests.dataset.runs import SEED, SPEC
workflows, roles, out = sys.argv[1:]
order = Order(SPEC, Library((Path(workflows),)), SEED, limit=3, audio=False, models=load_models(roles))
run_inline(order, Path(out), False, Silent())
"""


def start(workflows: Path, roles: Path, out: Path) -> subprocess.Popen[str]:
    """The build in a process of its own."""
    command = [sys.executable, "-c", _BUILD, str(workflows), str(roles), str(out)]
    return subprocess.Popen(command, cwd=ROOT, env=environment(PYTHONPATH=str(ROOT)), text=True, stderr=subprocess.PIPE)


@dataclass(frozen=True)
class Kill:
    """On the machine's clock: when the signal was sent, and when the process was gone."""

    sent_s: float
    gone_s: float


def killed_behind(build: subprocess.Popen[str], server: RunningServer, calls: int, chance: random.Random) -> Kill:
    """Kills a build a moment after so many calls came to the server."""
    while server.stats()["requests"] < calls:
        assert build.poll() is None, build.communicate()
        time.sleep(0.005)
    time.sleep(chance.uniform(0.0, 0.06))
    sent_s = time.monotonic()
    kill(build)
    return Kill(sent_s, time.monotonic())


def test_no_answered_call_is_sent_again(workflows: Path, small: Library, tmp_path: Path) -> None:
    chance, kills = random.Random(23), list[Kill]()
    with running_server() as server:
        models = models_of(tmp_path, server, MODEL)
        for calls in (1, 20, 50, 80, 110):
            running = start(workflows, tmp_path / "models.yaml", tmp_path / "run")
            kills.append(killed_behind(running, server, calls, chance))
        last = build(tmp_path / "run", small, models, limit=3)
        log = server.log()
        calm = build(tmp_path / "calm", small, models, limit=3)
        undisturbed = server.log()[len(log) :]

    assert len({call["digest"] for call in undisturbed}) == len(undisturbed)  # else equal calls would prove nothing
    assert kept_replies(last) == len(undisturbed) == len({call["digest"] for call in log})
    for when, lost in lost_at(kills, log).items():
        assert len(lost) <= most_under_way(log, when.sent_s - HANDED_OVER_S, when.gone_s)
    assert difference(calm.path, last.path) == []
    assert_holds(last, small)


def lost_at(kills: list[Kill], log: list[dict[str, Any]]) -> dict[Kill, list[dict[str, Any]]]:
    """Calls that were answered and sent again all the same, by the kill that lost their answer.

    That is the first one behind the call's arrival, and no other. The answer has to have been handed over less than
    `HANDED_OVER_S` before it, or behind it, when nobody was there to write it down.
    """
    lost: dict[Kill, list[dict[str, Any]]] = defaultdict(list)
    for number, call in enumerate(log):
        again = [other for other in log[number + 1 :] if other["digest"] == call["digest"]]
        if call["answered"] and again:
            when = next((when for when in kills if when.gone_s >= call["arrived_s"]), None)
            assert when is not None, f"sent again, and nobody was killed: {call}"
            assert call["ended_s"] > when.sent_s - HANDED_OVER_S, f"its answer was there, and it was sent again: {call}"
            assert again[0]["arrived_s"] > when.sent_s
            lost[when].append(call)
    return lost


def most_under_way(log: list[dict[str, Any]], since_s: float, until_s: float) -> int:
    """The most calls that were under way together at some moment of a time."""
    moments = [call["arrived_s"] for call in log if call["ended_s"] >= since_s and call["arrived_s"] <= until_s]
    return max((sum(c["arrived_s"] <= m < c["ended_s"] for c in log) for m in moments), default=0)
