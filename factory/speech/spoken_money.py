"""Rules for amounts of money, and for what comes by the month or the day."""

from __future__ import annotations

import re

from factory.speech import spoken_numbers as numbers
from factory.speech.spoken_trace import Part, between, part, rule
from factory.speech.spoken_units import AMOUNT, SCALES, UNIT, UNITS, number

_CURRENCIES = {
    **{"USD": "U S dollars", "US": "U S dollars", "CAD": "Canadian dollars", "CA": "Canadian dollars"},
    **{"C": "Canadian dollars", "A": "Australian dollars", "AU": "Australian dollars", "NZ": "New Zealand dollars"},
    **{"EUR": "euros", "€": "euros", "GBP": "pounds", "£": "pounds", "₹": "rupees", "¥": "yen", "$": "dollars"},
}
_PER = {"nt": "night", "sqft": "square foot", "sq ft": "square foot"}
_RATE = (
    r"(?:\s?/\s?(?:month|hour|day|week|year|night|person|user|line|mile|unit|minute|gallon|pound|ounce|therm|visit|"
    r"device|guest|child|adult|item|call|sq ?ft|mo|hr|wk|yr|nt|min|ea|each|GB|MB|kWh|lb|oz|gal|mi|kg|mL)\b)+"
)
_COUNTED = (
    r"\b(?:once|twice|(?:days|hours|minutes|times|tablets|pills|dollars|cents|units)|"
    r"[a-z]{3,}s(?=/(?:month|hour|day|week|year|night|person|user|mo|hr|wk|yr)\b))"
)
_THING = re.compile(r"[ -][a-z]")
_THING_THAT_COSTS = re.compile(
    r" (?:(?:late|monthly|annual|overdraft|service|activation|cancellation|cleaning|setup|security|statement|transfer|"
    r"processing|restocking|gift|wire) ){0,2}(?:fee|charge|copay|deposit|bonus|credit|deductible|coupon|bill|coin|note|"
    r"card|discount|surcharge|penalty|voucher|rebate|refund)s?\b"
)
_SYMBOL = r"[$£€¥₹]"


def _money(match: re.Match[str]) -> list[Part]:
    """The sign is said behind number and scale, so whatever words they are written in are said as one."""
    scale = match["scale"]
    word = None if scale is None else SCALES.get(scale.lower(), scale.lower())
    said = numbers.money(match["symbol"], match["whole"] or "0", match["fraction"], word)
    if _is_price_of_a_thing(match):
        said = re.sub(r"(dollar|pound|euro|rupee)s$", r"\1", said)  # "a fifty dollar bonus"
    return [part(match, "article"), Part(said + _apart(match), match.start("symbol"), match.end())]


def _is_price_of_a_thing(match: re.Match[str]) -> bool:
    """Whether an amount stands before what costs it: "a $50 bonus", "the $35 late fee"."""
    thing = _THING if match["article"] else _THING_THAT_COSTS
    return thing.match(match.string, match.end()) is not None


def _apart(match: re.Match[str]) -> str:
    """A space, where letters or digits are glued to a match."""
    return " " if match.string[match.end() : match.end() + 1].isalnum() else ""


def _money_range(match: re.Match[str]) -> list[Part]:
    until = Part(match["symbol"] + match["until"], *match.span("until"))
    scale = f" {SCALES[match['scale'].lower()]}" if match["scale"] else ""
    least = number(match["from"].rstrip("kKmM")) + scale
    return [part(match, "from", least), between(match, "from", "until", " to "), until]


def _foreign(match: re.Match[str]) -> list[Part]:
    said = _CURRENCIES[match["code"] or match["short"]]
    return [Part(f"{number(match['number'])} {said}", match.start(), match.end())]


