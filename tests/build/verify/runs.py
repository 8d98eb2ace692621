"""A run to damage, and what is done to it."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from factory.run.folder import RunFolder

Json = dict[str, Any]


class Run:
    """A run, with names for its parts."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.folder = RunFolder(path)

    @property
    def ids(self) -> list[str]:
        return [blueprint.conversation_id for blueprint in self.folder.built()]

    @property
    def log(self) -> Path:
        return self.folder.conversation_file(self.ids[1])

    @property
    def ledger(self) -> Path:
        return self.folder.ledger_file(self.ids[1])

    def edit_json(self, path: Path, edit: Callable[[Json], object]) -> None:
        data = json.loads(path.read_text())
        edit(data)
        path.write_text(json.dumps(data, ensure_ascii=False, indent=1) + "\n")

    def edit_lines(self, path: Path, edit: Callable[[list[Json]], object]) -> None:
        lines = [json.loads(line) for line in path.read_text().splitlines()]
        edit(lines)
        path.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines))

    def edit_rows(self, name: str, edit: Callable[[list[Json]], object]) -> None:
        """Rewrites a Parquet file with its own schema."""
        table = pq.read_table(self.folder.dataset / name)
        rows = table.to_pylist()
        edit(rows)
        pq.write_table(pa.Table.from_pylist(rows, schema=table.schema), self.folder.dataset / name)


def rounds(lines: list[Json]) -> Iterator[Json]:
    return (line["round"] for line in lines if line["kind"] == "round")


def cut_round(lines: list[Json]) -> Json:
    return next(r for r in rounds(lines) if r["agent"].get("cut"))


Damage = tuple[Callable[[Run], object], tuple[str, ...]]
"""A change of a run, and what its faults have to say."""
