"""The documentation's pages, and the parts of them that are made by running something.

A comment above a code block says where its content comes from:

- `<!-- run -->`: a command with what it prints, or Python; `<!-- run: 1-9, 20- -->` shows only these lines of it
- `<!-- serve -->`: `factory fake-server`, which goes on until the page ends or starts it anew, with what it prints
- `<!-- output -->`: what the Python block before it printed, with lines to choose likewise
- `<!-- file: NAME -->`: a file that the reader makes; the commands behind it find it
- `<!-- fill: NAME -->`: finished acts of a new workflow, whose gaps the reader has filled when the block ends
- `<!-- line: NAME -->`: a line of that file which replaces the one that begins with the same word
"""

import re
import textwrap
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
UPDATE = "if the page should follow: .venv/bin/python -m tests.docs.update"
WIDTH = 120
"""Longer lines of an output are folded in the pages."""
DIGEST = "<digest>"
"""What pages show for a digest: a changed comment in a workflow changes it, and no reader misses it."""

_HEX = re.compile(r"\b[0-9a-f]{16,64}\b…?")
_BLOCK = re.compile(
    r"^<!-- (?P<kind>run|serve|output|file|fill|line)(?:: (?P<argument>[^\n]*?))? -->\n"
    r"```(?P<language>\w+)\n(?P<body>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)


@dataclass(frozen=True)
class Block:
    """A marked code block.

    Attributes:
        kind: `run`, `serve`, `output`, `file`, `fill` or `line`.
        argument: What stands behind the colon, or nothing.
    """

    kind: str
    argument: str
    language: str
    body: str


def page(name: str) -> str:
    """The text of a page of `docs/`."""
    return (DOCS / name).read_text(encoding="utf-8")


def blocks(text: str) -> tuple[Block, ...]:
    """All marked code blocks of a page, in order."""
    return tuple(_block(match) for match in _BLOCK.finditer(text))


def with_bodies(text: str, body: Callable[[Block], str]) -> str:
    """A page with the body of every marked block made anew, in order."""

    def made(match: re.Match[str]) -> str:
        start, end = (place - match.start() for place in match.span("body"))
        return match[0][:start] + body(_block(match)) + match[0][end:]

    return _BLOCK.sub(made, text)


def shown(output: str, selection: str) -> str:
    """An output as a page shows it: the chosen lines, `…` for the others, long ones folded, no digests.

    Args:
        output: The whole output.
        selection: Numbers of lines, from 1, such as `1-9, 20-`; nothing for all.
    """
    lines = [_HEX.sub(DIGEST, line.rstrip()) for line in output.rstrip("\n").split("\n")]
    chosen = _chosen(selection, len(lines))
    parts: list[str] = []
    for number, line in enumerate(lines, 1):
        if number in chosen:
            parts += _folded(line)
        elif not parts or parts[-1] != "…":
            parts.append("…")
    return "".join(f"{part}\n" for part in parts)


def _chosen(selection: str, count: int) -> set[int]:
    if not selection:
        return set(range(1, count + 1))
    chosen: set[int] = set()
    for part in selection.split(","):
        first, dash, last = part.strip().partition("-")
        chosen |= set(range(int(first), (int(last or count) if dash else int(first)) + 1))
    return chosen


def _folded(line: str) -> list[str]:
    return textwrap.wrap(
        line,
        WIDTH,
        subsequent_indent="    ",
        break_long_words=False,
        break_on_hyphens=False,
        replace_whitespace=False,
    ) or [""]


def _block(match: re.Match[str]) -> Block:
    return Block(match["kind"], match["argument"] or "", match["language"], match["body"])
