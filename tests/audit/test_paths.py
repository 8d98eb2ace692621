"""The verdict on paths: what each attack comes to by its path alone, and that every rule is needed."""

import json
from collections.abc import Callable
from pathlib import Path

import networkx as nx  # type: ignore[import-untyped]
import pytest

from factory.audit.findings import Kind
from factory.audit.flow import FlowReport
from factory.audit.graph.nodes import CallNode, RuleNode, node_of, source_of
from factory.audit.graph.paths import Carried
from factory.audit.policy import LOWERS, WITHHELD, Channel
from factory.audit.report import write_flow_report
from factory.records.base import canonical_json, sha256
from factory.records.enums import InterruptionType
from factory.run.folder import RunFolder

from .graphs import calls_of, followed, forge, graphs, reads, wrote
from .runs import OTHER, Line, change_ledger, first_of, kinds, ledgers, read_ledger, read_of, reseal

Copied = Callable[[RunFolder], RunFolder]


def tampered(folder: RunFolder, attack: Callable[[list[Line]], None], path: Path | None = None) -> FlowReport:
    """The report on a run in which one ledger was changed, with chain, head and root made to fit."""
    change_ledger(folder, attack, None if path is None else folder.ledger_file(path.stem))
    return write_flow_report(folder, scanned=False)


def leaks(report: FlowReport) -> list[str]:
    """The paths that were found, in words."""
    assert report.graph.leaks == report.findings_by_kind.get(Kind.PATH_LEAKS, 0)
    return [finding.message for finding in report.findings if finding.kind is Kind.PATH_LEAKS]


@pytest.mark.parametrize("name", ["plain", "canaried", "modelled"])
def test_no_path_leads_anywhere_in_an_honest_run(name: str, request: pytest.FixtureRequest, copied: Copied) -> None:
    report = write_flow_report(copied(request.getfixturevalue(name)), scanned=False)
    assert kinds(report) == set()
    assert (report.graph.conversations, report.graph.leaks, report.graph.unknown) == (4, 0, 0)
    assert report.graph.calls == report.inputs.calls
    assert all(report.graph.sources_lowered[channel] for channel in set(Channel) - {Channel.RERUN})


@pytest.mark.parametrize("channel", Channel)
def test_an_honest_run_needs_every_rule(channel: Channel, modelled: RunFolder) -> None:
    without = {**LOWERS, channel: frozenset()}
    carried = [(Carried(graph), Carried(graph, without)) for graph in graphs(modelled)]
    assert not any(honest.leaks for honest, _ in carried)
    assert sum(len(lacking.leaks) for _, lacking in carried) >= 2


@pytest.mark.parametrize("off", [None, *Channel])
def test_following_all_sources_at_once_finds_what_a_search_for_each_path_finds(
    off: Channel | None, modelled: RunFolder
) -> None:
    lowers = {channel: frozenset() if channel is off else kinds for channel, kinds in LOWERS.items()}
    for graph in graphs(modelled):
        carried = Carried(graph, lowers)
        reached = set()
        for source in carried.sources:
            kind = source_of(node_of(graph, source))
            assert kind is not None

            def goes_on(name: str, source: str = source, kind: object = kind) -> bool:
                rule = node_of(graph, name)  # noqa: B023
                if not isinstance(rule, RuleNode) or kind not in lowers[rule.channel] or source in rule.leaves:
                    return True
                return rule.lowers is not None and source not in rule.lowers

            for name in nx.descendants(graph.subgraph(filter(goes_on, graph)), source):
                call = node_of(graph, name)
                if isinstance(call, CallNode) and call.role in WITHHELD[kind]:
                    reached.add(name)
        leaked = {call for _, call, _, _ in carried.leaks}
        assert leaked <= reached and bool(leaked) == bool(reached)
        # Whatever else is reached lies behind a call that leaked.
        behind = {name for call in leaked for name in nx.descendants(graph, call)}
        assert reached - leaked <= behind


def _plan_of_two_rounds_ago(lines: list[Line]) -> None:
    old = wrote(calls_of(lines, "planner", 1)[0])
    forge(calls_of(lines, "user", 3)[0], "r1.0/plan", str(old["content"]))


