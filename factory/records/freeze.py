"""What goes out of a freeze: the commitment and what opens it, the proof of one item, and what is told of it all."""

from datetime import date
from typing import Annotated

from pydantic import Field

from factory.records.base import SCHEMA_VERSION, Record
from factory.records.rubric import Item
from factory.records.run import Digest, EarlierFreeze


class TreeHead(Record):
    """What the root of a freeze is the digest of.

    Attributes:
        items: How many items are in the tree.
        tree: The hash at its top.
        ledger: The ledger's root, so that chains and items are bound by the same root.
        earlier: The versions of the freeze before this one, so that none can be left out under the same root.
    """

    schema_version: int = SCHEMA_VERSION
    items: Annotated[int, Field(ge=0)]
    tree: Digest
    ledger: Digest
    earlier: tuple[EarlierFreeze, ...] = ()


class Commitment(Record):
    """`commitment.json`: published before any target answers. It binds to a freeze and tells nothing of its content.

    Attributes:
        seal: Digest of the `Opening`, which holds the root and a salt: nobody can try out guesses at the corpus on it.
        items: How many items are frozen.
        spec: Name of the spec.
        factory_version: Version of the factory that built the corpus.
        committed_on: The day, in UTC, as its author states it; None where they state none.
    """

    schema_version: int = SCHEMA_VERSION
    seal: Digest
    items: Annotated[int, Field(ge=0)]
    spec: str
    factory_version: str
    committed_on: date | None = None


class Opening(Record):
    """`opening.json`: kept secret until the corpus is published, and published with it.

    Attributes:
        root: The freeze's root.
        salt: 32 random bytes, as hex digits; it is in no other file.
        items: As in the commitment, and so are those that follow.
    """

    schema_version: int = SCHEMA_VERSION
    root: Digest
    salt: Digest
    items: Annotated[int, Field(ge=0)]
    spec: str
    factory_version: str
    committed_on: date | None = None

    def commitment(self) -> Commitment:
        """The commitment that this opens."""
        shared = self.model_dump(exclude={"root", "salt"})
        return Commitment(seal=self.digest(), **shared)


class ItemProof(Record):
    """That one item is in a freeze, to be checked with its root alone.

    Attributes:
        item: The whole item.
        place: Its place among the items in the order of their ids, from 0.
        items: How many items are in the tree.
        path: The hashes beside the way from the item's leaf to the top, the lowest one first.
        ledger: The ledger's root, which the freeze binds.
        earlier: The versions of the freeze before this one.
        root: The root that the proof leads to.
    """

    schema_version: int = SCHEMA_VERSION
    item: Item
    place: Annotated[int, Field(ge=0)]
    items: Annotated[int, Field(ge=1)]
    path: tuple[Digest, ...]
    ledger: Digest
    earlier: tuple[EarlierFreeze, ...] = ()
    root: Digest


class FreezeResult(Record):
    """What a report tells of a run's freeze.

    Attributes:
        root: The root that the manifest states.
        ledger: The ledger's root, as the manifest states it.
        version: Which freeze of the run it is, from 1.
        items: How many items are frozen.
        earlier: The versions before this one, each with the reason for which it was given up.
        commitment: The commitment in the run folder; None where there is none.
        faults: What does not hold, one line each; empty where the manifest's root, its ledger, the chain of its
            versions and the run's own commitment all do.
    """

    root: str
    ledger: str
    version: Annotated[int, Field(ge=1)]
    items: Annotated[int, Field(ge=0)]
    earlier: tuple[EarlierFreeze, ...]
    commitment: Commitment | None
    faults: tuple[str, ...]
