"""Reads that are forged into a ledger: a path is told by what an id and a content say, and not by a label."""

from collections.abc import Callable
from pathlib import Path

import pytest

from factory.audit.findings import Kind
from factory.run.folder import RunFolder

from .attacks.ledger import meant_called_heard, order_under_another_id, plan_called_a_seed, workflow_called_a_seed
from .graphs import calls_of, forge, leaks, tampered, wrote
from .runs import OTHER, Line, first_of, kinds, ledgers, read_ledger, read_of


def _order_of_a_round_to_come(lines: list[Line]) -> None:
    entry = read_of(calls_of(lines, "planner", 4)[0], "blueprint_round")
    forge(calls_of(lines, "reaction_planner", 1)[0], "r4.0/entry", str(entry["content"]))


def _history_as_meant(lines: list[Line]) -> None:
    last = calls_of(lines, "planner")[-1]
    item = read_of(last, "history_as_meant")
    forge(calls_of(lines, "user", int(str(last["round"])))[0], "r0.0/slots", str(item["content"]))


def _place_of_the_cut(lines: list[Line]) -> None:
    cut = first_of(lines, "cutter")
    forge(calls_of(lines, "user", int(str(cut["round"])))[0], str(wrote(cut)["item"]), str(wrote(cut)["content"]))


def _plan_written_as_what_was_heard(lines: list[Line]) -> None:
    """The planner writes its plan under an id that code's histories have."""
    first_of(lines, "planner")["wrote"] = wrote(first_of(lines, "planner")) | {"item": "r0.0/heard"}


@pytest.mark.parametrize(
    ("attack", "path"),
    [
        (plan_called_a_seed, "the agent's plan of round 1 (r1.0/plan) → the user in round 3"),
        (workflow_called_a_seed, "stages and guidelines → the workflow (workflow) → the user in round 2"),
        (_order_of_a_round_to_come, "the blueprint → the order of round 4 (r4.0/entry) → the reaction_planner in rou"),
        (order_under_another_id, "the blueprint → the seed of round 1 (r1.0/planner_seed) → the r"),
        (_place_of_the_cut, "→ the cutter in round"),
        (_history_as_meant, "the undelivered words of round"),
        (meant_called_heard, "→ the history as heard of round 0 (r0.0/heard) → the user in round"),
        (_plan_written_as_what_was_heard, "the planner in round 0 → the history as heard of round 0 (r0.0/heard) → "),
    ],
)
def test_a_read_is_what_its_id_and_its_content_say_whatever_its_label_says(
    run: RunFolder, attack: Callable[[list[Line]], None], path: str
) -> None:
    report = tampered(run, attack)
    assert Kind.PATH_LEAKS in kinds(report) and Kind.LABEL_NOT_ALLOWED not in kinds(report)
    assert any(path in message for message in leaks(report)), leaks(report)


def test_what_a_leak_led_to_is_not_told_again(run: RunFolder) -> None:
    """The caller's words inherit what was got; but it is one leak, and not one for each round behind it."""
    report = tampered(run, plan_called_a_seed)
    assert report.graph.leaks == 1
    assert "more came the same way" in leaks(report)[0]


def another_intent(folder: RunFolder) -> tuple[Path, str]:
    """The first ledger, and the digest of an intent that is not its caller's."""
    first, *others = ledgers(folder)
    own, *found = (
        str(read_of(first_of(read_ledger(path), "reaction_planner"), "intent")["content"]) for path in (first, *others)
    )
    return first, next(content for content in found if content != own)


def test_another_callers_intent_is_known_by_its_digest(run: RunFolder) -> None:
    first, another = another_intent(run)

    def attack(lines: list[Line]) -> None:
        for line in calls_of(lines, "reaction_planner"):
            read_of(line, "intent")["content"] = another

    messages = leaks(tampered(run, attack, first))
    assert messages and all(m.startswith("other callers' hidden information → the intent (intent)") for m in messages)


def test_another_callers_intent_is_known_under_any_id(run: RunFolder) -> None:
    first, another = another_intent(run)
    messages = leaks(tampered(run, lambda lines: forge(calls_of(lines, "user")[3], "r0.0/user_seed", another), first))
    assert len(messages) == 1 and messages[0].startswith("other callers' hidden information → the seed of round 0")


@pytest.mark.parametrize(
    "item",
    [
        "r0.0/another",
        "r0.0",
        "r0/plan",
        "R0.0/plan",
        "r00.0/plan",
        "r-1.0/plan",
        "call:3",
        "source:INTENT",
        "",
        "\x1b[31m",
    ],
)
def test_an_id_of_no_known_form_is_named(run: RunFolder, item: str) -> None:
    report = tampered(run, lambda lines: forge(lines[1], item, OTHER))
    assert Kind.ORIGIN_UNKNOWN in kinds(report)
    messages = [finding.message for finding in report.findings if finding.kind is Kind.ORIGIN_UNKNOWN]
    assert len(messages) == 1 and messages[0].isprintable() and "is no id of an item" in messages[0]


@pytest.mark.parametrize("item", ["r0.0/plan~1", "r99.0/utterance", "r1.7/heard", f"r{'9' * 5000}.0/plan"])
def test_what_nobody_made_does_not_pass_for_something(run: RunFolder, item: str) -> None:
    report = tampered(run, lambda lines: forge(calls_of(lines, "user", 1)[0], item, OTHER))
    assert kinds(report) & {Kind.ORIGIN_UNKNOWN, Kind.PATH_LEAKS}
