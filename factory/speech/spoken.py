"""Text as written to text as said: what an engine is given, and which spoken words each written word became."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from factory.speech import (
    spoken_addresses,
    spoken_capitals,
    spoken_pauses,
    spoken_places,
    spoken_quantities,
    spoken_words,
)
from factory.speech.spoken_trace import Origin, Traced

_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)*")


@dataclass(frozen=True, slots=True)
class Spoken:
    """A text as it is said, and the map from its written words to its spoken ones.

    Attributes:
        text: What an engine is given: letters and punctuation only.
        spans: One half-open span of spoken words, as `spoken_words_in` counts them, for each written word, as
            `written.split(" ")` has them. The spans are in order and cover every spoken word. Written words that are
            said as one thing ("$35 million") share one span; what is not said (a dash, an emoji) has an empty one
            at its place.
    """

    text: str
    spans: tuple[tuple[int, int], ...]

    def is_shared(self, word: int) -> bool:
        """Tell whether a cut behind a written word would fall inside what is said as one thing."""
        start, stop = self.spans[word]
        return start < stop and word + 1 < len(self.spans) and self.spans[word + 1] == (start, stop)


def say(text: str) -> Spoken:
    """Return `text` as a person would say it, and which spoken words each of its written words became.

    Numbers, dates, times, money, phone numbers, ids, e-mail and web addresses,
    ordinals, abbreviations and acronyms are put into words; codes are read digit
    by digit and letter by letter. Hesitations stay: an ellipsis, a dash or a comma
    is a pause. Markup, stage directions in brackets and emoji are not spoken.
    The result of text without words is empty or punctuation; saying what is said
    already changes nothing.
    """
    said = spoken_capitals.lower_capitals(spoken_words.plain_characters(Traced.of(text)))
    said = spoken_places.say_places(spoken_addresses.say_addresses(said))
    said = spoken_places.say_titles_and_streets(spoken_quantities.say_quantities(said))
    said = spoken_words.say_acronyms(spoken_words.say_abbreviations(said))
    said = spoken_pauses.keep_pauses(said)
    owners = [said.origin(*match.span()) for match in _WORD.finditer(said.text)]
    return Spoken(said.text, _spans(owners, text.count(" ") + 1))


def spoken_form(text: str) -> str:
    """Return `text` as a person would say it: see `say`."""
    return say(text).text


def spoken_words_in(spoken: str) -> list[str]:
    """Return the words of a spoken form, in order; a spelled letter is a word."""
    return _WORD.findall(spoken)


def _spans(owners: Sequence[Origin], written_words: int) -> tuple[tuple[int, int], ...]:
    """Return a span of spoken words for each written word.

    Args:
        owners: For each spoken word, the first and the last written word that it says.
        written_words: How many there are.
    """
    counts = [0] * written_words
    tied_to_next = [False] * written_words
    furthest = -1
    for first, last in owners:
        counts[first] += 1
        # One spoken word for several written ones ties them, and so does going back: "$35 million" says its sign last.
        furthest = max(furthest, last)
        for word in range(first, furthest):
            tied_to_next[word] = True
    spans: list[tuple[int, int]] = []
    start = stop = 0
    for word, count in enumerate(counts):
        stop += count
        if not tied_to_next[word]:
            spans += [(start, stop)] * (word + 1 - len(spans))
            start = stop
    return tuple(spans)


def respell_letter_a(spoken: str, letter: str) -> str:
    """Return `spoken` with each "A" that is a letter, not the article, written as `letter`.

    Inside a sentence a capital A is the letter; at its start it is one where another
    single capital or a number word follows.
    """
    return _LETTER_A.sub(letter, spoken)


_NUMBER_WORDS = r"(?:zero|one|two|three|four|five|six|seven|eight|nine|dash)\b"
_LETTER_A = re.compile(rf"(?:(?<=[\w,;:'—] )|(?<=\w))\bA\b|(?:^|(?<=[.!?] ))A(?= (?:[A-Z]\b|{_NUMBER_WORDS}))")
