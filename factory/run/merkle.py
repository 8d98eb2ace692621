"""A Merkle tree over any number of leaves, and the way from one leaf to its top.

Hashes and shape are those of RFC 6962, section 2.1: a leaf is hashed behind a zero byte, a node behind a one, so that
neither passes for the other; and the left side of every node is the largest full tree that leaves something for the
right. Hashes are raw bytes here.
"""

from collections.abc import Iterable, Sequence
from hashlib import sha256

from factory.errors import RunError

_LEAF = b"\x00"
_NODE = b"\x01"


def leaf_hash(content: bytes) -> bytes:
    """The hash of a leaf."""
    return sha256(_LEAF + content).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """The hash of a node, from the two below it."""
    return sha256(_NODE + left + right).digest()


def top_of(leaves: Iterable[bytes]) -> bytes:
    """The hash at the top of a tree, from the hashes of its leaves in order.

    Takes the leaves one by one and keeps one hash for each height, so a tree may be of any size.
    """
    full: list[bytes] = []  # the full trees so far, each larger than the one behind it
    for count, leaf in enumerate(leaves, 1):
        top = leaf
        for _ in range((count & -count).bit_length() - 1):  # as many as there are zeros at the number's end
            top = node_hash(full.pop(), top)
        full.append(top)
    if not full:
        return sha256().digest()
    top = full.pop()
    while full:
        top = node_hash(full.pop(), top)
    return top


def path_to(leaves: Sequence[bytes], place: int) -> list[bytes]:
    """The hashes beside the way from a leaf to the top, the lowest one first.

    Args:
        leaves: The hashes of all leaves, in order.
        place: Which leaf, from 0.
    """
    first, end = 0, len(leaves)
    path = []
    for to_the_left in _turns(place, len(leaves)):
        middle = first + _left_size(end - first)
        if to_the_left:
            path.append(top_of(leaves[middle:end]))
            end = middle
        else:
            path.append(top_of(leaves[first:middle]))
            first = middle
    return path[::-1]


def climbed(leaf: bytes, place: int, size: int, path: Sequence[bytes]) -> bytes:
    """The hash to which a path leads.

    Args:
        leaf: The hash of the leaf.
        place: Which leaf it is said to be, from 0.
        size: How many leaves the tree is said to have.
        path: The hashes beside the way, the lowest one first.

    Raises:
        RunError: if no tree of this size has such a path to this place.
    """
    turns = _turns(place, size) if 0 <= place < size else None
    if turns is None or len(turns) != len(path):
        raise RunError(f"a path of {len(path)} hashes leads to no place {place} of {size}")
    top = leaf
    for from_the_left, beside in zip(reversed(turns), path, strict=True):
        top = node_hash(top, beside) if from_the_left else node_hash(beside, top)
    return top


def _turns(place: int, size: int) -> list[bool]:
    """At each node on the way from the top down to a leaf: whether the way goes to the left."""
    turns = []
    while size > 1:
        left = _left_size(size)
        turns.append(place < left)
        if place < left:
            size = left
        else:
            place, size = place - left, size - left
    return turns


def _left_size(size: int) -> int:
    """The largest power of two below a size."""
    return int(1 << ((size - 1).bit_length() - 1))
