"""Values in what people say: numbers, amounts, codes, dates and times, in one form however they are spelled.

A text is taken as it is said (`words.said_words`), so "$35", "thirty-five dollars" and "35 bucks" are one value, and
so are "4827", "four eight two seven" and "forty-eight twenty-seven".
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache

from factory.audit.scan.numbers import ORDINALS, SCALES, SMALL, TENS, Run, runs, starts_number
from factory.audit.scan.words import said_words


class Sort(Enum):
    """What a value is of."""

    DIGITS = "digits"
    AMOUNT = "amount"
    DATE = "date"
    DAY = "day of a month"
    DAY_TO_COME = "day of this or the next month"
    MONTH = "month"
    WEEKDAY = "weekday"
    TIME = "time"
    ADDRESS = "e-mail address"


WHEN = frozenset((Sort.DATE, Sort.DAY, Sort.DAY_TO_COME, Sort.MONTH, Sort.WEEKDAY, Sort.TIME))
"""Values that say when something is."""


@dataclass(frozen=True)
class Value:
    """A value in its one form.

    Attributes:
        key: Digits; for an amount the number and its unit; for a date month and day; for a time minutes of half a day.
    """

    sort: Sort
    key: str

    @property
    def weight(self) -> float:
        """How much it tells, in bits, that somebody says it by chance: the more digits the less likely."""
        if self.sort is Sort.DIGITS:
            return 3.3 * len(self.key)
        if self.sort is Sort.AMOUNT:
            return _amount_weight(self.key)
        if self.sort is Sort.TIME and self.key == "0":
            return 5.0  # twelve o'clock has a word of its own, which everybody uses
        return _WEIGHTS[self.sort]


_WEIGHTS = {
    Sort.DATE: 10.0,
    Sort.DAY: 4.0,
    Sort.DAY_TO_COME: 9.0,
    Sort.MONTH: 3.0,
    Sort.WEEKDAY: 3.0,
    Sort.TIME: 9.0,
    Sort.ADDRESS: 30.0,
}
LEAST_DIGITS = 3
"""Digits that make a code; shorter ones tell nothing without a unit."""
LAST_DIGITS = 4
"""Digits of a longer code that are a leak by themselves."""

_MONTHS = {
    word: n
    for n, word in enumerate(
        (
            *("january", "february", "march", "april", "may", "june", "july", "august"),
            *("september", "october", "november", "december"),
        ),
        1,
    )
}
_WEEKDAYS = frozenset(("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"))
_WEEKDAYS_MANY = {f"{day}s": day for day in _WEEKDAYS}
_OTHERS = ("hundred", "dollars", "bucks", "cents", "oh", "double", "triple", "o'clock", "half", "quarter", "dot")
NUMBER_WORDS = frozenset((*SMALL, *TENS, *SCALES, *ORDINALS, *_MONTHS, *_WEEKDAYS, *_WEEKDAYS_MANY, *_OTHERS))
"""Words that values are made of; by themselves they tell nothing."""
_MEASURES = {
    "buck": "dollar",
    "dollar": "dollar",
    "cent": "cent",
    "percent": "percent",
    "minute": "minute",
    "hour": "hour",
    "day": "day",
    "week": "week",
    "month": "month",
    "year": "year",
    "mile": "mile",
    "gigabyte": "gigabyte",
    "gig": "gigabyte",
    "megabit": "megabit",
    "pound": "pound",
    "euro": "euro",
    "seat": "seat",
    "hundred": "hundred",
    "point": "point",
    "night": "night",
    "page": "page",
    "inch": "inch",
    "foot": "foot",
    "feet": "foot",
    "credit": "credit",
    "milligram": "milligram",
    "kilogram": "kilogram",
}
_MONEY = ("dollar", "pound", "euro")
_HALF_DAY = 720
"""Minutes of half a day: who says "two thirty" seldom says which half."""


def _amount_weight(key: str) -> float:
    number, unit = key.split(" ", 1)
    digits = len(number.replace(".", "").rstrip("0")) or 1
    if unit in _MONEY:
        return max(5.0 + 2.5 * digits, 9.0)
    if number in {"0", "1", "2", "3"}:
        return 1.0
    return 3.0 + 2.0 * digits if digits > 1 else 4.0 + (len(number) > 1)


@lru_cache(maxsize=20_000)
def values_in(text: str) -> frozenset[Value]:
    """The values that a speaker of these words may mean: a code in all the parts that it can be said in."""
    return frozenset(_values(said_words(text), readings=True))


@lru_cache(maxsize=20_000)
def values_of(text: str) -> frozenset[Value]:
    """The values by which somebody may refer to a text: its codes whole, its dates also by the day alone."""
    return frozenset(_values(said_words(text), readings=False))


def _values(words: Sequence[str], readings: bool) -> Iterator[Value]:
    yield from _addresses(words)
    for index, word in enumerate(words):
        if word in _WEEKDAYS:
            yield Value(Sort.WEEKDAY, word)
        elif word in _WEEKDAYS_MANY:
            yield Value(Sort.WEEKDAY, _WEEKDAYS_MANY[word])
        if word in _MONTHS and not (word in ("may", "march") and not _is_month(words, index)):
            yield Value(Sort.MONTH, word)
        if word in ("noon", "midday", "midnight"):
            yield Value(Sort.TIME, "0")
    for run in runs(words):
        yield from _of_run(words, run, readings)


def _is_month(words: Sequence[str], index: int) -> bool:
    """Whether "may" or "march" is a month here: by a day behind it, or a word of time before it."""
    behind = words[index + 1] if index + 1 < len(words) else ""
    before = words[index - 1] if index else ""
    return (
        behind in ORDINALS
        or behind in TENS
        or before in ("in", "of", "by", "since", "until", "till", "early", "late", "mid")
    )


def _of_run(words: Sequence[str], run: Run, readings: bool) -> Iterator[Value]:
    behind = words[run.end] if run.end < len(words) else ""
    before = words[run.start - 1] if run.start else ""
    chunks = run.chunks
    date = _date(words, run)
    if date is not None:
        yield date
        if not readings:
            # Whoever says only the day may mean this one; whoever says a month means that month.
            yield Value(Sort.DAY, date.key.split("-")[1])
            yield Value(Sort.DAY_TO_COME, date.key.split("-")[1])
        chunks = chunks[1:] if len(chunks) > 1 else ()
    elif run.ordinal and before == "the" and behind in ("of", ""):
        yield Value(Sort.DAY, chunks[-1])
        if words[run.end + 1 : run.end + 3] in (("next", "month"), ("this", "month"), ("the", "month")):
            yield Value(Sort.DAY_TO_COME, chunks[-1])
        return
    elif run.ordinal:
        return
    yield from _times(words, run)
    measure = _MEASURES.get(behind.removesuffix("s") if behind not in _MEASURES else behind)
    if behind == "business":
        after = words[run.end + 1] if run.end + 1 < len(words) else ""
        measure = _MEASURES.get(after.removesuffix("s"))
    if measure is not None and chunks and date is None:
        yield from _amounts(words, run, measure)
    if not chunks:
        return
    if readings:
        for start in range(len(chunks)):
            for end in range(start + 1, min(len(chunks), start + 17) + 1):
                digits = "".join(chunks[start:end])
                if len(digits) >= LEAST_DIGITS:
                    yield Value(Sort.DIGITS, digits)
    else:
        digits = "".join(chunks)
        if len(digits) >= LEAST_DIGITS:
            yield Value(Sort.DIGITS, digits)


def _amounts(words: Sequence[str], run: Run, measure: str) -> Iterator[Value]:
    whole = run.chunks[-1]
    if measure in _MONEY:
        # "four hundred twelve", and "four twelve" before dollars, are one amount.
        whole = "".join(run.chunks)
        rest = words[run.end + 1 : run.end + 5]
        cents = next(runs(rest), None) if rest[:1] == ("and",) or (rest[:1] and starts_number(rest[0])) else None
        if cents is not None and cents.start <= 1 and len(cents.chunks) == 1 and len(cents.chunks[0]) <= 2:
            part = cents.chunks[0].zfill(2)
            yield Value(Sort.AMOUNT, f"{whole}.{part} {measure}")
            yield Value(Sort.DIGITS, whole + part)
    yield Value(Sort.AMOUNT, f"{whole} {measure}")


def _date(words: Sequence[str], run: Run) -> Value | None:
    """A month with a day: "February second", "the second of February"."""
    before = words[run.start - 1] if run.start else ""
    if before == "the" and run.start > 1:
        before = words[run.start - 2]
    behind = words[run.end : run.end + 2]
    day = run.chunks[0]
    earlier = words[run.start - 2] if run.start > 1 else ""
    if (
        before in _MONTHS
        and earlier != "of"
        and int(day) <= 31
        and (run.ordinal or len(run.chunks) == 1 or len(run.chunks[1]) == 4)
    ):
        return Value(Sort.DATE, f"{_MONTHS[before]}-{int(day)}")
    if run.ordinal and behind:
        month = behind[1] if behind[0] == "of" and len(behind) > 1 else behind[0]
        if month in _MONTHS:
            return Value(Sort.DATE, f"{_MONTHS[month]}-{int(run.chunks[-1])}")
    return None


_PARTS_OF_DAY = frozenset(("morning", "afternoon", "evening", "night"))


def _times(words: Sequence[str], run: Run) -> Iterator[Value]:
    """A time of day: "two thirty", "half past two", "quarter to three", "eight in the morning", "8 am"."""
    before = words[run.start - 1] if run.start else ""
    earlier = words[run.start - 2] if run.start > 1 else ""
    behind = words[run.end : run.end + 3]
    hour = int(run.chunks[0])
    if run.ordinal or not 1 <= hour <= 12 or len(run.chunks[0]) > 2:
        return
    if earlier in ("half", "quarter") and before in ("past", "after", "to", "of", "til"):
        minutes = 30 if earlier == "half" else 15
        minutes = -minutes if before in ("to", "of", "til") else minutes
        yield Value(Sort.TIME, str((hour * 60 + minutes) % _HALF_DAY))
        return
    minute = int(run.chunks[1]) if len(run.chunks) == 2 and len(run.chunks[1]) == 2 else 0
    if len(run.chunks) == 2 and 10 <= minute <= 59:
        yield Value(Sort.TIME, str((hour * 60 + minute) % _HALF_DAY))
    elif len(run.chunks) == 1 and (
        behind[:1] == ("o'clock",)
        or behind[:2] in (("a", "m"), ("p", "m"))
        or behind[:1] in (("am",), ("pm",), ("sharp",))
        or (behind[:1] == ("in",) and len(behind) > 2 and behind[2] in _PARTS_OF_DAY)
        or (behind[:2] == ("at", "night"))
    ):
        yield Value(Sort.TIME, str(hour * 60 % _HALF_DAY))


def _addresses(words: Sequence[str]) -> Iterator[Value]:
    """E-mail addresses as they are said: everything around "at … dot …" that an address is made of."""
    for index, word in enumerate(words):
        if word != "at" or "dot" not in words[index + 1 : index + 5]:
            continue
        start = index - 1
        while start >= 2 and words[start - 1] in ("dot", "dash", "underscore"):
            start -= 2
        end = index + 1
        while end + 2 < len(words) and words[end + 1] in ("dot", "dash"):
            end += 2
        if start >= 0:
            yield Value(Sort.ADDRESS, " ".join(words[start : end + 1]))
