"""Identifiers as people read them on a page."""

from factory.records.blueprint import SUCCESS
from factory.records.enums import InterruptionType

TYPES: tuple[InterruptionType, ...] = tuple(InterruptionType)
"""The order in which types are listed, in charts, filters and rows alike."""


_SPELT = {"saas": "SaaS", "ecommerce": "E-commerce"}
"""Identifiers that are written otherwise than their letters say."""


def words(identifier: str) -> str:
    """An identifier as words: `financial_services` as `Financial services`."""
    if identifier in _SPELT:
        return _SPELT[identifier]
    text = identifier.replace("_", " ").replace("-", " ").strip()
    return text[:1].upper() + text[1:]


def letter(kind: InterruptionType) -> str:
    """The one letter that stands for a type where a name has no room; no two types share one."""
    return kind.value[0].upper()


def outcome(identifier: str) -> str:
    """How a call ended, in a few words."""
    return "Goal reached" if identifier == SUCCESS else f"Hard stop: {words(identifier).lower()}"


def counted(number: int, one: str, many: str | None = None) -> str:
    """A number with its noun: `1 call`, `2 calls`, `4,500 calls`."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"
