"""Rules for amounts of money, and for what comes by the month or the day."""

from __future__ import annotations

import re

from factory.speech import spoken_numbers as numbers
from factory.speech.spoken_trace import Part, between, part, rule
from factory.speech.spoken_units import AMOUNT, SCALES, UNIT, number

_CURRENCIES = {
    **{"USD": "U S dollars", "US": "U S dollars", "CAD": "Canadian dollars", "CA": "Canadian dollars"},
    **{"EUR": "euros", "€": "euros", "GBP": "pounds", "$": "dollars"},
}
_PER = {"mo": "month", "hr": "hour", "wk": "week", "yr": "year"}
_THING = re.compile(r"[ -][a-z]")
_SYMBOL = r"[$£€¥₹]"


def _money(match: re.Match[str]) -> list[Part]:
    """The sign is said behind number and scale, so whatever words they are written in are said as one."""
    scale = match["scale"]
    word = None if scale is None else SCALES.get(scale.lower(), scale.lower())
    said = numbers.money(match["symbol"], match["whole"] or "0", match["fraction"], word)
    if match["article"] and _THING.match(match.string, match.end()):
        said = re.sub(r"(dollar|pound|euro|rupee)s$", r"\1", said)  # "a fifty dollar bonus"
    return [part(match, "article"), Part(said, match.start("symbol"), match.end())]


def _money_range(match: re.Match[str]) -> list[Part]:
    until = Part(match["symbol"] + match["until"], *match.span("until"))
    scale = f" {SCALES[match['scale'].lower()]}" if match["scale"] else ""
    least = number(match["from"].rstrip("kKmM")) + scale
    return [part(match, "from", least), between(match, "from", "until", " to "), until]


def _foreign(match: re.Match[str]) -> list[Part]:
    said = _CURRENCIES[match["code"] or match["short"]]
    return [Part(f"{number(match['number'])} {said}", match.start(), match.end())]


def _per(match: re.Match[str]) -> list[Part]:
    each = (_PER.get(unit, unit) for unit in match["per"].split("/")[1:])
    said = "".join(f" {'an' if unit == 'hour' else 'a'} {unit}" for unit in each)
    return [part(match, "before"), Part(said, match.start("per"), match.end())]


RULES = (
    rule(rf"(?<!\w)(?:(?P<code>USD|CAD|EUR|GBP) ?|(?P<short>US|CA)(?=\$))\$?(?P<number>{AMOUNT})(?![\w.-])", _foreign),
    rule(
        rf"(?<![\w.])\$?(?P<number>{AMOUNT})\s?(?P<currency>(?:USD|CAD|EUR|GBP)\b|€(?!\d)|(?<=\d)\$(?![\d.]))",
        lambda match: [
            Part(f"{number(match['number'])} ", match.start(), match.end("number")),
            part(match, "currency", _CURRENCIES[match["currency"]]),
        ],
    ),
    rule(r"\$(\d+)'?s\b", lambda match: numbers.plural_number(match[1])),
    # 3/$10, $1,000/$2,500
    rule(r"(?<![\w$.,])(\d)/(?=\$)", lambda match: f"{match[1]} for "),
    rule(r"(?<=\d)/(?=\$)", ", "),
    rule(r"\$-(?=\d)", "-$"),
    rule(
        rf"(?P<symbol>{_SYMBOL})(?P<from>{AMOUNT}(?P<scale>[kKmM]\b)?)\s?[-–]\s?(?P<until>{AMOUNT}(?:\s?[kKmM]\b)?)(?![\w%/-])",
        _money_range,
    ),
    rule(rf"(?<=[\dkKmM])\s?[-–]\s?(?={_SYMBOL})", " to "),
    rule(
        rf"(?P<before>(?<=\d)(?:\s?(?:{UNIT}|x))?|\b(?:days|hours|minutes|times|once|twice|tablets|pills|dollars))"
        r"(?P<per>(?:/(?:month|mo|hour|hr|day|week|wk|year|yr|person|night|mile|unit|user|line|GB|lb)\b)+)(?:\.(?=[,;]|\s+[a-z]))?",
        _per,
    ),
    rule(rf"(?<!\w)-(?={_SYMBOL}|{AMOUNT}\s?(?:{UNIT})(?!\w))", "minus "),
    rule(
        rf"(?P<article>\b[Aa]n? (?:minus )?)?(?P<symbol>{_SYMBOL})\s?(?=\.?\d)"
        r"(?P<whole>\d{1,3}(?:,\d{3})+|\d*)(?:\.(?P<fraction>\d+))?"
        r"(?:\s?(?P<scale>thousand|million|billion|trillion|[kKmMbB]n?\b))?",
        _money,
    ),
)
