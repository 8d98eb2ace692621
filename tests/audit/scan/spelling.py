"""Values as callers may say them: the same number, time or day in another spelling than any of the scan's."""

import re
from random import Random

from num2words import num2words  # type: ignore[import-untyped]

MONEY = r"\$\d[\d,]*(?:\.\d\d)?"
PHONE = r"\b555-\d{4}\b"
CODE = r"\b[A-Z]{2}-\d{4,}\b"
TIME = r"\b\d{1,2}:\d\d [ap]m\b"
MONTHS = "January|February|March|April|May|June|July|August|September|October|November|December"
DATE = rf"\b(?:{MONTHS}) \d{{1,2}}(?:st|nd|rd|th)\b"
DIGIT = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")


def one_by_one(digits: str, random: Random) -> str:
    words = ["oh" if d == "0" and i and random.random() < 0.5 else DIGIT[int(d)] for i, d in enumerate(digits)]
    return " ".join(words)


def in_pairs(digits: str) -> str:
    if len(digits) % 2 or any(digits[i] == "0" for i in range(0, len(digits), 2)):
        return " ".join(DIGIT[int(d)] for d in digits)
    return " ".join(num2words(int(digits[i : i + 2])).replace("-", " ") for i in range(0, len(digits), 2))


def respelled(literal: str, random: Random) -> str:
    if literal.startswith("$"):
        whole, _, cents = literal[1:].replace(",", "").partition(".")
        words = num2words(int(whole)).replace(",", "")
        if cents:
            return f"{words} {num2words(int(cents))}" if int(cents) >= 10 else f"{words} dollars"
        return random.choice((f"{words} dollars", f"{words} bucks", f"{words.replace(' and ', ' ')} dollars"))
    if re.fullmatch(TIME, literal):
        hour, minute = literal.split()[0].split(":")
        if minute == "30" and random.random() < 0.5:
            return f"half past {num2words(int(hour))}"
        return (
            f"{num2words(int(hour))} {'oh ' if minute[0] == '0' else ''}{num2words(int(minute))}"
            if int(minute)
            else f"{num2words(int(hour))} o'clock"
        )
    digits = re.sub(r"\D", "", literal)
    if digits[:3] == "555" and len(digits) == 7 and random.random() < 0.4:
        return f"triple five, {in_pairs(digits[3:])}"
    return one_by_one(digits, random) if random.random() < 0.6 else in_pairs(digits)


def redated(literal: str, random: Random) -> str:
    month, day = re.fullmatch(rf"({MONTHS}) (\d+)\w\w", literal).groups()  # type: ignore[union-attr]
    number, spoken = MONTHS.split("|").index(month) + 1, num2words(int(day), to="ordinal")
    return random.choice(
        (
            f"the {spoken} of {month}",
            f"{month} {spoken}",
            f"the {day}{literal[-2:]} of {month}",
            f"{number}/{day}",
            f"{month[:3]} {day}",
            f"the {spoken} of next month",
        )
    )
