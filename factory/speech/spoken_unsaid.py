"""Words that an English voice cannot say: they would stand in the transcript and be missing from the sound."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from factory.speech.spoken import say
from factory.speech.spoken_trace import Traced
from factory.speech.spoken_words import SILENT, plain_characters

# Of other text every word is said; to look whether there is anything else costs next to nothing.
_UNUSUAL = re.compile(r"[^A-Za-z\d\s.,;:!?'\"()/&%@#$-]|\$(?!\d)", re.ASCII)


def unsaid(text: str) -> tuple[str, ...]:
    """Return the written words of `text` that would be missing from its sound, whole or in part, in order.

    They hold a letter, digit or sign that has no spoken form (of another script, an emoji, an arrow), or they stand in
    brackets or asterisks as a stage direction. Punctuation is not missing: it is a pause, or nothing. Neither is the
    "™" behind a name.
    """
    if not _UNUSUAL.search(text):
        return ()
    return tuple(
        word
        for word, (start, stop) in zip(text.split(" "), say(text).spans, strict=True)
        if any(_has_no_form(character) for character in unicodedata.normalize("NFKC", word))
        or (start == stop and any(_is_for_the_ear(character) for character in word))
    )


def _is_for_the_ear(character: str) -> bool:
    """Whether a character is a letter, a digit or a sign, and not one of those that nobody says."""
    return unicodedata.category(character)[0] in "LNS" and character not in SILENT


@lru_cache(maxsize=4096)
def _has_no_form(character: str) -> bool:
    """Whether a character for the ear is left out even before a number, where most signs are said."""
    return _is_for_the_ear(character) and plain_characters(Traced.of(f"{character}5")).text == "5"
