"""`verify` on one small run, and on the same run with one thing changed."""

import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from factory.build.steps import write_checksums
from factory.build.verify import verify_run
from factory.errors import RunError
from factory.records.base import canonical_json, sha256
from factory.run.folder import RunFolder
from tests.build.builds import factory

Json = dict[str, Any]


class Run:
    """A run to damage, with names for its parts."""

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


def caller_text(run: Run) -> None:
    def edit(lines: list[Json]) -> None:
        caller = next(rounds(lines))["caller"]
        caller["text"] = caller["text"][:-1] + ("!" if caller["text"][-1] != "!" else ".")

    run.edit_lines(run.log, edit)


def cut_in_last_sentence(run: Run) -> None:
    def edit(lines: list[Json]) -> None:
        agent = cut_round(lines)["agent"]
        words = " ".join(segment["text"] for segment in agent["segments"]).split(" ")
        agent["cut"] = {"onset_word": len(words) - 3, "cut_word": len(words) - 2}

    run.edit_lines(run.log, edit)


def rubric_in_log(run: Run) -> None:
    def edit(lines: list[Json]) -> None:
        lines[-1]["items"][0]["task_fulfilment"]["text"] += " Really?"

    run.edit_lines(run.log, edit)


def extra_conversation(run: Run) -> None:
    shutil.copy(run.log, run.log.with_name("unplanned.jsonl"))


def root_of_heads(run: Run) -> None:
    """A consistent root over one more chain."""

    def edit(root: Json) -> None:
        root["heads"]["unplanned"] = "0" * 64
        root["root"] = sha256(canonical_json(root["heads"]))

    run.edit_json(run.folder.ledger_root_file, edit)


def quota(run: Run) -> None:
    def edit(identity: Json) -> None:
        kinds = identity["spec"]["interruptions"]["by_type"]
        kinds["pushback"] += 1
        kinds["impatient"] -= 1

    run.edit_json(run.folder.identity_file, edit)


def blueprint(run: Run) -> None:
    run.edit_lines(run.folder.blueprints_file, lambda lines: lines[1].update(seed=lines[1]["seed"] + 1))


def ledger_line(run: Run) -> None:
    run.edit_lines(run.ledger, lambda lines: lines[3].update(view="0" * 64))


def without_column(run: Run) -> None:
    path = run.folder.dataset / "conversations.parquet"
    pq.write_table(pq.read_table(path).drop_columns(["turn_1_tf_rubric"]), path)


def item_turn(row: Json) -> int:
    return next(n for n in range(1, row["num_turns"] + 1) if row[f"turn_{n}_tf_rubric"] is not None)


def rubric_row(rows: list[Json]) -> None:
    rows[0][f"turn_{item_turn(rows[0])}_tf_rubric"] += " Really?"


def recovery_row(rows: list[Json]) -> None:
    rows[0][f"turn_{item_turn(rows[0])}_rq_rubrics"].pop()


def original_row(rows: list[Json]) -> None:
    rows[0][f"assistant_turn_{item_turn(rows[0])}_original"] += " And more."


def half_word(rows: list[Json]) -> None:
    """Moves the end of a delivered text into a word; text and rest still add up."""
    row = next(row for row in rows if row["undelivered"])
    row["text"], row["undelivered"] = row["text"][:-1], row["text"][-1] + row["undelivered"]


def rest(rows: list[Json]) -> None:
    row = next(row for row in rows if row["undelivered"])
    row["undelivered"] += " more"


