"""Renders the prompts: a template of a role, filled from the role's view and nothing else.

A template has two blocks: `system`, which stays the same from call to call as far as it can, so that providers may
keep it in their cache, and `user`. Whatever is not ours stands in it as JSON in a `<data>` element, in which no
character can be taken for mark-up: it is data, whoever wrote it.
"""

import json
import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from jinja2 import TemplateError, Undefined, UndefinedError
from jinja2 import nodes as jinja_nodes
from jinja2.sandbox import ImmutableSandboxedEnvironment
from markupsafe import Markup
from pydantic import BaseModel

from factory.errors import FactoryError
from factory.records.base import canonical_json, sha256
from factory.templates import PROMPTS, make_environment

BLOCKS = ("system", "user")
_UNSEEN = ("Cc", "Cf", "Cs", "Co", "Zl", "Zp")
"""Unicode categories of characters that are obeyed and not seen: controls, direction marks, line separators."""


@dataclass(frozen=True)
class Prompt:
    """A rendered prompt.

    Attributes:
        template: Path of its template under `prompts/`.
        template_digest: Digest of the template and of all that it includes.
        system: The system message.
        user: The first message behind it.
    """

    template: str
    template_digest: str
    system: str
    user: str

    @property
    def digest(self) -> str:
        """Digest of both messages."""
        return sha256(canonical_json([self.system, self.user]))


def as_data(value: object, name: str) -> Markup:
    """A value as a `<data>` element: JSON in which nothing can be taken for mark-up or is obeyed unseen."""
    text = json.dumps(_plain(value), ensure_ascii=False, indent=1)
    text = text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
    if not text.isascii():
        text = "".join(_escaped(c) if c != "\n" and unicodedata.category(c) in _UNSEEN else c for c in text)
    return Markup(f'<data name="{name}">\n{text}\n</data>')


def _escaped(character: str) -> str:
    return json.dumps(character)[1:-1]


def _plain(value: object) -> object:
    if isinstance(value, Undefined):
        raise UndefinedError(str(value))  # a strict one raises by itself, with its name
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json")
    if isinstance(value, dict):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return value


class Prompts:
    """The templates of one folder."""

    def __init__(self, folder: Path = PROMPTS) -> None:
        """Takes the folder of the templates, one folder of it per role."""
        self._folder = folder
        self._environment = _environment(folder)

    def render(self, template: str, **values: object) -> Prompt:
        """A template filled with values.

        Args:
            template: Path under the folder ("assistant/normal.md.j2").
            values: What it may read, and nothing else.

        Raises:
            FactoryError: if the file is missing or broken, lacks a block, or reads a value that it is not given.
        """
        try:
            loaded = self._environment.get_template(template)
            context = loaded.new_context(values)
            system, user = ("".join(loaded.blocks[name](context)).strip() for name in BLOCKS)
        except KeyError as exc:
            raise FactoryError(f"{self._folder / template}: has no block {exc}; it needs both") from None
        except TemplateError as exc:
            raise FactoryError(
                f"{self._folder / template}: cannot be rendered: {exc.message}; restore or mend the template"
            ) from None
        return Prompt(template, self.digest(template), system, user)

    def digest(self, template: str) -> str:
        """Digest of a template and of all that it includes or extends."""
        return _digest(self._environment, template)

    def parts(self, template: str) -> tuple[str, ...]:
        """The template and all that it includes or extends, by path, sorted.

        Raises:
            FactoryError: if one of them is missing or cannot be parsed.
        """
        return tuple(sorted(_sources(self._environment, template)))

    def all(self) -> tuple[str, ...]:
        """Every template that can be rendered, by path; a part that others include begins with `_`."""
        found = (path.relative_to(self._folder).as_posix() for path in self._folder.glob("*/*.md.j2"))
        return tuple(sorted(name for name in found if not name.split("/")[-1].startswith("_")))


@lru_cache(maxsize=8)
def _environment(folder: Path) -> ImmutableSandboxedEnvironment:
    # Braces and mark-up inside a value are text: values come in through `data`, and what it makes is safe.
    environment = make_environment(folder, autoescape=True)
    environment.filters["data"] = as_data
    return environment


@lru_cache(maxsize=256)
def _digest(environment: ImmutableSandboxedEnvironment, template: str) -> str:
    sources = _sources(environment, template)
    return sha256(canonical_json({name: sha256(sources[name]) for name in sorted(sources)}))


def _sources(environment: ImmutableSandboxedEnvironment, template: str) -> dict[str, str]:
    """The text of a template and of all that it refers to, by path."""
    found: dict[str, str] = {}
    wanted = [template]
    try:
        while wanted:
            name = wanted.pop()
            if name in found:
                continue
            assert environment.loader is not None
            found[name] = environment.loader.get_source(environment, name)[0]
            tree = environment.parse(found[name])
            wanted += [_named(name, node.template) for node in tree.find_all(jinja_nodes.Extends)]
            wanted += [_named(name, node.template) for node in tree.find_all(jinja_nodes.Include)]
    except TemplateError as exc:
        raise FactoryError(f"prompts/{template}: cannot be read: {exc.message}; restore or mend it") from None
    return found


def _named(name: str, reference: jinja_nodes.Expr) -> str:
    if not isinstance(reference, jinja_nodes.Const):
        raise FactoryError(f"prompts/{name}: refers to another template by a computed name; name it plainly")
    return str(reference.value)


_VERSION = re.compile(r"\{#\s*version:\s*(\d+)\s*#\}")


def version_of(source: str) -> int | None:
    """The version that a template's text says it has; None if it says none."""
    match = _VERSION.search(source)
    return int(match[1]) if match else None
