"""Numbers as they are said: words in a row, parted into the chunks that they are said in."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

_UNITS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
SMALL = {word: n for n, word in enumerate(_UNITS)} | {
    word: n
    for n, word in enumerate(
        (
            *("ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen"),
            *("eighteen", "nineteen"),
        ),
        10,
    )
}
TENS = {
    word: n
    for n, word in zip(
        range(20, 100, 10),
        ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"),
        strict=True,
    )
}
SCALES = {"thousand": 1_000, "million": 1_000_000, "billion": 1_000_000_000}
ORDINALS = {
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


@dataclass(frozen=True)
class Run:
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


def starts_number(word: str) -> bool:
    """Whether a number can begin with this word."""
    return word in SMALL or word in TENS


def runs(words: Sequence[str]) -> Iterator[Run]:
    """Number words in a row, parted into the chunks that they are said in."""
    index = 0
    while index < len(words):
        start, chunks, ordinal = index, [], False
        while index < len(words) and not ordinal:
            times = {"double": 2, "triple": 3}.get(words[index])
            if times and index + 1 < len(words) and words[index + 1] in SMALL and SMALL[words[index + 1]] < 10:
                chunks += [str(SMALL[words[index + 1]])] * times
                index += 2
                continue
            if words[index] in ("oh", "o") and chunks and index + 1 < len(words) and starts_number(words[index + 1]):
                chunks.append("0")
                index += 1
                continue
            number, after, ordinal = _chunk(words, index)
            if number is None:
                break
            chunks.append(number)
            index = after
        if chunks:
            yield Run(start, index, tuple(chunks), ordinal)
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
        elif words[after] in SCALES and current:
            total += current * SCALES[words[after]]
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
    if word in ORDINALS:
        return ORDINALS[word], index + 1, True
    if word in TENS:
        behind = words[index + 1] if index + 1 < len(words) else ""
        if behind in ORDINALS and ORDINALS[behind] < 10:
            return TENS[word] + ORDINALS[behind], index + 2, True
        if behind in SMALL and 0 < SMALL[behind] < 10:
            return TENS[word] + SMALL[behind], index + 2, False
        return TENS[word], index + 1, False
    if word in SMALL:
        return SMALL[word], index + 1, False
    return None, index, False
