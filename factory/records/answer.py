"""A target model's answer to a frozen item."""

from datetime import UTC, datetime, timedelta
from typing import Annotated

from pydantic import Field, field_validator, model_validator

from factory.records.base import SCHEMA_VERSION, Record
from factory.records.run import Digest


class Answer(Record):
    """One answer: what a target says in the turn after an interruption.

    Attributes:
        item_id: The item that it answers.
        root: Root of the freeze that the item was taken from.
        model: Who answered.
        response: What was said; None where there is only audio.
        audio: Path of the spoken answer, as the evaluation finds it; None where there is only text.
        answered_at: When, in UTC.
    """

    schema_version: int = SCHEMA_VERSION
    item_id: str
    root: Digest
    model: Annotated[str, Field(min_length=1)]
    response: str | None = None
    audio: str | None = None
    answered_at: datetime

    @field_validator("answered_at")
    @classmethod
    def _is_utc(cls, answered_at: datetime) -> datetime:
        if answered_at.utcoffset() != timedelta(0):
            raise ValueError("has to be a time in UTC, such as 2026-01-31T12:00:00Z")
        return answered_at.astimezone(UTC)

    @model_validator(mode="after")
    def _says_something(self) -> "Answer":
        if self.response is None and self.audio is None:
            raise ValueError("holds neither a `response` nor `audio`")
        return self
