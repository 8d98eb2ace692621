"""Spec files: found by name or path, and read."""

from pathlib import Path

from factory.errors import SpecError
from factory.records.spec import Spec
from factory.workflow.reader import read_yaml

SPECS = Path(__file__).resolve().parents[2] / "flows" / "specs"
"""The specs that come with the project."""


def load_spec(name_or_path: str) -> Spec:
    """Reads a spec, by a file's path or by the name of one that comes with the project.

    Raises:
        SpecError: if there is none, or it cannot be read; names file, line, field and what was expected.
    """
    path = Path(name_or_path)
    if not path.is_file():
        named = SPECS / f"{name_or_path}.yaml"
        if "/" in name_or_path or not named.is_file():
            known = ", ".join(sorted(p.stem for p in SPECS.glob("*.yaml")))
            raise SpecError(f"{name_or_path}: neither a file nor one of the specs here ({known})")
        path = named
    return read_yaml(path, Spec, SpecError)
