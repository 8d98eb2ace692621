"""Numbers as a caller says them: American wording, digits one by one where they are a code."""

from __future__ import annotations

import functools
import importlib
import re
from typing import Protocol, cast

_DIGITS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_CURRENCIES = {
    "$": ("dollar", "cent"),
    "£": ("pound", "penny"),
    "€": ("euro", "cent"),
    "¥": ("yen", "sen"),
    "₹": ("rupee", "paisa"),
}
_IRREGULAR_PLURALS = {"penny": "pence", "yen": "yen", "paisa": "paise"}
_LONGEST = 15  # digits of a number that is still said as one


class _NumberWords(Protocol):
    def __call__(self, number: int, *, to: str) -> str: ...


@functools.cache
def _number_words() -> _NumberWords:
    return cast(_NumberWords, importlib.import_module("num2words").num2words)


@functools.lru_cache(maxsize=4096)
def cardinal(number: int) -> str:
    """Return "one thousand two hundred forty" for 1240: no "and", no commas; beyond a quadrillion, the digits."""
    if len(str(number)) > _LONGEST:
        return digits(str(number))
    words = _number_words()(number, to="cardinal")
    return words.replace(" and ", " ").replace(",", "")


@functools.lru_cache(maxsize=4096)
def ordinal(number: int) -> str:
    """Return "twenty-second" for 22; beyond a quadrillion, the digits."""
    if len(str(number)) > _LONGEST:
        return digits(str(number))
    words = _number_words()(number, to="ordinal")
    return words.replace(" and ", " ").replace(",", "")


def year(number: int) -> str:
    """Return a year as it is said: "nineteen eighty-four", "two thousand five", "twenty twenty-six"."""
    if 2000 <= number <= 2009 or not 1000 <= number <= 9999:
        return cardinal(number)
    high, low = divmod(number, 100)
    if low == 0:
        return f"{cardinal(high)} hundred"
    return f"{cardinal(high)} {'oh ' if low < 10 else ''}{cardinal(low)}"


def house_number(text: str) -> str:
    """Return the number of a house, a room or a flight: "three twelve", "two oh four", "fourteen twenty"."""
    number = int(text)
    if text.startswith("0"):
        return digits(text)
    if len(text) == 3 and number % 100:
        return f"{cardinal(number // 100)} {'oh ' if number % 100 < 10 else ''}{cardinal(number % 100)}"
    if len(text) == 4 and number % 1000 >= 10:
        return year(number)
    return cardinal(number) if len(text) <= 4 else digits(text)


def digits(text: str) -> str:
    """Return the digits of `text` one by one, in groups a listener can follow.

    Up to five digits are one group; longer runs get commas, which engines turn
    into short pauses: 4827315 is "four eight two, seven three one five".
    """
    only = [character for character in text if character.isdecimal()]
    return ", ".join(" ".join(_DIGITS[int(digit)] for digit in only[start:stop]) for start, stop in _groups(len(only)))


def _groups(length: int) -> list[tuple[int, int]]:
    """Split a run: fours where they fit exactly from eight on, else threes and a last four or three."""
    if length <= 5:
        return [(0, length)]
    if length % 4 == 0:
        return [(start, start + 4) for start in range(0, length, 4)]
    bounds: list[tuple[int, int]] = []
    start = 0
    while length - start > 5:
        bounds.append((start, start + 3))
        start += 3
    bounds.append((start, length))
    return bounds


def decimal(whole: str, fraction: str) -> str:
    """Return "four point two five" for ("4", "25")."""
    return f"{cardinal(int(whole or '0'))} point {' '.join(_DIGITS[int(d)] for d in fraction)}"


def fraction(part: int, whole: int) -> str:
    """Return "five eighths" for 5 and 8."""
    return f"{cardinal(part)} {_plural(ordinal(whole), part)}"


def money(symbol: str, whole: str, fraction: str | None, scale: str | None) -> str:
    """Return an amount in words.

    Args:
        symbol: One of "$", "£", "€", "¥", "₹".
        whole: The part before the point; thousands commas allowed.
        fraction: The part after the point, without it.
        scale: "thousand", "million", "billion" or "trillion", where the text has one.
    """
    unit, small = _CURRENCIES[symbol]
    amount = int(whole.replace(",", ""))
    if scale:
        number = decimal(str(amount), fraction) if fraction else cardinal(amount)
        return f"{number} {scale} {_plural(unit, 2)}"
    if fraction and len(fraction) > 2:
        return f"{decimal(str(amount), fraction)} {_plural(unit, 2)}"
    cents = int((fraction or "0").ljust(2, "0")[:2])
    parts = []
    if amount or not cents:
        parts.append(f"{cardinal(amount)} {_plural(unit, amount)}")
    if cents:
        parts.append(f"{cardinal(cents)} {_plural(small, cents)}")
    return " and ".join(parts)


def _plural(noun: str, count: int) -> str:
    return noun if count == 1 else _IRREGULAR_PLURALS.get(noun, noun + "s")


def plain_number(text: str) -> str:
    """Return a bare whole number as a caller would say it, by its shape alone.

    Thousands commas, up to three digits and round thousands are quantities; four
    digits from 1900 to 2099 are a year; other round hundreds are "twelve hundred";
    whatever else has four digits or more, or a leading zero, is a code.
    """
    if "," in text:
        return cardinal(int(text.replace(",", "")))
    if len(text) > 1 and text.startswith("0"):
        return digits(text)
    number = int(text)
    if len(text) <= 3:
        return cardinal(number)
    if len(text) == 4 and 1900 <= number <= 2099:
        return year(number)
    if number % 1000 == 0 and len(text) <= 9:
        return cardinal(number)
    if len(text) == 4 and number % 100 == 0:
        return f"{cardinal(number // 100)} hundred"
    return digits(text)


def plural_number(text: str) -> str:
    """Return "nineties" for 90: see `plain_number`."""
    decade = re.fullmatch("1[0-8][1-9]0", text)
    said = year(int(text)) if decade else plain_number(text)
    return f"{said[:-1]}ies" if said.endswith("y") else f"{said}es" if said.endswith("x") else f"{said}s"


def mixed_code(text: str) -> str:
    """Return a code of letters and digits: letters one by one, digits in groups.

    One or two digits are a number without a hyphen ("12B" is "twelve B") and beside
    one letter ("W-2", "B-12", "12-B"); else, and from three digits on, they are read singly.
    Three or more small letters are a word ("user1234").
    """
    singly = "-" in text and not re.fullmatch(r"[A-Z]-\d\d?|\d\d?-[A-Z]", text)
    said = ""
    for part in text.split("-"):
        pause = "," if part.isdecimal() and said.endswith(_DIGITS) else ""
        said += f"{pause} {_code_part(part, singly=singly)}"
    return said.strip()


def _code_part(part: str, *, singly: bool) -> str:
    said = []
    for run in re.findall(r"[A-Za-z]+|\d+", part):
        if not run.isdecimal():
            said.append(run if re.fullmatch("[A-Z]?[a-z]{3,}", run) else " ".join(run.upper()))
        elif singly or len(run) > 2 or run.startswith("0"):
            said.append(digits(run))
        else:
            said.append(cardinal(int(run)))
    return " ".join(said)
