"""Rules for dates and times of day."""

from __future__ import annotations

import re

from factory.speech import spoken_numbers as numbers
from factory.speech.spoken_trace import Part, between, part, rule

_MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July"),
    *("August", "September", "October", "November", "December"),
)
_MONTH_BY_PREFIX = {month[:3].lower(): month for month in _MONTHS}
_MONTH = (
    r"(?P<month>Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|"
    r"Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)\b\.?"
)
_DAYS = {
    "Mon": "Monday",
    "Tue": "Tuesday",
    "Wed": "Wednesday",
    "Thu": "Thursday",
    "Fri": "Friday",
    "Sat": "Saturday",
    "Sun": "Sunday",
}
_SHORT_DAY = r"(?:Mon|Tues?|Weds?|Thurs?|Thu|Fri|Sat|Sun)"
_DAY = r"(?P<day>0?[1-9]|[12]\d|3[01])(?:st|nd|rd|th)?"
_YEAR = r"(?:,? (?P<year>(?:19|20)\d\d)\b)?"
_BARE_MONTH = _MONTH.replace("?P<month>", "?:")
_HALF = r"[AaPp]\.?\s?[Mm]"
_SOFTWARE = r"\b(?i:(?:version|firmware|build)(?: number)?(?: is|:)?|release|update(?: to)?|v\.?) \d"
_CARRIES_ON = (
    rf"[,;:?!)–—-]|\s+(?:[a-z(]|I\b|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|(?:{'|'.join(_MONTHS)})\b|"
    r"Eastern|Central|Mountain|Pacific|[ECMP][SD]?T\b|UTC|GMT)"
)
_CLOCK = rf"(?P<hour>\d{{1,2}})(?::(?P<minute>\d\d))?\s?(?P<half>{_HALF})\b(?:\.(?={_CARRIES_ON}))?"


def _date(match: re.Match[str]) -> str:
    """A date in digits is one written word; what has points and is no date is a version."""
    month, day, year = int(match["month"]), int(match["day"]), match["year"]
    if year and month > 12:
        month, day = day, month  # as other countries write it
    if not (1 <= month <= 12 and 1 <= day <= 31):
        if "." in match[0]:
            return match[0]
        return " ".join(numbers.plain_number(run) for run in re.findall(r"\d+", match[0]))
    said = f"{_MONTHS[month - 1]} {numbers.ordinal(day)}"
    return f"{said}, {numbers.year(_full_year(year))}" if year else said


def _full_year(text: str) -> int:
    """Two digits up to 39 belong to this century, the others to the last: birth dates are old."""
    if len(text) == 4:
        return int(text)
    return int(text) + (2000 if int(text) < 40 else 1900)


def _expiry(match: re.Match[str]) -> list[Part]:
    year = match["year"] if len(match["year"]) == 4 else f"20{match['year']}"
    said = f"{_MONTHS[int(match['month']) - 1]} {numbers.year(int(year))}"
    return [part(match, "lead"), Part(said, match.start("month"), match.end())]


def _month_name(match: re.Match[str]) -> str:
    return _MONTH_BY_PREFIX[match["month"][:3].lower()]


def _said_year(match: re.Match[str]) -> Part:
    return part(match, "year", f", {numbers.year(int(match['year']))}" if match["year"] else "")


def _month_day(match: re.Match[str]) -> list[Part]:
    said = [
        part(match, "month", f"{_month_name(match)} "),
        part(match, "the"),
        part(match, "day", numbers.ordinal(int(match["day"]))),
    ]
    if match["until"]:
        said += [between(match, "day", "until", " to "), part(match, "until", numbers.ordinal(int(match["until"])))]
    return [*said, _said_year(match)]


def _day_month(match: re.Match[str]) -> list[Part]:
    return [
        part(match, "the"),
        part(match, "day", f"{numbers.ordinal(int(match['day']))} "),
        part(match, "of") if match["of"] else part(match, "month", "of "),
        part(match, "month", _month_name(match)),
        _said_year(match),
    ]


