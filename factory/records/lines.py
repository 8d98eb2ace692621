"""What is said in a call, as an author writes it: single lines, and the lines of a caller by profile.

Texts may hold `{slot}` placeholders: on the agent's side they read known user information and slots that were filled
earlier in the call; on the caller's side they read caller facts and what the agent has said.
"""

import re
from typing import Annotated

from pydantic import BeforeValidator, ConfigDict, Field, StringConstraints

from factory.records.base import Record
from factory.records.enums import Profile

Name = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]*$", max_length=60)]
Line = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=600)]
MOST_WAYS = 50
"""Ways to say one thing, at the most, and parts of one kind in one place: far more than anybody writes.

Whoever checks a workflow compares them with each other, so that without an end the work would have none either.
"""
MOST_NAMES = 200
"""Facts, and pieces of known information, at the most."""
FEW = Field(max_length=MOST_WAYS)
SOME = Field(min_length=1, max_length=MOST_WAYS)
NAMED = Field(max_length=MOST_NAMES)
"""Bounds of lists: of ways to say a thing, of those of which there is at least one, and of named values."""

Lines = Annotated[tuple[Line, ...], FEW]

PLACEHOLDER = re.compile(r"\{([a-z][a-z0-9_]*(?:\.[a-z0-9_]+)*)\}")


def placeholders(text: str) -> tuple[str, ...]:
    """The names in `{braces}` in a text, in order."""
    return tuple(PLACEHOLDER.findall(text))


def as_list(value: object) -> object:
    """A single text stands for a list of one."""
    return [value] if isinstance(value, str) else value


def _as_caller_lines(value: object) -> object:
    """A plain list of lines is what any profile says."""
    return {"default": value} if isinstance(value, list | tuple | str) else value


class AliasedRecord(Record):
    """A record with fields whose names in YAML are words of Python (`if`, `is`)."""

    model_config = ConfigDict(populate_by_name=True, serialize_by_alias=True)


class CallerLines(Record):
    """What a caller says, by reaction profile; `default` serves every profile with few lines of its own."""

    default: Annotated[Lines, BeforeValidator(as_list), SOME]
    cooperative: Annotated[Lines, BeforeValidator(as_list)] = ()
    rushed: Annotated[Lines, BeforeValidator(as_list)] = ()
    wary: Annotated[Lines, BeforeValidator(as_list)] = ()
    frustrated: Annotated[Lines, BeforeValidator(as_list)] = ()
    chatty: Annotated[Lines, BeforeValidator(as_list)] = ()
    unsure: Annotated[Lines, BeforeValidator(as_list)] = ()

    def for_profile(self, profile: Profile) -> Lines:
        """The lines of a profile; the default ones too, where it has fewer than three of its own."""
        own: Lines = getattr(self, profile.value)
        return own if len(own) >= 3 else own + self.default

    def all(self) -> Lines:
        """Every line, whoever says it."""
        return tuple(line for field in type(self).model_fields for line in getattr(self, field))


CallerSays = Annotated[CallerLines, BeforeValidator(_as_caller_lines)]
