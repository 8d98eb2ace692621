"""Text as written to text as said: what an engine is given, and what a word count rests on."""

from __future__ import annotations

import re

from factory.speech import spoken_quantities, spoken_words


def spoken_form(text: str) -> str:
    """Return `text` as a person would say it, in letters and punctuation only.

    Numbers, dates, times, money, phone numbers, ids, e-mail and web addresses,
    ordinals, abbreviations and acronyms are put into words; codes are read digit
    by digit and letter by letter. Hesitations stay: an ellipsis, a dash or a comma
    is a pause. Markup, stage directions in brackets and emoji are not spoken.
    The result of text without words is empty or punctuation; applying the
    function again changes nothing.
    """
    said = spoken_words.plain_characters(text)
    said = spoken_words.say_addresses(said)
    said = spoken_words.say_abbreviations(spoken_quantities.say_quantities(said))
    return spoken_words.keep_pauses(spoken_words.say_acronyms(said))


def spoken_words_in(spoken: str) -> list[str]:
    """Return the words of a spoken form, in order; a spelled letter is a word."""
    return re.findall(r"[^\W\d_]+(?:'[^\W\d_]+)*", spoken)


def respell_letter_a(spoken: str, letter: str) -> str:
    """Return `spoken` with each "A" that is a letter, not the article, written as `letter`.

    Inside a sentence a capital A is the letter; at its start it is one where another
    single capital or a number word follows.
    """
    return _LETTER_A.sub(letter, spoken)


_NUMBER_WORDS = r"(?:zero|one|two|three|four|five|six|seven|eight|nine|dash)\b"
_LETTER_A = re.compile(rf"(?:(?<=[\w,;:'—] )|(?<=\w))\bA\b|(?:^|(?<=[.!?] ))A(?= (?:[A-Z]\b|{_NUMBER_WORDS}))")
