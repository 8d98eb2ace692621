"""Templates and their inline assets: everything escaped, and nothing allowed that is not named.

Corpus text is untrusted. Jinja2 escapes all of it, and each page carries a Content-Security-Policy that
permits its own style and script by digest and nothing else, so that even an escape that went wrong runs nothing.
"""

import base64
import hashlib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from urllib.parse import quote

from jinja2 import Environment, Template
from markupsafe import Markup

from factory.report import labels
from factory.templates import make_environment

_ROOM = Path(__file__).resolve().parent


@dataclass(frozen=True, slots=True)
class Asset:
    """A style or script that is put into a page.

    Attributes:
        text: The asset, as trusted markup.
        source: The policy's expression for exactly these bytes.
    """

    text: Markup
    source: str


@cache
def asset(*names: str, folder: Path = _ROOM) -> Asset:
    """Some files as one inline asset.

    Args:
        names: In the order in which they count.
        folder: Where they are; those that it does not have are this room's.
    """
    found = (folder / name if (folder / name).exists() else _ROOM / name for name in names)
    text = "\n" + "".join(path.read_text(encoding="utf-8") for path in found)
    digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
    return Asset(Markup(text), f"'sha256-{digest}'")  # a file of this package, no corpus text


def policy(**sources: str) -> str:
    """A Content-Security-Policy that forbids everything but the given sources.

    Args:
        sources: By directive, with underscores for hyphens.
    """
    allowed = {"default_src": "'none'", **sources, "base_uri": "'none'", "form_action": "'none'"}
    return "; ".join(f"{name.replace('_', '-')} {value}" for name, value in allowed.items())


def template(name: str, folder: Path = _ROOM) -> Template:
    """A template of a folder, with the filters that the pages use."""
    return _environment(folder).get_template(name)


@cache
def _environment(folder: Path) -> Environment:
    environment = make_environment(folder, autoescape=True)
    environment.filters.update(
        words=labels.words,
        letter=labels.letter,
        outcome=labels.outcome,
        # `urlencode` of Jinja2 keeps slashes; an id is one step of a path.
        step=lambda text: quote(text, safe=""),
    )
    environment.globals.update(counted=labels.counted, types=labels.TYPES)
    return environment
