"""The tables of `docs/files.md`: their rows come from the schemas and records, their meanings from the page.

A comment above a table says what it is about:

- `<!-- fields: module:Record -->`: the fields of a record, as they stand in JSON
- `<!-- columns: module:function -->`: the columns of a Parquet file
- `<!-- values: module:Enum -->`: a closed set
"""

import re
import types
import typing
from collections.abc import Iterator
from datetime import date, datetime
from enum import Enum
from importlib import import_module

import pyarrow as pa  # type: ignore[import-untyped]
from pydantic import AnyHttpUrl, BaseModel

_TABLE = re.compile(
    r"^<!-- (?P<kind>fields|columns|values): (?P<what>[\w.]+:\w+) -->\n(?P<table>(?:\|[^\n]*\n)*)", re.MULTILINE
)
_NAMES = {"factory.run.log:Kind": "LineKind", "factory.audit.findings:Kind": "FindingKind"}
"""What classes are called in the page whose own name says too little there."""
_SIMPLE = {
    str: "string",
    int: "integer",
    float: "number",
    bool: "true or false",
    type(None): "null",
    AnyHttpUrl: "string",
    date: "string",
    datetime: "string",
}

Rows = dict[str, str]
"""Type by name; a closed set has no types."""


def tables(text: str) -> Iterator[tuple[str, str, str]]:
    """Kind, subject and rows of every marked table of a page."""
    for match in _TABLE.finditer(text):
        yield match["kind"], match["what"], match["table"]


def refreshed(text: str) -> str:
    """A page whose tables have the rows that they should; a row that is new has no meaning yet."""
    return _TABLE.sub(_table, text)


def without_meaning(text: str) -> list[str]:
    """Subject and name of every row that says nothing."""
    return [
        f"{what}: {name}"
        for _, what, table in tables(text)
        for name, meaning in _meanings(table).items()
        if not meaning
    ]


def _table(match: re.Match[str]) -> str:
    rows, known = rows_of(match["kind"], match["what"]), _meanings(match["table"])
    if match["kind"] == "values":
        lines = ["| value | meaning |", "| --- | --- |"]
        lines += [f"| `{name}` | {known.get(name, '')} |" for name in rows]
    else:
        head = "column" if match["kind"] == "columns" else "field"
        lines = [f"| {head} | type | meaning |", "| --- | --- | --- |"]
        lines += [f"| `{name}` | {kind} | {known.get(name, '')} |" for name, kind in rows.items()]
    return f"<!-- {match['kind']}: {match['what']} -->\n" + "".join(f"{line}\n" for line in lines)


def _meanings(table: str) -> dict[str, str]:
    """Last cell of each row by the name in the first."""
    cells = [line.strip().strip("|").split(" | ") for line in table.splitlines()[2:]]
    return {row[0].strip().strip("`"): row[-1].strip() if len(row) > 1 else "" for row in cells}


def rows_of(kind: str, what: str) -> Rows:
    """The rows that a table has to have."""
    subject = named(what)
    if kind == "columns":
        return columns(subject(1) if "conversations" in what else subject())
    if kind == "values":
        return {member.value: "" for member in subject}
    return fields(subject)


def named(what: str) -> typing.Any:
    """What a `module:name` stands for."""
    module, _, name = what.partition(":")
    return getattr(import_module(module), name)


def fields(record: type[BaseModel]) -> Rows:
    """Type of each field of a record, by its name in JSON."""
    return {
        (field.serialization_alias or field.alias or name): json_type(field.annotation)
        for name, field in record.model_fields.items()
    }


def json_type(annotation: object) -> str:
    """A type as it stands in JSON, in words."""
    origin, arguments = typing.get_origin(annotation), typing.get_args(annotation)
    if origin is typing.Annotated:
        return json_type(arguments[0])
    if origin is typing.Literal:
        return " or ".join(f"`{value}`" for value in arguments)
    if origin in (typing.Union, types.UnionType):
        return " or ".join(dict.fromkeys(map(json_type, arguments)))
    if origin is tuple:
        return f"list of {json_type(arguments[0])}"
    if origin is dict:
        return f"object of {json_type(arguments[1])}, by {json_type(arguments[0])}"
    if annotation in _SIMPLE:
        return _SIMPLE[annotation]
    assert isinstance(annotation, type), f"no words for the type {annotation}"
    name = name_of(annotation)
    return f"[{name}](#{name.lower()})"


def name_of(subject: type) -> str:
    """What a record or closed set is called in the page: its heading there."""
    return _NAMES.get(f"{subject.__module__}:{subject.__name__}", subject.__name__)


def columns(schema: pa.Schema) -> Rows:
    """Type of each column and of what is nested in it; the number of a turn is written as N."""
    rows: Rows = {}
    for field in schema:
        _add_column(rows, re.sub(r"(?<=turn_)1(?=_)", "N", field.name), field.type)
    return rows


def _add_column(rows: Rows, name: str, kind: pa.DataType) -> None:
    rows[name] = _column_type(kind)
    while pa.types.is_list(kind):
        name, kind = f"{name}[]", kind.value_type
    if pa.types.is_struct(kind):
        for field in kind:
            _add_column(rows, f"{name}.{field.name}", field.type)


def _column_type(kind: pa.DataType) -> str:
    if pa.types.is_list(kind):
        return f"list of {_column_type(kind.value_type)}"
    return "struct" if pa.types.is_struct(kind) else {"double": "float64"}.get(str(kind), str(kind))


def reachable(root: object) -> Iterator[type]:
    """The records and closed sets that a type's JSON is made of, the type first."""
    seen: set[type] = set()
    waiting: list[object] = [root]
    while waiting:
        annotation = waiting.pop()
        waiting += typing.get_args(annotation)
        if isinstance(annotation, type) and annotation not in seen and issubclass(annotation, BaseModel | Enum):
            seen.add(annotation)
            yield annotation
            if issubclass(annotation, BaseModel):
                waiting += [field.annotation for field in annotation.model_fields.values()]
