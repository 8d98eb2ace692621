"""The versions of the prompt templates, and the file that remembers them."""

import json
from dataclasses import dataclass
from pathlib import Path

from factory.models.prompt import version_of
from factory.records.base import sha256
from factory.templates import PROMPTS

REMEMBERED = Path(__file__).parent / "template_versions.json"
NOT_FOR_MODELS = frozenset({"system_writer/composer.md.j2"})
"""Templates that make what is published, and are told to no model: a run's identity has their digest."""


@dataclass(frozen=True)
class Versioned:
    """A template or a part of one: the version that it says it has, and the digest of its text."""

    version: int | None
    digest: str


def current(folder: Path = PROMPTS) -> dict[str, Versioned]:
    """Every template for a model, and every part that they include, by path."""
    paths = {path.relative_to(folder).as_posix(): path for path in sorted(folder.glob("*/*.j2"))}
    texts = {name: path.read_text(encoding="utf-8") for name, path in paths.items() if name not in NOT_FOR_MODELS}
    return {name: Versioned(version_of(text.split("\n", 1)[0]), sha256(text)) for name, text in texts.items()}


def remembered() -> dict[str, Versioned]:
    """What the file has."""
    data = json.loads(REMEMBERED.read_text(encoding="utf-8"))
    return {name: Versioned(**entry) for name, entry in data.items()}


def write(found: dict[str, Versioned]) -> None:
    """Puts versions into the file."""
    data = {name: {"version": v.version, "digest": v.digest} for name, v in sorted(found.items())}
    REMEMBERED.write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")


def complaints(found: dict[str, Versioned], known: dict[str, Versioned]) -> list[str]:
    """What is wrong with the versions, one line for each template."""
    lines = []
    for name, now in found.items():
        before = known.get(name)
        if now.version is None:
            lines.append(f"prompts/{name}: its first line has no version; write {{# version: 1 #}} there")
        elif before is None:
            lines.append(f"prompts/{name}: is new; run `python -m tests.models.update_template_versions`")
        elif now.digest != before.digest and now.version == before.version:
            lines.append(f"prompts/{name}: has changed and is still version {now.version}; raise it in its first line")
        elif now != before:
            lines.append(f"prompts/{name}: has a new version; run `python -m tests.models.update_template_versions`")
    gone = sorted(known.keys() - found.keys())
    return lines + [f"prompts/{name}: is gone; run `python -m tests.models.update_template_versions`" for name in gone]
