"""How much of a Parquet file is unfolded at a time, so that no cell of a hostile one fills the memory.

Texts are read as dictionaries, each once however often it stands in the rows: a few thousand bytes on disk can stand
for terabytes. What they come to is added up before a single one becomes a text of Python's. The sizes of columns are
the file's own word: one that lies about them costs what its largest page takes, and is refused then.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa  # type: ignore[import-untyped]
import pyarrow.compute as pc  # type: ignore[import-untyped]
import pyarrow.parquet as pq  # type: ignore[import-untyped]

from factory.errors import RunError

MOST_CELL_BYTES = 4 * 2**20
"""Longest single text; a knowledge base of a whole book has less."""
MOST_BATCH_BYTES = 32 * 2**20
"""Most text in the rows that are held at a time."""
MOST_CHUNK_BYTES = 64 * 2**20
"""Most text in one column of a row group, unpacked: a single cell may be all of it."""
MOST_CHUNK_VALUES = 4 * 2**20
"""Most values in one column of a row group, entries of lists each; any number of nulls takes no place on disk."""
MOST_BATCH_VALUES = 2**20
"""Most values in the rows that are held at a time."""


@dataclass(frozen=True, slots=True)
class Leaf:
    """A column of Parquet's own: one that holds values, inside of whatever struct or list.

    Attributes:
        index: Its place in the file.
        path: Its name, with those of what it lies in.
        is_text: Whether its values are texts.
    """

    index: int
    path: str
    is_text: bool


def leaves_of(metadata: pq.FileMetaData, columns: Sequence[str]) -> tuple[Leaf, ...]:
    """The leaves of some columns."""
    wanted = frozenset(columns)
    leaves = ((index, metadata.schema.column(index)) for index in range(metadata.num_columns))
    return tuple(
        Leaf(index, leaf.path, leaf.logical_type.type == "STRING")
        for index, leaf in leaves
        if leaf.path.split(".")[0] in wanted
    )


def require_small_chunks(path: Path, metadata: pq.FileMetaData, leaves: Sequence[Leaf]) -> None:
    """Sees to it that no leaf of a row group is larger than can be unpacked at once.

    Raises:
        RunError: names the leaf and its row group.
    """
    for group in range(metadata.num_row_groups):
        row_group = metadata.row_group(group)
        for leaf in leaves:
            chunk = row_group.column(leaf.index)
            size, values = chunk.total_uncompressed_size if leaf.is_text else 0, chunk.num_values
            if size > MOST_CHUNK_BYTES or values > MOST_CHUNK_VALUES:
                raise RunError(
                    f"{path}: `{leaf.path}` has {values:,} values with {size:,} bytes of text in row group {group}, "
                    f"and at most {MOST_CHUNK_VALUES:,} with {MOST_CHUNK_BYTES:,} are unpacked at once; if they are as "
                    "they should be, write the file with fewer rows to a row group"
                )


def require_small_batch(path: Path, batch: pa.RecordBatch, first_row: int) -> None:
    """Sees to it that some rows can become Python values.

    Args:
        path: The file.
        batch: The rows, with texts as dictionaries.
        first_row: The number of the first of them, from 1.

    Raises:
        RunError: names the column and the rows.
    """
    total = values = 0
    for name, column in zip(batch.schema.names, batch.columns, strict=True):
        for count, longest, together in _leaves(column):
            total, values = total + together, values + count
            if values > MOST_BATCH_VALUES:
                raise RunError(
                    f"{path}: `{name}` has more than {MOST_BATCH_VALUES:,} values in row {first_row} and the "
                    f"{batch.num_rows - 1} behind it"
                )
            if longest > MOST_CELL_BYTES or total > MOST_BATCH_BYTES:
                size, most = (longest, MOST_CELL_BYTES) if longest > MOST_CELL_BYTES else (total, MOST_BATCH_BYTES)
                raise RunError(
                    f"{path}: `{name}` has {size:,} bytes of text in row {first_row} or one of the "
                    f"{batch.num_rows - 1} behind it; at most {most:,} are read"
                )


def _leaves(array: pa.Array) -> Iterator[tuple[int, int, int]]:
    """Of each leaf of an array its number of values, the bytes of its longest text, and those of all its texts."""
    waiting = [array]
    while waiting:
        each = waiting.pop()
        if pa.types.is_dictionary(each.type):
            lengths = pc.cast(pc.binary_length(each.dictionary), pa.int64()).take(each.indices)
            yield len(each), pc.max(lengths).as_py() or 0, pc.sum(lengths).as_py() or 0
        elif pa.types.is_struct(each.type):
            waiting += each.flatten()
        elif isinstance(each, pa.ListArray | pa.LargeListArray | pa.FixedSizeListArray):
            waiting.append(each.flatten())
        elif pa.types.is_map(each.type):
            waiting += [each.keys, each.items]
        else:
            yield len(each), 0, 0
