"""What a run folder says about itself."""

from typing import Annotated

from pydantic import Field, field_validator

from factory.records.base import SCHEMA_VERSION, Record
from factory.records.enums import SoundFormat
from factory.records.models import ModelRole, PlayedBy
from factory.records.spec import Spec

MOST_REASON = 400
"""Characters of the reason for which a freeze is given up."""

Digest = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
"""A SHA-256, as 64 hex digits."""


class RunIdentity(Record):
    """`run.json`: everything that decides what the run comes out as. Two equal ones give equal corpora.

    Attributes:
        spec: The spec, resolved.
        seed: The seed of every draw.
        limit: Only so many conversations of the plan are built; None for all.
        audio: Whether caller turns are voiced.
        tts: The speech engine.
        formats: In which formats each call is kept; the first is the published one.
        recogniser: Name of the speech recogniser that listens to the callers; None where none does.
        canaries: Whether canaries are planted during the build.
        versions: Versions of the factory, and of what decides how calls sound: the speech engines, and packages.
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
    formats: tuple[SoundFormat, ...] = (SoundFormat.FLAC,)
    recogniser: str | None = None
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
    """Digests of one item: of its rubric with and without its rules, of its controls, and of the whole record.

    Attributes:
        wording: Of the rubric's texts alone, as the dataset publishes them.
    """

    rubric: str
    wording: str
    controls: str
    item: str


class EarlierFreeze(Record):
    """A version of the freeze that was given up.

    Attributes:
        version: Its number, from 1.
        root: Its root.
        reason: Why it was given up, in one line.
    """

    version: Annotated[int, Field(ge=1)]
    root: Digest
    reason: Annotated[str, Field(min_length=1, max_length=MOST_REASON)]

    @field_validator("reason")
    @classmethod
    def _is_one_plain_line(cls, reason: str) -> str:
        if not reason.isprintable() or reason != reason.strip():
            raise ValueError("has to be one line of printable text, without space around it")
        return reason


class Manifest(Record):
    """`manifest.json`: the freeze. Nothing accepts an answer to an item that is not in it.

    Attributes:
        items: By item id.
        ledger: The ledger's root, as in `ledger/root.json`: what the items came from is frozen with them.
        earlier: The versions of the freeze before this one, the first one first.
        root: Digest over the tree of all items, their number, the ledger's root and the earlier versions; see
            `factory.run.freeze`.
    """

    schema_version: int = SCHEMA_VERSION
    items: dict[str, FrozenItem]
    ledger: Digest
    earlier: tuple[EarlierFreeze, ...] = ()
    root: str

    @property
    def version(self) -> int:
        """Which freeze of the run it is, from 1."""
        return len(self.earlier) + 1


class LedgerRoot(Record):
    """`ledger/root.json`: the head of each conversation's chain, and one digest over them."""

    schema_version: int = SCHEMA_VERSION
    heads: dict[str, str]
    root: str
