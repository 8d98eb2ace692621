"""YAML → records. Errors name the file, the line, the field and what was expected."""

from collections.abc import Mapping
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from factory.errors import WorkflowError
from factory.records.shared import Shared
from factory.records.workflow import Workflow
from factory.workflow.yaml_nodes import line_of, parse, write_place

MAX_PROBLEMS = 8
"""Problems of one file that are told at once."""

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
            f"{path}:{line_of(node, problem['loc'])}: {write_place(problem['loc'])}: {_say(problem)}"
            for problem in exc.errors(include_url=False)[:MAX_PROBLEMS]
        ]
        raise error("\n".join(problems)) from None


def load_workflow(path: Path) -> Workflow:
    """Reads a workflow file; its id must be its folder and name, so that it is found by either."""
    workflow = read_yaml(path, Workflow)
    expected = f"{path.parent.name}/{path.stem}"
    if workflow.id != expected:
        line = line_of(parse(path)[0], ("id",))
        raise WorkflowError(f"{path}:{line}: id: expected `{expected}` (folder and file name), found `{workflow.id}`")
    return workflow


def find_workflows(folders: tuple[Path, ...]) -> dict[str, Path]:
    """All workflow files below some folders, by id, in order of id.

    Raises:
        WorkflowError: where two folders hold the same id.
    """
    found: dict[str, Path] = {}
    for folder in folders:
        for path in sorted(folder.glob("*/*.yaml")):
            key = f"{path.parent.name}/{path.stem}"
            if key in found:
                raise WorkflowError(f"{path}: the workflow `{key}` is already at {found[key]}; rename one of them")
            found[key] = path
    return dict(sorted(found.items()))


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
    found = problem.get("input")
    shown = f", found `{str(found)[:60]}`" if isinstance(found, str | int | float | bool) else ""
    return message[:1].lower() + message[1:] + shown
