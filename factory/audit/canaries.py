"""Looks for canaries where none may be: in what the caller's side was given, in what it said, in what is published."""

import re

from factory.records.base import Record
from factory.simulate.canary import MARK

_CANARY = re.compile(rf"{MARK}(?:[a-z]{{2}}){{4}}", re.IGNORECASE)


def holds_canary(record: Record, canary: str) -> bool:
    """Whether a record holds this conversation's canary, or a word of the shape of any other's."""
    text = record.canonical()
    return canary in text.lower() or _CANARY.search(text) is not None


def text_holds_canary(text: str, canary: str) -> bool:
    """The same for a text."""
    return canary in text.lower() or _CANARY.search(text) is not None
