"""Texts as words that can be compared: as they are said, without hesitations, and by their stems."""

import re
from collections.abc import Iterator
from functools import lru_cache

from factory.speech.spoken import spoken_form

SENTENCE_WORDS = 120
"""Words of a sentence at the most; people stop earlier."""
_WORD_CHARACTERS = 60
_KEPT = 20_000
"""Texts whose words are remembered: the authored lines of many calls, so that memory stays flat."""
_ENDLESS = re.compile(r"\d[\d,.]{39}")
"""A number longer than any code; no more of it is taken at once, as none so long can be put into words."""
_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)*")
_SENTENCE = re.compile(r"(?<=[.!?…])[\"”']?\s+(?=[\"“']?[A-Z0-9$])")
_HESITATIONS = frozenset(("uh", "um", "er", "erm", "hm", "hmm", "mm", "mmm", "mhm", "ah", "huh"))


@lru_cache(maxsize=_KEPT)
def said_words(text: str) -> tuple[str, ...]:
    """The words of a text in lower case as a person says them: numbers in words, hyphens apart, no hesitations."""
    plain = text.replace("’", "'")
    if "@" in plain or any(character.isdecimal() for character in plain):
        plain = spoken_form(_ENDLESS.sub(r"\g<0> ", plain))
    return tuple(word for word in _WORD.findall(plain.lower()) if word not in _HESITATIONS)


@lru_cache(maxsize=_KEPT)
def sentences_of(text: str) -> tuple[str, ...]:
    """The sentences of a text; one that is cut off at either end counts as one, and an endless one as several."""
    return tuple(piece for part in _SENTENCE.split(text) for piece in pieces(part.strip(), SENTENCE_WORDS))


def pieces(text: str, most: int) -> Iterator[str]:
    """A text in pieces of at most so many words, so that no hostile one takes more than its share of time."""
    words = text.split()
    if len(words) <= most and len(text) <= most * _WORD_CHARACTERS:
        if text:
            yield text
        return
    for start in range(0, len(words), most):
        yield " ".join(word[:_WORD_CHARACTERS] for word in words[start : start + most])


@lru_cache(maxsize=_KEPT)
def stem(word: str) -> str:
    """A word without its commonest endings: "verifying", "verifies" and "verified" have one stem."""
    word = word.removesuffix("'s").removesuffix("'")
    if len(word) <= 3:
        return word
    for ending, put in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            word = word[: len(word) - len(ending)] + put
            break
    if len(word) > 4 and word[-1] == word[-2] and word[-1] in "bdgmnprt":
        word = word[:-1]
    return word.removesuffix("e") if len(word) > 3 else word


_ENDINGS = (
    *(
        ("ications", "y"),
        ("ication", "y"),
        ("ifying", "ify"),
        ("ified", "ify"),
        ("ifies", "ify"),
        ("ations", ""),
        ("ation", ""),
    ),
    *(("ments", ""), ("ment", ""), ("iest", "y"), ("ies", "y"), ("ied", "y"), ("ing", ""), ("ed", "")),
    *(("sses", "ss"), ("shes", "sh"), ("ches", "ch"), ("xes", "x"), ("ss", "ss"), ("us", "us"), ("s", ""), ("ly", "")),
)


@lru_cache(maxsize=_KEPT)
def stems_of(text: str) -> tuple[str, ...]:
    """The stems of a text's words, in order."""
    return tuple(stem(word) for word in said_words(text))


@lru_cache(maxsize=_KEPT)
def names_in(text: str) -> frozenset[str]:
    """Words that are written with a capital inside a sentence, in lower case: names, as far as writing tells."""
    found = set()
    for sentence in sentences_of(text.replace("’", "'")):
        for match in _CAPITAL.finditer(sentence):
            if match.start() > 0 and not sentence[: match.start()].rstrip().endswith((":", "“", '"')):
                found.add(match[0].lower().removesuffix("'s"))
    return frozenset(found) - _NO_NAMES


_CAPITAL = re.compile(r"(?<![\w'])[A-Z][a-z]+(?:'s)?\b")
_NO_NAMES = frozenset(
    (
        *("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"),
        *("january", "february", "march", "april", "may", "june", "july", "august"),
        *("september", "october", "november", "december", "i'm", "i'll", "i've", "i'd", "ok", "okay"),
    )
)
