"""Comparing texts by their words alone, without regard to case and punctuation."""

from collections.abc import Iterator
from functools import lru_cache

PHRASE_WORDS = 5
"""Words in a row that make a repeat: shorter runs are common English."""
_KEPT = 4096
"""Texts whose words are remembered: a few conversations' worth, so that memory stays flat."""


@lru_cache(maxsize=_KEPT)
def bare_words(text: str) -> tuple[str, ...]:
    """The words of a text in lower case without punctuation around them; empty ones left out."""
    plain = text.lower().replace("’", "'")
    return tuple(bare for word in plain.split() if (bare := word.strip(".,!?;:\"'()…“”‘")))


@lru_cache(maxsize=_KEPT)
def phrases(text: str, length: int = PHRASE_WORDS) -> frozenset[tuple[str, ...]]:
    """All runs of `length` words in a text."""
    words = bare_words(text)
    return frozenset(words[i : i + length] for i in range(len(words) - length + 1))


def shares_phrase(text: str, other: str, length: int = PHRASE_WORDS) -> bool:
    """Whether two texts have a run of `length` words in common."""
    return not phrases(text, length).isdisjoint(phrases(other, length))


def holds_phrase(text: str, phrase: str) -> bool:
    """Whether the words of a phrase stand in a text, in a row; the phrase may end inside the last word.

    "protect" is held by "It protects you"; "case ID" by "your case ID?".
    """
    wanted = _joined(phrase)
    return wanted != " " and wanted in _joined(text)


def holds_words(text: str, phrase: str) -> bool:
    """Whether the words of a phrase stand in a text, in a row and each of them whole."""
    wanted = _joined(phrase)
    return wanted != " " and f"{wanted} " in f"{_joined(text)} "


def phrase_places(text: str, phrase: str) -> Iterator[int]:
    """Indices of the words of a text at which a phrase starts, as `holds_phrase` finds it."""
    words, wanted = _joined(text), _joined(phrase)
    start = words.find(wanted) if wanted != " " else -1
    while start >= 0:
        yield words.count(" ", 0, start)
        start = words.find(wanted, start + 1)


@lru_cache(maxsize=_KEPT)
def _joined(text: str) -> str:
    """The bare words, each behind a space, so that a match can only begin where a word does."""
    return " " + " ".join(bare_words(text))


def is_everyday_word(value: str) -> bool:
    """Whether a value is a single word of any call ("two", "noon"), which tells nothing where somebody says it."""
    return value.isalpha() and value.islower()
