"""The README's excerpt is what the factory really composes."""

import asyncio
import re

from factory.build.preview import preview
from factory.workflow.library import standard_library
from tests.docs.pages import ROOT

EXCERPT = re.compile(r"<!-- excerpt: (\S+) (\d+) -->\n(.*?)<!-- /excerpt -->", re.DOTALL)


def as_markdown(workflow: str, seed: int) -> list[str]:
    """A preview's turns as the README shows them."""
    shown = asyncio.run(preview(standard_library(), workflow, seed, rubrics=False, colour=True))
    lines = []
    for line in shown.splitlines()[2:]:
        text = re.sub(r"\x1b\[2m\x1b\[9m (.*?)\x1b\[0m", r" ~~\1~~", line)
        text = re.sub(r"\x1b\[1m\[(\w+)\]\x1b\[0m", r"*(\1)*", text)
        speaker, words = re.sub(r"\x1b\[\d+m", "", text).split(":", 1)
        lines.append(f"> **{speaker}:** {re.sub(' +', ' ', words).strip()}\n>")
    return lines


def test_the_excerpt_is_what_the_named_preview_shows() -> None:
    found = EXCERPT.search((ROOT / "README.md").read_text(encoding="utf-8"))
    assert found is not None
    workflow, seed, body = found.groups()
    composed = "\n".join(as_markdown(workflow, int(seed)))
    assert body.count("**Caller:**") >= 4
    assert body.strip().removesuffix("\n>") in composed, "write the excerpt anew: see as_markdown in this file"
