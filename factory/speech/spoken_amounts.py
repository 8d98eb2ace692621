"""Rules for amounts of units: fractions, lengths, sizes, and ranges of them."""

from __future__ import annotations

import re

from factory.speech import spoken_numbers as numbers
from factory.speech.spoken_trace import Part, between, part, rule
from factory.speech.spoken_units import AMOUNT, SCALES, UNIT, UNITS, number

_FRACTIONS = {"1/2": "one half", "1/3": "one third", "2/3": "two thirds", "1/4": "one quarter", "3/4": "three quarters"}
_FRACTIONS_AFTER_ONE = {"1/2": "a half", "1/3": "a third", "1/4": "a quarter"}
_LITER = ("liter", "liters")
_BELOW_ONE = r"1/2|[12]/3|[13]/4|[1-4]/5|[15]/6|[1-7]/8|[1-9]/10|(?:[1-9]|1[0-5])/16|(?:[1-9]|[12]\d|3[01])/32"
_FRACTION_WORD = "|".join(rf"(?<=\b{word})" for word in ("half", "third", "thirds", "quarter", "quarters", "eighths"))

_LETTERS = "|".join(unit for unit in UNITS if unit.isalpha() and len(unit) > 1)
_COUNTED = "(?:miles|customers|users|people|points|members|subscribers|households|accounts|calls|records|steps)"
_UNIT_IN_WORDS = "|".join(
    sorted({name for names in UNITS.values() for name in names} | {"inch", "inches", "cup", "cups"})
)
# "a 10 mg tablet": a thing that is so and so much has the unit in the singular.
_OF_A_THING = (
    r"(?= (?:tablet|pill|capsule|dose|patch|plan|package|bag|box|bottle|limit|wait|window|delay|drive|file|"
    r"connection|radius|contract|warranty|trial|term|line|cable|ladder|truck|fence|TV|SSD|RAM|monitor|screen|call|glass|"
    r"can|jar|cup|bulb|outlet|charger|modem)s?\b)"
)


def _unit(match: re.Match[str]) -> list[Part]:
    one, many = UNITS[match["unit"]]
    kind = {"sq": "square ", "cu": "cubic ", "fl": "fluid ", "": ""}[(match["kind"] or "").strip(" .")]
    singular = match["article"] or match["number"] == "1" or match["thing"] is not None
    return [
        part(match, "article"),
        part(match, "number", f"{number(match['number'])} "),
        part(match, "kind", kind),
        part(match, "unit", one if singular else many),
    ]


def _fraction(match: re.Match[str]) -> list[Part]:
    written, unit = match["fraction"], match["unit"]
    said = _FRACTIONS.get(written) or numbers.fraction(*map(int, written.split("/")))
    if not match["whole"]:
        return [part(match, "fraction", said), part(match, "unit", f" {UNITS[unit][0]}" if unit else "")]
    return [
        part(match, "whole", numbers.cardinal(int(match["whole"]))),
        part(match, "fraction", f" and {_FRACTIONS_AFTER_ONE.get(written, said)}"),
        part(match, "unit", f" {UNITS[unit][1]}" if unit else ""),
    ]


def _by(match: re.Match[str]) -> list[Part]:
    """Two or three sizes: "10 x 12", "3.5x7x2"; "2x4s" are several."""
    parts: list[Part] = []
    done = match.start()
    for size in re.finditer(rf"(?P<size>{AMOUNT})(?P<many>s?)", match[0]):
        start, stop = match.start() + size.start(), match.start() + size.end()
        if parts:
            parts.append(Part(" by ", done, start))
        said = numbers.plural_number(size["size"]) if size["many"] else number(size["size"])
        parts.append(Part(said, start, stop))
        done = stop
    return parts


def _tall(match: re.Match[str]) -> list[Part]:
    return [part(match, 1, f"{number(match[1])} foot "), Part(number(match[2]), match.start(2), match.end())]


def _marked_length(match: re.Match[str]) -> str | list[Part]:
    """A number before a mark for inches or feet; what stands in quotes is left alone."""
    if match["mark"] is None:
        return match[0]
    one, many = ("foot", "feet") if match["mark"] == "'" else ("inch", "inches")
    below_one = "/" in match["number"] and not re.search("[ -]", match["number"])
    singular = match["number"] == "1" or below_one or match["thing"] is not None
    return [part(match, "number"), Part(f" {one if singular else many}", match.start("mark"), match.end())]


def _hyphened(match: re.Match[str]) -> list[Part]:
    said = f"-{UNITS[match['unit']][0]}"
    amount = match["number"]
    in_words = numbers.plain_number(amount) if amount.isdecimal() else number(amount)
    return [part(match, "number", in_words), Part(said, match.end("number"), match.end())]


def _unit_range(match: re.Match[str]) -> list[Part]:
    return [part(match, "first"), Part(" to ", match.end("first"), match.end())]


