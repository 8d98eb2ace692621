"""Rules for whatever holds digits: dates, times, money, phone numbers, codes, plain numbers."""

from __future__ import annotations

import re
from collections.abc import Callable

from factory.speech import spoken_numbers as numbers

_MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July"),
    *("August", "September", "October", "November", "December"),
)
_MONTH_BY_PREFIX = {month[:3].lower(): month for month in _MONTHS}
_MONTH = r"(Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|" + (
    r"Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)\b\.?"
)
_CODE_WORDS = (
    r"account|card|case|claim|reference|confirmation|policy|order|member|ticket|tracking|routing|"
    r"invoice|group|badge|serial|code|pin|passcode|zip|zip code|extension|ext\.?|"
    r"ending|ends|last four|last 4|SSN|PIN|ID"
)
_EXCEPTIONS = {
    "AT&T": "A T and T",
    "24/7": "twenty-four seven",
    "9-1-1": "nine one one",
    "911": "nine one one",
    "411": "four one one",
    "401k": "four oh one K",
    "401(k)": "four oh one K",
    "1099": "ten ninety-nine",
    "COVID-19": "Covid nineteen",
    "1/2": "one half",
    "1/3": "one third",
    "2/3": "two thirds",
    "1/4": "one quarter",
    "3/4": "three quarters",
}
_UNITS = {
    "%": ("percent", "percent"),
    "lb": ("pound", "pounds"),
    "lbs": ("pound", "pounds"),
    "oz": ("ounce", "ounces"),
    "ft": ("foot", "feet"),
    "mi": ("mile", "miles"),
    "mph": ("mile an hour", "miles an hour"),
    "kg": ("kilogram", "kilograms"),
    "mg": ("milligram", "milligrams"),
    "km": ("kilometer", "kilometers"),
    "min": ("minute", "minutes"),
    "mins": ("minute", "minutes"),
    "hr": ("hour", "hours"),
    "hrs": ("hour", "hours"),
    "sec": ("second", "seconds"),
    "GB": ("gigabyte", "gigabytes"),
    "MB": ("megabyte", "megabytes"),
    "Mbps": ("megabit per second", "megabits per second"),
    "kWh": ("kilowatt hour", "kilowatt hours"),
    "°": ("degree", "degrees"),
    "°F": ("degree Fahrenheit", "degrees Fahrenheit"),
    "°C": ("degree Celsius", "degrees Celsius"),
}
_SCALES = {"k": "thousand", "m": "million", "b": "billion", "bn": "billion"}


def say_quantities(text: str) -> str:
    """Return `text` with everything that holds a digit in words; no digit is left."""
    for pattern, replace in _RULES:
        text = pattern.sub(replace, text)
    return text


def _date(month: int, day: int, year: str | None, original: str) -> str:
    if not (1 <= month <= 12 and 1 <= day <= 31):
        return " slash ".join(numbers.plain_number(part) for part in re.findall(r"\d+", original))
    said = f"{_MONTHS[month - 1]} {numbers.ordinal(day)}"
    return f"{said}, {numbers.year(_full_year(year))}" if year else said


def _full_year(text: str) -> int:
    """Two digits up to 39 belong to this century, the others to the last: birth dates are old."""
    if len(text) == 4:
        return int(text)
    return int(text) + (2000 if int(text) < 40 else 1900)


def _numeric_date(match: re.Match[str]) -> str:
    return _date(int(match["month"]), int(match["day"]), match["year"], match[0])


def _month_name(text: str) -> str:
    return _MONTH_BY_PREFIX[text[:3].lower()]


def _month_day(match: re.Match[str]) -> str:
    said = f"{_month_name(match[1])} {numbers.ordinal(int(match['day']))}"
    return f"{said}, {numbers.year(int(match['year']))}" if match["year"] else said


def _day_month(match: re.Match[str]) -> str:
    article = "" if match["the"] is None else "the "
    said = f"{article}{numbers.ordinal(int(match['day']))} of {_month_name(match[3])}"
    return f"{said}, {numbers.year(int(match['year']))}" if match["year"] else said


def _time(match: re.Match[str]) -> str:
    hour, minute = int(match["hour"]), match["minute"]
    if hour > 24 or int(minute or 0) > 59:
        return " ".join(numbers.plain_number(part) for part in re.findall(r"\d+", match[0]))
    said = numbers.cardinal(hour)
    half = match["half"]
    if minute and int(minute):
        said += f" {'oh ' if int(minute) < 10 else ''}{numbers.cardinal(int(minute))}"
    elif minute and not half:
        said += " o'clock" if 1 <= hour <= 12 else " hundred"
    return f"{said} {half[0].upper()} M" if half else said


