"""The flow graph: what stands in it, and what each node carries along."""

import networkx as nx  # type: ignore[import-untyped]
import pytest

from factory.audit.graph.nodes import CallNode, ItemNode, Part, PartNode, RuleNode, SourceNode, Way, node_of
from factory.audit.graph.paths import Carried
from factory.audit.policy import Channel, Source
from factory.records.enums import InterruptionType
from factory.records.ledger import USER_SIDE, Role
from factory.run.folder import RunFolder

from .graphs import calls_of, followed, graphs, reads, with_lines, wrote


def nodes_of(graph: nx.DiGraph, kind: type[CallNode] | type[PartNode] | type[RuleNode]) -> list[str]:
    """The nodes of a kind."""
    return [name for name in graph if isinstance(node_of(graph, name), kind)]


def origins(graph: nx.DiGraph, name: str) -> set[str]:
    """Whence edges lead to a node."""
    return set(graph.pred[name])


@pytest.mark.parametrize("name", ["plain", "canaried", "modelled"])
def test_every_call_stands_in_it_with_all_that_it_read_and_wrote(name: str, request: pytest.FixtureRequest) -> None:
    folder: RunFolder = request.getfixturevalue(name)
    for lines, graph in with_lines(folder):
        assert len(nodes_of(graph, CallNode)) == len(lines)
        for place, line in enumerate(lines):
            call = f"call:{place}"
            read = [o for o in graph.pred[call] if graph.edges[o, call]["way"] is Way.READ]
            made = [s for s in graph.succ[call] if graph.edges[call, s]["way"] is Way.WROTE]
            assert [(n.item, n.content) for n in (node_of(graph, o) for o in read) if isinstance(n, ItemNode)] == [
                (item["item"], item["content"]) for item in reads(line)
            ]
            assert [n.item for n in (node_of(graph, s) for s in made) if isinstance(n, ItemNode)] == [
                wrote(line)["item"]
            ]


@pytest.mark.parametrize("name", ["plain", "modelled"])
def test_data_flows_forward_and_all_of_it_has_an_origin(name: str, request: pytest.FixtureRequest) -> None:
    for graph in graphs(request.getfixturevalue(name)):
        places = {name: place for place, name in enumerate(graph)}
        assert all(places[origin] < places[end] for origin, end in graph.edges)
        for node_name in graph:
            node = node_of(graph, node_name)
            if isinstance(node, ItemNode):
                first = node.round == 0 and node.means is not None and node.means.name != "entry"
                assert node.known and (origins(graph, node_name) or first)
            elif not isinstance(node, SourceNode):
                assert origins(graph, node_name)


def test_a_cut_utterance_has_three_parts_and_only_one_is_heard(plain: RunFolder) -> None:
    for graph, (_, rounds) in zip(graphs(plain), followed(plain), strict=True):
        cut = [expected.agent.round for expected in rounds if expected.agent.cut_word is not None]
        for number in cut:
            utterance = f"r{number}.0/utterance"
            heard, over, rest = (
                f"{utterance}:{part.value}" for part in (Part.HEARD, Part.SPOKEN_OVER, Part.UNDELIVERED)
            )
            assert {over, rest} < origins(graph, utterance)
            assert origins(graph, f"cut:r{number}.0") == {utterance, f"r{number}.0/cut"}
            assert origins(graph, heard) == {f"cut:r{number}.0"}
            listened, history = origins(graph, f"r{number}.0/heard"), origins(graph, f"r{number + 1}.0/delivered")
            (rule,) = (name for name in listened if isinstance(node_of(graph, name), RuleNode))
            (later,) = (name for name in history if isinstance(node_of(graph, name), RuleNode))
            assert origins(graph, rule) == {heard} and origins(graph, later) == {heard, over}
        parts = [node_of(graph, name) for name in nodes_of(graph, PartNode)]
        assert sorted({part.round for part in parts if isinstance(part, PartNode)}) == cut


def test_a_turn_behind_a_filler_is_heard_by_the_rule_of_fillers(plain: RunFolder) -> None:
    found = 0
    for graph, (_, rounds) in zip(graphs(plain), followed(plain), strict=True):
        for expected in rounds:
            caller = expected.caller
            if caller is not None and caller.interruption_type is InterruptionType.FILLER:
                number, found = expected.agent.round + 1, found + 1
                assert origins(graph, f"r{number}.0/rest") == {f"r{number - 1}.0/utterance:undelivered"}
                assert f"filler:r{number}.0" in graph and f"spoken:r{number}.0" not in graph
    assert found


