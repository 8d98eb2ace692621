"""Roles files: which model plays which role, read from YAML.

In the file, `defaults` says how a role is played unless `roles` says otherwise for it:

    providers:
      openai: {kind: openai, key: OPENAI_API_KEY}
    defaults: {provider: openai, model: gpt-6.2-sol}
    roles:
      user: {model: gpt-6-luna}
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, NoReturn

import yaml
from pydantic import Field

from factory.errors import FactoryError
from factory.records.base import SCHEMA_VERSION, Record
from factory.records.models import ModelChoice, ModelName, ModelRole, Models, Provider, ProviderKind, ShortName
from factory.workflow.reader import read_yaml
from factory.workflow.yaml_nodes import Location, Plain, line_of, parse, write_place

ROLES_FILES = Path(__file__).resolve().parents[2] / "flows" / "models"
"""The roles files that come with the project."""

BUILD_ROLES = tuple(role for role in ModelRole if role not in (ModelRole.JUDGE, ModelRole.WORKFLOW_WRITER))
"""The roles of a build: each of them needs a model."""

_VARIABLE = re.compile(r"[A-Z][A-Z0-9_]*")
_KEY_FIELD = re.compile(r"api_?key|token|secret|password|passwd|authorization|credentials?|bearer", re.I)
_KEY_VALUE = re.compile(r"\b(sk|pk|gsk|xai|hf)[-_][\w-]{8,}|\bBearer\s+\S|://[^/\s]*@", re.I)


class RolesFileError(FactoryError):
    """A roles file that cannot be read: names file, line, field and what was expected."""


class _Part(ModelChoice):
    """A choice of which any fields are given; `model_fields_set` tells which."""

    provider: ShortName = ""
    model: ModelName = ""


class _RolesFile(Record):
    """A roles file as it is written."""

    schema_version: Annotated[int, Field(ge=1, le=1)] = SCHEMA_VERSION
    providers: Annotated[dict[ShortName, Provider], Field(min_length=1)]
    defaults: _Part = _Part()
    roles: dict[ModelRole, _Part] = Field(default_factory=dict)


def load_models(name_or_path: str | Path) -> Models:
    """Reads a roles file, by its path or by the name of one that comes with the project.

    Every role of a build has a model then. The workflow writer has one where the defaults name one; the judge only
    where the file names it, since it should not be the model that wrote what it judges.

    Raises:
        RolesFileError: if there is none, or it cannot be read; names file, line, field and what was expected.
    """
    path = _find(name_or_path)
    node, data = parse(path, RolesFileError)
    _refuse_keys(path, node, data)
    written = read_yaml(path, _RolesFile, RolesFileError)
    roles = {role: _choice(path, node, written, role) for role in ModelRole if _is_played(written, role)}
    return Models(providers=written.providers, roles=roles)


def _find(name_or_path: str | Path) -> Path:
    path = Path(name_or_path)
    if path.is_file():
        return path
    named = ROLES_FILES / f"{name_or_path}.yaml"
    if "/" in str(name_or_path) or not named.is_file():
        known = ", ".join(sorted(p.stem for p in ROLES_FILES.glob("*.yaml")))
        raise RolesFileError(f"{name_or_path}: neither a file nor one of the roles files here ({known})")
    return named


def _is_played(written: _RolesFile, role: ModelRole) -> bool:
    if role in BUILD_ROLES or role in written.roles:
        return True
    return role is ModelRole.WORKFLOW_WRITER and {"provider", "model"} <= written.defaults.model_fields_set


def _choice(path: Path, node: yaml.Node, written: _RolesFile, role: ModelRole) -> ModelChoice:
    own, defaults = written.roles.get(role, _Part()), written.defaults
    inherited = defaults.model_fields_set - own.model_fields_set
    if own.model_fields_set & {"provider", "model"}:
        inherited -= {"price"}  # it is another model's
    fields = {name: getattr(own, name) for name in own.model_fields_set}
    fields |= {name: getattr(defaults, name) for name in inherited}

    def refuse(field: str, problem: str) -> NoReturn:
        by_default = field in inherited or (role not in written.roles and bool(defaults.model_fields_set))
        _refuse(path, node, ("defaults", field) if by_default else ("roles", role.value, field), problem)

    for field in ("provider", "model"):
        if field not in fields:
            refuse(field, f"role `{role.value}` has no {field}; give it one, or write one in `defaults` for all")
    choice = ModelChoice.model_validate(fields)
    if choice.provider not in written.providers:
        known = ", ".join(written.providers)
        refuse("provider", f"there is no provider `{choice.provider}` in this file (it has: {known})")
    if written.providers[choice.provider].kind is ProviderKind.ANTHROPIC:
        for field in ("temperature", "seeded"):
            if fields.get(field):
                refuse(field, f"`{role.value}` is played by an Anthropic model, which takes none; leave it out")
    return choice


def _refuse_keys(path: Path, node: yaml.Node, data: Plain) -> None:
    """Refuses whatever looks like a key, before anything of the file could be shown in an error."""
    for location, value in _values(data, ()):
        name = str(location[-1]) if location else ""
        is_key = _KEY_FIELD.fullmatch(name) or (isinstance(value, str) and _KEY_VALUE.search(value))
        if is_key or (name == "key" and not (isinstance(value, str) and _VARIABLE.fullmatch(value))):
            problem = (
                "no key stands in a roles file: put it into an environment variable, and write the variable's name "
                "here, as `key: OPENAI_API_KEY`"
            )
            _refuse(path, node, location, problem)


def _values(data: Plain, location: Location) -> Iterator[tuple[Location, Plain]]:
    """Every value of a file, and where it stands."""
    yield location, data
    if isinstance(data, dict):
        for name, value in data.items():
            yield from _values(value, (*location, name))
    elif isinstance(data, list):
        for index, value in enumerate(data):
            yield from _values(value, (*location, index))


def _refuse(path: Path, node: yaml.Node, location: Location, problem: str) -> NoReturn:
    raise RolesFileError(f"{path}:{line_of(node, location)}: {write_place(location)}: {problem}")
