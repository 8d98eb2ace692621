"""Damage to what was played: logs, freeze, ledger."""

from factory.records.base import canonical_json, sha256
from tests.build.verify.runs import Damage, Json, Run, cut_round, rounds


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


def root_of_heads(run: Run) -> None:
    """A consistent root over one more chain."""

    def edit(root: Json) -> None:
        root["heads"]["unplanned"] = "0" * 64
        root["root"] = sha256(canonical_json(root["heads"]))

    run.edit_json(run.folder.ledger_root_file, edit)


def ledger_line(run: Run) -> None:
    run.edit_lines(run.ledger, lambda lines: lines[3].update(view="0" * 64))


LOGS: dict[str, Damage] = {
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
}
