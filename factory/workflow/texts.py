"""Every text of a workflow with its place, whatever it is for; and the mark of one that is still to be written."""

from collections.abc import Mapping
from enum import Enum

from pydantic import BaseModel

GAP = "GAP:"
"""Begins a text that stands where an author has to write; the rest says what belongs there."""


def is_gap(text: str) -> bool:
    """Whether a text is still to be written."""
    return text.startswith(GAP)


def placed_texts(record: BaseModel) -> tuple[tuple[str, str], ...]:
    """Every text in a record behind its place as in findings: `stages.verify.acts.ask_account.say[2]`."""
    found: list[tuple[str, str]] = []
    _collect(record, "", found)
    return tuple(found)


def _collect(value: object, place: str, found: list[tuple[str, str]]) -> None:
    if isinstance(value, str):
        if not isinstance(value, Enum):
            found.append((place.lstrip("."), value))
    elif isinstance(value, tuple):
        for index, element in enumerate(value):
            name = getattr(element, "id", None)
            _collect(element, f"{place}.{name}" if name else f"{place}[{index}]", found)
    elif isinstance(value, BaseModel):
        for name, field in type(value).model_fields.items():
            _collect(getattr(value, name), f"{place}.{field.alias or name}", found)
    elif isinstance(value, Mapping):
        for key, element in value.items():
            _collect(element, f"{place}.{key}", found)
