"""Renders the prompts: a template of a role, filled from the role's view and nothing else.

A template has two blocks: `system`, which stays the same from call to call as far as it can, so that providers may
keep it in their cache, and `user`. Whatever is not ours stands in it as JSON in a `<data>` element, in which no
character can be taken for mark-up: it is data, whoever wrote it.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from json.encoder import encode_basestring
from pathlib import Path
from typing import Self

from jinja2 import TemplateError, Undefined, UndefinedError
from jinja2 import nodes as jinja_nodes
from jinja2.sandbox import ImmutableSandboxedEnvironment
from markupsafe import Markup
from pydantic import BaseModel

from factory.errors import FactoryError
from factory.records.base import Record, canonical_json, sha256
from factory.templates import PROMPTS, make_environment
from factory.workflow.aloud import is_unseen

BLOCKS = ("system", "user")


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

    @cached_property
    def digest(self) -> str:
        """Digest of both messages."""
        return sha256(canonical_json([self.system, self.user]))


class Lasting(Record):
    """A record that stands in many prompts as it is: its text for them is made once."""

    @cached_property
    def shown(self) -> str:
        """It as JSON, as `as_data` shows it."""
        return _shown(self)

    def model_copy(self, *, update: Mapping[str, object] | None = None, deep: bool = False) -> Self:
        """A copy, whose text is made anew."""
        copied = super().model_copy(update=update, deep=deep)
        copied.__dict__.pop("shown", None)
        return copied


def as_data(value: object, name: str) -> Markup:
    """A value as a `<data>` element: JSON in which nothing can be taken for mark-up or is obeyed unseen."""
    text = value.shown if isinstance(value, Lasting) else _shown(value)
    return Markup(f'<data name="{name}">\n{text}\n</data>')


def _shown(value: object) -> str:
    text = _indented(_plain(value), "\n")
    text = text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
    if text.isascii() or text.replace("\n", "").isprintable():  # which nothing is that is not seen
        return text
    return "".join(_escaped(c) if c != "\n" and is_unseen(c) else c for c in text)


def _indented(value: object, line: str) -> str:
    """JSON as `json.dumps(…, ensure_ascii=False, indent=1)` has it; that one takes several times as long."""
    if isinstance(value, str):
        return encode_basestring(value)
    inner = f"{line} "
    if isinstance(value, dict) and value:
        parts = [f"{encode_basestring(key)}: {_indented(item, inner)}" for key, item in value.items()]
        return f"{{{inner}{f',{inner}'.join(parts)}{line}}}"
    if isinstance(value, list) and value:
        return f"[{inner}{f',{inner}'.join([_indented(item, inner) for item in value])}{line}]"
    return json.dumps(value, ensure_ascii=False)


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
    environment.auto_reload = False  # a run's templates are fixed by their digests
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
