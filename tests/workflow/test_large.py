"""Large and hostile workflows: there is an end to every list, and with it to the linter's and the planner's work."""

import asyncio
import time
from pathlib import Path

import pytest
from pydantic import ValidationError

from factory.build.preview import preview
from factory.records.lines import MOST_WAYS
from factory.records.shared import Shared
from factory.records.workflow import MOST_ACTS
from factory.workflow.library import Library, standard_library
from factory.workflow.lint import lint
from tests.workflow.base import Edit, ask, caller, move, tell

SAY = "stages.open_call.acts.who_calls.say"
LINT_S = 15.0
"""Seconds for the largest workflows, on a machine with other work; without an end these would take hours."""


def lines(count: int, end: str = ".") -> list[str]:
    return [f"Case {n} is number {n * 7919 % 10007} of the long list that we have of them{end}" for n in range(count)]


def test_a_list_has_so_many_entries_at_the_most() -> None:
    Edit().put(SAY, lines(MOST_WAYS)).workflow()
    with pytest.raises(ValidationError, match=f"at most {MOST_WAYS} items"):
        Edit().put(SAY, lines(MOST_WAYS + 1)).workflow()


def test_a_workflow_has_so_many_acts_at_the_most() -> None:
    edit = Edit()
    stage = {"id": "more", "name": "More of it", "description": "Tell more.", "acts": []}
    edit.data["stages"][1:1] = [
        {**stage, "id": f"more_{n}", "acts": [tell(f"tell_{m}", f"topic {m}") for m in range(MOST_WAYS)]}
        for n in range(MOST_ACTS // MOST_WAYS)
    ]
    with pytest.raises(ValidationError, match=f"there are 324 acts, and {MOST_ACTS} is the most"):
        edit.workflow()


def conditional(facts: int) -> Edit:
    """A workflow whose way depends on so many facts of two values each, and which has many callers and remarks."""
    edit = Edit()
    edit.data["caller_facts"] |= {f"fact_{n}": ["yes", "no"] for n in range(facts)}
    edit.data["stages"][1:1] = [
        {
            "id": f"more_{s}",
            "name": f"Topic number {s}",
            "description": "Tell more.",
            "acts": [
                tell(f"tell_{n}", f"topic {n}", optional="true", **{"if": {"slot": f"fact_{n % facts}", "is": "yes"}})
                for n in range(6)
            ],
            "caller_may": {"pushback": [move(f"m_{n}", "that", "Oh, that thing.", after="tell_2") for n in range(20)]},
        }
        for s in range(40)
    ]
    edit.data["intents"] += [
        {**caller(f"more_{n}", f"thing {n}", n + 20), "facts": {f"fact_{m}": ["yes", f"v{n}"] for m in range(facts)}}
        for n in range(40)
    ]
    return edit


def wordy() -> Edit:
    """A workflow of nearly a megabyte, in which everything is said in as many ways as there may be."""
    edit = Edit()
    ways = lines(MOST_WAYS, "?")
    hint = {"does": "help", "say": [f"{line} {line}" for line in lines(MOST_WAYS)]}
    mentions = [f"zebra {n}" for n in range(MOST_WAYS)]
    question = ask("it", "it", say=ways, resume=ways[::-1], brief=ways, mentions=mentions, hint=hint)
    stage = {"name": "More of it", "description": "Ask more.", "acts": [question]}
    edit.data["stages"][1:1] = [{**stage, "id": f"more_{n}"} for n in range(40)]
    return edit


@pytest.mark.parametrize("edit", [conditional(6), conditional(9), wordy()], ids=["decided", "open", "wordy"])
def test_a_large_workflow_is_linted_in_time(edit: Edit, shared: Shared) -> None:
    workflow = edit.workflow()
    begun = time.perf_counter()
    assert lint(workflow, shared)
    assert time.perf_counter() - begun < LINT_S


def test_a_way_that_depends_on_forty_facts_is_planned(tmp_path: Path) -> None:
    edit = Edit()
    edit.data["caller_facts"] |= {f"fact_{n}": ["yes", "no"] for n in range(40)}
    edit.get("stages.open_call.acts")[3:3] = [
        tell(f"tell_{n}", f"topic {n}", optional="true", **{"if": {"slot": f"fact_{n}", "is": "yes"}})
        for n in range(40)
    ]
    path = tmp_path / "utilities" / "meter_visit.yaml"
    path.parent.mkdir()
    path.write_text(edit.workflow().model_dump_json(exclude_unset=True), encoding="utf-8")
    library = Library.of_file(path, standard_library().shared_path)
    shown = asyncio.run(preview(library, "utilities/meter_visit", 0, rubrics=False, colour=False))
    assert shown.count("Caller:") > 5