def _time(match: re.Match[str]) -> str | list[Part]:
    hour, minute, half = int(match["hour"]), match["minute"], match["half"]
    if hour > 24 or int(minute or 0) > 59:
        return " ".join(numbers.plain_number(run) for run in re.findall(r"\d+", match[0])) + (half or "")
    said = numbers.cardinal(hour)
    if minute and int(minute):
        said += f" {'oh ' if int(minute) < 10 else ''}{numbers.cardinal(int(minute))}"
    elif minute and not half:
        said += " o'clock" if 1 <= hour <= 12 else " hundred"
    return [part(match, "hour", said), part(match, "half", f" {half[0].upper()} M" if half else "")]


def _military(match: re.Match[str]) -> list[Part]:
    time = match["time"]
    said = numbers.house_number(time)
    if time[0] == "0":
        after = numbers.house_number(time[1:]) if time[2:] != "00" else f"{numbers.cardinal(int(time[1]))} hundred"
        said = f"oh {after}"
    return [part(match, "time", said), part(match, "hours", " hours")]


def _days_listed(match: re.Match[str]) -> list[Part]:
    """Each day keeps its place: "Mon, Wed & Fri", "Mon/Wed/Fri"."""
    parts, done = [], match.start()
    for day in re.finditer(rf"{_SHORT_DAY}\b\.?", match[0]):
        start, stop = match.start() + day.start(), match.start() + day.end()
        joint = match.string[done:start]
        parts += [Part(", " if joint == "/" else joint, done, start), Part(_DAYS[day[0][:3]], start, stop)]
        done = stop
    return parts


def _time_range(match: re.Match[str]) -> list[Part]:
    return [part(match, 1), between(match, 1, 2, " to "), part(match, 2)]


def _day_range(match: re.Match[str]) -> str | list[Part]:
    if match["first"].islower() and match.string[match.end("first") : match.start("last")] not in "-–":
        return match[0]  # "we sat through Sunday"
    first, last = (_DAYS[match[group][:3].capitalize()] for group in ("first", "last"))
    return [part(match, "first", first), between(match, "first", "last", " to "), part(match, "last", last)]


