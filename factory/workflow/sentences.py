"""Where a spoken text may be divided: sentences, words, and whether a caller can cut in.

The splitter knows the ways in which a full stop does not end a sentence (titles, initials, times of
day, numbers) and looks at the word that follows. Where both readings are possible it prefers to
divide: a first sentence is then taken as too short rather than as long enough.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

MIN_CUT_WORDS: Final = 10
"""Words that a first sentence needs, so that a caller can cut in during it."""


def _words_of(text: str) -> frozenset[str]:
    return frozenset(text.split())


_CLOSERS: Final = "\"'”’»)]}"
_OPENERS: Final = "\"'“‘«([¿¡"

_TITLES: Final = _words_of(
    "dr mr mrs ms mx prof rev hon gen col capt lt sgt gov sen rep messrs mt ft vs approx e.g i.e"
)
"""Always followed by more of the same sentence."""

_BEFORE_NUMBERS: Final = _words_of(
    "no nos nr ext apt ste tel fig p pp ch sec vol art jan feb mar apr jun jul aug sep sept oct nov dec"
)
"""Part of the sentence where a number follows."""

_EITHER_WAY: Final = _words_of(
    "st ave blvd rd ln hwy sq jr sr inc co corp ltd dept est bros ph.d m.d b.a m.a u.s u.k d.c p.o"
)
"""May stand inside a sentence or at its end: the next word decides."""

_TIMES_OF_DAY: Final = frozenset({"a.m", "p.m"})

_AFTER_TIMES: Final = _words_of(
    "monday tuesday wednesday thursday friday saturday sunday january february march april may june july "
    "august september october november december eastern central mountain pacific est edt cst cdt mst mdt "
    "pst pdt gmt utc et ct pt mt"
)
"""Capitalised words that carry on a sentence after a time of day."""

_STARTERS: Final = _words_of(
    "a all also an and any are as at because before both but by can could did do does each either every "
    "everything feel for from he he's her here here's his how however i i'd i'll i'm i've if in is it it'll "
    "it's its just keep let let's look may maybe most my no nobody none nothing now of on once one only or "
    "otherwise our please right she she's should since so some somebody someone sometimes sorry sure take "
    "thank thanks that that's that'll the their them then there there's these they they'll they're they've "
    "this those though to today tomorrow tonight until we we'd we'll we're we've well what what's when where "
    "whether which while who why will with would yes yet you you'd you'll you're you've your"
)
"""Words that, capitalised, begin a sentence rather than carry on a name."""

_DOTTED = re.compile(r"(?:[^\W\d_]\.)+[^\W\d_]")
_ELLIPSIS = re.compile(r"(?:\.\.+|…)$")


def words(text: str) -> tuple[str, ...]:
    """The words of a text as they stand, with their punctuation; word indices count these."""
    return tuple(text.split())


@lru_cache(maxsize=4096)
def sentences(text: str) -> tuple[str, ...]:
    """The sentences of a text.

    Returns:
        Sentences without white space around them; joined by single spaces they give back the text
        exactly (a text with other white space comes back with single spaces). Empty for a blank text.
    """
    tokens = words(text)
    found: list[str] = []
    start = 0
    for index in range(len(tokens) - 1):
        if _ends(tokens[index], tokens[index + 1], first=index == start):
            found.append(" ".join(tokens[start : index + 1]))
            start = index + 1
    if start < len(tokens):
        found.append(" ".join(tokens[start:]))
    return tuple(found)


def spoken_words(text: str) -> int:
    """How many words of a text are heard: those with a letter or digit; a `{placeholder}` is one."""
    return sum(any(map(str.isalnum, word)) for word in words(text))


def is_cuttable(lines: Sequence[str]) -> bool:
    """Whether a caller can cut in on every one of some variants.

    True where each variant's first sentence has at least `MIN_CUT_WORDS` words. A placeholder counts as
    one word, so what holds for the authored text holds for the spoken one. False for no variants.
    """
    return bool(lines) and all(spoken_words((sentences(line) or ("",))[0]) >= MIN_CUT_WORDS for line in lines)


def _ends(token: str, following: str, *, first: bool) -> bool:
    """Whether a sentence ends between two tokens; `first`: the token is all there is of its sentence."""
    core = token.rstrip(_CLOSERS)
    if not core.endswith((".", "!", "?", "…")):
        return False
    begin = following.lstrip(_OPENERS)
    if not begin or not _can_begin(begin):
        return False
    if core.endswith(("!", "?")):
        return True
    lead = re.split(r"[^\w']", begin.replace("’", "'").lower(), maxsplit=1)[0]
    if _ELLIPSIS.search(core):
        return lead != "i" and not lead.startswith("i'")
    return not _is_abbreviation(core.lstrip(_OPENERS)[:-1], begin, lead, first=first)


def _can_begin(word: str) -> bool:
    """Whether a word may begin a sentence: a capital, a number, a placeholder, or a name like iPhone."""
    initial = word[0]
    return not initial.islower() or any(c.isupper() for c in word[1:3])


def _is_abbreviation(stem: str, begin: str, lead: str, *, first: bool) -> bool:
    """Whether the full stop behind `stem` belongs to the word, given what follows."""
    key = stem.lower()
    if key in _TITLES:
        return True
    if key in _BEFORE_NUMBERS and begin[0] in "0123456789#":
        return True
    if key == "no":
        return not first and begin[0] == "{"
    if key in _TIMES_OF_DAY:
        return lead in _AFTER_TIMES
    if key in _EITHER_WAY or _DOTTED.fullmatch(stem) or (len(stem) == 1 and stem.isupper()):
        return lead not in _STARTERS and begin[0] != "{"
    return False
