"""What a stage that verifies somebody asks for in words: a security word, a street, a school."""

import re
from collections.abc import Iterator

from factory.audit.columns.call import Call
from factory.audit.scan.background import Background
from factory.audit.scan.words import pieces, said_words, stem

Words = tuple[str, ...]
"""A text as it is said, word by word."""
AT_ONCE = 1_000
"""Words of a text that are searched at once, so that no endless one takes more than its share of time."""
_MOST_WORDS = 6
"""Words of an answer to a question that verifies; what is longer is a description."""
_IN_FIELD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+")
_KEPT_BACK = re.compile(r"\bbefore\b[^,.;]*", re.IGNORECASE)
"""What a stage says is not told yet: "before the tour is named"."""


def asked_in_words(call: Call) -> set[Words]:
    """The texts of the record that a caller may give to be verified.

    They are those of fields whose name stands in the text of a stage that verifies, word by word in any order
    (`security_word` and "ask for the security word once more"), without those of everyday words alone, which are said
    by chance, and without those that the goal or a guideline tells. Names are none of them: whoever calls says one,
    and it is no secret.
    """
    stages = (stage for stage in call.base.stages if stage.verifies)
    texts = (text for stage in stages for text in (stage.name, *(passage.text for passage in stage.passages)))
    asks = frozenset(stem(word) for text in texts for word in _said(_KEPT_BACK.sub("", text)))
    everyday = Background().is_everyday
    asked = {
        words
        for passage in call.base.known_user
        if _is_asked(words_of_field(passage.place), asks)
        and len(words := tuple(_said(passage.text))) <= _MOST_WORDS
        and not all(everyday(stem(word)) for word in words)
    }
    told = (call.goal, *(passage.text for passage in call.base.guidelines))
    return asked.difference(*(standing_in(text, asked) for text in told))


def standing_in(text: str | None, wanted: set[Words]) -> set[Words]:
    """Those of some texts that stand in another, word by word."""
    if not wanted:
        return set()
    said = tuple(_said(text or ""))
    runs = (said[start : start + n] for n in range(1, _MOST_WORDS + 1) for start in range(len(said) - n + 1))
    return {run for run in runs if run in wanted}


def words_of_field(field: str) -> Words:
    """The words of a field's own name, the last of which says what it holds."""
    return tuple(word.lower() for word in _IN_FIELD.findall(field.rpartition(".")[2]))


def _is_asked(field: Words, asks: frozenset[str]) -> bool:
    return bool(field) and field[-1] != "name" and all(stem(word) in asks for word in field)


def _said(text: str) -> Iterator[str]:
    return (word for piece in pieces(text, AT_ONCE) for word in said_words(piece))
