"""A changed blueprint is found though log and checksums were made to fit it: by order, seed, workflow and ledger."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from factory.build.checksums import write_checksums
from factory.build.verify import verify_run
from factory.records.blueprint import Blueprint
from factory.workflow.library import standard_library
from tests.build.builds import factory
from tests.build.verify.runs import Json, Run

CHANGED = 1
"""Which of the three blueprints is changed."""


def forge(run: Run, change: Callable[[Json], object]) -> str:
    """Changes a blueprint, makes the log's header and the checksums fit it, and returns what `verify` finds."""

    def edit(lines: list[Json]) -> None:
        change(lines[CHANGED])

    conversation_id = run.ids[CHANGED]
    run.edit_lines(run.folder.blueprints_file, edit)
    forged = Blueprint.from_json(run.folder.blueprints_file.read_text().splitlines()[CHANGED])
    log = run.folder.conversation_file(conversation_id)
    if log.exists():
        run.edit_lines(log, lambda lines: lines[0].update(blueprint=forged.digest()))
    write_checksums(run.folder)
    return "\n".join(verify_run(run.path))


def first_given_fact(run: Run) -> str:
    """A slot that the caller fills in the changed call."""
    found: list[str] = []
    run.edit_lines(run.log, lambda lines: found.extend(s for r in lines[1:-1] for s in r["round"]["caller"]["gives"]))
    return found[0]


def other_goal(blueprint: Json) -> None:
    """Another workflow that the run orders, of the same domain."""
    goal = blueprint["workflow"]
    domain = goal.split("/")[0]
    blueprint["workflow"] = next(other for other in standard_library().select((f"{domain}/*",)) if other != goal)


def other_act(blueprint: Json) -> None:
    """The next round begins with the act of another."""
    acts = blueprint["rounds"][3]["acts"]
    acts[0] = blueprint["rounds"][0]["acts"][-1]


def other_question(blueprint: Json) -> None:
    replies = [plan["reply"] for plan in blueprint["rounds"] if (plan["reply"] or {}).get("question")]
    replies[0]["question"] = replies[1]["question"]


def other_move(blueprint: Json) -> None:
    cuts = [plan["interruption"] for plan in blueprint["rounds"] if (plan["interruption"] or {}).get("move")]
    cuts[0]["move"] += "_too"


FORGERIES: dict[str, tuple[Callable[[Json], object], str]] = {
    "seed": (lambda b: b.update(seed=b["seed"] + 1), "the seed is not the one that follows from the run's"),
    "rotation": (lambda b: b.update(rotation=b["rotation"] + 1), "the rotation is not the one that follows from"),
    "other goal of the order": (other_goal, "is not the one that belongs here"),
    "goal that was not ordered": (
        lambda b: b.update(workflow=b["workflow"] + "_too"),
        "_too is none of those that run.json names",
    ),
    "first stage left out": (lambda b: b["stages"].pop(0), "does not begin in the stage at which calls come in"),
    "stage left out": (lambda b: b["stages"].pop(1), "no way leads from"),
    "stage with acts left out": (lambda b: b["stages"].pop(1), "but the call never comes to that stage"),
    "last stage left out": (lambda b: b["stages"].pop(), "to `success`"),
    "hard stop instead of success": (lambda b: b.update(outcome="unverified"), "other closing words are planned"),
    "hard stop that does not exist": (lambda b: b.update(outcome="tired"), "to `hard_stop.tired`"),
    "act": (other_act, "round 3 is not the one that the planner read"),
    "form of an act": (
        lambda b: b["rounds"][0]["acts"][0].update(form="brief"),
        "round 0 is not the one that the planner read",
    ),
    "question that is answered": (other_question, "is not the one that the planner read"),
    "move": (other_move, "is not the one that the planner read"),
}
"""By what is changed: the change, and what is said of it."""


@pytest.mark.parametrize("name", FORGERIES)
def test_a_changed_blueprint_is_found_though_log_and_checksums_fit_it(run: Run, name: str) -> None:
    change, said = FORGERIES[name]
    assert said in forge(run, change)


def test_a_log_that_fits_an_unchanged_blueprint_holds(run: Run) -> None:
    """So that what is found above is the change, and nothing that forging itself does."""
    assert forge(run, lambda blueprint: None) == ""


def test_a_changed_fact_is_found_by_what_the_caller_said(run: Run) -> None:
    slot = first_given_fact(run)
    assert f"the caller's `{slot}` is not the blueprint's" in forge(
        run, lambda blueprint: blueprint["facts"][slot].update({"is": "something else"})
    )


def test_a_workflow_that_the_spec_does_not_order_is_found(run: Run) -> None:
    run.edit_json(run.folder.identity_file, lambda data: data["spec"].update(workflows=["government/*", "travel/*"]))
    write_checksums(run.folder)
    unordered = [name for name in run.folder.identity().workflows if name.startswith("financial_services/")]
    assert unordered
    assert {fault for fault in verify_run(run.path) if fault.startswith("run.json: ")} == {
        *(f"run.json: the spec does not order the workflow {name}" for name in unordered),
        "run.json: names no workflow that fits the ordered travel/*",
    }


def test_another_seed_of_the_run_is_found(run: Run) -> None:
    run.edit_json(run.folder.identity_file, lambda data: data.update(seed=7))
    write_checksums(run.folder)
    faults = verify_run(run.path)
    assert sum("the seed is not the one that follows from the run's" in fault for fault in faults) == 3


def test_blueprints_beyond_a_limit_are_checked_too(spec: Path, tmp_path: Path) -> None:
    out = tmp_path / "limited"
    assert factory("build", spec, "--out", out, "--engine", "inline", "--no-audio", "--limit", "1").code == 0
    run = Run(Path(shutil.copytree(out, tmp_path / "forged")))
    run.edit_lines(run.folder.blueprints_file, lambda lines: lines[2].update(conversation_id="another-0003"))
    write_checksums(run.folder)
    assert verify_run(run.path) == ["blueprints.jsonl:3: the id another-0003 is not the one that belongs here"]
