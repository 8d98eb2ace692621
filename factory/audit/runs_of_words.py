"""Texts as lines of words, and the runs of words by which a text is known again."""

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache

from factory.audit.scan.everyday import EVERYDAY

RUN_WORDS = 8
"""Words in a row that are not there by chance; of a shorter text, all of it."""
FEWEST_WORDS = 5
"""Words of a text that can be known again."""
WORDS_IN_RUN = 5
"""Words of a run, or of a shorter text all of them, that are no numbers: times and prices are said again by chance."""

_KEPT = 2_000
_WORD = re.compile(r"[^\W_]+")
_UNSEEN = ("Cf", "Mn")


def words_of(text: str) -> tuple[str, ...]:
    """The words of a text without case, and without what nobody sees or says."""
    return tuple(line_of(text).split())


@lru_cache(maxsize=_KEPT)
def line_of(text: str) -> str:
    """A text's words with a blank around each, so that a run of words is a part of it."""
    plain = text.casefold().replace("’", "'").replace("'", "")
    if not plain.isascii():
        plain = unicodedata.normalize("NFKD", plain).casefold()
        plain = "".join(c for c in plain if unicodedata.category(c) not in _UNSEEN)
    return f" {' '.join(_WORD.findall(plain))} "


_EVERYDAY = frozenset(words_of(EVERYDAY))


def runs_of(text: str) -> Iterator[str]:
    """The runs of words by which a text is known again, as lines; one of everyday words alone is anybody's."""
    words = words_of(text)
    if len(words) < FEWEST_WORDS:
        return
    for start in range(max(1, len(words) - RUN_WORDS + 1)):
        run = words[start : start + RUN_WORDS]
        spoken = [word for word in run if not any(map(str.isdigit, word))]
        if len(spoken) >= min(WORDS_IN_RUN, len(run)) and not _EVERYDAY.issuperset(spoken):
            yield f" {' '.join(run)} "
