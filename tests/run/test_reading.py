"""A file that somebody else may have made is opened only if it is a regular one, and read up to a limit."""

import os
import threading
from pathlib import Path

import pytest

from factory.errors import RunError
from factory.run.folder import RunFolder
from factory.run.reading import MOST_LIST_BYTES, MOST_RECORD_BYTES, read_bytes, refuse_links_out, require_given


def test_a_file_is_read_up_to_its_limit(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"12345")
    assert read_bytes(path, 5) == b"12345"
    with pytest.raises(OSError, match="more than 4 bytes"):
        read_bytes(path, 4)


@pytest.mark.parametrize("kind", ["pipe", "device", "folder", "link to a device"])
def test_what_is_no_regular_file_is_not_read(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "file"
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "folder":
        path.mkdir()
    elif kind == "link to a device":
        path.symlink_to("/dev/zero")
    with pytest.raises(OSError, match="no regular file"):
        read_bytes(Path("/dev/zero") if kind == "device" else path, 100)


@pytest.mark.parametrize(
    ("name", "most"),
    [("run.json", MOST_RECORD_BYTES), ("manifest.json", MOST_LIST_BYTES), ("ledger/root.json", MOST_LIST_BYTES)],
)
def test_records_of_a_run_have_a_limit(tmp_path: Path, name: str, most: int) -> None:
    folder, path = RunFolder(tmp_path), tmp_path / name
    path.parent.mkdir(exist_ok=True)
    path.touch()
    os.truncate(path, most + 1)
    readers = {"run.json": folder.identity, "manifest.json": folder.manifest, "ledger/root.json": folder.ledger_root}
    with pytest.raises(RunError, match=f"cannot be read: it has more than {most:,} bytes"):
        readers[name]()


def test_a_link_within_the_folder_is_followed_and_one_out_of_it_refused(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    (folder / "ledger").mkdir(parents=True)
    (tmp_path / "elsewhere").write_text("")
    (folder / "ledger" / "a.jsonl").write_text("")
    (folder / "ledger" / "b.jsonl").symlink_to("a.jsonl")
    refuse_links_out(folder, ("ledger", "run.json"))
    (folder / "ledger" / "c.jsonl").symlink_to("../../elsewhere")
    with pytest.raises(RunError, match=r"c\.jsonl: is a link that leads out of the folder"):
        refuse_links_out(folder, ("ledger", "run.json"))


@pytest.mark.parametrize("target", ["elsewhere", "run.json"])
def test_a_link_to_nothing_or_to_itself_is_refused(tmp_path: Path, target: str) -> None:
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "run.json").symlink_to(f"../{target}" if target == "elsewhere" else target)
    if target == "elsewhere":
        with pytest.raises(RunError, match="leads out of the folder"):
            refuse_links_out(tmp_path / "run", ("run.json",))
    else:
        with pytest.raises(RunError):
            RunFolder(tmp_path / "run").identity()


def test_what_a_user_names_may_be_a_pipe_and_is_not_emptied_by_looking(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    require_given(path)
    writer = threading.Thread(target=path.write_bytes, args=(b"all of it",))
    writer.start()
    assert path.read_bytes() == b"all of it"
    writer.join()
    for wrong in (tmp_path, tmp_path / "nowhere", Path("/dev/null")):
        with pytest.raises(RunError, match="cannot be read"):
            require_given(wrong)