MUTATIONS: dict[str, tuple[Callable[[Run], object], tuple[str, ...]]] = {
    "caller text": (caller_text, ("the transcript before it is not", "turn 1: `user_transcript` is not what")),
    "cut in the last sentence": (cut_in_last_sentence, ("the cut falls in the last sentence", "`cut_word` is not")),
    "rubric in the log": (rubric_in_log, ("rubric or controls are not the frozen ones", "`tf_rubric` is not")),
    "item removed": (
        lambda run: run.edit_lines(run.log, lambda lines: lines[-1]["items"].pop()),
        ("is frozen, but no conversation has it", "its items are", "baseline.parquet"),
    ),
    "log cut short": (
        lambda run: run.edit_lines(run.log, lambda lines: lines.pop()),
        ("the conversation is not finished",),
    ),
    "log damaged": (lambda run: run.log.write_bytes(b"\xff{\n"), (".jsonl:1: this line of the log is damaged",)),
    "round number": (
        lambda run: run.edit_lines(run.log, lambda lines: cut_round(lines).update(index=99)),
        ("this line of the log is damaged",),
    ),
    "utterance emptied": (
        lambda run: run.edit_lines(run.log, lambda lines: cut_round(lines)["agent"]["segments"][0].update(text="")),
        ("conversations/",),
    ),
    "manifest item": (
        lambda run: run.edit_json(
            run.folder.manifest_file, lambda data: next(iter(data["items"].values())).update(item="0" * 64)
        ),
        ("are not the frozen ones", "manifest.json: the root is not the digest of the items"),
    ),
    "manifest root": (
        lambda run: run.edit_json(run.folder.manifest_file, lambda data: data.update(root="0" * 64)),
        ("manifest.json: the root is not the digest of the items",),
    ),
    "manifest damaged": (lambda run: run.folder.manifest_file.write_text("{}"), ("manifest.json: damaged at `items`",)),
    "ledger line edited": (ledger_line, ("line 5 of the ledger does not hold the digest of line 4",)),
    "ledger line dropped": (
        lambda run: run.edit_lines(run.ledger, lambda lines: lines.pop(3)),
        ("line 4 of the ledger has number 4, not 3",),
    ),
    "last ledger line dropped": (
        lambda run: run.ledger.write_text("".join(run.ledger.read_text().splitlines(keepends=True)[:-1])),
        ("its head is not the one that log and root hold",),
    ),
    "ledger gone": (lambda run: run.ledger.unlink(), ("there is no ledger of this conversation",)),
    "ledger root": (
        lambda run: run.edit_json(run.folder.ledger_root_file, lambda data: data.update(root="0" * 64)),
        ("ledger/root.json: the root is not the digest of the heads",),
    ),
    "ledger heads": (root_of_heads, ("ledger/root.json: unplanned is no conversation of this run",)),
    "baseline response": (
        lambda run: run.edit_rows("baseline.parquet", lambda rows: rows[0].update(response="Whatever.")),
        ("baseline.parquet", "`response` is not what the log has"),
    ),
    "baseline row dropped": (
        lambda run: run.edit_rows("baseline.parquet", lambda rows: rows.pop(0)),
        ("dataset/baseline.parquet", "has rows for turns"),
    ),
    "published rubric": (
        lambda run: run.edit_rows("conversations.parquet", rubric_row),
        ("conversations.parquet", "`tf_rubric` is not what the log has"),
    ),
    "published criteria": (
        lambda run: run.edit_rows("conversations.parquet", recovery_row),
        ("conversations.parquet", "`rq_rubrics` is not what the log has"),
    ),
    "published transcript": (
        lambda run: run.edit_rows("conversations.parquet", lambda rows: rows[0].update(user_turn_1_transcript="Hm.")),
        ("turn 1: `user_transcript` is not what the log has",),
    ),
    "published original": (
        lambda run: run.edit_rows("conversations.parquet", original_row),
        ("`assistant_original` is not what the log has",),
    ),
    "published type": (
        lambda run: run.edit_rows(
            "conversations.parquet",
            lambda rows: rows[0].update({f"user_turn_{item_turn(rows[0])}_interruption_type": None}),
        ),
        ("`interruption_type` is not what the log has",),
    ),
    "number of turns": (
        lambda run: run.edit_rows("conversations.parquet", lambda rows: rows[0].update(num_turns=3)),
        ("num_turns is 3",),
    ),
    "conversation row dropped": (
        lambda run: run.edit_rows("conversations.parquet", lambda rows: rows.pop(0)),
        ("dataset/conversations.parquet", "has no rows, or not in their place"),
    ),
    "conversation row twice": (
        lambda run: run.edit_rows("conversations.parquet", lambda rows: rows.append(rows[0])),
        ("dataset/conversations.parquet", "rows that do not belong here"),
    ),
    "column dropped": (without_column, ("conversations.parquet: its columns are not those of this file",)),
    "message": (
        lambda run: run.edit_rows("turns.parquet", lambda rows: rows[1].update(text="Hm.")),
        ("turns.parquet", "message 1: `text` is not what the log has"),
    ),
    "message dropped": (lambda run: run.edit_rows("turns.parquet", lambda rows: rows.pop()), ("messages, the log",)),
    "half a word": (
        lambda run: run.edit_rows("turns.parquet", half_word),
        ("the delivered text does not end on a whole word",),
    ),
    "undelivered rest": (
        lambda run: run.edit_rows("turns.parquet", rest),
        ("delivered and undelivered text are not the utterance as meant",),
    ),
    "turns damaged": (
        lambda run: (run.folder.dataset / "turns.parquet").write_bytes(b"PAR1 nothing PAR1"),
        ("turns.parquet: cannot be read as Parquet",),
    ),
    "list of interruptions": (
        lambda run: run.edit_json(run.folder.dataset / "interruptions_all.json", lambda data: data.__delitem__(0)),
        ("interruptions_all.json", "its entries are not the interruptions in the log"),
    ),
    "list damaged": (
        lambda run: (run.folder.dataset / "interruptions_all.json").write_text("[{}]"),
        ("interruptions_all.json: not a list of interruptions",),
    ),
    "dataset file gone": (
        lambda run: (run.folder.dataset / "baseline.parquet").unlink(),
        ("dataset/baseline.parquet: is missing",),
    ),
    "extra conversation": (extra_conversation, ("conversations/unplanned.jsonl: is no file of this run",)),
    "machine gone": (
        lambda run: next((run.path / "machines").iterdir()).unlink(),
        ("machines/", ": is missing"),
    ),
    "report gone": (
        lambda run: (run.folder.reports / "flow-report.html").unlink(),
        ("reports/flow-report.html: is missing",),
    ),
    "page of a call gone": (
        lambda run: (run.folder.reports / "calls" / f"{run.ids[0]}.html").unlink(),
        ("reports/calls/", ".html: is missing"),
    ),
    "quota": (quota, ("quota: pushback: 5 ordered, 4 planned", "quota: impatient: 2 ordered, 3 planned")),
    "hard stops": (
        lambda run: run.edit_json(
            run.folder.identity_file, lambda data: data["spec"].update(variations={"retries": 0, "hard_stops": 1})
        ),
        ("quota: 1 hard stops and 0 retries ordered, 0 and 0 planned",),
    ),
    "blueprint": (blueprint, ("the log belongs to another blueprint",)),
    "blueprint dropped": (
        lambda run: run.edit_lines(run.folder.blueprints_file, lambda lines: lines.pop()),
        ("quota: 3 conversations ordered, 2 planned", "is no file of this run"),
    ),
    "blueprint without rounds": (
        lambda run: run.edit_lines(run.folder.blueprints_file, lambda lines: lines[1].update(rounds=[])),
        ("blueprints.jsonl: damaged",),
    ),
    "blueprint damaged": (
        lambda run: run.folder.blueprints_file.write_text("{}\n"),
        ("blueprints.jsonl:1: not a blueprint",),
    ),
    "run.json damaged": (lambda run: run.folder.identity_file.write_text("{}"), ("run.json: damaged at",)),
    "audio promised": (
        lambda run: run.edit_json(run.folder.identity_file, lambda data: data.update(audio=True)),
        ("audio/", "user_turn_01.wav: is missing"),
    ),
}
"""By what is done to a run: the change, and what its faults have to say."""


