"""The verdict on paths: an honest run has none, every rule is needed, and answers are sources like others."""

import json
from collections.abc import Callable
from pathlib import Path

import networkx as nx  # type: ignore[import-untyped]
import pytest

from factory.audit.flow import FlowReport
from factory.audit.graph.nodes import CallNode, RuleNode, node_of, source_of
from factory.audit.graph.paths import Carried
from factory.audit.options import AuditOptions
from factory.audit.policy import LOWERS, WITHHELD, Channel
from factory.audit.report import write_flow_report
from factory.records.base import canonical_json, sha256
from factory.run.folder import RunFolder

from .graphs import followed, graphs, leaks
from .runs import first_of, kinds, ledgers, read_ledger, read_of, reseal

Copied = Callable[[RunFolder], RunFolder]


@pytest.mark.parametrize("name", ["plain", "canaried", "modelled"])
def test_no_path_leads_anywhere_in_an_honest_run(name: str, request: pytest.FixtureRequest, copied: Copied) -> None:
    report = write_flow_report(copied(request.getfixturevalue(name)), AuditOptions(scanned=False))
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
    return write_flow_report(folder, AuditOptions(scanned=False, answers=path))


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
