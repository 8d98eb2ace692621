"""Reads calls in the reference's columns, a few at a time: from a file by anybody, or from rows already read."""

import json
import math
from collections.abc import Iterator, Mapping
from pathlib import Path

from factory.audit.columns.base import base_of, intent_of, text_of
from factory.audit.columns.call import Call, Turn
from factory.audit.columns.columns import ABOUT, Columns, columns_of
from factory.dataset.parquet import read_rows, read_schema
from factory.dataset.rows import ConversationRow


class CallFile:
    """A file of calls.

    Attributes:
        path: The file.
        columns: Those of its columns that are read.
    """

    def __init__(self, path: Path) -> None:
        """Looks at the file's schema.

        Raises:
            RunError: if it is no Parquet file, is damaged, or has not the reference's columns.
        """
        self.path = path
        schema = read_schema(path)
        self.columns = columns_of(path, schema)
        self._without = tuple(set(schema.names) - set(self.columns.names))

    def calls(self) -> Iterator[Call]:
        """The calls in the order of the file.

        Raises:
            RunError: if the file is damaged, or a text in it is larger than any that belongs there.
        """
        for number, row in enumerate(read_rows(self.path, self._without), 1):
            yield _call(number, row, self.columns)


def call_of(number: int, row: ConversationRow) -> Call:
    """A call from a row of our own `conversations.parquet`, as it would be read from the file."""
    return Call(
        row=number,
        conversation_id=row.conversation_id,
        goal=row.goal,
        said_turns=len(row.turns),
        base=base_of(row.knowledge_base.model_dump(mode="json")),
        intent=intent_of(row.user_intent.model_dump(mode="json")),
        turns=tuple(
            Turn(
                number=index,
                delivered=turn.assistant_transcript or None,
                meant=turn.assistant_original or None,
                caller=turn.user_transcript or None,
                kind=turn.interruption_type,
                task=turn.tf_rubric or None,
                recovery=turn.rq_rubrics,
            )
            for index, turn in enumerate(row.turns, 1)
        ),
    )


def _call(number: int, row: Mapping[str, object], columns: Columns) -> Call:
    goal, said, base, intent = (row.get(name) for name in ABOUT)
    turns = [_turn(index, row, names) for index, names in enumerate(columns.numbered, 1)]
    while turns and turns[-1].is_empty:
        turns.pop()
    return Call(
        row=number,
        conversation_id=_text(row["conversation_id"]),
        goal=text_of(goal),
        said_turns=_number(said),
        base=base_of(base),
        intent=intent_of(intent),
        turns=tuple(turns),
    )


def _turn(number: int, row: Mapping[str, object], names: Mapping[str, str]) -> Turn:
    cells = {field: row[name] for field, name in names.items()}
    return Turn(
        number=number,
        delivered=_text(cells.get("assistant_transcript")),
        meant=_text(cells.get("assistant_original")),
        caller=_text(cells.get("user_transcript")),
        kind=_text(cells.get("interruption_type")),
        task=_text(cells.get("tf_rubric")),
        recovery=tuple(_listed(cells.get("rq_rubrics"))),
    )


def _number(value: object) -> int | None:
    """A whole number; tools that know no missing ones write them as 12.0."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value) or int(value) != value:
        return None
    return int(value)


def _text(value: object) -> str | None:
    """A text; None where it is missing or blank."""
    return value if isinstance(value, str) and value.strip() else None


def _listed(value: object) -> Iterator[str]:
    """Texts of a list, which may be written as JSON; a text that is no such list is one by itself."""
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            value = [value]
    if isinstance(value, list):
        yield from (text for each in value if (text := _text(each)))
