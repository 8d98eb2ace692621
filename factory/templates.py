"""Templates: sandboxed, strict about missing values, inert towards what they are given."""

import re
from functools import lru_cache
from html import escape
from pathlib import Path

from jinja2 import FileSystemLoader, StrictUndefined, TemplateError
from jinja2.sandbox import ImmutableSandboxedEnvironment

from factory.errors import FactoryError

PROMPTS = Path(__file__).resolve().parents[1] / "prompts"
"""Where the templates of what models are told stand, one folder per role."""

_MARKDOWN = re.compile(r"([\\`*_{}\[\]|~#])")


def render(template: Path, **values: object) -> str:
    """A template filled with values; braces and markup inside a value are text like any other.

    Args:
        template: The file; what it includes or extends is looked up in its own folder.
        values: What it may read, and nothing else.

    Raises:
        FactoryError: if the file is missing or broken, or reads a value that it is not given.
    """
    try:
        return _environment(template.parent).get_template(template.name).render(values)
    except TemplateError as exc:
        raise FactoryError(f"{template}: cannot be rendered: {exc.message}; restore or mend the template") from None


@lru_cache(maxsize=16)
def _environment(folder: Path) -> ImmutableSandboxedEnvironment:
    environment = make_environment(folder, autoescape=False)
    environment.filters["markdown"] = as_markdown
    return environment


def make_environment(folder: Path, *, autoescape: bool) -> ImmutableSandboxedEnvironment:
    """A new environment for the templates of a folder, without filters of its own.

    Args:
        folder: Where its templates are, and all that they include or extend.
        autoescape: Whether values are escaped as HTML text.
    """
    return ImmutableSandboxedEnvironment(
        loader=FileSystemLoader(folder),
        undefined=StrictUndefined,
        autoescape=autoescape,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )


def as_markdown(value: object) -> str:
    """A text as one line of plain Markdown text: no markup, link, table cell or HTML tag can come out of it."""
    line = " ".join(str(value).split())
    return _MARKDOWN.sub(r"\\\1", escape(line, quote=False))