@pytest.fixture
def run(silent: Path, tmp_path: Path) -> Run:
    return Run(Path(shutil.copytree(silent, tmp_path / "run")))


def test_a_clean_run_holds(silent: Path) -> None:
    ended = factory("verify", silent)
    assert (ended.code, ended.out.strip()) == (0, f"{silent}: everything holds"), ended.err


def test_a_clean_run_with_audio_holds_and_a_changed_clip_is_named(voiced: Path, tmp_path: Path) -> None:
    run = Run(Path(shutil.copytree(voiced, tmp_path / "run")))
    assert verify_run(run.path) == []
    first, second = run.ids[:2]
    data = bytearray(run.folder.audio_file(first, 1).read_bytes())
    data[-1] ^= 1
    run.folder.audio_file(first, 1).write_bytes(data)
    run.folder.audio_file(second, 1).unlink()
    assert verify_run(run.path) == [
        f"dataset/conversations.parquet: {first}: turn 1: the audio is not the clip in audio/",
        f"audio/{second}/user_turn_01.wav: is missing",
    ]


@pytest.mark.parametrize("name", MUTATIONS)
def test_a_change_is_named_even_if_checksums_were_taken_again(run: Run, name: str) -> None:
    mutate, said = MUTATIONS[name]
    mutate(run)
    write_checksums(run.folder)
    faults = "\n".join(verify_run(run.path))
    for words in said:
        assert words in faults


