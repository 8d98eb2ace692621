"""Looks for canaries where none may be: in what the caller's side was given, in what it said, in what is published."""

from factory.records.base import Record
from factory.simulate.canary import says_canary


def holds_canary(record: Record, canary: str) -> bool:
    """Whether a record holds this conversation's canary, or a word of the shape of any other's."""
    return text_holds_canary(record.canonical(), canary)


def text_holds_canary(text: str, canary: str) -> bool:
    """The same for a text."""
    return canary in text.lower() or says_canary(text)