NAMED = (
    rule(
        rf"\b(?P<first>{_BARE_MONTH})\s?[-–]\s?{_MONTH}(?! (?:I|we|you)\b)",
        lambda match: [
            part(match, "first", _MONTH_BY_PREFIX[match["first"][:3].lower()]),
            between(match, "first", "month", " to "),
            part(match, "month", _month_name(match)),
        ],
    ),
    rule(r"\bM[-–]F\b", "Monday to Friday"),
    rule(r"\bM[-–](?=(?:Th(?:u|urs)?|Sat?|Sun?)\b)", "Mon-"),
    rule(r"(?<=\bMon-)(?:Th|Sa|Su)\b", lambda match: {"Th": "Thu", "Sa": "Sat", "Su": "Sun"}[match[0]]),
    rule(r"\bM/W/F\b", "Monday, Wednesday, Friday"),
    rule(r"\bTu?/Th\b", "Tuesday, Thursday"),
    rule(r"\bTu?[-–]Th\b(?![-\w])", "Tuesday to Thursday"),
    rule(
        rf"\b(?P<first>{_SHORT_DAY})\.?(?:\s?[-–]\s?| thru | through )"
        rf"(?P<last>{_SHORT_DAY})\b(?:\.(?=[,;:]|\s+[a-z\d]))?",
        _day_range,
        re.IGNORECASE,
    ),
    rule(
        rf"\b{_SHORT_DAY}\b\.?(?:(?:,? (?:and|or|&) |, ?|/){_SHORT_DAY}\b(?:\.(?=[,/&]| (?:and|or|&|[a-z])))?)+",
        _days_listed,
    ),
    rule(
        rf"(?:(?<=\b(?:on|by) )|(?<=\b(?:next|this|last) )|(?<=\buntil )){_SHORT_DAY}\b(?!\.)"
        rf"|\b{_SHORT_DAY}\b(?= (?:at \d|morning|afternoon|evening|night))",
        lambda match: _DAYS[match[0][:3]],
    ),
)
DAYS = (
    rule(
        rf"\b{_SHORT_DAY}\b(?:(?=,? (?:\d|{_MONTH}\s?\d))|\.?(?=:? \d{{1,2}}(?::\d\d|\s?{_HALF}|\s?[-–]\s?\d)))",
        lambda match: _DAYS[match[0][:3]],
    ),
    rule(
        rf"(?P<lead>\b(?:{'|'.join(_DAYS.values())}|[Oo]n|[Bb]y|[Dd]ue|[Ss]ince|[Uu]ntil|[Dd]ated),? )"
        r"(?P<month>0?[1-9]|1[0-2])/(?P<day>0?[1-9]|[12]\d|3[01])(?P<year>)(?![\w/]| (?:of|an?|inch|mile|cup)\b)",
        lambda match: [part(match, "lead"), Part(_date(match).strip(), match.start("month"), match.end())],
    ),
)
RULES = (
    rule(r"\b([Ee]xp)\b\.?(?= date\b)", lambda match: f"{match[1]}iration"),
    rule(r"\b([Ee]xp)\b[.:]? (?=\d)", lambda match: f"{match[1]}ires "),
    rule(r"\bFY ?'?(?=\d\d)", "fiscal year "),
    rule(
        rf"\b{_MONTH} '(?P<year>\d\d)\b",
        lambda match: [
            part(match, "month", f"{_month_name(match)} "),
            Part(numbers.year(_full_year(match["year"])), match.start("year") - 1, match.end()),
        ],
    ),
    rule(rf"(?:(?<=\d)|(?<=\d(?:st|nd|rd|th)))\s?[-–]\s?(?={_BARE_MONTH} \d)", " to "),
    # 2026-01-05T10:30:00Z, 10:30:00
    rule(r"(?<=\d{4}-\d\d-\d\d)T(?=\d\d:\d\d)", " at "),
    rule(
        r"(?<![\w:])(?P<time>\d{1,2}:\d\d):(?P<seconds>\d\d)Z?(?![\w:])",
        lambda match: [
            part(match, "time"),
            part(
                match,
                "seconds",
                "" if match["seconds"] == "00" else f" and {numbers.cardinal(int(match['seconds']))} seconds",
            ),
        ],
    ),
    # 7:20a, 8a-5p
    rule(r"(?<![\w:])(\d{1,2}:\d\d)([ap])\b(?![-–]|\.?\s?[Mm]\b)", lambda match: f"{match[1]} {match[2]}m"),
    rule(
        r"(?<![\w:])(\d{1,2}(?::\d\d)?)([ap])[-–](\d{1,2}(?::\d\d)?)([ap])\b",
        lambda match: f"{match[1]} {match[2]}m to {match[3]} {match[4]}m",
    ),
    # 10.30am
    rule(rf"(?<![\w.:,$€£])(?P<hour>\d\d?)(?P<point>\.)(?=[0-5]\d\s?{_HALF}\b)", lambda match: f"{match['hour']}:"),
    # 0900 hours, 1530h
    rule(r"(?<![\w:])(?P<time>0\d[0-5]\d|(?:1\d|2[0-3])(?!00)[0-5]\d)(?P<hours> ?(?:hours|hrs)\b|h\b)", _military),
    rule(
        r"(?P<lead>\b[Ee]xp(?:\.|ir(?:es|ed|ing|ation|y))(?: date)?(?: (?:is|in|on|of|date))*:? )"
        r"(?P<month>0?[1-9]|1[0-2])/(?P<year>20\d\d|\d\d)(?![\w/])",
        _expiry,
    ),
    rule(r"(?:(?<=/\d)|(?<=/\d\d)|(?<=/\d{4}))\s?[-–]\s?(?=\d{1,2}/\d)", " to "),
    rule(r"(?P<lead>)(?<![\w/])(?P<month>0?[1-9]|1[0-2])/(?P<year>20\d\d)(?![\w/])", _expiry),
    rule(r"(?<![\w/])(?P<month>\d{1,2})/(?P<day>\d{1,2})/'?(?P<year>\d{4}|\d\d)(?![\w/])", _date),
    rule(r"(?<![\w-])(?P<month>\d{1,2})-(?P<day>\d{1,2})-(?P<year>(?:19|20)?\d\d)(?![\w-])", _date),
    # 3.4.2025, but not "version 3.4.2025"
    rule(
        rf"{_SOFTWARE}|(?<![\w.-])(?P<month>\d{{1,2}})\.(?P<day>\d{{1,2}})\.(?P<year>(?:19|20)\d\d)(?![\w-]|\.\d)",
        lambda match: _date(match) if match["month"] else match[0],
    ),
    rule(r"(?<![\w/-])(?P<year>\d{4})([/-])(?P<month>\d\d)\2(?P<day>\d\d)(?![\w/-])", _date),
    rule(
        rf"(?<![\w-]){_DAY}-{_MONTH}-(?P<year>(?:19|20)?\d\d)(?![\w-])",
        lambda match: f"{_month_name(match)} {match['day']}, {_full_year(match['year'])}",
    ),
    rule(r"(?<![\w/$£€])(?P<month>\d{1,2})/(?P<day>\d{1,2})(?P<year>)(?![\w/])", _date),
    rule(
        rf"\b{_MONTH} (?P<the>the )?{_DAY}\b(?![:%])"
        rf"(?:\s?[-–]\s?(?P<until>[12]?\d|3[01])(?:st|nd|rd|th)?\b(?![-:%]))?{_YEAR}",
        _month_day,
    ),
    rule(rf"\b{_MONTH} (?=(?:19|20)\d\d\b)", lambda match: f"{_month_name(match)} "),
    rule(rf"\b(?P<the>the )?{_DAY} (?P<of>of )?{_MONTH}{_YEAR}", _day_month),
    rule(rf"(?<![\w:])(\d{{1,2}}(?::\d\d)?(?:\s?{_HALF}\.?)?)\s?[-–]\s?(\d{{1,2}}(?::\d\d)?\s?{_HALF}\b)", _time_range),
    rule(r"(?<=\d)\s?[-–]\s?(?=\d{1,2}:\d\d|(?:noon|midnight|present)\b)", " to "),
    rule(r"(?<=\d:\d\d)\s?[-–]\s?(?=\d{1,2}(?![\w:-]))", " to "),
    rule(r"(?:(?<=\bUTC)|(?<=\bGMT))-(?=\d)", " minus "),
    rule(r"(?:(?<=\b[Ii]n )|(?<=\b[Ss]ince ))1[4-8]\d\d(?![\w-]|[.,]\d)", lambda match: numbers.year(int(match[0]))),
    rule(
        r"(?:(?<=\bnoon)|(?<=\bmidnight))\s?[-–]\s?(?=\d)"
        r"|(?:(?<=[AaPp]\.[Mm]\.)|(?<=[AaPp][Mm]))\s?[-–]\s?(?=noon|midnight)"
        r"|(?<=\d[AaPp][Mm])[-–](?=\d\d?(?::\d\d)?(?:\s*[,.;!?]|\s*$|\s+[a-z]))",
        " to ",
    ),
    rule(rf"(?<![\w:])(?<!\d\.){_CLOCK}", _time),
    rule(r"(?<![\w:])(?P<hour>\d{1,2}):(?P<minute>\d\d)(?P<half>)h?(?:(?=ish\b)|(?![\w:]))", _time),
)
