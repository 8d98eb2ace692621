"""Hostile files: each gives a finding or one clear error, never a traceback, and never a clean verdict."""

import os
import random
import subprocess
import sys
from pathlib import Path

import pyarrow as pa  # type: ignore[import-untyped]
import pyarrow.parquet as pq  # type: ignore[import-untyped]
import pytest

from factory.audit.any_target import audit_target
from factory.audit.columns.audit import audit_foreign
from factory.audit.columns.read import CallFile
from factory.audit.columns.rules import ColumnRule
from factory.audit.page.result_page import result_page
from factory.audit.result import AuditResult
from factory.audit.target import find_target
from factory.audit.terminal import result_text
from factory.dataset.bounds import MOST_BATCH_BYTES, MOST_CELL_BYTES, MOST_CHUNK_BYTES
from factory.errors import RunError

from .files import Row, breaks, honest, schema_of, turn, write

SCRIPT = "<script>alert(1)</script><img src=x onerror=alert(1)>"
ESCAPES = "\x1b[2J\x1b]0;owned\x07\x9b31m\u202e\u2028\x00"
FACTORY = Path(sys.executable).with_name("factory")


def refused(path: Path) -> str:
    """The one line with which a file is refused."""
    with pytest.raises(RunError) as error:
        audit_target(find_target(path))
    assert "\n" not in str(error.value)
    return str(error.value)


def printed(result: AuditResult, path: Path) -> str:
    return result_text(result, find_target(path), strict=True)


