"""Reads the published files back, a call at a time; what does not fit its schema is refused."""

from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import TypeVar

import pyarrow as pa  # type: ignore[import-untyped]
from pydantic import TypeAdapter, ValidationError

from factory.dataset.parquet import Row, read_rows, read_schema
from factory.dataset.rows import (
    AgentRow,
    BaselineRow,
    CallerRow,
    CallRow,
    ConversationRow,
    ListedInterruption,
    PublishedTurn,
    TurnRow,
)
from factory.dataset.schema import baseline_schema, calls_schema, conversations_schema, turn_columns, turns_schema
from factory.errors import RunError
from factory.records.base import Record
from factory.records.enums import Speaker
from factory.run.reading import MOST_LIST_BYTES, read_bytes

R = TypeVar("R", bound=Record)

_LISTED = TypeAdapter(tuple[ListedInterruption, ...])


def read_conversations(path: Path, audio: bool = False) -> Iterator[ConversationRow]:
    """The rows of `conversations.parquet`.

    Args:
        path: The file.
        audio: Whether to read the clips too; without them memory stays small.

    Raises:
        RunError: if the file is missing, damaged, or not of the published schema; names the row.
    """
    most_turns = _most_turns(path)
    numbered = [turn_columns(number) for number in range(1, most_turns + 1)]
    without = () if audio else tuple(names["user_audio"] for names in numbered)
    for number, row in enumerate(read_rows(path, without), 1):
        yield _conversation(path, number, row, numbered)


def read_turns(path: Path) -> Iterator[tuple[TurnRow, ...]]:
    """The rows of `turns.parquet`, those of one call at a time.

    Raises:
        RunError: as `read_conversations`.
    """
    _require_schema(path, turns_schema().equals(read_schema(path)))
    rows = (_turn(path, number, row) for number, row in enumerate(read_rows(path), 1))
    for _, group in groupby(rows, key=lambda row: row.conversation_id):
        yield tuple(group)


def read_calls(path: Path) -> Iterator[CallRow]:
    """The rows of `calls.parquet`, sound and all.

    Raises:
        RunError: as `read_conversations`.
    """
    return _records(path, calls_schema(), CallRow)


def read_baseline(path: Path) -> Iterator[BaselineRow]:
    """The rows of `baseline.parquet`.

    Raises:
        RunError: as `read_conversations`.
    """
    return _records(path, baseline_schema(), BaselineRow)


def read_interruptions(path: Path) -> tuple[ListedInterruption, ...]:
    """The entries of `interruptions_all.json`.

    Raises:
        RunError: if the file is missing or not such a list.
    """
    try:
        return _LISTED.validate_json(read_bytes(path, MOST_LIST_BYTES))
    except OSError as exc:
        raise RunError(f"{path}: cannot be read: {exc.strerror}; build the dataset again") from None
    except ValidationError as exc:
        raise RunError(f"{path}: not a list of interruptions: {_first(exc)}; build the dataset again") from None


def _most_turns(path: Path) -> int:
    """How many numbered turns a file of conversations has columns for."""
    schema = read_schema(path)
    turns, rest = divmod(len(schema.names) - len(conversations_schema(0).names), len(turn_columns(1)))
    _require_schema(path, turns >= 0 and rest == 0 and conversations_schema(turns).equals(schema))
    return turns


def _require_schema(path: Path, fits: bool) -> None:
    if not fits:
        raise RunError(f"{path}: its columns are not those of this file; build the dataset again")


def _conversation(path: Path, number: int, row: Row, numbered: list[dict[str, str]]) -> ConversationRow:
    turns: list[PublishedTurn] = []
    for names in numbered:
        cells = {field: row.pop(name, None) for field, name in names.items()}
        if any(value is not None for value in cells.values()):
            cells["rq_rubrics"] = cells["rq_rubrics"] or ()
            turns.append(_record(path, number, PublishedTurn, cells))
    said = row.pop("num_turns")
    if said != len(turns):
        raise RunError(f"{path}: row {number}: num_turns is {said}, but it has {len(turns)}; build the dataset again")
    row["turns"] = turns
    return _record(path, number, ConversationRow, row)


def _turn(path: Path, number: int, row: Row) -> TurnRow:
    """A message by its speaker; columns of the other have to be null."""
    kind: type[AgentRow] | type[CallerRow] = AgentRow if row["speaker"] == Speaker.AGENT.value else CallerRow
    own = {name: value for name, value in row.items() if value is not None or name in kind.model_fields}
    return _record(path, number, kind, own)


def _records(path: Path, schema: pa.Schema, kind: type[R]) -> Iterator[R]:
    """The rows of a file of that schema, each of which is a record of that kind."""
    _require_schema(path, schema.equals(read_schema(path)))
    for number, row in enumerate(read_rows(path), 1):
        yield _record(path, number, kind, row)


def _record(path: Path, number: int, kind: type[R], row: Row) -> R:
    try:
        return kind.model_validate(row)
    except ValidationError as exc:
        raise RunError(f"{path}: row {number}: {_first(exc)}; build the dataset again") from None


def _first(exc: ValidationError) -> str:
    error = exc.errors(include_url=False, include_input=False)[0]
    return f"`{'.'.join(map(str, error['loc']))}`: {error['msg']}"
