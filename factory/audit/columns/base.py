"""What can be understood of a knowledge base and a user's intent, in whatever struct or JSON text they are written.

The reference's names are looked for (`stages`, `guidelines`, `known_user_information`, `hidden_information`), also a
level or two below; what has other names is not guessed at, and the report says that it could not be held against.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from factory.audit.scan.call import Passage

MOST_DEPTH = 12
"""Levels of a struct that are looked into; one that is deeper is not understood at all."""
_WRAPPED = 3
"""Levels at which the reference's names are looked for."""
_NAMES = ("name", "title", "stage_name", "id")
"""What a stage's name is called, the likeliest first."""


@dataclass(frozen=True)
class StageText:
    """A stage: its name, and all that it says of itself."""

    name: str
    passages: tuple[Passage, ...]

    @property
    def verifies(self) -> bool:
        """Whether its words say that the caller's identity is checked there."""
        return any(_VERIFIES.search(text) for text in (self.name, *(passage.text for passage in self.passages)))


@dataclass(frozen=True)
class Base:
    """What the agent works from, as far as it is understood; what is not told is empty."""

    stages: tuple[StageText, ...] = ()
    guidelines: tuple[Passage, ...] = ()
    known_user: tuple[Passage, ...] = ()

    @property
    def verifies(self) -> bool:
        """Whether a stage checks who is calling."""
        return any(stage.verifies for stage in self.stages)


@dataclass(frozen=True)
class Intent:
    """What the caller knows of themselves, and what of it they hide at first; what is not told is empty."""

    own: tuple[str, ...] = ()
    hidden: tuple[str, ...] = ()


class _TooDeep(Exception):
    """A struct has more levels than anybody writes."""


def base_of(value: object) -> Base:
    """The knowledge base in a cell: a struct, a mapping, or such a one as JSON text."""
    whole = _unfolded(value)
    try:
        return Base(
            stages=tuple(_stages(_found(whole, lambda key: key in ("stages", "workflowstages", "steps")))),
            guidelines=tuple(
                Passage(f"guideline {number}", passage.text)
                for number, passage in enumerate(
                    texts_in(_found(whole, lambda key: key.endswith(("guidelines", "guideline")))), 1
                )
            ),
            known_user=tuple(texts_in(_found(whole, lambda key: key.startswith("knownuser")))),
        )
    except _TooDeep:
        return Base()


def intent_of(value: object) -> Intent:
    """The user's intent in a cell: a struct, a mapping, such a one as JSON text, or plain words."""
    whole = _unfolded(value)
    try:
        hidden = tuple(p.text for p in texts_in(_found(whole, lambda key: key.startswith("hidden"))))
        return Intent(own=tuple(p.text for p in texts_in(whole)), hidden=hidden)
    except _TooDeep:
        return Intent()


def text_of(value: object) -> str:
    """A cell as one text, whatever it is; empty where it holds none."""
    try:
        return " ".join(passage.text for passage in texts_in(value))
    except _TooDeep:
        return ""


def texts_in(value: object, place: str = "", depth: int = 0) -> Iterator[Passage]:
    """Every text and number in a value, with the name that it has there.

    Entries of the form `{key: …, value: …}` are named by their key.
    """
    if depth > MOST_DEPTH:
        raise _TooDeep
    if isinstance(value, str | int | float) and not isinstance(value, bool):
        if text := str(value).strip():
            yield Passage(place, text)
    elif isinstance(value, Mapping):
        entries = {str(key): each for key, each in value.items()}
        if entries.keys() == {"key", "value"} and isinstance(entries["key"], str):
            yield from texts_in(entries["value"], _below(place, entries["key"]), depth + 1)
            return
        for key, each in entries.items():
            yield from texts_in(each, _below(place, key), depth + 1)
    elif isinstance(value, tuple) and len(value) == 2 and isinstance(value[0], str):  # an entry of a map
        yield from texts_in(value[1], _below(place, value[0]), depth + 1)
    elif isinstance(value, list | tuple):
        for each in value:
            yield from texts_in(each, place, depth + 1)


def _below(place: str, key: str) -> str:
    return f"{place}.{key}" if place else key


def _unfolded(value: object) -> object:
    """A value, read as JSON where it is a text that is such."""
    if not isinstance(value, str):
        return value
    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        return value


def _found(value: object, fits: Callable[[str], bool]) -> object:
    """What has a fitting name in a mapping or in those below it, the nearest first; None where nothing has."""
    level = [value]
    for _ in range(_WRAPPED):
        mappings = [each for each in level if isinstance(each, Mapping)]
        for mapping in mappings:
            for key, each in mapping.items():
                if fits(re.sub(r"[^a-z]", "", str(key).lower())):
                    return _unfolded(each)
        level = [each for mapping in mappings for each in mapping.values()]
    return None


def _stages(value: object) -> Iterator[StageText]:
    if isinstance(value, Mapping):
        named: list[tuple[str, object]] = [(str(name), stage) for name, stage in value.items()]
    elif isinstance(value, list):
        named = [("", stage) for stage in value]
    else:
        return
    for key, stage in named:
        name, rest = key, stage
        if isinstance(stage, Mapping):
            own = next((n for n in _NAMES if isinstance(stage.get(n), str)), None)
            name = str(stage[own]) if own is not None else key
            rest = {k: each for k, each in stage.items() if k != own}
        elif isinstance(stage, str) and not key:
            name, rest = stage, None
        passages = tuple(Passage(name, passage.text) for passage in texts_in(rest))
        if name or passages:
            yield StageText(name, passages)


_VERIFIES = re.compile(r"\b(?:verif\w+|authenticat\w+|identif(?:y|ies|ying|ication)\b|identity\b)", re.IGNORECASE)