@pytest.mark.parametrize("data", [b"", b"conversation_id,goal\na,b\n", b"PAR", b"PK\x03\x04"])
def test_a_file_that_is_no_parquet(data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "calls.parquet"
    path.write_bytes(data)
    assert "is not a Parquet file" in refused(path)


def test_a_call_without_a_turn_is_a_finding(tmp_path: Path) -> None:
    row = {name: value if name == "conversation_id" else None for name, value in honest().items()}
    result = audit_target(find_target(write(tmp_path / "calls.parquet", [row])))
    assert not result.clean
    assert "the call has no turn at all" in printed(result, tmp_path / "calls.parquet")


def test_a_file_that_only_begins_like_one(tmp_path: Path) -> None:
    path = tmp_path / "calls.parquet"
    path.write_bytes(b"PAR1" + b"\x00" * 100)
    assert "cannot be read as Parquet" in refused(path)


@pytest.mark.parametrize("left", [0.3, 0.9, 0.999])
def test_a_file_that_is_cut_short(left: float, tmp_path: Path) -> None:
    path = write(tmp_path / "calls.parquet", [honest()])
    path.write_bytes(path.read_bytes()[: int(path.stat().st_size * left)])
    assert "cannot be read as Parquet" in refused(path)


def test_damage_in_the_middle_is_one_clear_error(tmp_path: Path) -> None:
    path = write(tmp_path / "calls.parquet", [honest(str(n)) for n in range(40)])
    data = bytearray(path.read_bytes())
    data[200:3000] = random.Random(5).randbytes(2800)
    path.write_bytes(bytes(data))
    assert "cannot be read as Parquet" in refused(path)


def test_no_rows(tmp_path: Path) -> None:
    path = tmp_path / "calls.parquet"
    pq.write_table(schema_of([honest()]).empty_table(), path)
    assert "holds no conversation" in refused(path)


def test_what_is_not_there_or_no_file(tmp_path: Path) -> None:
    assert "there is no such file" in refused(tmp_path / "none.parquet")
    assert "is neither a run folder" in refused(tmp_path)
    os.mkfifo(tmp_path / "pipe.parquet")
    assert "is neither a folder nor a file" in refused(tmp_path / "pipe.parquet")
    (tmp_path / "loop.parquet").symlink_to(tmp_path / "loop.parquet")
    assert "there is no such file" in refused(tmp_path / "loop.parquet")
    (tmp_path / "dangling.parquet").symlink_to(tmp_path / "gone.parquet")
    assert "there is no such file" in refused(tmp_path / "dangling.parquet")


def test_a_link_to_a_file_is_that_file(tmp_path: Path) -> None:
    link = tmp_path / "link.parquet"
    link.symlink_to(write(tmp_path / "calls.parquet", [honest()]))
    assert audit_target(find_target(link)) == audit_foreign(tmp_path / "calls.parquet")


def test_a_folder_in_a_files_place(tmp_path: Path) -> None:
    (tmp_path / "conversations.parquet").mkdir()
    assert "is neither a run folder" in refused(tmp_path)


def peak_kib(path: Path) -> int:
    """Most memory that a process of its own takes to audit a file, or to refuse it."""
    code = (
        "import resource\nfrom pathlib import Path\nfrom factory.audit.columns.audit import audit_foreign\n"
        "from factory.errors import RunError\n"
        f"try: audit_foreign(Path({str(path)!r}))\nexcept RunError: pass\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"
    )
    return int(subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout)


@pytest.mark.parametrize("column", ["assistant_turn_1_transcript", "system_message", "knowledge_base"])
def test_a_huge_cell_is_refused_or_left_unread(column: str, tmp_path: Path) -> None:
    plain = write(tmp_path / "plain.parquet", [honest()])
    row = honest() | {column: "spam " * 20_000_000}
    path = write(tmp_path / "calls.parquet", [row], **{column: pa.string()})
    if column == "system_message":  # nothing in it is needed
        assert not breaks(audit_foreign(path))
    else:
        assert f"with {MOST_CHUNK_BYTES:,} are unpacked at once" in refused(path)
    assert peak_kib(path) - peak_kib(plain) < 20_000  # of the 100 MB hardly anything


def test_a_text_that_is_too_long_is_refused(tmp_path: Path) -> None:
    rows = [honest(str(n)) for n in range(20)]
    turn(3, caller="x" * (MOST_CELL_BYTES + 1))(rows[17])
    said = refused(write(tmp_path / "calls.parquet", rows))
    assert "`user_turn_3_transcript` has 4,194,305 bytes of text in row 17 or one of the 3 behind it" in said


def test_texts_that_unfold_to_more_than_memory_are_refused(tmp_path: Path) -> None:
    """Many references to one text: next to nothing on disk, and any number of gigabytes unfolded."""
    guidelines = ["x" * 500_000] * 80
    row = honest() | {"knowledge_base": {"stages": [], "guidelines": guidelines, "known_user_information": []}}
    path = write(tmp_path / "calls.parquet", [row])
    assert path.stat().st_size < 200_000
    assert f"at most {MOST_BATCH_BYTES:,} are read" in refused(path)


@pytest.mark.parametrize(
    ("values", "says"),
    [
        ([0] * 5_000_000, "`knowledge_base.list.element` has 5,000,000 values"),
        ([None] * 5_000_000, "`knowledge_base.list.element` has 5,000,000 values"),
        ([None] * 2_000_000, "`knowledge_base` has more than 1,048,576 values in row 1"),
    ],
)
def test_values_without_number_are_refused(values: list[object], says: str, tmp_path: Path) -> None:
    """Equal numbers, and nulls, take no place on disk."""
    row = honest() | {"knowledge_base": values}
    path = write(tmp_path / "calls.parquet", [row], knowledge_base=pa.list_(pa.int64()))
    assert path.stat().st_size < 200_000
    assert says in refused(path)


def test_raw_bytes_in_a_knowledge_base_are_not_read(tmp_path: Path) -> None:
    for kind, value in ((pa.binary(), b"x" * 80_000_000), (pa.struct([("a", pa.binary())]), {"a": b"x" * 80_000_000})):
        path = write(tmp_path / "calls.parquet", [honest() | {"knowledge_base": value}], knowledge_base=kind)
        assert "knowledge_base" not in CallFile(path).columns.names
        assert not breaks(audit_foreign(path))


@pytest.mark.parametrize("levels", [50, 90, 150])
def test_a_struct_of_many_levels(levels: int, tmp_path: Path) -> None:
    kind, value = pa.string(), "x"
    for _ in range(levels):
        kind, value = pa.struct([("stages", kind)]), {"stages": value}  # type: ignore[assignment]
    path = write(tmp_path / "calls.parquet", [honest() | {"knowledge_base": value}], knowledge_base=kind)
    if levels > 100:
        assert "too deeply nested" in refused(path)
    else:
        assert not breaks(audit_foreign(path))


def test_ten_thousand_columns_beside_those_that_matter(tmp_path: Path) -> None:
    row = honest() | {f"extra_{n}": "x" for n in range(10_000)}
    assert breaks(audit_foreign(write(tmp_path / "calls.parquet", [row]))) == set()


def test_columns_of_more_turns_than_a_call_has(tmp_path: Path) -> None:
    row = honest() | {f"assistant_turn_{n}_transcript": None for n in range(14, 10_000)}
    assert "has columns of turn 9,999; at most 500" in refused(write(tmp_path / "calls.parquet", [row]))


def test_a_column_of_turn_zero_or_of_a_number_without_end_is_none(tmp_path: Path) -> None:
    row = honest() | {"assistant_turn_0_transcript": "x", f"user_turn_{'9' * 400}_transcript": "x"}
    assert breaks(audit_foreign(write(tmp_path / "calls.parquet", [row]))) == set()


@pytest.mark.parametrize(
    "column", ["conversation_id", "goal", "user_turn_2_interruption_type", "user_turn_2_transcript"]
)
def test_neither_script_nor_terminal_commands_come_through(column: str, tmp_path: Path) -> None:
    """Each text stands in a finding, so that it would be shown."""
    row = honest()
    turn(2, delivered=f"Sure, {SCRIPT}{ESCAPES} {SCRIPT}", kind=f"normal{SCRIPT}{ESCAPES}")(row)
    turn(6, caller=f"So the chain has to be ordered first {SCRIPT}{ESCAPES}")(row)
    row[column] = f"{SCRIPT}{ESCAPES}{row[column]}"
    path = write(tmp_path / "calls.parquet", [row])
    result = audit_foreign(path)
    assert {ColumnRule.NOT_A_PREFIX, ColumnRule.UNKNOWN_TYPE} <= breaks(result)
    text = printed(result, path)
    assert SCRIPT[:10] in text
    assert text.isprintable() or all(c.isprintable() or c == "\n" for c in text)
    page = result_page(result, f"{SCRIPT}.parquet")
    assert "<script" not in page
    assert "<img" not in page
    assert "&lt;script" in page
    assert "default-src &#39;none&#39;" in page
    assert "\x1b" not in result.canonical()


def test_an_id_that_leads_out_of_a_folder_is_only_a_name(tmp_path: Path) -> None:
    (tmp_path / "in" / "side").mkdir(parents=True)
    path = write(tmp_path / "in" / "side" / "calls.parquet", [honest("../../x"), honest("../../x")])
    assert breaks(audit_foreign(path)) == {ColumnRule.ID_TWICE}
    assert sorted(p.name for p in tmp_path.rglob("*")) == ["calls.parquet", "in", "side"]


@pytest.mark.parametrize("word", ["the ", "4 ", "warranty. ", "a1", "@ ", "one two ", "\u202e"])
def test_a_long_text_takes_no_endless_time(word: str, tmp_path: Path) -> None:
    long = word * (300_000 // len(word))
    row = honest()
    for number in (4, 6):
        turn(number, delivered=long, meant=f"{long} and more of it. It goes on here.", caller=long)(row)
    turn(5, delivered=long)(row)
    path = write(tmp_path / "calls.parquet", [row])
    code = (
        f"from factory.audit.columns.audit import audit_foreign as a\nfrom pathlib import Path\na(Path({str(path)!r}))"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)


def test_text_that_is_no_utf8_is_one_clear_error(tmp_path: Path) -> None:
    path = write(tmp_path / "calls.parquet", [honest()])
    data = path.read_bytes()
    assert data.count(b"Sure, I can set") >= 1
    path.write_bytes(data.replace(b"Sure, I can set", b"Sur\xff, I can set"))
    assert "cannot be read as Parquet" in refused(path)


def test_memory_stays_flat(tmp_path: Path) -> None:
    """Ten times the calls take hardly more memory."""
    few, many = (write(tmp_path / f"{n}.parquet", [honest(str(i)) for i in range(n)]) for n in (40, 400))
    assert peak_kib(many) - peak_kib(few) < 30_000


def calls_of(rows: list[Row], folder: Path) -> Path:
    return write(folder / "calls.parquet", rows)


def test_the_command_gives_one_line_for_every_unusable_file(tmp_path: Path) -> None:
    path = calls_of([honest()], tmp_path)
    path.write_bytes(path.read_bytes()[:-20])
    done = subprocess.run([FACTORY, "audit", path, "--json"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1
    assert done.stderr.startswith("error: ")