def _time_range(match: re.Match[str]) -> str:
    return f"{match[1]} to {match[2]}"


def _money(match: re.Match[str]) -> str:
    scale = match["scale"]
    word = None if scale is None else _SCALES.get(scale.lower(), scale.lower())
    return numbers.money(match["symbol"], match["whole"], match["fraction"], word)


def _unit(match: re.Match[str]) -> str:
    one, many = _UNITS[match["unit"]]
    article = match["article"] or ""
    return f"{article}{_number(match['number'])} {one if article or match['number'] == '1' else many}"


def _number(text: str) -> str:
    whole, point, fraction = text.partition(".")
    if point:
        return numbers.decimal(whole.replace(",", ""), fraction)
    return numbers.cardinal(int(whole.replace(",", "")))


def _phone(match: re.Match[str]) -> str:
    parts = re.findall(r"\d+", match[0])
    said = [numbers.digits(part) for part in parts]
    if parts[0] == "1" and len(parts) > 1 and parts[1] in {"800", "888", "877", "866"}:
        said[1] = f"{numbers.cardinal(int(parts[1][0]))} hundred" if parts[1] == "800" else said[1]
        said[:2] = [f"{said[0]} {said[1]}"]
    return ("plus " if match[0].startswith("+") else "") + ", ".join(said)


def _code(match: re.Match[str]) -> str:
    return match["lead"] + ", ".join(numbers.digits(part) for part in re.findall(r"\d+", match["code"]))


def _mixed(match: re.Match[str]) -> str:
    token = match[0]
    return numbers.mixed_code(token)


def _plural_number(match: re.Match[str]) -> str:
    said = numbers.plain_number(match[1])
    return f"{said[:-1]}ies" if said.endswith("y") else f"{said}s"


def _range(match: re.Match[str]) -> str:
    return f"{numbers.plain_number(match[1])} to {numbers.plain_number(match[2])}"


def _rule(
    pattern: str, replace: Callable[[re.Match[str]], str], flags: int = 0
) -> tuple[re.Pattern[str], Callable[[re.Match[str]], str]]:
    return re.compile(pattern, flags), replace


