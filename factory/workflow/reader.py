"""YAML → records. Errors name the file, the line, the field and what was expected."""

import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from factory.errors import WorkflowError
from factory.records.shared import Shared
from factory.records.workflow import Workflow
from factory.workflow.yaml_nodes import line_of, parse, write_place

MAX_PROBLEMS = 8
"""Problems of one file that are told at once."""

SUFFIX = ".yaml"
"""How the name of every workflow file ends."""

ID = re.compile(r"[a-z][a-z0-9_]{0,59}/[a-z][a-z0-9_]{0,59}")
"""Domain and goal: the folder's name, and the file's without its ending."""

R = TypeVar("R", bound=BaseModel)


def read_yaml(path: Path, record: type[R], error: type[Exception] = WorkflowError) -> R:
    """Reads one YAML file into a record.

    Args:
        path: The file.
        record: The pydantic model that the file must fit.
        error: The exception class for everything that is wrong with it.

    Raises:
        error: One line for each problem (at most eight), as `file:line: field: what was expected`.
    """
    node, data = parse(path, error)
    try:
        return record.model_validate(data)
    except ValidationError as exc:
        problems = [
            f"{path}:{line_of(node, place)}: {write_place(place)}: {_say(problem)}"
            for problem in exc.errors(include_url=False)[:MAX_PROBLEMS]
            for place in [tuple(part for part in problem["loc"] if part != "[key]")]
        ]
        raise error("\n".join(problems)) from None


def load_workflow(path: Path) -> Workflow:
    """Reads a workflow file; its id must be its folder and name, so that it is found by either."""
    _require_suffix(path)
    workflow = read_yaml(path, Workflow)
    expected = id_of(path)
    if workflow.id != expected:
        line = line_of(parse(path)[0], ("id",))
        raise WorkflowError(f"{path}:{line}: id: expected `{expected}` (folder and file name), found `{workflow.id}`")
    return workflow


def id_of(path: Path) -> str:
    """The id of the workflow in a file: its folder's name and its own."""
    return f"{path.absolute().parent.name}/{path.stem}"


def find_workflows(folders: tuple[Path, ...]) -> dict[str, Path]:
    """All workflow files below some folders, by id, in order of id; hidden files and folders are passed over.

    Raises:
        WorkflowError: where there is no such folder, two hold the same id, or a file is a link that leads out of its
            folder or has a name that is no id.
    """
    found: dict[str, Path] = {}
    for folder in dict.fromkeys(folders):
        for path in _workflow_files(folder):
            key = id_of(path)
            if key in found:
                raise WorkflowError(f"{path}: the workflow `{key}` is already at {found[key]}; rename one of them")
            found[key] = path
    return dict(sorted(found.items()))


def _workflow_files(folder: Path) -> Iterator[Path]:
    if not folder.is_dir():
        raise WorkflowError(f"{folder}: there is no such folder; name one with workflows in it, as DOMAIN/GOAL{SUFFIX}")
    for domain in folder.iterdir():
        if domain.is_dir() and not os.access(domain, os.R_OK | os.X_OK):
            raise WorkflowError(f"{domain}: cannot be read; allow it, or take it out of {folder}")
    for path in sorted(folder.glob("*/*")):
        hidden = path.name.startswith(".") or path.parent.name.startswith(".")
        if hidden or path.suffix.lower() not in (SUFFIX, ".yml"):
            continue
        _require_suffix(path)
        if not leads_inside(path, folder):
            raise WorkflowError(f"{path}: is a link that leads out of {folder}; put the file itself there")
        if not ID.fullmatch(id_of(path)):
            raise WorkflowError(
                f"{path}: `{id_of(path)}` is no id of a workflow; name folder and file in lower-case letters, digits "
                "and underscores, a letter first"
            )
        yield path


def leads_inside(path: Path, folder: Path) -> bool:
    """Whether a path, its links followed, ends below a folder."""
    try:
        return path.resolve().is_relative_to(folder.resolve())
    except (OSError, RuntimeError):  # a link that leads to itself
        return False


def _require_suffix(path: Path) -> None:
    if path.suffix != SUFFIX and path.suffix.lower() in (SUFFIX, ".yml"):
        raise WorkflowError(f"{path}: the name of a workflow file ends in `{SUFFIX}`; rename it to {path.stem}{SUFFIX}")


def load_shared(path: Path) -> Shared:
    """Reads the file of phrases that fit everywhere (`workflows/shared.yaml`)."""
    return read_yaml(path, Shared)


def _say(problem: Mapping[str, object]) -> str:
    """One problem of pydantic's in the words of a person who writes YAML."""
    kind, message = problem["type"], str(problem["msg"])
    if kind == "missing":
        return "this field is missing"
    if kind == "extra_forbidden":
        return "there is no such field here; check its name and indentation, and quote a text with a comma"
    if kind == "value_error":
        return message.removeprefix("Value error, ")
    found, limits = problem.get("input"), problem.get("ctx")
    shown = f", found `{str(found)[:60]}`" if isinstance(found, str | int | float | bool) else ""
    if expected := _EXPECTED.get(str(kind)):
        return f"expected {expected.format_map(limits if isinstance(limits, dict) else {})}{shown}"
    return message[:1].lower() + message[1:] + shown


_EXPECTED = {
    "model_type": "fields, as `name: value`",
    "dict_type": "fields, as `name: value`",
    "tuple_type": "a list",
    "list_type": "a list",
    "string_type": "a text",
    "int_parsing": "a whole number",
    "float_parsing": "a number",
    "greater_than_equal": "at least {ge}",
    "less_than_equal": "at most {le}",
}
"""What stands in the place of pydantic's words, which are about Python; by its kinds of problems."""
