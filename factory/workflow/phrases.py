"""Comparing texts by their words alone, without regard to case and punctuation."""

PHRASE_WORDS = 5
"""Words in a row that make a repeat: shorter runs are common English."""


def bare_words(text: str) -> list[str]:
    """The words of a text in lower case without punctuation around them; empty ones left out."""
    bare = (word.strip(".,!?;:\"'()…“”‘’").lower().replace("’", "'") for word in text.split())
    return [word for word in bare if word]


def phrases(text: str, length: int = PHRASE_WORDS) -> set[tuple[str, ...]]:
    """All runs of `length` words in a text."""
    words = bare_words(text)
    return {tuple(words[i : i + length]) for i in range(len(words) - length + 1)}


def shares_phrase(text: str, other: str, length: int = PHRASE_WORDS) -> bool:
    """Whether two texts have a run of `length` words in common."""
    return bool(phrases(text, length) & phrases(other, length))


def holds_phrase(text: str, phrase: str) -> bool:
    """Whether the words of a phrase stand in a text, in a row; the phrase may end inside the last word.

    "protect" is held by "It protects you"; "case ID" by "your case ID?".
    """
    words, wanted = bare_words(text), bare_words(phrase)
    if not wanted:
        return False
    *whole, last = wanted
    size = len(wanted)
    return any(
        words[i : i + size - 1] == whole and words[i + size - 1].startswith(last) for i in range(len(words) - size + 1)
    )