def _feet_and_inches(match: re.Match[str]) -> list[Part]:
    inches = "inch" if match["inches"] == "1" else "inches"
    return [
        Part(match[0][: match.start("inches") - match.start()], match.start(), match.start("inches")),
        part(match, "inches", f"{numbers.cardinal(int(match['inches']))} "),
        part(match, "in", inches),
    ]


def _letter(match: re.Match[str]) -> list[Part]:
    """An amount whose unit is one letter."""
    if match["liter"]:
        return [part(match, "size", f"{number(match['size'])} "), part(match, "liter", _LITER[match["motor"] is None])]
    name = "volt" if match["volt"] else "watt"
    unit = part(match, name, name if match["thing"] is not None else f"{name}s")
    return [part(match, "number", f"{number(match['number'])} "), unit]


def _to(match: re.Match[str]) -> list[Part]:
    return [part(match, 1, number(match[1])), between(match, 1, 2, " to "), part(match, 2)]


FRACTIONS = (
    # 6'2", 5' 10"
    rule(r"(?<![\w'])(\d)' ?(\d{1,2})(?:\"|\b(?!['\w]))", _tall),
    # a 55" TV, 1/2", 6'
    rule(
        r"(?<!\w)\"[^\"]*\"|(?<!\w)'[^']*'|(?:(?<![\w./,'\"-])|(?<=['\"]x))"
        r"(?P<number>(?:\d+[ -])?\d\d?/\d+|\d+(?:\.\d+)?)(?P<mark>[\"'])"
        r"(?!(?!x\d)\w)(?P<thing>(?= (?!(?:wide|long|tall|deep|high|thick|by|x|or|and|in|of|from|at|to)\b)[A-Za-z]))?",
        _marked_length,
    ),
    # 24in, 10 in. wide
    rule(
        r"(?<![\w.])(?P<number>\d+(?:\.\d+)?)(?P<mark>in\b(?!-)| in\.(?=[,;)]|\s+[a-z]|\s*$))"
        rf"(?P<thing>{_OF_A_THING})?",
        _marked_length,
    ),
    # 1/4-1/2 cup
    rule(r"(?<=\b\d/\d)[-–](?=(?:\d{1,3} )?\d/\d\b(?!/))", " to "),
    rule(r"(?<![\w.,-])-(?=(?:\d{1,3} )?\d\d?/\d+ ?%)", "minus "),
    # 4.5/5 stars, pain level 7/10
    rule(
        r"(?<![\w/.,-])(?P<number>\d+\.\d+|\d+(?=/(?:5|10) (?:stars?|pain)\b)"
        r"|(?:(?<=level )|(?<=score )|(?<=rating ))\d+)/(?P<most>\d+)(?![\w/])",
        lambda match: f"{number(match['number'])} out of {number(match['most'])}",
    ),
    # page 3/4, but not "step 1/2 cup"
    rule(
        r"(?P<lead>\b(?:page|step|part) )(?P<number>\d\d?)/(?P<most>\d\d?)(?![\w/])"
        rf"(?![ -]?(?:{UNIT}|{_UNIT_IN_WORDS})(?!\w))",
        lambda match: [
            part(match, "lead"),
            Part(f"{number(match['number'])} of {number(match['most'])}", match.start("number"), match.end()),
        ],
    ),
    # a 5/1 ARM
    rule(r"(?<![\w/])(\d\d?)/(\d)(?= ARM\b)", lambda match: f"{number(match[1])} {number(match[2])}"),
    rule(
        rf"(?<![\w/.,-])(?:(?P<whole>\d{{1,3}})[ -](?=(?:{_BELOW_ONE})(?!\d))|(?=(?:1/2|[12]/3|[13]/4)(?!\d)))"
        r"(?P<fraction>\d+/\d+)(?:rds?|ths?)?(?![\w/]|-\d|[.,]\d)"
        rf"(?:\s?(?P<unit>{UNIT})(?!\w)(?:\.(?=[,;]|\s+[a-z]))?)?",
        _fraction,
    ),
    rule(
        rf"(?<![\w/.,-])(?P<whole>)(?P<fraction>{_BELOW_ONE}|[1-9]/[79])(?!\d)"
        r"(?:(?P<unit>%)(?!\w)|ths?\b|(?=[ -](?:inch|inches|mile|miles|cup|cups|of|percent|percentage|points?)\b))",
        _fraction,
    ),
)
RULES = (
    # Of basis points there are hundreds at most: 9600 bps are bits.
    rule(
        rf"(?<![\w.,])(?P<number>\d{{4,}}|\d{{1,3}}(?:,\d{{3}})+|{AMOUNT}(?=[ -]?bps (?:modem|connection|line)s?\b))"
        r"(?P<bits>[ -]?bps)\b",
        lambda match: [part(match, "number"), part(match, "bits", " b/s")],
    ),
    rule(rf"(?<![\w.,/-])(?P<first>{AMOUNT}\s?(?P<unit>{UNIT}))\s?[-–]\s?(?={AMOUNT}\s?(?P=unit)(?!\w))", _unit_range),
    rule(rf"(?<![\w.,-])(?P<number>{AMOUNT})-(?P<unit>{_LETTERS})\b(?![-\w])(?:\.(?=[,;]|\s+[a-z]))?", _hyphened),
    rule(
        r"(?<![\w.,-])(?P<number>\d\d?) ?(?P<old>yo|y/o)\b",
        lambda match: [
            Part(f"{number(match['number'])}-", match.start(), match.end("number")),
            part(match, "old", "year-old"),
        ],
    ),
    # 10mg/5mL
    rule(r"(?<=mg)/(?=\d+ ?m[lL]\b)", " per "),
    # 240V, a 2.0L engine, a 60W bulb; but "Apt 5L" and "100 W Oak St"
    rule(
        r"(?<![\w.,-])(?:(?P<number>(?:1[12]\d|2[0-4]\d)(?=\s?V)|\d+(?=\s?W))"
        rf"\s?(?:(?P<volt>V)\b|(?P<watt>W)(?={_OF_A_THING}))(?P<thing>{_OF_A_THING})?"
        r"|(?P<size>\d+\.\d+)(?P<liter>L)\b(?P<motor>(?= (?:engine|motor|bottle)\b))?)",
        _letter,
    ),
    # 1m 30s
    rule(
        r"(?<![\w.])(?P<minutes>\d\d?)(?P<m>m) ?(?P<seconds>\d\d?)s\b",
        lambda match: [
            part(match, "minutes", f"{number(match['minutes'])} "),
            part(match, "m", "minute " if match["minutes"] == "1" else "minutes "),
            Part(f"{number(match['seconds'])} seconds", match.start("seconds"), match.end()),
        ],
    ),
    rule(r"(?<![\w.,])-(?=\d+ ?[CF]\b)", "minus "),
    # 2h15m
    rule(
        r"(?<![\w.])(?P<hours>\d+)h(?P<minutes>\d+)m\b",
        lambda match: f"{match['hours']} h {number(match['minutes'])} minutes",
    ),
    rule(r"\bq(\d\d?)h\b", lambda match: f"every {numbers.cardinal(int(match[1]))} hours"),
    # 100k miles, 3.5M users
    rule(
        rf"(?<![\w.])(?:(?P<number>{AMOUNT})(?P<scale>[kKM])(?= {_COUNTED}\b|-miles?\b)|(?P<hundreds>\d{{3}})k\b)",
        lambda match: f"{number(match['hundreds'] or match['number'])} {SCALES[(match['scale'] or 'k').lower()]}",
    ),
    rule(r"(?<=\d°)\s?[-–]\s?(?=\d)", " to "),
    # 5+ min
    rule(
        rf"(?<=\d)\+ ?(?P<unit>{UNIT})(?!\w)(?:\.(?=[,;]|\s+[a-z\d(]))?",
        lambda match: f" plus {UNITS[match['unit']][1]}",
    ),
    # 98.6F, 72 degrees F
    rule(r"(?<=\d\.\d)\s?F\b", "°F"),
    rule(r"(?<=\bdegrees )([FC])\b", lambda match: {"F": "Fahrenheit", "C": "Celsius"}[match[1]]),
    rule(r"(?<=\dh )(?P<minutes>\d+)\s?m\b", lambda match: f"{number(match['minutes'])} minutes"),
    rule(rf"(?<![\w.,/-])({AMOUNT})\s?[-–]\s?({AMOUNT})(?=\s?(?:{UNIT})(?!\w))", _to),
    rule(rf"(?<![\w.,/-])(?!0x){AMOUNT}(?:\s?[x×]\s?{AMOUNT}){{1,2}}(?:(?<=x\d)s)?(?![\w/-])", _by),
    rule(r"(?:(?<=feet)|(?<=foot)|(?<=inch)|(?<=inches)) ?[x×] ?(?=[\da-z])", " by "),
    rule(
        rf"(?P<first>{AMOUNT}\s?(?:ft|in|cm|mm)\b\.?) ?(?P<by>[x×]) ?(?=\d)",
        lambda match: [part(match, "first"), part(match, "by", " by ")],
    ),
    rule(r"(?<=\d)[x×](?!\w)", " times"),
    rule(r"(?<=\d) [x×](?= (?:a|per|daily|weekly)\b)", " times"),
    rule(rf"(?:{_FRACTION_WORD}) [x×] ?(?=\d)", " by "),
    rule(r"(?<=[a-z]) [x×] ?(?=\d{1,2}\b)", " times "),
    rule(
        r"(?<![\w.])\d+\s?(?:ft|foot|feet)\.? (?P<inches>\d{1,2})\s?(?P<in>in)\b(?:\.(?=[,;]|\s+[a-z]))?",
        _feet_and_inches,
    ),
    rule(
        rf"(?<![\w.:])(?P<article>an? )?(?P<number>{AMOUNT})\s?(?P<kind>(?:sq|cu|fl)\.? ?)?"
        rf"(?P<unit>{UNIT})(?!\w)(?:\.(?=[,;]|\s+[a-z\d(]))?(?P<thing>{_OF_A_THING})?",
        _unit,
    ),
)
