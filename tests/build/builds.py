"""Real builds by the real command line, in processes of their own."""

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import psutil

ROOT = Path(__file__).resolve().parents[2]
COMMAND = (sys.executable, "-m", "factory")
COMPARED = (
    "run.json", "blueprints.jsonl", "manifest.json", "checksums.json", "machines", "conversations", "ledger", "audio",
    "calls", "dataset", "reports",
)  # fmt: skip
"""What a run folder holds for its users; all of it is the same for the same order."""

SPEC = """\
schema_version: 1
name: small
conversations: {conversations}
workflows: [{workflows}]
interruptions:
  by_type: {{pushback: 4, impatient: 3, normal: 3, topic_switch: 2, filler: 3, correction: 1}}
  by_depth: {{"0-4": 8, "5-9": 6, "10-14": 2}}
messages: {{min: 20, max: 28, mean: 24.0}}
tts: {tts}
"""

AT_ONCE_S = 3.0
"""What a loaded machine needs for the two seconds that a user gets."""


def write_spec(
    folder: Path, conversations: int = 3, workflows: str = '"financial_services/*", "government/*"', tts: str = "hibari"
) -> Path:
    """A spec of three calls that a build without audio meets in two seconds."""
    path = folder / "small.yaml"
    path.write_text(SPEC.format(conversations=conversations, workflows=workflows, tts=tts))
    return path


@dataclass(frozen=True)
class Ended:
    """How a command ended."""

    code: int
    out: str
    err: str

    @property
    def error(self) -> str:
        """The one line on stderr behind those that tell the steps; fails if there is not exactly one."""
        lines = [line for line in self.err.splitlines() if line.startswith("error: ")]
        others = [line for line in self.err.splitlines() if not line.startswith("error: ") and not is_step(line)]
        assert len(lines) == 1 and not others, self.err
        return lines[0]


def is_step(line: str) -> bool:
    """Whether a line on stderr tells the beginning of a step, or how far it is."""
    return any(_begins(line, step) or _goes_on(line, step) for step in STEPS)


def _begins(line: str, step: str) -> bool:
    return re.fullmatch(rf"{re.escape(step)}( \(\d+\))? …", line.strip()) is not None


def _goes_on(line: str, step: str) -> bool:
    return re.fullmatch(rf"{re.escape(step)} \d+ of \d+, \d+ s", line.strip()) is not None


STEPS = ("state machines", "blueprints", "conversations", "calls", "dataset and reports")


def environment(**changed: str) -> dict[str, str]:
    """This environment without any Prefect server of the tester's."""
    return {name: value for name, value in os.environ.items() if not name.startswith("PREFECT_")} | changed


def factory(*arguments: str | Path, cwd: Path = ROOT, prefix: Sequence[str] = (), **changed: str) -> Ended:
    """Runs a command to its end."""
    command = [*prefix, *COMMAND, *map(str, arguments)]
    done = subprocess.run(command, cwd=cwd, env=environment(**changed), capture_output=True, text=True, timeout=300)
    return Ended(done.returncode, done.stdout, done.stderr)


def start(*arguments: str | Path) -> subprocess.Popen[str]:
    """Starts a command in a process group of its own, as a terminal does."""
    return subprocess.Popen(
        [*COMMAND, *map(str, arguments)],
        cwd=ROOT,
        env=environment(),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        process_group=0,
    )


def wait_for_step(build: subprocess.Popen[str], step: str) -> None:
    """Returns when a build tells that a step begins; fails if it ends before."""
    assert build.stderr is not None
    seen = []
    for line in build.stderr:
        seen.append(line)
        if _begins(line, step):
            return
    raise AssertionError(f"`{step}` never began: {seen}")


def kill(build: subprocess.Popen[str]) -> None:
    """As `kill -9`, of this process only."""
    build.send_signal(signal.SIGKILL)
    build.communicate()


def press_ctrl_c(build: subprocess.Popen[str]) -> None:
    """Ends a build as Ctrl-C in its terminal does: at once, with one plain line and the code of it."""
    time.sleep(0.1)
    pressed = time.monotonic()
    os.killpg(build.pid, signal.SIGINT)
    _, err = build.communicate()
    assert time.monotonic() - pressed < AT_ONCE_S
    assert build.returncode == 130
    assert err.splitlines()[-1] == "stopped; the same command continues where this one was"
    assert "Traceback" not in err


def processes_of(folder: Path) -> list[psutil.Process]:
    """All processes that name a folder in their command line or work in it."""
    found = []
    for process in psutil.process_iter():
        try:
            named = any(str(folder) in part for part in process.cmdline())
            if (named or Path(process.cwd()).is_relative_to(folder)) and process.status() != psutil.STATUS_ZOMBIE:
                found.append(process)
        except (psutil.NoSuchProcess, psutil.AccessDenied):
            continue
    return found


def contents(folder: Path, names: Sequence[str] = COMPARED) -> dict[str, bytes]:
    """Every file of a run, hidden ones too, with its bytes."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for name in names
        for path in sorted([folder / name, *(folder / name).rglob("*")])
        if path.is_file()
    }


def difference(one: Path, other: Path) -> list[str]:
    """Names of the files in which two runs differ; fails if there is nothing to compare."""
    first, second = contents(one), contents(other)
    assert len(first) > 15, f"{one} holds next to nothing"
    return sorted(name for name in first.keys() | second.keys() if first.get(name) != second.get(name))
