"""The picture of a flow graph: everything has its place, and what is not allowed is told from the rest."""

from itertools import pairwise

import pytest

from factory.audit.graph.paths import MOST_PATHS, Carried
from factory.audit.page.marks import node_marks
from factory.audit.page.picture import Drawn, Picture, draw
from factory.audit.policy import LOWERS, WITHHELD, Channel, Source
from factory.run.folder import RunFolder

from .graphs import followed, graphs
from .runs import change_ledger, first_of, interrupted, read_of, rewrite_turn

NOT_ALLOWED, DOES_NOT_STAND, DIFFERS = 2, 1, 4


@pytest.fixture
def picture(plain: RunFolder) -> Picture:
    return draw(graphs(plain)[0])


def lane_of(picture: Picture, row: int) -> str:
    return next(lane.name for lane in picture.lanes if lane.start <= row < lane.start + lane.rows)


def test_no_two_nodes_have_one_place(picture: Picture) -> None:
    places = [(node.block, node.column, node.row) for node in picture.nodes]
    assert len(set(places)) == len(places) > 50


def test_inside_of_a_round_data_goes_from_left_to_right(picture: Picture) -> None:
    inside = [
        (picture.nodes[one], picture.nodes[other])
        for one, other, *_ in picture.edges
        if picture.nodes[one].block == picture.nodes[other].block > 0
    ]
    assert len(inside) > 50
    assert all(one.column <= other.column for one, other in inside)
    assert all(one.row != other.row for one, other in inside if one.column == other.column)


def test_every_call_stands_in_the_lane_of_its_role(picture: Picture) -> None:
    lanes = {(picture.names[node.name], lane_of(picture, node.row)) for node in picture.nodes if node.kind == "call"}
    assert lanes >= {("planner", "planner"), ("assistant", "assistant"), ("cutter", "cut"), ("user", "user")}
    assert lanes >= {("rubric_writer", "behind_the_call"), ("reaction_planner", "reaction_planner")}


def test_only_the_lanes_of_the_callers_side_are_marked_as_such(picture: Picture) -> None:
    assert [lane.name for lane in picture.lanes if lane.side == "caller"] == ["reaction_planner", "user"]


def test_the_parts_of_an_utterance_that_is_cut_are_drawn(picture: Picture) -> None:
    parts = {picture.names[node.name] for node in picture.nodes if node.kind == "part"}
    assert parts == {"heard", "spoken_over", "undelivered"}


def test_seeds_are_left_out(picture: Picture) -> None:
    assert not [node.id for node in picture.nodes if "seed" in node.id]


def test_rounds_follow_each_other_without_a_gap(picture: Picture) -> None:
    names = [block.name for block in picture.blocks]
    assert names[:3] == ["At hand", "Round 0", "Round 1"]
    assert all(one.start + one.columns == other.start for one, other in pairwise(picture.blocks))


def test_an_attempt_that_was_given_up_is_told_from_the_one_that_stands(modelled: RunFolder) -> None:
    picture = draw(graphs(modelled)[0])
    given_up = {block.name for block in picture.blocks if block.name.endswith("(given up)")}
    assert given_up
    for node in picture.nodes:
        if node.kind == "call" and picture.blocks[node.block].name in given_up:
            assert node.flags & DOES_NOT_STAND


def test_on_an_honest_run_nothing_is_marked(plain: RunFolder, modelled: RunFolder) -> None:
    for run in (plain, modelled):
        graph = graphs(run)[0]
        course, rounds = next(iter(followed(run)))
        picture = draw(graph, Carried(graph).leak_paths(MOST_PATHS), node_marks(rounds, course))
        assert not [node for node in picture.nodes if node.flags & (NOT_ALLOWED | DIFFERS)]
        assert all(len(edge) == 2 for edge in picture.edges)


def test_a_path_that_is_not_allowed_is_marked_from_end_to_end(plain: RunFolder) -> None:
    graph = graphs(plain)[0]
    start = next(name for name in graph if name.endswith(":undelivered"))
    path = [start]
    while graph.succ[path[-1]] and len(path) < 4:
        path.append(next(iter(graph.succ[path[-1]])))
    picture = draw(graph, [path])
    assert sum(bool(node.flags & NOT_ALLOWED) for node in picture.nodes) == len(path) == 4
    assert sum(len(edge) == 3 for edge in picture.edges) == len(path) - 1


def marked(run: RunFolder, flag: int) -> dict[str, Drawn]:
    """The nodes of the first call that are marked, by id."""
    course, rounds = next(iter(followed(run)))
    picture = draw(graphs(run)[0], (), node_marks(rounds, course))
    return {node.id: node for node in picture.nodes if node.flags & flag}


def test_what_is_published_otherwise_differs_and_so_does_all_that_was_made_from_it(run: RunFolder) -> None:
    agent, _ = interrupted(run)
    rewrite_turn(run, "caller", text="completely other words")
    differing = marked(run, DIFFERS)
    now, following = f"r{agent['round']}.", f"r{agent['round'] + 1}."
    assert {node_id for node_id in differing if node_id.startswith(now)} == {f"{now}0/caller"}
    assert {f"{following}0/heard", f"{following}0/meant", f"{following}0/delivered"} <= set(differing)
    assert {node.kind for node in differing.values()} == {"item", "call"}
    assert not marked(run, NOT_ALLOWED)


def test_a_role_call_with_another_input_differs(run: RunFolder) -> None:
    change_ledger(run, lambda lines: first_of(lines, "user").update(view="0" * 64))
    ((node_id, node),) = marked(run, DIFFERS).items()
    assert node.kind == "call" and node_id.startswith("line ")


def test_a_role_call_that_read_what_it_may_not_is_marked_as_that(run: RunFolder) -> None:
    change_ledger(run, lambda lines: read_of(first_of(lines, "user"), "history_heard").update(label="history_as_meant"))
    assert [node.kind for node in marked(run, NOT_ALLOWED).values()] == ["call"]


def test_what_reaches_the_callers_side_goes_through_rules_that_are_named(plain: RunFolder) -> None:
    for graph in graphs(plain):
        picture = draw(graph)
        for node in picture.nodes:
            free, lowered = picture.origins[node.origin]
            if picture.names[node.name] in ("history_heard", "caller_words", "reaction_planner", "user"):
                assert not {Source(name) for name in free} & WITHHELD.keys()
                assert any("spoken" in channels for channels, _ in lowered)
            for channels, sources in lowered:
                assert not set(sources) & set(free)
                for source in sources:
                    assert any(Source(source) in LOWERS[Channel(channel)] for channel in channels)


def test_what_no_rule_lowers_is_free_to_go_on(picture: Picture) -> None:
    utterance = next(node for node in picture.nodes if picture.names[node.name] == "utterance_as_meant")
    assert {"stages and guidelines", "the blueprint"} <= set(picture.origins[utterance.origin].free)
    undelivered = next(node for node in picture.nodes if picture.names[node.name] == "undelivered")
    assert "undelivered words" in picture.origins[undelivered.origin].free