def _workflow(lines: list[Line]) -> None:
    forge(calls_of(lines, "user", 2)[0], "workflow", str(read_of(lines[0], "workflow_agent_side")["content"]))


def _order_of_a_round_to_come(lines: list[Line]) -> None:
    entry = read_of(calls_of(lines, "planner", 4)[0], "blueprint_round")
    forge(calls_of(lines, "reaction_planner", 1)[0], "r4.0/entry", str(entry["content"]))


def _order_of_a_round_to_come_under_another_id(lines: list[Line]) -> None:
    entry = read_of(calls_of(lines, "planner", 4)[0], "blueprint_round")
    forge(calls_of(lines, "reaction_planner", 1)[0], "r1.0/planner_seed", str(entry["content"]))


def _history_as_meant(lines: list[Line]) -> None:
    last = calls_of(lines, "planner")[-1]
    item = read_of(last, "history_as_meant")
    forge(calls_of(lines, "user", int(str(last["round"])))[0], "r0.0/slots", str(item["content"]))


def _place_of_the_cut(lines: list[Line]) -> None:
    cut = first_of(lines, "cutter")
    forge(calls_of(lines, "user", int(str(cut["round"])))[0], str(wrote(cut)["item"]), str(wrote(cut)["content"]))


def _words_in_the_place_of_what_was_heard(lines: list[Line]) -> None:
    """The very id, the very label: but the content is that of the utterance as meant."""
    read_of(first_of(lines, "user"), "history_heard")["content"] = wrote(first_of(lines, "assistant"))["content"]


def _plan_written_as_what_was_heard(lines: list[Line]) -> None:
    """The planner writes its plan under an id that code's histories have."""
    first_of(lines, "planner")["wrote"] = wrote(first_of(lines, "planner")) | {"item": "r0.0/heard"}


@pytest.mark.parametrize(
    ("attack", "path"),
    [
        (_plan_of_two_rounds_ago, "the agent's plan of round 1 (r1.0/plan) → the user in round 3"),
        (_workflow, "stages and guidelines → the workflow (workflow) → the user in round 2"),
        (_order_of_a_round_to_come, "the blueprint → the order of round 4 (r4.0/entry) → the reaction_planner in rou"),
        (_order_of_a_round_to_come_under_another_id, "the blueprint → the seed of round 1 (r1.0/planner_seed) → the r"),
        (_place_of_the_cut, "→ the cutter in round"),
        (_history_as_meant, "the undelivered words of round"),
        (_words_in_the_place_of_what_was_heard, "→ the history as heard of round 0 (r0.0/heard) → the user in round"),
        (_plan_written_as_what_was_heard, "the planner in round 0 → the history as heard of round 0 (r0.0/heard) → "),
    ],
)
def test_a_read_is_what_its_id_and_its_content_say_whatever_its_label_says(
    run: RunFolder, attack: Callable[[list[Line]], None], path: str
) -> None:
    report = tampered(run, attack)
    assert Kind.PATH_LEAKS in kinds(report) and Kind.LABEL_NOT_ALLOWED not in kinds(report)
    assert any(path in message for message in leaks(report)), leaks(report)


def rewound_call(lines: list[Line], role: str) -> Line:
    """A call of an attempt that does not stand."""
    place = lines.index(first_of(lines, "rewinder"))
    return next(line for line in reversed(lines[:place]) if line["role"] == role)


@pytest.mark.parametrize("role", ["reaction_planner", "user"])
@pytest.mark.parametrize("name", ["plan", "entry", "utterance"])
def test_a_path_in_an_attempt_that_does_not_stand_is_found(
    role: str, name: str, modelled: RunFolder, copied: Copied
) -> None:
    def attack(lines: list[Line]) -> None:
        line = rewound_call(lines, role)
        item = f"r{line['round']}.{line['attempt']}/{name}"
        known = [read for other in lines for read in (*reads(other), wrote(other)) if read["item"] == item]
        forge(line, item, str(known[0]["content"]))

    report = tampered(copied(modelled), attack, _edited(modelled))
    assert kinds(report) == {Kind.PATH_LEAKS, Kind.READS_INCOMPLETE, Kind.CONTENT_DIFFERS}
    assert report.graph.leaks == 1


