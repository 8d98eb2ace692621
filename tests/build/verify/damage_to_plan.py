"""Damage to what was ordered and planned, and files that are gone or too many."""

import shutil

from tests.build.verify.runs import Damage, Json, Run


def extra_conversation(run: Run) -> None:
    shutil.copy(run.log, run.log.with_name("unplanned.jsonl"))


def quota(run: Run) -> None:
    def edit(identity: Json) -> None:
        kinds = identity["spec"]["interruptions"]["by_type"]
        kinds["pushback"] += 1
        kinds["impatient"] -= 1

    run.edit_json(run.folder.identity_file, edit)


def blueprint(run: Run) -> None:
    run.edit_lines(run.folder.blueprints_file, lambda lines: lines[1].update(seed=lines[1]["seed"] + 1))


PLAN: dict[str, Damage] = {
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
    "run.json damaged": (
        lambda run: run.folder.identity_file.write_text("{}"),
        ("run.json: damaged at", "; restore it, or build with --fresh"),
    ),
    "audio promised": (
        lambda run: run.edit_json(run.folder.identity_file, lambda data: data.update(audio=True)),
        ("calls/", ".json: there is no such file"),
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
}