def test_what_code_hands_over_goes_through_a_rule(plain: RunFolder) -> None:
    for graph in graphs(plain):
        for name in nodes_of(graph, CallNode):
            call = node_of(graph, name)
            if isinstance(call, CallNode) and call.role is Role.REACTION_PLANNER:
                number = call.round
                assert origins(graph, f"r{number}.0/type") == {f"order:r{number}.0"}
                assert origins(graph, f"order:r{number}.0") == {f"r{number}.0/entry"}
                for what in ("lines", "facts"):
                    assert origins(graph, f"r{number}.0/{what}") == {f"release:r{number}.0"}
                assert origins(graph, f"release:r{number}.0") == {
                    f"r{number}.0/entry",
                    f"r{number}.0/heard",
                    "workflow",
                    "source:INTENT",
                }


def test_a_node_carries_what_it_was_made_from_until_a_rule_lowers_it(plain: RunFolder) -> None:
    graph, (_, rounds) = graphs(plain)[0], next(followed(plain))
    carried = Carried(graph)
    number = next(expected.agent.round for expected in rounds if expected.agent.cut_word is not None)
    rest = f"r{number}.0/utterance:undelivered"
    common = {"source:STAGES", "source:OTHER_CALLERS", "source:BLUEPRINT", f"r{number}.0/plan"}

    assert carried.by("workflow") == ("source:STAGES", "source:OTHER_CALLERS")
    assert common | {rest} <= set(carried.by(f"r{number}.0/utterance"))
    assert rest not in carried.by(f"r{number}.0/utterance:heard") and common <= set(
        carried.by(f"r{number}.0/utterance:heard")
    )
    assert rest in carried.by(f"r{number + 1}.0/plan"), "the planner of the next round reads what was meant"
    assert rest in carried.by(f"r{number}.0/cut"), "the place of the cut is chosen from the whole utterance"
    for name in nodes_of(graph, CallNode):
        call = node_of(graph, name)
        if isinstance(call, CallNode) and call.role in USER_SIDE:
            assert carried.by(name) == ()
    assert carried.by(f"r{number}.0/heard") == carried.by(f"r{number}.0/caller") == ()


def test_a_cut_takes_off_the_parts_of_its_own_utterance_alone(plain: RunFolder) -> None:
    """What an earlier cut left unsaid may have shaped the words; to say them aloud is what makes these known."""
    compared = 0
    for graph, (_, rounds) in zip(graphs(plain), followed(plain), strict=True):
        carried = Carried(graph)
        cut = [expected.agent.round for expected in rounds if expected.agent.cut_word is not None]
        for number in cut:
            heard = carried.by(f"r{number}.0/utterance:heard")
            parts = {part: f"r{number}.0/utterance:{part.value}" for part in (Part.SPOKEN_OVER, Part.UNDELIVERED)}
            assert not set(parts.values()) & set(heard)
            for before in (other for other in cut if other < number):
                assert f"r{before}.0/utterance:undelivered" in heard
                compared += 1
    assert compared > 10


def test_attempts_that_were_taken_back_stand_in_it_apart(modelled: RunFolder) -> None:
    again = standing = 0
    for lines, graph in with_lines(modelled):
        calls = [node_of(graph, name) for name in nodes_of(graph, CallNode)]
        taken_back = [call for call in calls if isinstance(call, CallNode) and not call.stands]
        assert bool(taken_back) == bool(calls_of(lines, "rewinder"))
        again += len(taken_back)
        standing += sum(isinstance(call, CallNode) and call.stands for call in calls)
        rules = [node_of(graph, name) for name in nodes_of(graph, RuleNode)]
        run_again = [rule for rule in rules if isinstance(rule, RuleNode) and rule.channel is Channel.RERUN]
        assert len(run_again) == len(calls_of(lines, "rewinder"))
    assert again > 40 and standing > 100


def test_the_callers_of_a_round_that_is_run_again_are_reached_by_nothing_but_that_it_is(modelled: RunFolder) -> None:
    reached = 0
    for graph in graphs(modelled):
        for origin, end, way in graph.edges(data="way"):
            if way is Way.RUN_AGAIN:
                call, rule = node_of(graph, end), node_of(graph, origin)
                assert isinstance(call, CallNode) and call.role in USER_SIDE
                assert isinstance(rule, RuleNode) and rule.channel is Channel.RERUN
                reached += 1
    assert reached > 20


def test_equal_ledgers_have_equal_graphs(plain: RunFolder) -> None:
    for one, two in zip(graphs(plain), graphs(plain), strict=True):
        assert list(one.nodes(data=True)) == list(two.nodes(data=True))
        assert list(one.edges(data=True)) == list(two.edges(data=True))


def test_what_is_withheld_begins_at_nodes_that_say_so(plain: RunFolder) -> None:
    graph = graphs(plain)[0]
    begun = {source_node.source for source_node in (node_of(graph, name) for name in Carried(graph).sources)}  # type: ignore[union-attr]
    assert begun == {
        Source.UNDELIVERED,
        Source.SPOKEN_OVER,
        Source.STAGES,
        Source.OTHER_CALLERS,
        Source.BLUEPRINT,
        Source.PLAN,
    }
