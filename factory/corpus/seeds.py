"""Seeds: every draw derives from who draws, so that no draw leaks from one role to another."""

from random import Random

from factory.records.base import sha256


def derive_seed(*parts: str | int) -> int:
    """A seed of 48 bits from names and numbers; equal parts, equal seed (it fits a JSON number)."""
    return int(sha256("\x1f".join(map(str, parts)))[:12], 16)


def conversation_seed(seed: int, ordinal: int) -> int:
    """The seed of the conversation at a place of a corpus (from 0)."""
    return derive_seed(seed, "conversation", ordinal)


def first_rotation(seed: int, workflow: str) -> int:
    """Where the rotation of a workflow's calls starts; each further call of it is one on."""
    return derive_seed(seed, "rotation", workflow) % 1000


def rng_for(*parts: str | int) -> Random:
    """A random generator of its own for some purpose."""
    return Random(derive_seed(*parts))
