"""Which columns of a file are those of the reference, whatever their order and whatever stands beside them."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa  # type: ignore[import-untyped]

from factory.audit.findings import shown
from factory.dataset.schema import turn_columns
from factory.errors import RunError

MOST_TURNS = 500
"""Turns of a call that are read; a day on the telephone has fewer."""
ID = "conversation_id"
ABOUT = ("goal", "num_turns", "knowledge_base", "user_intent")
"""The columns that stand once and are read where they are there."""
AUDIO = "user_audio"
RUBRICS = ("tf_rubric", "rq_rubrics")
_LISTS = frozenset({"rq_rubrics"})
_NEEDED = ("assistant_transcript", "assistant_original", "user_transcript", "interruption_type")
"""Of the numbered columns those without which nothing can be decided; each has to be there for some turn."""
_NUMBER = re.compile(r"(?:assistant_|user_)?turn_([1-9][0-9]{0,5})_[a-z_]+")


@dataclass(frozen=True)
class Columns:
    """What a file has of the reference's columns.

    Attributes:
        about: Those that stand once.
        numbered: For each turn, from 1, the columns that are there by what they hold.
    """

    about: frozenset[str]
    numbered: tuple[dict[str, str], ...]

    @property
    def names(self) -> tuple[str, ...]:
        """All that is read, audio left out."""
        return (ID, *sorted(self.about), *(name for names in self.numbered for name in names.values()))

    @property
    def has_rubrics(self) -> bool:
        """Whether both kinds of rubric have a column."""
        return all(any(field in names for names in self.numbered) for field in RUBRICS)


def columns_of(path: Path, schema: pa.Schema) -> Columns:
    """The reference's columns in a schema.

    Args:
        path: The file, for what is said of it.
        schema: Its schema.

    Raises:
        RunError: if columns are missing, stand twice, are of a type that holds no such thing, or are of more turns than
            a call has.
    """
    there = {name for name in schema.names if isinstance(name, str)}
    if ID not in there:
        raise RunError(f"{path}: has no column `{ID}`, so it is not in the reference's columns (see docs/audit.md)")
    numbers = [int(match[1]) for name in there if (match := _NUMBER.fullmatch(name)) and _is_numbered(name, match[1])]
    most = max(numbers, default=0)
    if most > MOST_TURNS:
        raise RunError(f"{path}: has columns of turn {most:,}; at most {MOST_TURNS} turns of a call are read")
    numbered = tuple(
        {field: name for field, name in turn_columns(number).items() if name in there and field != AUDIO}
        for number in range(1, most + 1)
    )
    _require_needed(path, numbered)
    names = {ID, *ABOUT, *(name for columns in numbered for name in columns.values())}
    twice = [name for name, count in Counter(schema.names).items() if count > 1 and name in names]
    if twice:
        raise RunError(f"{path}: the column `{twice[0]}` stands in it twice")
    about = frozenset(name for name in there.intersection(ABOUT) if not _holds_bytes(schema.field(name).type))
    columns = Columns(about, numbered)
    _require_types(path, schema, columns)
    return columns


def _is_numbered(name: str, number: str) -> bool:
    return name in turn_columns(int(number)).values()


def _require_needed(path: Path, numbered: tuple[dict[str, str], ...]) -> None:
    missing = [
        turn_columns(1)[field].replace("_1_", "_N_") for field in _NEEDED if not any(field in n for n in numbered)
    ]
    missing += [
        turn_columns(number)["assistant_transcript"]
        for number, names in enumerate(numbered, 1)
        if "assistant_transcript" not in names
    ]
    if missing:
        more = f" and {len(missing) - 4} more" if len(missing) > 4 else ""
        raise RunError(f"{path}: columns are missing: {', '.join(missing[:4])}{more} (see docs/audit.md)")


def _require_types(path: Path, schema: pa.Schema, columns: Columns) -> None:
    for name, is_list in _texts(columns):
        kind = schema.field(name).type
        if not (_is_text(kind) or (is_list and _is_list_of_texts(kind))):
            wanted = "a list of texts" if is_list else "text"
            raise RunError(f"{path}: `{name}` is of type {shown(str(kind))}, not {wanted}")


def _texts(columns: Columns) -> Iterator[tuple[str, bool]]:
    """The columns that hold text, and whether they hold lists of texts."""
    yield ID, False
    for names in columns.numbered:
        for field, name in names.items():
            yield name, field in _LISTS


def _holds_bytes(kind: pa.DataType) -> bool:
    """Whether raw bytes are somewhere in a type; nothing is understood of those, however many they are."""
    waiting = [kind]
    while waiting:
        each = waiting.pop()
        if pa.types.is_binary(each) or pa.types.is_large_binary(each) or pa.types.is_fixed_size_binary(each):
            return True
        if pa.types.is_binary_view(each):
            return True
        waiting += [each.field(index).type for index in range(each.num_fields)]
    return False


def _is_text(kind: pa.DataType) -> bool:
    if pa.types.is_dictionary(kind):
        return _is_text(kind.value_type)
    return bool(
        pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind) or kind == pa.null()
    )


def _is_list_of_texts(kind: pa.DataType) -> bool:
    is_list = pa.types.is_list(kind) or pa.types.is_large_list(kind) or pa.types.is_fixed_size_list(kind)
    return bool(is_list and _is_text(kind.value_type))
