"""What the player reads of a prompt: its `<data>` elements, and a digest that its choices are drawn from."""

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TypeVar

from factory.models.fake.wire import Asked

Row = Mapping[str, object]
T = TypeVar("T")

_ELEMENT = re.compile(r'<data name="([^"]*)">\n(.*?)\n</data>', re.DOTALL)
_PLACEHOLDER = re.compile(r"\{([^{}]+)\}")


class Material:
    """The data of one prompt. Whatever is not there, or of another form, reads as empty."""

    def __init__(self, asked: Asked) -> None:
        """Takes the request; of its messages the first is read, since those behind it only ask for it again."""
        self._elements: dict[str, str] = {}
        for text in (asked.system, *asked.messages[:1]):
            for match in _ELEMENT.finditer(text):
                self._elements.setdefault(match[1], match[2])
        self._asked = asked

    def text(self, name: str) -> str:
        """An element that is a text."""
        value = self._value(name)
        return value if isinstance(value, str) else ""

    def texts(self, name: str) -> list[str]:
        """An element that is a list of texts."""
        return strings(self._value(name))

    def rows(self, name: str) -> list[Row]:
        """An element that is a list of objects."""
        return rows(self._value(name))

    def row(self, name: str) -> Row:
        """An element that is an object."""
        value = self._value(name)
        return value if isinstance(value, dict) else {}

    def draw(self, key: str) -> int:
        """A whole number for one choice: the same for the same request, whoever sends it and in whichever format."""
        return int.from_bytes(hashlib.sha256(f"{self._digest}{key}".encode()).digest()[:8])

    def pick(self, choices: Sequence[T], key: str) -> T:
        """One of several, by that number."""
        return choices[self.draw(key) % len(choices)]

    def _value(self, name: str) -> object:
        try:
            return json.loads(self._elements[name])
        except (KeyError, ValueError):
            return None

    @cached_property
    def _digest(self) -> str:
        asked = self._asked
        whole = json.dumps([asked.system, asked.messages, asked.name, asked.seed])
        return hashlib.sha256(whole.encode()).hexdigest()


def strings(value: object) -> list[str]:
    """The texts of a list."""
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []


def rows(value: object) -> list[Row]:
    """The objects of a list."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def string(row: Row, key: str) -> str:
    """A text of an object; empty where there is none."""
    value = row.get(key)
    return value if isinstance(value, str) else ""


def fill(text: str, facts: Row) -> str:
    """A line with its placeholders replaced; behind the end of a sentence a value begins with a capital."""

    def value(match: re.Match[str]) -> str:
        found = str(facts.get(match[1], "that"))
        begins = match.start() == 0 or text[: match.start()].endswith((". ", "? ", "! "))
        return found[:1].upper() + found[1:] if begins else found

    return _PLACEHOLDER.sub(value, text)