def _sign_behind(match: re.Match[str]) -> list[Part]:
    amount, currency = match["number"], match["currency"]
    start = match.start() if match["article"] is None else match.end("article")
    whole, point, fraction = amount.partition(".")
    if point and len(currency) == 1:
        said = numbers.money(currency, whole or "0", fraction, None)
        return [part(match, "article"), Part(said + _apart(match), start, match.end())]
    said = _CURRENCIES[currency]
    if amount == "1" or _is_price_of_a_thing(match):
        said = said.removesuffix("s")
    return [
        part(match, "article"),
        Part(f"{number(amount)} ", start, match.end("number")),
        part(match, "currency", said + _apart(match)),
    ]


def _per(match: re.Match[str]) -> list[Part]:
    parts = [part(match, "before")]
    for each in re.finditer(r"\s?/\s?(?P<unit>[A-Za-z]+(?: ft)?)", match["per"]):
        start, middle, stop = (match.start("per") + at for at in (each.start(), each.start("unit"), each.end()))
        unit = _PER.get(each["unit"]) or UNITS.get(each["unit"], (each["unit"],))[0]
        if unit in {"ea", "each"}:
            parts.append(Part(" each", start, stop))
            continue
        article = "an" if re.match("hour|[aeio]", unit) else "a"
        parts += [Part(f" {article} ", start, middle), Part(unit, middle, stop)]
    return parts


WORDS = (
    rule(rf"(?P<before>{_COUNTED})(?P<per>{_RATE})(?:\.(?=[,;]|\s+[a-z]))?", _per),
    rule(r"(?<=\bper )min\b(?:\.(?=[,;]|\s+[a-z]))?", "minute"),
)
RULES = (
    rule(
        rf"(?<!\w)(?:(?P<code>USD|CAD|EUR|GBP) ?|(?P<short>US|CA?|AU?|NZ)(?=\$))\$?(?P<number>{AMOUNT})(?![\w.-])",
        _foreign,
    ),
    rule(
        rf"(?P<article>\b[Aa]n? )?(?<![\w.])\$?(?P<number>{AMOUNT})\s?"
        rf"(?P<currency>(?:USD|CAD|EUR|GBP)\b|(?<=\d){_SYMBOL}(?!\.?\d)|{_SYMBOL}(?!\s?\.?\d))",
        _sign_behind,
    ),
    rule(r"\$(\d+)'?s\b", lambda match: numbers.plural_number(match[1])),
    # 3/$10, $1,000/$2,500
    rule(r"(?<![\w$.,])(\d)/(?=\$)", lambda match: f"{match[1]} for "),
    rule(r"(?<=[\dkKmM])/(?=\$)", ", "),
    rule(r"\$-(?=\d)", "-$"),
    rule(r"(?<=\d) ?ea\b(?!\.)", " each"),
    rule(rf"(?<=[A-Za-z\d])(?={_SYMBOL}\d)", " "),
    rule(
        rf"(?P<symbol>{_SYMBOL})(?P<from>{AMOUNT}(?P<scale>[kKmM]\b)?)\s?[-–]\s?"
        rf"(?P<until>{AMOUNT}(?:\s?[kKmM]\b)?)(?![\w%-]|/[$\d])",
        _money_range,
    ),
    rule(rf"(?<=[\dkKmM])\s?[-–]\s?(?={_SYMBOL})", " to "),
    rule(rf"(?P<before>(?<=\d)(?:\s?(?:{UNIT}|x|[kK]|\+))?|{_COUNTED})(?P<per>{_RATE})(?:\.(?=[,;]|\s+[a-z]))?", _per),
    rule(rf"(?<![\w%°])-(?={_SYMBOL}|{AMOUNT}\s?(?:{UNIT})(?!\w))", "minus "),
    rule(
        rf"(?P<article>\b[Aa]n? (?:minus )?)?(?P<symbol>{_SYMBOL})\s?(?=\.?\d)"
        r"(?P<whole>\d{1,3}(?:,\d{3})+|\d*)(?:\.(?P<fraction>\d+))?"
        r"(?:\s?(?P<scale>thousand|million|billion|trillion|(?:[kKmMbB]n?|mm|MM|mil)\b))?",
        _money,
    ),
)
