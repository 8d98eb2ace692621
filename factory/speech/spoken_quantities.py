"""Rules for whatever holds digits, in the order in which they are tried; behind them no digit is left."""

from __future__ import annotations

import re

from factory.speech import spoken_amounts, spoken_codes, spoken_dates, spoken_money
from factory.speech import spoken_numbers as numbers
from factory.speech.spoken_trace import Part, Traced, between, part, rule


def say_quantities(text: Traced) -> Traced:
    """Return `text` with everything that holds a digit, and days and months by name, in words; no digit is left."""
    text = text.rewrite(spoken_dates.NAMED).rewrite(spoken_money.WORDS)
    return text.rewrite(_RULES) if _DIGIT.search(text.text) else text


_DIGIT = re.compile(r"\d")


def _range(match: re.Match[str]) -> list[Part]:
    """Two numbers, or a code: "9-5" and "2010-15" are ranges, "55-10" is none."""
    down = int(match[1].replace(",", "")) > max(12, int(match[2].replace(",", "")))
    if re.fullmatch(r"(?:19|20)\d\d", match[1]) and len(match[2]) == 2:
        down = int(match[1][2:]) > int(match[2])
    say = numbers.digits if down else numbers.plain_number
    first, last = (part(match, group, say(match[group])) for group in (1, 2))
    return [first, between(match, 1, 2, ", " if down else " to "), last]


def _ratio(match: re.Match[str]) -> str:
    return f"{numbers.cardinal(int(match[1]))} to {numbers.cardinal(int(match[2]))}"


def _over(match: re.Match[str]) -> str:
    return f"{numbers.cardinal(int(match[1]))} over {numbers.cardinal(int(match[2]))}"


def _apart(match: re.Match[str]) -> str:
    """A number in words, apart from the letters that it is glued to."""
    before, after = match.string[match.start() - 1 : match.start()], match.string[match.end() : match.end() + 1]
    said = numbers.decimal(match[1].replace(",", ""), match[2]) if match[2] else numbers.plain_number(match[0])
    return f"{' ' if before.isalpha() else ''}{said}{' ' if after.isalpha() else ''}"


_RANGES = (
    # gates A1-A9
    rule(
        r"(?<![\w-])(?P<letter>[A-Z])(?P<first>\d\d?)[-–](?=(?P=letter)\d\d?(?![\w-]))",
        lambda match: f"{match['letter']}{match['first']} to ",
    ),
    rule(
        r"(?P<lead>\b(?:scores?|range|between|around|about|approximately) (?:(?:of|is|was) )?)"
        r"(?P<first>\d{3})(?P<to>[-–])(?=\d{3}(?![\w-]))",
        lambda match: [part(match, "lead"), part(match, "first"), part(match, "to", " to ")],
    ),
    rule(r"(?<![\w.-])(\d{1,3}(?:,\d{3})+)\s?[-–]\s?(\d{1,3}(?:,\d{3})+)(?![\w-])", _range),
    rule(r"(?<![\w.-])(\d+)\s?[-–]\s?(\d+)(?=\s+[a-z])", _range),
    rule(r"(?<![\w.-])(\d{1,2})\s?[-–]\s?(\d{1,2})(?:(?=ish\b)|(?=-[a-z]{3,})|(?![\w-]))", _range),
    rule(r"(?<![\w.-])((?:19|20)\d\d)\s?[-–]\s?((?:19|20)?\d\d)(?![\w-])", _range),
    rule(
        r"(?<!\w)(?P<first>'\d\d)\s?[-–]\s?(?P<last>'\d\d)\b",
        lambda match: [part(match, "first"), between(match, "first", "last", " to "), part(match, "last")],
    ),
    rule(r"(?<![\w.-])(\d+)\s?–\s?(\d+)(?![\w-])", _range),
    rule(r"(?<![\w.,-])(?P<first>\d+\.\d+)[-–](?=\d+(?:\.\d+)?(?![\w-]|\.\d))", lambda match: f"{match['first']} to "),
    rule(r"(?<=\bQ\d)'(?=\d\d\b)", " "),
    rule(r"(?<=\bQ\d)\s?[-–]\s?(?=Q\d\b)", " to "),
    rule(r"(?<![\w:.,])(\d{1,3}):(\d)(?![\w:.])", _ratio),
    # blood pressure
    rule(r"(?<![\w/.])(\d{2,3})/(\d{2,3})(?![\w/])", _over),
)
_REST = (
    # a version: v2.1, 17.4.1, 2.1.0-beta
    rule(r"\b[vV](?=\d+(?:\.\d+)+(?!\.?\d))", "version "),
    rule(
        r"(?<![\w.])\d+(?:\.\d+){2,}(?!\.?\d)",
        lambda match: (
            " point ".join(numbers.plain_number(run) for run in match[0].split("."))
            + (" " if match.string[match.end() : match.end() + 1].isalpha() else "")
        ),
    ),
    rule(r"(?<![\w.,-])(\d{1,3}(?:,\d{3})+|\d+)(?=-[a-z]{2,})", lambda match: numbers.plain_number(match[1])),
    rule(r"(?<=[a-z]{2}-)(\d+)(?![\w-])", lambda match: numbers.plain_number(match[1])),
    rule(r"\b([A-Z])-(\d{1,2})s\b", lambda match: f"{match[1]} {numbers.plain_number(match[2])}s"),
    # a diagnosis: E11.9
    rule(
        r"\b([A-Z]\d{1,3})\.(\d{1,3})\b",
        lambda match: f"{numbers.mixed_code(match[1])} point {numbers.digits(match[2])}",
    ),
    *spoken_codes.MIXED,
    rule(r"(?<![\w.])'?(\d+)'?s\b", lambda match: numbers.plural_number(match[1])),
    rule(r"(?<!\w)'0(?=[1-9]\b)", "oh "),
    rule(r"(?<!\w)'(?=\d\d\b)", ""),
    rule(r"(?<!\w)-(?=\.?\d)", "minus "),
    rule(r"(?<![\d.])(\d{1,3}(?:,\d{3})+|\d+|(?<!\w))\.(\d+)", _apart),
    rule(r"(\d{1,3}(?:,\d{3})+(?!\d)|\d+)()", _apart),
)
_RULES = (
    *spoken_codes.PHONES,
    *spoken_dates.DAYS,
    *spoken_amounts.FRACTIONS,
    *spoken_dates.RULES,
    *spoken_money.RULES,
    *spoken_amounts.RULES,
    *spoken_codes.CODES,
    *_RANGES,
    *_REST,
)
