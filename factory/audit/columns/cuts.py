"""The rules of the cut, on the delivered and the original text of a turn (IHBench, section on the cut).

Words are what stands between spaces. Sentences are those of `factory.workflow.sentences`, which divides where both
readings are possible; so a cut that it finds in the last sentence is in the last sentence by any reading.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from factory.audit.columns.call import Call, Turn
from factory.audit.columns.rules import ColumnRule, Outcome, broken, held, looks_broken
from factory.audit.findings import shown
from factory.records.conversation import Segment
from factory.simulate.cut import LEFT_WORDS, sentence_spans

_MARKS = ".,!?;:\"'()[]…—–-“”‘’"
_CLOSERS = "\"'”’)]"
_PARTING = "—–…/"
_PLAIN_END = re.compile(rf"(?:[!?…]|[a-z]{{4,}}\.)[{re.escape(_CLOSERS)}]*$")
"""How a word ends behind which a sentence ends by any reading: no abbreviation is so long and in small letters."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a delivered text ends in its original.

    Attributes:
        words: Words of the original that were begun.
        exact: Whether the delivered text begins the original letter for letter.
        whole: Whether the last word was said to its end.
        rest: The words that were left.
    """

    words: int
    exact: bool
    whole: bool
    rest: tuple[str, ...]


def place_of(turn: Turn) -> Place | None:
    """Where a turn was cut; None where its delivered text does not begin the original, not even by its words."""
    meant, delivered = turn.meant or "", turn.delivered or ""
    original, said = _words(meant), _words(delivered)
    exact = meant.startswith(delivered)
    if exact:
        behind = meant[len(delivered) :]
        return _placed(original, len(said), exact=True, whole=not _goes_on(delivered, behind))
    words = _count(original, said)
    if words is not None:
        return _placed(original, words, exact=False, whole=True)
    *before, last = [*filter(None, map(bare, said))] or [""]
    begun = _count(original, before)
    if not last or begun is None or begun >= len(original) or not bare(original[begun]).startswith(last):
        return None
    return _placed(original, begun + 1, exact=False, whole=False)


def cut_outcomes(call: Call) -> Iterator[Outcome]:
    """Every check of every cut of a call."""
    for turn in call.turns:
        if turn.meant is not None and (turn.interrupted or turn.meant != turn.delivered):
            yield from _cut(turn, turn.meant)


def bare(word: str) -> str:
    """A word in small letters, without the marks around it."""
    return word.lower().replace("’", "'").strip(_MARKS)


def bare_of(text: str) -> tuple[str, ...]:
    """The bare words of a text, marks that stand alone left out."""
    return tuple(each for word in text.split() if (each := bare(word)))


def _cut(turn: Turn, meant: str) -> Iterator[Outcome]:
    if not turn.delivered or not bare_of(turn.delivered):
        yield broken(ColumnRule.NOTHING_HEARD, "nothing of the original was delivered before the caller cut in", turn)
        return
    yield held(ColumnRule.NOTHING_HEARD, turn)
    place = place_of(turn)
    if place is None:
        yield broken(ColumnRule.NOT_A_PREFIX, f"“{_end(turn.delivered)}” does not begin the original", turn)
        return
    if place.exact:
        yield held(ColumnRule.NOT_A_PREFIX, turn)
    else:
        yield looks_broken(
            ColumnRule.NOT_A_PREFIX,
            f"“{_end(turn.delivered)}” begins the original by its words, not to the letter",
            turn,
        )
    if place.whole:
        yield held(ColumnRule.ENDS_INSIDE_WORD, turn)
    else:
        yield broken(ColumnRule.ENDS_INSIDE_WORD, f"“{_end(turn.delivered)}” ends inside a word of the original", turn)
    if place.whole and not bare_of(" ".join(place.rest)):
        yield broken(ColumnRule.NOTHING_CUT, "the whole original was delivered", turn)
        return
    yield held(ColumnRule.NOTHING_CUT, turn)
    yield from _in_sentences(turn, " ".join(_words(meant)), place)


def _in_sentences(turn: Turn, meant: str, place: Place) -> Iterator[Outcome]:
    spans = sentence_spans((Segment(act="", text=meant),))
    word = place.words - 1
    span = next(span for span in spans if span.first <= word <= span.last)
    if span is spans[-1]:
        yield broken(
            ColumnRule.CUT_IN_LAST_SENTENCE, f"cut behind “{_end(turn.delivered)}”, in the last sentence", turn
        )
    else:
        yield held(ColumnRule.CUT_IN_LAST_SENTENCE, turn)
    left = span.last - word
    if left or not place.whole:
        yield held(ColumnRule.CUT_ON_SENTENCE_END, turn)
    else:
        last = meant.split(" ")[word]
        finding = broken if _PLAIN_END.search(last) else looks_broken
        yield finding(
            ColumnRule.CUT_ON_SENTENCE_END, f"cut behind “{_end(turn.delivered)}”, where a sentence ends", turn
        )
        return
    if left < LEFT_WORDS:
        rest = " ".join(meant.split(" ")[place.words : span.last + 1])
        yield looks_broken(ColumnRule.TOO_LITTLE_LEFT, f"only “{shown(rest)}” is left of the sentence", turn)
    else:
        yield held(ColumnRule.TOO_LITTLE_LEFT, turn)


def _placed(original: list[str], words: int, exact: bool, whole: bool) -> Place:
    return Place(words, exact, whole, tuple(original[words:]))


def _goes_on(delivered: str, behind: str) -> bool:
    """Whether the word at whose end a text ends goes on behind it; a dash or slash parts words, other marks do not."""
    if not delivered or not behind or delivered[-1].isspace() or behind[0].isspace():
        return False
    parted = delivered[-1] in _PARTING or behind[0] in _PARTING
    return not parted and bool(bare(behind.split()[0]))


def _words(text: str) -> list[str]:
    """The words of a text; a dash between two is one of its own."""
    return text.replace("—", " — ").replace("–", " – ").split()


def _count(original: list[str], said: list[str]) -> int | None:
    """How many words of the original these are, marks apart; None if they are not its first ones."""
    index = 0
    for word in filter(None, map(bare, said)):
        while index < len(original) and not bare(original[index]):
            index += 1
        if index >= len(original) or bare(original[index]) != word:
            return None
        index += 1
    return index


def _end(text: str | None) -> str:
    """The last words of a text, for a message."""
    words = (text or "").split()
    return shown(("… " if len(words) > 6 else "") + " ".join(words[-6:]))