def test_other_words_under_a_true_id_are_found_in_an_attempt_that_does_not_stand(
    modelled: RunFolder, copied: Copied
) -> None:
    def attack(lines: list[Line]) -> None:
        place = lines.index(rewound_call(lines, "reaction_planner"))
        heard = read_of(lines[place], "history_heard")
        meant = next(line for line in reversed(lines[:place]) if line["role"] == "assistant")
        heard["content"] = wrote(meant)["content"]
        read_of(lines[place + 1], "history_heard")["content"] = wrote(meant)["content"]

    report = tampered(copied(modelled), attack, _edited(modelled))
    assert kinds(report) == {Kind.PATH_LEAKS}
    assert report.graph.leaks == 2


def _edited(folder: RunFolder) -> Path:
    """The ledger of a call in which the agent's words were edited."""
    return next(path for path in ledgers(folder) if any(x["role"] == "modifier" for x in read_ledger(path)))


def test_an_edit_does_not_reach_the_caller_before_it_is_said(modelled: RunFolder, copied: Copied) -> None:
    def attack(lines: list[Line]) -> None:
        edit = first_of(lines, "modifier")
        line = next(x for x in lines[lines.index(edit) :] if x["role"] == "user" and x["round"] == edit["round"])
        forge(line, str(wrote(edit)["item"]), str(wrote(edit)["content"]), "released_facts")

    report = tampered(copied(modelled), attack, _edited(modelled))
    assert any("the agent's words as settled of round" in message for message in leaks(report))


def _filler(lines: list[Line]) -> tuple[Line, Line]:
    """The user's call that cuts in with a filler, and the agent's that goes on."""
    goes_on = next(line for line in lines if line["branch"] == "continuation")
    cuts_in = next(
        line
        for line in lines
        if line["role"] == "cutter"
        and line["branch"] == InterruptionType.FILLER.value
        and line["round"] == int(str(goes_on["round"])) - 1
    )
    return calls_of(lines, "user", int(str(cuts_in["round"])))[0], goes_on


def _with_filler(folder: RunFolder) -> Path:
    return next(path for path in ledgers(folder) if any(x["branch"] == "continuation" for x in read_ledger(path)))


@pytest.mark.parametrize("under", ["user_seed", "planner_seed"])
def test_the_rest_of_a_turn_is_withheld_until_it_is_said(run: RunFolder, under: str) -> None:
    """One round early: the caller says its filler and knows what comes then."""

    def attack(lines: list[Line]) -> None:
        user, goes_on = _filler(lines)
        rest = str(read_of(goes_on, "utterance_as_meant")["content"])
        forge(user, f"r{user['round']}.{user['attempt']}/{under}", rest)

    messages = leaks(tampered(run, attack, _with_filler(run)))
    assert len(messages) == 1 and messages[0].startswith("the undelivered words of round")


def test_the_rest_of_a_turn_under_its_own_id_was_made_by_nobody_one_round_early(run: RunFolder) -> None:
    def attack(lines: list[Line]) -> None:
        user, goes_on = _filler(lines)
        rest = read_of(goes_on, "utterance_as_meant")
        forge(user, str(rest["item"]), OTHER)

    report = tampered(run, attack, _with_filler(run))
    assert Kind.ORIGIN_UNKNOWN in kinds(report) and report.graph.unknown == 1


def test_the_rest_of_a_turn_is_not_heard_by_reading_it_while_it_is_being_said(run: RunFolder) -> None:
    def attack(lines: list[Line]) -> None:
        _, goes_on = _filler(lines)
        user = calls_of(lines, "user", int(str(goes_on["round"])))[0]
        rest = read_of(goes_on, "utterance_as_meant")
        forge(user, str(rest["item"]), str(rest["content"]))

    messages = leaks(tampered(run, attack, _with_filler(run)))
    assert any("→ the rest of a turn of round" in message for message in messages)