_AMOUNT = r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?"
_CLOCK = r"(?P<hour>\d{1,2})(?::(?P<minute>\d\d))?\s?(?P<half>[AaPp])\.?\s?[Mm]\b"
_CLOCK += r"(?:\.(?=,|\s+(?:[a-z]|I\b|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|(?:" + "|".join(_MONTHS) + r")\b)))?"
_RULES = (
    _rule(
        rf"(?<![\w/-])({'|'.join(re.escape(text) for text in _EXCEPTIONS)})(?![\w/-]|[.,]\d)",
        lambda match: _EXCEPTIONS[match[1]],
    ),
    # 555-0142, (312) 555-0142, 312.555.0142, 1-800-555-0142, +1 312 555 0142; 123-45-6789
    _rule(
        r"(?<![\w-])(?:\+?1[-. ])?(?:\(\d{3}\)\s?|\d{3}[-. ])?\d{3}[-. ]\d{4}(?![\w-])"
        r"|(?<![\w-])(?:\+?1[-. ])?\(?\d{3}\)?[-. ]\d{3}[-. ]\d{4}(?![\w-])"
        r"|(?<![\w-])\d{3}-\d{2}-\d{4}(?![\w-])",
        _phone,
    ),
    _rule(r"(?<![\w/])(?P<month>\d{1,2})/(?P<day>\d{1,2})/(?P<year>\d{4}|\d\d)(?![\w/])", _numeric_date),
    _rule(r"(?<![\w-])(?P<month>\d{1,2})-(?P<day>\d{1,2})-(?P<year>(?:19|20)?\d\d)(?![\w-])", _numeric_date),
    _rule(r"(?<![\w-])(?P<year>\d{4})-(?P<month>\d\d)-(?P<day>\d\d)(?![\w-])", _numeric_date),
    _rule(r"(?<![\w/])(?P<month>\d{1,2})/(?P<day>\d{1,2})(?P<year>)(?![\w/])", _numeric_date),
    _rule(
        rf"\b{_MONTH} (?:the )?(?P<day>[12]?\d|3[01])(?:st|nd|rd|th)?\b(?![:%])"
        r"(?:,? (?P<year>(?:19|20)\d\d)\b)?",
        _month_day,
    ),
    _rule(
        rf"\b(?P<the>the )?(?P<day>[12]?\d|3[01])(?:st|nd|rd|th)? (?:of )?{_MONTH}"
        r"(?:,? (?P<year>(?:19|20)\d\d)\b)?",
        _day_month,
    ),
    _rule(
        r"(?<![\w:])(\d{1,2}(?::\d\d)?(?:\s?[AaPp]\.?[Mm]\.?)?)\s?[-–]\s?(\d{1,2}(?::\d\d)?\s?[AaPp]\.?[Mm]\b)",
        _time_range,
    ),
    _rule(r"(?<=\d)\s?[-–]\s?(?=\d{1,2}:\d\d)", lambda _: " to "),
    _rule(rf"(?<![\w:]){_CLOCK}", _time),
    _rule(r"(?<![\w:])(?P<hour>\d{1,2}):(?P<minute>\d\d)(?P<half>)(?![\w:])", _time),
    _rule(
        r"(?P<symbol>[$£€])\s?(?P<whole>\d{1,3}(?:,\d{3})+|\d+)(?:\.(?P<fraction>\d+))?"
        r"(?:\s?(?P<scale>thousand|million|billion|[kKmMbB]n?\b))?",
        _money,
    ),
    _rule(
        rf"(?<![\w.])(?P<article>an? )?(?P<number>{_AMOUNT})"
        rf"\s?(?P<unit>°[FC]|{'|'.join(re.escape(u) for u in _UNITS)})(?!\w)",
        _unit,
    ),
    _rule(r"\bNo\. ?(?=\d)", lambda _: "number "),
    _rule(
        r"(?<![\w.-])(\d+)(?= (?:[NSEW]\.? )?(?:[A-Z][a-z]+ ){1,3}"
        r"(?:St|Street|Ave|Avenue|Rd|Road|Dr|Drive|Ln|Lane|Blvd|Boulevard|Ct|Court|Pl|Place|Way|Circle)\b)",
        lambda match: numbers.house_number(match[1]),
    ),
    _rule(r"(?<![\w.])(\d+)(?:st|nd|rd|th)\b", lambda match: numbers.ordinal(int(match[1]))),
    _rule(
        rf"(?P<lead>\b(?:{_CODE_WORDS})\b[.:]?"
        r"(?: (?:number|no\.|id|in|with|is|it's|digits|are|code|of))*[,:]? #?)"
        r"(?P<code>\d{2,}(?:[- ]\d{2,})*)(?![\w-]|[.,]\d)",
        _code,
        re.IGNORECASE,
    ),
    _rule(r"(?<![\w.-])(\d+)\s?[-–]\s?(\d+)(?=\s+[a-z])", _range),
    _rule(r"(?<![\w.-])(\d{1,2})\s?[-–]\s?(\d{1,2})(?![\w-])", _range),
    _rule(r"(?<!\w)(\d)'(\d{1,2})\"", lambda match: f"{_number(match[1])} foot {_number(match[2])}"),
    _rule(r"(?<![\w-])(\d+)(?=-[a-z]{2,})", lambda match: numbers.plain_number(match[1])),
    _rule(r"(?<=[a-z]{2}-)(\d+)(?![\w-])", lambda match: numbers.plain_number(match[1])),
    # DR-4827315, AB12, 4B, 60614-2201
    _rule(r"(?<!\w)(?<!\d\.)(?=[\w-]*\d)(?=[\w-]*[A-Za-z-])[A-Za-z\d]+(?:-[A-Za-z\d]+)*(?<![\d]s)(?!\w)", _mixed),
    _rule(r"(?<!\w)#\s?(?=\d)", lambda _: "number "),
    _rule(r"(?<![\w.])(\d+)'?s\b", _plural_number),
    _rule(r"(?<![\w])(\d{1,3}(?:,\d{3})+|\d*)\.(\d+)", lambda m: numbers.decimal(m[1].replace(",", ""), m[2])),
    _rule(r"(?<![\w])[-−](?=\d)", lambda _: "minus "),
    _rule(r"\d{1,3}(?:,\d{3})+(?!\d)|\d+", lambda match: numbers.plain_number(match[0])),
)
