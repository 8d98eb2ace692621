"""Does what a page tells its reader to do, in a folder of its own, and notes what comes out.

This is the only file here that knows how the factory is started.
"""

import os
import shlex
import subprocess
import sys
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import pyarrow.parquet as pq  # type: ignore[import-untyped]
import yaml

from tests.docs.pages import Block, shown, with_bodies
from tests.models.servers import RunningServer, running_server
from tests.workflow.filling import filled

FACTORY = Path(sys.executable).with_name("factory")
DEMO = "make demo"
STAND_IN = "factory build demo --out outputs/demo --engine inline --no-audio"
"""What is run for `make demo`: the same calls in the same folder, only unvoiced and without Prefect."""
SERVE = "factory fake-server"
SERVED_AT = "127.0.0.1:8765"
"""Where the reader's server listens; the one that is started for the test takes any free port."""


@dataclass(frozen=True)
class Ran:
    """A command that was run: its exit code, and what it printed."""

    code: int
    output: str
    errors: str


def run(command: str, folder: Path) -> Ran:
    """Runs `factory …` in a folder, on a terminal of 80 columns without colours."""
    words = shlex.split(command)
    assert words[0] == "factory", f"a page runs `{command}`; only `factory …` and `{DEMO}` can be checked"
    return _started([str(FACTORY), *words[1:]], folder)


def run_python(source: str, folder: Path) -> str:
    """What a Python program prints; fails if it ends with an error."""
    ran = _started([sys.executable, "-c", source], folder)
    assert ran.code == 0, f"this program of a page fails:\n{source}\n{ran.errors[-3000:]}"
    return ran.output


def _started(arguments: list[str], folder: Path) -> Ran:
    env = {
        **os.environ,
        "COLUMNS": "80",
        "TERM": "dumb",
        "NO_COLOR": "1",
        "HF_HOME": str(folder / ".huggingface"),
        "HF_HUB_OFFLINE": "1",
    }
    done = subprocess.run(arguments, cwd=folder, env=env, capture_output=True, text=True, timeout=300, check=False)
    return Ran(done.returncode, done.stdout, done.stderr)


def followed(text: str, folder: Path) -> str:
    """A page as it has to be: every marked block with what the reader would see now.

    Args:
        text: The page.
        folder: Where the reader works; holds what the page says they have.
    """
    with _Reader(folder) as reader:
        return with_bodies(text, reader.body)


class _Reader(ExitStack):
    """Somebody who does what a page says, with a server that goes on meanwhile."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self._folder = folder
        self._printed = ""
        self._server: RunningServer | None = None

    def body(self, block: Block) -> str:
        """The body that a block has to have."""
        theirs = Block(block.kind, block.argument, block.language, self._here(block.body))
        return self._there(self._done(theirs))

    def _done(self, block: Block) -> str:
        if block.kind == "file":
            (self._folder / block.argument).write_text(block.body, encoding="utf-8")
        elif block.kind == "fill":
            _fill_gaps(self._folder / block.argument, block.body)
        elif block.kind == "line":
            _replace_line(self._folder / block.argument, block.body)
        elif block.kind == "output":
            return shown(self._printed, block.argument)
        elif block.kind == "serve":
            return self._serve(block)
        elif block.language == "python":
            self._printed = run_python(block.body, self._folder)
        else:
            return _console(block, self._folder)
        return block.body

    def _serve(self, block: Block) -> str:
        command = block.body.splitlines()[0].removeprefix("$ ")
        assert command == SERVE, f"a page serves by `{command}`; only `{SERVE}` can be checked"
        self.close()  # one that was started before
        self._server = self.enter_context(running_server())
        return f"$ {command}\n" + shown(self._server.greeting, block.argument)

    def _here(self, text: str) -> str:
        return text if self._server is None else text.replace(SERVED_AT, f"127.0.0.1:{self._server.port}")

    def _there(self, text: str) -> str:
        return text if self._server is None else text.replace(f"127.0.0.1:{self._server.port}", SERVED_AT)


def _console(block: Block, folder: Path) -> str:
    """The commands of a console block, each with what it prints; a failing one shows its error."""
    commands = [line[2:] for line in block.body.splitlines() if line.startswith("$ ")]
    parts = []
    for command in commands:
        ran = run(STAND_IN if command == DEMO else command, folder)
        output = ran.output or ran.errors
        if command == DEMO:
            assert ran.code == 0, f"the demonstration corpus cannot be built:\n{ran.errors}"
            output = _as_voiced(output, folder / "outputs" / "demo")
        parts.append(f"$ {command}\n" + (shown(output, block.argument) if output else ""))
    return "".join(parts)


def _as_voiced(summary: str, run_folder: Path) -> str:
    """The summary of an unvoiced build as a voiced one has it: every caller turn has its clip."""
    first, rest = summary.split("\n", 1)
    speakers = pq.read_table(run_folder / "dataset" / "turns.parquet", columns=["speaker"])["speaker"].to_pylist()
    return f"{first}, {speakers.count('caller')} caller turns voiced\n{rest}"


def _fill_gaps(path: Path, acts: str) -> None:
    """Puts finished acts into a new workflow, and plain words into whatever else is still to be written."""
    path.write_text(filled(path.read_text(encoding="utf-8"), yaml.load(acts, yaml.BaseLoader)), encoding="utf-8")


def _replace_line(path: Path, line: str) -> None:
    word = line.split(":")[0] + ":"
    old = path.read_text(encoding="utf-8").splitlines(keepends=True)
    assert sum(each.startswith(word) for each in old) == 1, f"{path.name} has no single line that begins with {word}"
    path.write_text("".join(line if each.startswith(word) else each for each in old), encoding="utf-8")
