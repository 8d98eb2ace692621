"""What a run folder says about itself."""

from factory.records.base import SCHEMA_VERSION, Record
from factory.records.models import ModelRole, PlayedBy
from factory.records.spec import Spec


class RunIdentity(Record):
    """`run.json`: everything that decides what the run comes out as. Two equal ones give equal corpora.

    Attributes:
        spec: The spec, resolved.
        seed: The seed of every draw.
        limit: Only so many conversations of the plan are built; None for all.
        audio: Whether caller turns are voiced.
        tts: The speech engine.
        canaries: Whether canaries are planted during the build.
        versions: The factory's and the speech engine's versions.
        workflows: Digest of each workflow file that is used.
        shared: Digest of the file of shared phrases.
        templates: Digest of each prompt template that is used, with all that it includes.
        models: Who plays each role; None where the composer does.
    """

    schema_version: int = SCHEMA_VERSION
    spec: Spec
    seed: int
    limit: int | None = None
    audio: bool = True
    tts: str = "hibari"
    canaries: bool = False
    versions: dict[str, str]
    workflows: dict[str, str]
    shared: str
    templates: dict[str, str]
    models: dict[ModelRole, PlayedBy] | None = None

    @property
    def conversations(self) -> int:
        """How many conversations the run builds: all that are ordered, or its limit's worth."""
        ordered = self.spec.conversations
        return ordered if self.limit is None else min(self.limit, ordered)


class FrozenItem(Record):
    """Digests of one item: of its rubric, of its controls, and of the whole record."""

    rubric: str
    controls: str
    item: str


class Manifest(Record):
    """`manifest.json`: the freeze. Nothing accepts an answer to an item that is not in it.

    Attributes:
        items: By item id.
        root: Digest over all items.
    """

    schema_version: int = SCHEMA_VERSION
    items: dict[str, FrozenItem]
    root: str


class LedgerRoot(Record):
    """`ledger/root.json`: the head of each conversation's chain, and one digest over them."""

    schema_version: int = SCHEMA_VERSION
    heads: dict[str, str]
    root: str
