"""Placeholders → values."""

import re
from collections.abc import Mapping

from factory.errors import WorkflowError
from factory.records.lines import PLACEHOLDER, placeholders
from factory.records.workflow import KnownValue


def flatten(known: Mapping[str, KnownValue]) -> dict[str, str]:
    """Known user information under dotted names: `accounts.0.label`."""
    flat: dict[str, str] = {}
    for name, value in known.items():
        if isinstance(value, str):
            flat[name] = value
        elif isinstance(value, dict):
            flat |= {f"{name}.{key}": text for key, text in value.items()}
        else:
            for i, row in enumerate(value):
                flat |= {f"{name}.{i}.{key}": text for key, text in row.items()}
    return flat


def fill(text: str, scope: Mapping[str, str]) -> str:
    """A line with its placeholders replaced; a value is never read for placeholders itself.

    Behind the end of a sentence a value begins with a capital.

    Raises:
        WorkflowError: if a placeholder has no value; the linter proves that this cannot happen.
    """

    def value(match: re.Match[str]) -> str:
        name = match[1]
        if name not in scope:
            raise WorkflowError(f"no value for {{{name}}} in: {text}")
        begins = text[: match.start()].endswith((". ", "? ", "! "))
        return sentence(scope[name]) if begins else scope[name]

    return PLACEHOLDER.sub(value, text)


def fill_prose(text: str, scope: Mapping[str, str]) -> str:
    """As `fill`, of a text that nobody speaks: what has no value in it is no placeholder, whatever it looks like."""
    return fill(text, {name: f"{{{name}}}" for name in placeholders(text)} | dict(scope))


def fill_known(text: str, scope: Mapping[str, str]) -> str:
    """A line with those placeholders replaced that have a value; the others stay as they are."""
    return PLACEHOLDER.sub(lambda match: scope.get(match[1], match[0]), text)


def sentence(text: str) -> str:
    """A text that begins with a capital, as one must whose first word came out of a placeholder."""
    return text[:1].upper() + text[1:]