def test_another_callers_intent_is_known_by_its_digest(run: RunFolder) -> None:
    first, *others = ledgers(run)
    own = read_of(first_of(read_ledger(first), "reaction_planner"), "intent")["content"]
    found = (read_of(first_of(read_ledger(path), "reaction_planner"), "intent")["content"] for path in others)
    another = next(str(content) for content in found if content != own)

    def attack(lines: list[Line]) -> None:
        for line in calls_of(lines, "reaction_planner"):
            read_of(line, "intent")["content"] = another

    messages = leaks(tampered(run, attack, first))
    assert messages and all(m.startswith("other callers' hidden information → the intent (intent)") for m in messages)


def test_another_callers_intent_is_known_under_any_id(run: RunFolder) -> None:
    first, *others = ledgers(run)
    own = read_of(first_of(read_ledger(first), "reaction_planner"), "intent")["content"]
    found = (read_of(first_of(read_ledger(path), "reaction_planner"), "intent")["content"] for path in others)
    another = next(str(content) for content in found if content != own)
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


def test_words_heard_in_an_attempt_that_was_taken_back_were_never_heard(modelled: RunFolder, copied: Copied) -> None:
    """The caller of an earlier round reads a history of a later one, out of an attempt before the rewind."""

    def attack(lines: list[Line]) -> None:
        place, rewind = next(
            (i, x)
            for i, x in enumerate(lines)
            if x["role"] == "rewinder" and any(y["round"] > x["round"] for y in calls_of(lines[:i], "user"))  # type: ignore[operator]
        )
        later = next(x for x in calls_of(lines[:place], "user") if int(str(x["round"])) > int(str(rewind["round"])))
        heard = read_of(later, "history_heard")
        user = next(x for x in lines[place:] if x["role"] == "user" and x["round"] == rewind["round"])
        forge(user, str(heard["item"]), str(heard["content"]), "history_heard")

    report = tampered(copied(modelled), attack, _edited(modelled))
    assert report.graph.unknown == 1


def test_what_a_leak_led_to_is_not_told_again(run: RunFolder) -> None:
    """The caller's words inherit what was got; but it is one leak, and not one for each round behind it."""
    report = tampered(run, _plan_of_two_rounds_ago)
    assert report.graph.leaks == 1
    assert "more came the same way" in leaks(report)[0]


def answered(folder: RunFolder, path: Path, *responses: str) -> FlowReport:
    """The report on a run with what targets answered."""
    manifest = folder.manifest()
    lines = (
        {
            "item_id": item_id,
            "root": manifest.root,
            "model": "a-target",
            "response": response,
            "answered_at": "2026-01-31T12:00:00Z",
        }
        for item_id, response in zip(sorted(manifest.items), responses, strict=False)
    )
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return write_flow_report(folder, scanned=False, answers=path)


def test_an_answer_on_its_way_to_a_rubric_is_a_leak(run: RunFolder, tmp_path: Path) -> None:
    response = "Sure, let me pick that up where we were."
    path = ledgers(run)[0]
    lines = read_ledger(path)
    writer = first_of(lines, "rubric_writer")
    read_of(writer, "blueprint_round")["content"] = sha256(canonical_json(response))
    reseal(run, path, lines)
    place = f"round {writer['round']}"
    assert leaks(answered(run, tmp_path / "answers.jsonl", response)) == [
        f"a target's answers → the order of {place} (r{writer['round']}.0/entry) → the rubric_writer in {place}"
    ]


def test_an_answer_that_restarts_the_cut_turn_is_none(run: RunFolder, tmp_path: Path) -> None:
    """Its digest is that of the utterance as meant, which the writers may read."""
    rows = [expected.agent for _, rounds in followed(run) for expected in rounds]
    said = [row.as_meant for row in rows if row.cut_word is not None]
    report = answered(run, tmp_path / "answers.jsonl", *said)
    assert kinds(report) == set()
    assert report.order.answers is not None and report.order.answers.accepted == 14
    assert report.graph.calls == report.inputs.calls + 2 * report.order.items
    assert report.graph.sources == 78 + 4
