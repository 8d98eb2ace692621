"""Parquet, row by row: written in small row groups and replaced whole, read back in small batches."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pyarrow as pa  # type: ignore[import-untyped]
import pyarrow.parquet as pq  # type: ignore[import-untyped]

from factory.dataset.bounds import leaves_of, require_small_batch, require_small_chunks
from factory.dataset.schema import AUDIO
from factory.errors import RunError
from factory.run.files import replacing
from factory.run.reading import require_regular

Row = dict[str, object]
"""One row as pyarrow takes and gives it: values by column."""

GROUP_ROWS = 256
"""Most rows of a row group."""
GROUP_BYTES = 16_000_000
"""A row group is closed once the audio in it has so many bytes."""
BATCH_ROWS = 16
"""Rows that are held at a time when reading."""


class RowWriter:
    """Writes rows to a Parquet file, holding no more than one row group."""

    def __init__(self, writer: pq.ParquetWriter, schema: pa.Schema) -> None:
        """Takes an open writer and its schema."""
        self._writer = writer
        self._schema = schema
        self._rows: list[Row] = []
        self._bytes = 0

    def add(self, row: Row, size: int = 0) -> None:
        """Adds one row.

        Args:
            row: Its values; a column that is not named is null.
            size: Bytes of its audio, which decide when a row group is full.
        """
        self._rows.append(row)
        self._bytes += size
        if len(self._rows) >= GROUP_ROWS or self._bytes >= GROUP_BYTES:
            self.flush()

    def flush(self) -> None:
        """Closes the row group."""
        if self._rows:
            table = pa.Table.from_pylist(self._rows, schema=self._schema)
            self._rows, self._bytes = [], 0
            self._writer.write_table(table, row_group_size=GROUP_ROWS)


@contextmanager
def writing_rows(path: Path, schema: pa.Schema) -> Iterator[RowWriter]:
    """Writes a Parquet file beside its place and moves it there once all rows are in.

    Raises:
        RunError: if the file cannot be written; nothing is left then.
    """
    dictionary = [name for field in schema if field.type != AUDIO for name in _leaves(field)]
    with (
        replacing(path) as file,
        pq.ParquetWriter(
            file,
            schema,
            compression="zstd",
            use_dictionary=dictionary,
            write_statistics=["conversation_id"],
        ) as writer,
    ):
        rows = RowWriter(writer, schema)
        yield rows
        rows.flush()


def _leaves(field: pa.Field, prefix: str = "") -> list[str]:
    """Paths of a column's leaves as Parquet names them."""
    path = f"{prefix}{field.name}"
    if pa.types.is_struct(field.type):
        return [leaf for child in field.type for leaf in _leaves(child, f"{path}.")]
    if pa.types.is_list(field.type):
        return _leaves(field.type.value_field.with_name("element"), f"{path}.list.")
    return [path]


def read_schema(path: Path) -> pa.Schema:
    """The schema of a Parquet file; raises `RunError` if it cannot be read."""
    with _opened(path) as file:
        return file.schema_arrow


def row_count(path: Path) -> int:
    """How many rows a Parquet file has; raises `RunError` if it cannot be read."""
    with _opened(path) as file:
        return int(file.metadata.num_rows)


def read_rows(path: Path, without: Sequence[str] = ()) -> Iterator[Row]:
    """The rows of a Parquet file in order, a few held at a time.

    Args:
        path: The file.
        without: Columns to leave unread.

    Raises:
        RunError: if the file is missing or damaged, or a text in it is larger than any that belongs there.
    """
    with _opened(path) as file:
        metadata, columns = file.metadata, [name for name in file.schema_arrow.names if name not in without]
    leaves = leaves_of(metadata, columns)
    require_small_chunks(path, metadata, leaves)
    first_row = 1
    with _opened(path, metadata=metadata, read_dictionary=[leaf.path for leaf in leaves if leaf.is_text]) as file:
        for group in range(metadata.num_row_groups):
            for batch in file.iter_batches(BATCH_ROWS, row_groups=[group], columns=columns):
                require_small_batch(path, batch, first_row)
                first_row += batch.num_rows
                yield from batch.to_pylist()


@contextmanager
def _opened(path: Path, **options: object) -> Iterator[pq.ParquetFile]:
    try:
        require_regular(path)
        with pq.ParquetFile(path, **options) as file:
            yield file
    except FileNotFoundError:
        raise RunError(f"{path}: there is no such file; build the run to its end") from None
    except (OSError, UnicodeDecodeError, pa.ArrowException) as exc:
        reason = exc.strerror if isinstance(exc, OSError) and exc.strerror else str(exc).splitlines()[0]
        raise RunError(f"{path}: cannot be read as Parquet: {reason}; build the dataset again") from None
