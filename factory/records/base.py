"""What every record shares: frozen, closed, and with one canonical form for digests."""

import hashlib
import json
from typing import Self

from pydantic import BaseModel, ConfigDict

SCHEMA_VERSION = 1
"""Version of every file format that the factory writes; raised when an old reader would break."""


_CANONICAL = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False)


class Record(BaseModel):
    """Base of the shared records: frozen, and closed to unknown fields."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    def canonical(self) -> str:
        """The one JSON text of this record that digests are taken over."""
        return canonical_json(self.model_dump(mode="json"))

    def digest(self) -> str:
        """SHA-256 of `canonical()`, as 64 hex digits."""
        return sha256(self.canonical())

    @classmethod
    def from_json(cls, text: str | bytes) -> Self:
        """Reads a record back from JSON; raises `pydantic.ValidationError` on anything unexpected."""
        return cls.model_validate_json(text)


def canonical_json(value: object) -> str:
    """JSON with sorted keys, no white space and unescaped Unicode: equal values, equal bytes."""
    return _CANONICAL.encode(value)


def sha256(text: str | bytes) -> str:
    """SHA-256 of a text (as UTF-8) or of bytes, as 64 hex digits."""
    return hashlib.sha256(text.encode() if isinstance(text, str) else text).hexdigest()
