"""A spec: the corpus that is ordered, in numbers."""

import re
from typing import Annotated, TypeVar

from pydantic import AfterValidator, BeforeValidator, Field, StringConstraints, model_validator

from factory.records.base import Record
from factory.records.enums import DEPTH_BANDS, InterruptionType, band_name

T = TypeVar("T")


def _require_pattern(text: str) -> str:
    if not re.fullmatch(r"([a-z][a-z0-9_]*|\*)/([a-z][a-z0-9_]*|\*)", text):
        raise ValueError(f"expected a workflow's id, or a pattern as `government/*` or `*/*`, found `{text}`")
    return text


def _require_name(text: str) -> str:
    if not re.fullmatch(r"[a-z0-9][a-z0-9-]*", text):
        raise ValueError(f"expected lower-case letters, digits and hyphens, as `my-corpus`, found `{text}`")
    return text


def _require_band(name: str) -> str:
    known = [band_name(i) for i in range(len(DEPTH_BANDS))]
    if name not in known:
        raise ValueError(f"there is no such band; the bands are {', '.join(known)}")
    return name


def _require_some(entries: tuple[T, ...]) -> tuple[T, ...]:
    if not entries:
        raise ValueError("the list is empty; write at least one entry")
    return entries


def _refuse_percent(value: object) -> object:
    if isinstance(value, str) and value.rstrip().endswith("%"):
        raise ValueError(f"expected a share of 1, as 0.05 for 5 %, found `{value[:20]}`")
    return value


Count = Annotated[int, Field(ge=0, le=10_000_000)]
Pattern = Annotated[str, AfterValidator(_require_pattern)]
Band = Annotated[str, AfterValidator(_require_band)]
NotEmpty = AfterValidator(_require_some)
"""As `min_length=1`, which would also complain of a list whose entries are at fault."""
NoPercent = BeforeValidator(_refuse_percent)


class Messages(Record):
    """How long calls are, in messages of both sides; the agent's first message counts as one.

    Attributes:
        min: Length of the shortest call; one call has exactly this length.
        max: Length of the longest call; one call has exactly this length.
        mean: Mean length to one decimal.
    """

    min: Annotated[int, Field(ge=6, le=40)]
    max: Annotated[int, Field(ge=6, le=40)]
    mean: Annotated[float, Field(ge=6, le=40)]

    @model_validator(mode="after")
    def _in_order(self) -> "Messages":
        if not self.min <= self.mean <= self.max:
            raise ValueError(f"expected min <= mean <= max, found {self.min}, {self.mean}, {self.max}")
        return self


class InterruptionOrder(Record):
    """How many interruptions, by type and by depth; both add up to the same total."""

    by_type: dict[InterruptionType, Count]
    by_depth: dict[Band, Count]

    @model_validator(mode="after")
    def _adds_up(self) -> "InterruptionOrder":
        types, depths = sum(self.by_type.values()), sum(self.by_depth.values())
        if types != depths:
            raise ValueError(f"by_type orders {types} interruptions, by_depth {depths}; make them equal")
        return self

    @property
    def total(self) -> int:
        """All interruptions ordered."""
        return sum(self.by_type.values())

    def of_type(self, kind: InterruptionType) -> int:
        """How many of one type."""
        return self.by_type.get(kind, 0)

    def of_band(self, band: int) -> int:
        """How many in one depth band (index into `DEPTH_BANDS`)."""
        return self.by_depth.get(band_name(band), 0)


class Variations(Record):
    """How many calls take another way than the straight one.

    Attributes:
        retries: Calls in which one question fails and is asked again.
        hard_stops: Calls that end at a hard stop.
    """

    retries: Count = 0
    hard_stops: Count = 0


class ConditionShare(Record):
    """A condition under which some of the calls are recorded.

    Attributes:
        name: One of `factory.speech.conditions`.
        share: How often it comes, against the shares of the others.
        snr_db: Level of the caller's speech over that of the background instead of the condition's own.
        packet_loss: Share of the caller's packets that are lost instead of the condition's own.
        caller_level_db: Level of the caller's channel over the agent's instead of the condition's own.
    """

    name: Annotated[str, StringConstraints(max_length=40)]
    share: Annotated[int, Field(ge=1, le=1000)] = 1
    snr_db: float | None = None
    packet_loss: Annotated[float | None, NoPercent] = None
    caller_level_db: float | None = None


class Sound(Record):
    """What calls sound like.

    Attributes:
        stand_in: The speech engine that may speak a call in which the one that was asked for fails; none may if None.
        conditions: What calls are recorded under, by shares.
        most_misheard: Errors a word that a recogniser, where one listens, may find in a turn before it is spoken anew.
    """

    stand_in: str | None = None
    conditions: Annotated[tuple[ConditionShare, ...], Field(max_length=50), NotEmpty] = (ConditionShare(name="clean"),)
    most_misheard: Annotated[float, Field(ge=0, le=10), NoPercent] = 0.25


class Spec(Record):
    """A whole spec file.

    Attributes:
        name: Names the corpus in its card and report.
        conversations: How many calls.
        workflows: Ids, or patterns with `*` for a whole domain, a goal of any domain, or everything.
        tts: The speech engine, unless the command line names another.
        sound: What calls sound like.
    """

    schema_version: Annotated[int, Field(ge=1, le=1)]
    name: Annotated[str, StringConstraints(max_length=60), AfterValidator(_require_name)]
    description: Annotated[str, StringConstraints(max_length=600)] = ""
    conversations: Annotated[int, Field(ge=1, le=1_000_000)]
    workflows: Annotated[tuple[Pattern, ...], NotEmpty]
    interruptions: InterruptionOrder
    messages: Messages
    variations: Variations = Variations()
    tts: str = "hibari"
    sound: Sound = Sound()
