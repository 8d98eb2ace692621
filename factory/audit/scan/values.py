"""Values in what people say: numbers, amounts, codes, dates and times, in one form however they are spelled.

A text is taken as it is said (`words.said_words`), so "$35", "thirty-five dollars" and "35 bucks" are one value, and
so are "4827", "four eight two seven" and "forty-eight twenty-seven".
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache

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


_WEIGHTS = {Sort.DATE: 10.0, Sort.DAY: 4.0, Sort.DAY_TO_COME: 9.0, Sort.MONTH: 3.0, Sort.WEEKDAY: 3.0, Sort.TIME: 9.0, Sort.ADDRESS: 30.0}
LEAST_DIGITS = 3
"""Digits that make a code; shorter ones tell nothing without a unit."""
LAST_DIGITS = 4
"""Digits of a longer code that are a leak by themselves."""

_UNITS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_SMALL = {word: n for n, word in enumerate(_UNITS)} | {
    word: n
    for n, word in enumerate(
        (
            *("ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen"),
            *("eighteen", "nineteen"),
        ),
        10,
    )
}
_TENS = {
    word: n
    for n, word in zip(
        range(20, 100, 10),
        ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"),
        strict=True,
    )
}
_SCALES = {"thousand": 1_000, "million": 1_000_000, "billion": 1_000_000_000}
_ORDINALS = {
    word: n
    for n, word in enumerate(
        (
            *("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"),
            *("eleventh", "twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth", "seventeenth"),
            *("eighteenth", "nineteenth", "twentieth"),
        ),
        1,
    )
} | {"thirtieth": 30}
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
NUMBER_WORDS = frozenset((*_SMALL, *_TENS, *_SCALES, *_ORDINALS, *_MONTHS, *_WEEKDAYS, *_WEEKDAYS_MANY, *_OTHERS))
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


@dataclass(frozen=True)
class _Run:
    """Number words in a row: the chunks that they were said in, and what stands behind them.

    Attributes:
        start: Index of the first word.
        end: Index behind the last one.
        chunks: Digits of each chunk, "four twelve" being two.
        ordinal: Whether the last chunk is one.
    """

    start: int
    end: int
    chunks: tuple[str, ...]
    ordinal: bool


@lru_cache(maxsize=20_000)
def values_in(text: str) -> frozenset[Value]:
    """The values of a text, each once, in every reading that the words allow."""
    return frozenset(_values(said_words(text), readings=True))


@lru_cache(maxsize=20_000)
def values_of(text: str) -> frozenset[Value]:
    """The values of a text as they are meant: a code whole, not in the parts that it can be said in."""
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
    for run in _runs(words):
        yield from _of_run(words, run, readings)


def _is_month(words: Sequence[str], index: int) -> bool:
    """Whether "may" or "march" is a month here: by a day behind it, or a word of time before it."""
    behind = words[index + 1] if index + 1 < len(words) else ""
    before = words[index - 1] if index else ""
    return behind in _ORDINALS or behind in _TENS or before in ("in", "of", "by", "since", "until", "till", "early", "late", "mid")


def _of_run(words: Sequence[str], run: _Run, readings: bool) -> Iterator[Value]:
    behind = words[run.end] if run.end < len(words) else ""
    before = words[run.start - 1] if run.start else ""
    chunks = run.chunks
    date = _date(words, run)
    if date is not None:
        yield date
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


def _amounts(words: Sequence[str], run: _Run, measure: str) -> Iterator[Value]:
    whole = run.chunks[-1]
    if measure in _MONEY:
        # "four hundred twelve", and "four twelve" before dollars, are one amount.
        whole = "".join(run.chunks)
        rest = words[run.end + 1 : run.end + 5]
        cents = next(_runs(rest), None) if rest[:1] == ("and",) or rest[:1] and _starts_number(rest[0]) else None
        if cents is not None and cents.start <= 1 and len(cents.chunks) == 1 and len(cents.chunks[0]) <= 2:
            part = cents.chunks[0].zfill(2)
            yield Value(Sort.AMOUNT, f"{whole}.{part} {measure}")
            yield Value(Sort.DIGITS, whole + part)
    yield Value(Sort.AMOUNT, f"{whole} {measure}")


def _date(words: Sequence[str], run: _Run) -> Value | None:
    """A month with a day: "February second", "the second of February"."""
    before = words[run.start - 1] if run.start else ""
    if before == "the" and run.start > 1:
        before = words[run.start - 2]
    behind = words[run.end : run.end + 2]
    day = run.chunks[0]
    earlier = words[run.start - 2] if run.start > 1 else ""
    if before in _MONTHS and earlier != "of" and int(day) <= 31 and (run.ordinal or len(run.chunks) == 1 or len(run.chunks[1]) == 4):
        return Value(Sort.DATE, f"{_MONTHS[before]}-{int(day)}")
    if run.ordinal and behind:
        month = behind[1] if behind[0] == "of" and len(behind) > 1 else behind[0]
        if month in _MONTHS:
            return Value(Sort.DATE, f"{_MONTHS[month]}-{int(run.chunks[-1])}")
    return None


_PARTS_OF_DAY = frozenset(("morning", "afternoon", "evening", "night"))


def _times(words: Sequence[str], run: _Run) -> Iterator[Value]:
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


def _starts_number(word: str) -> bool:
    return word in _SMALL or word in _TENS


def _runs(words: Sequence[str]) -> Iterator[_Run]:
    """Number words in a row, parted into the chunks that they are said in."""
    index = 0
    while index < len(words):
        start, chunks, ordinal = index, [], False
        while index < len(words) and not ordinal:
            times = {"double": 2, "triple": 3}.get(words[index])
            if times and index + 1 < len(words) and words[index + 1] in _SMALL and _SMALL[words[index + 1]] < 10:
                chunks += [str(_SMALL[words[index + 1]])] * times
                index += 2
                continue
            if words[index] in ("oh", "o") and chunks and index + 1 < len(words) and _starts_number(words[index + 1]):
                chunks.append("0")
                index += 1
                continue
            number, after, ordinal = _chunk(words, index)
            if number is None:
                break
            chunks.append(number)
            index = after
        if chunks:
            yield _Run(start, index, tuple(chunks), ordinal)
        else:
            index += 1


def _chunk(words: Sequence[str], index: int) -> tuple[str | None, int, bool]:
    """One number as it is said, from `index` on: its digits, where it ends, and whether it is an ordinal."""
    below, after, ordinal = _below_hundred(words, index)
    if below is None:
        return None, index, False
    total, current = 0, below
    while not ordinal and after < len(words):
        if words[after] == "hundred" and current and current < 100:
            current *= 100
            after += 1
            rest, end, ordinal = _below_hundred(words, after + (words[after : after + 1] == ("and",)))
            if rest:
                current += rest
                after = end
        elif words[after] in _SCALES and current:
            total += current * _SCALES[words[after]]
            current = 0
            after += 1
            rest, end, ordinal = _below_hundred(words, after + (words[after : after + 1] == ("and",)))
            if not rest:
                break
            current, after = rest, end
        else:
            break
    return str(total + current), after, ordinal


def _below_hundred(words: Sequence[str], index: int) -> tuple[int | None, int, bool]:
    if index >= len(words):
        return None, index, False
    word = words[index]
    if word in _ORDINALS:
        return _ORDINALS[word], index + 1, True
    if word in _TENS:
        behind = words[index + 1] if index + 1 < len(words) else ""
        if behind in _ORDINALS and _ORDINALS[behind] < 10:
            return _TENS[word] + _ORDINALS[behind], index + 2, True
        if behind in _SMALL and 0 < _SMALL[behind] < 10:
            return _TENS[word] + _SMALL[behind], index + 2, False
        return _TENS[word], index + 1, False
    if word in _SMALL:
        return _SMALL[word], index + 1, False
    return None, index, False