@pytest.mark.parametrize("name", sorted(set(MUTATIONS) - {"report gone", "page of a call gone"}))
def test_a_change_is_named_by_its_file(run: Run, name: str) -> None:
    before = {path: path.read_bytes() for path in run.path.rglob("*") if path.is_file()}
    MUTATIONS[name][0](run)
    after = {path: path.read_bytes() for path in run.path.rglob("*") if path.is_file()}
    changed = [path for path in before.keys() | after.keys() if before.get(path) != after.get(path)]
    faults = verify_run(run.path)
    for path in changed:
        file = path.relative_to(run.path).as_posix()
        assert any(fault.startswith(f"{file}: ") for fault in faults), faults


@pytest.mark.parametrize("content", ["{}", "[]", "", "{", "[" * 100_000, None])
def test_checksums_without_content_are_a_fault(run: Run, content: str | None) -> None:
    if content is None:
        run.folder.checksums_file.unlink()
    else:
        run.folder.checksums_file.write_text(content)
    (fault,) = verify_run(run.path)
    assert fault.startswith("checksums.json: ")


def test_checksums_of_other_files_are_faults(run: Run) -> None:
    def edit(digests: Json) -> None:
        digests["../elsewhere"] = digests.pop("dataset/README.md")
        digests["manifest.json"] = 7

    run.edit_json(run.folder.checksums_file, edit)
    assert verify_run(run.path) == [
        "checksums.json: does not name dataset/README.md",
        "checksums.json: names ../elsewhere, which is no file of this run",
        "manifest.json: was changed after the build",
    ]


def test_faults_are_one_plain_line_each_and_exit_1(run: Run) -> None:
    def edit(lines: list[Json]) -> None:
        lines[-1]["items"][0]["controls"][0]["text"] = "\x1b[31mred\nline"

    run.edit_lines(run.log, edit)
    ended = factory("verify", run.path)
    assert ended.code == 1 and "\x1b" not in ended.out
    *faults, last = ended.out.splitlines()
    assert last.startswith(f"{run.path}: ") and str(len(faults)) in last.removeprefix(f"{run.path}: ")


def test_a_part_of_the_plan_holds(spec: Path, tmp_path: Path) -> None:
    out = tmp_path / "run"
    options = ("--engine", "inline", "--no-audio", "--limit", "2", "--canaries")
    assert factory("build", spec, "--out", out, *options).code == 0
    assert verify_run(out) == []


def test_no_run_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(RunError, match="there is no such file"):
        verify_run(tmp_path)
