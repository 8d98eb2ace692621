"""The tree: every leaf can be proved, nothing else can, and its shape is that of RFC 6962."""

import hashlib
import time
import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from factory.errors import RunError
from factory.run.merkle import climbed, leaf_hash, node_hash, path_to, top_of

contents = st.lists(st.binary(max_size=8), min_size=1, max_size=40, unique=True)


def hashes(leaves: list[bytes]) -> list[bytes]:
    return [leaf_hash(leaf) for leaf in leaves]


def by_definition(leaves: list[bytes]) -> bytes:
    """The top by the recursion of RFC 6962, section 2.1."""
    if not leaves:
        return hashlib.sha256(b"").digest()
    if len(leaves) == 1:
        return hashlib.sha256(b"\x00" + leaves[0]).digest()
    left = 1
    while 2 * left < len(leaves):
        left *= 2
    return hashlib.sha256(b"\x01" + by_definition(leaves[:left]) + by_definition(leaves[left:])).digest()


@given(st.lists(st.binary(max_size=8), max_size=70))
def test_the_top_is_that_of_the_definition(leaves: list[bytes]) -> None:
    assert top_of(iter(hashes(leaves))) == by_definition(leaves)


def test_published_trees_of_others_have_the_same_top() -> None:
    """Values that implementations of Certificate Transparency are tested with."""
    leaves = [bytes.fromhex(text) for text in ("", "00", "10", "2021", "3031", "40414243")]
    assert top_of([]).hex() == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    assert top_of(hashes(leaves[:1])).hex() == "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d"
    assert top_of(hashes(leaves[:2])).hex() == "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125"
    assert top_of(hashes(leaves)).hex() == "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef"


@given(contents)
def test_every_leaf_leads_to_the_top_from_its_own_place_only(leaves: list[bytes]) -> None:
    nodes = hashes(leaves)
    top = top_of(nodes)
    for place, leaf in enumerate(nodes):
        path = path_to(nodes, place)
        assert climbed(leaf, place, len(nodes), path) == top
        for other in range(len(nodes)):
            if other != place:
                try:
                    assert climbed(leaf, other, len(nodes), path) != top
                except RunError:  # no path of this length leads there
                    continue


@given(contents, st.data())
def test_no_other_leaf_and_no_changed_bit_leads_to_the_top(leaves: list[bytes], data: st.DataObject) -> None:
    nodes = hashes(leaves)
    place = data.draw(st.integers(0, len(nodes) - 1))
    path, top = path_to(nodes, place), top_of(nodes)
    stranger = data.draw(st.binary(max_size=8).filter(lambda content: content not in leaves))
    assert climbed(leaf_hash(stranger), place, len(nodes), path) != top
    way = [nodes[place], *path]
    step, bit = data.draw(st.integers(0, len(way) - 1)), data.draw(st.integers(0, 255))
    way[step] = (int.from_bytes(way[step], "big") ^ 1 << bit).to_bytes(32, "big")
    assert climbed(way[0], place, len(nodes), way[1:]) != top


@given(contents, st.integers(0, 50), st.integers(0, 60))
def test_a_path_of_another_length_is_refused(leaves: list[bytes], place: int, size: int) -> None:
    nodes = hashes(leaves)
    with pytest.raises(RunError, match="leads to no place"):
        climbed(nodes[0], 0, len(nodes), [*path_to(nodes, 0), nodes[0]])
    if place >= size:
        with pytest.raises(RunError, match="leads to no place"):
            climbed(nodes[0], place, size, [])


@given(contents.filter(lambda leaves: len(leaves) > 1))
def test_a_node_does_not_pass_for_a_leaf(leaves: list[bytes]) -> None:
    nodes = hashes(leaves)
    left = 1 << ((len(nodes) - 1).bit_length() - 1)
    two = top_of(nodes[:left]) + top_of(nodes[left:])
    assert node_hash(two[:32], two[32:]) == top_of(nodes) != top_of([leaf_hash(two)])


def test_order_and_number_of_leaves_count() -> None:
    nodes = hashes([bytes([number]) for number in range(7)])
    for changed in (nodes[::-1], nodes[:-1], [*nodes, nodes[-1]], nodes[1:] + nodes[:1]):
        assert top_of(changed) != top_of(nodes)


def test_time_grows_with_the_leaves_and_memory_does_not() -> None:
    def peak(count: int) -> int:
        tracemalloc.start()
        top_of(leaf_hash(number.to_bytes(4, "big")) for number in range(count))
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        return most

    assert peak(20_000) < peak(200) + 4_000
    began = time.monotonic()
    nodes = [leaf_hash(number.to_bytes(4, "big")) for number in range(45_000)]
    assert climbed(nodes[44_999], 44_999, 45_000, path_to(nodes, 44_999)) == top_of(nodes)
    assert time.monotonic() - began < 5
