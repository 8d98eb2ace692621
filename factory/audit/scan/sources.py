"""What a caller could know at a turn, and what they could not: both as the scan compares them."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import pairwise

from factory.audit.scan.call import ScannedCall, ScannedTurn
from factory.audit.scan.findings import Where
from factory.audit.scan.values import LAST_DIGITS, Sort, Value, values_in, values_of
from factory.audit.scan.words import names_in, pieces, said_words, sentences_of, stems_of

Pair = tuple[str, str]
_AT_ONCE = 1_000
"""Words that are taken in at once."""


@dataclass
class Known:
    """All that reached a caller so far, or was theirs from the beginning."""

    texts: list[str] = field(default_factory=list)
    stems: set[str] = field(default_factory=set)
    pairs: set[Pair] = field(default_factory=set)
    values: set[Value] = field(default_factory=set)
    line: str = " "
    words: str = " "

    def add(self, texts: Iterable[str]) -> None:
        """Takes in texts, each in itself: no run of words reaches over two."""
        for text in (piece for whole in texts for piece in pieces(whole, _AT_ONCE)):
            stems = stems_of(text)
            if not stems:
                continue
            self.texts.append(text)
            self.stems.update(stems)
            self.pairs.update(pairwise(stems))
            self.values |= values_in(text) | values_of(text)
            self.line += f"{' '.join(stems)} | "
            self.words += f"{' '.join(said_words(text))} | "

    def holds(self, stems: tuple[str, ...]) -> bool:
        """Whether these stems stand somewhere in a row."""
        return self.stems.issuperset(stems) and f" {' '.join(stems)} " in self.line

    def holds_words(self, text: str) -> bool:
        """Whether a text's words stand somewhere in a row, just so."""
        return f" {' '.join(said_words(text))} " in self.words


@dataclass(frozen=True)
class Unheard:
    """A passage that a caller cannot know at some turn.

    Attributes:
        text: One sentence of it, or less.
        stems: Its stems.
        names: Words in it that are names.
        values: Its values, whole, and the ends of its long codes.
        whole: The sentence from its beginning, where the caller heard how it begins.
        is_fact: Whether it is a value of the caller's own.
    """

    where: Where
    place: str
    text: str
    stems: tuple[str, ...]
    names: frozenset[str]
    values: frozenset[Value]
    whole: str = ""
    is_fact: bool = False


def unheard_of_base(call: ScannedCall, others: Iterable[str]) -> tuple[Unheard, ...]:
    """What stays unheard unless somebody says it: the knowledge base, and what other callers hide."""
    return (
        *(u for p in call.stage_texts for u in _unheard(Where.STAGE, p.place, p.text)),
        *(u for p in call.guidelines for u in _unheard(Where.GUIDELINE, p.place, p.text)),
        *(u for p in call.known_user for u in _unheard(Where.KNOWN_USER, p.place, p.text)),
        *(u for text in others for u in _unheard(Where.OTHER_CALLER, "hidden information", text)),
    )


def unheard_at(call: ScannedCall, number: int) -> Iterator[Unheard]:
    """What of this very call is not heard when the caller speaks in one round.

    What was said meanwhile in other words is still among it; matching takes it out.
    """
    turn = call.turns[number]
    here = f"round {number}"
    rest = f"{turn.talked_over} {turn.undelivered}".strip()
    if rest:
        yield from _behind(Where.UNDELIVERED, here, turn.heard, rest)
    if turn.talked_over:
        yield from _unheard(Where.TALKED_OVER, here, turn.talked_over)
    for earlier in range(number):
        before = call.turns[earlier]
        if before.undelivered:
            said = f"{before.heard} {before.talked_over}"
            yield from _behind(Where.EARLIER, f"round {earlier}", said, before.undelivered)
    for later in range(number + 1, len(call.turns)):
        for text in _to_come(call, number, later):
            yield from _unheard(Where.LATER, f"round {later}", text)
    yield from _answers(call, number)


def _behind(where: Where, place: str, said: str, rest: str) -> Iterator[Unheard]:
    """The rest of an utterance; its first sentence is known from its beginning."""
    began = (sentences_of(said) or ("",))[-1]
    for index, unheard in enumerate(_unheard(where, place, rest)):
        cut = index == 0 and began[-1:] not in (".", "?", "!")
        yield replace(unheard, whole=f"{began} {unheard.text}") if cut else unheard


def _to_come(call: ScannedCall, number: int, later: int) -> Iterator[str]:
    """What the agent will say whatever the caller says now.

    Without acts, what comes next may be the answer to the caller, in their words: of that turn only questions count.
    """
    turn = call.turns[later]
    if call.with_releases:
        yield from (part.text for part in turn.parts if part.planned)
    elif later > number + 1:
        yield from (part.text for part in turn.parts)
    else:
        yield from (s for part in turn.parts for s in sentences_of(part.text) if s.endswith("?"))


def _answers(call: ScannedCall, number: int) -> Iterator[Unheard]:
    """Answers that the caller gives later, to questions that nobody has asked yet."""
    asked = frozenset[str]().union(*(turn.asked for turn in call.turns[: number + 1]))
    for later in range(number + 1, len(call.turns)):
        turn = call.turns[later]
        if turn.answers and turn.question is not None and turn.question not in asked:
            for text in turn.answers:
                yield from _unheard(Where.LATER_ANSWER, f"round {later}", text)
            for fact in turn.facts:
                yield from (replace(u, is_fact=True) for u in _unheard(Where.LATER_ANSWER, f"round {later}", fact))


def _unheard(where: Where, place: str, text: str) -> Iterator[Unheard]:
    for sentence in sentences_of(text):
        stems = stems_of(sentence)
        if stems:
            names = names_in(text) | (names_in(f"x {sentence}") if where is Where.KNOWN_USER else frozenset())
            yield Unheard(where, place, sentence, stems, names, _whole(sentence))


def _whole(text: str) -> frozenset[Value]:
    """The values of a text, and the last digits of its long codes, by which people go too."""
    values = values_of(text)
    ends = {
        Value(Sort.DIGITS, value.key[-LAST_DIGITS:])
        for value in values
        if value.sort is Sort.DIGITS and len(value.key) > LAST_DIGITS
    }
    return values | ends


def reached(turn: ScannedTurn) -> tuple[str, ...]:
    """What reaches the caller by the moment in which they speak."""
    return (turn.heard, *turn.released)
