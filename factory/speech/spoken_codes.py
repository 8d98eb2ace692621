"""Rules for numbers that are read as codes: phone numbers, ids, cards, forms."""

from __future__ import annotations

import re

from factory.speech import spoken_numbers as numbers
from factory.speech.spoken_trace import Part, part, rule

_CODE_WORDS = (
    r"account|acct\.?|card|case|claim|reference|ref\.?|confirmation|conf\.?|policy|order|member|ticket|tracking|routing|"
    r"invoice|group|badge|serial|code|pin|passcode|zip|zip code|extension|ext\.?|P\.?O\.? Box|passport|license|licence|"
    r"loan|permit|docket|booking|locator|meter|employee|student|IMEI|CVV|CVC|OTP|NPI|Rx|"
    r"ending|ends|last four|last 4|SSN|PIN|ID"
)
_LEADS_ALONE = re.compile(r"(?:order|card|case|claim|group|ticket|loan|permit|meter|account|member)s? ", re.IGNORECASE)
_THINGS = re.compile(r" [a-z]{2,}")
_EXCEPTIONS = {
    "24/7/365": "twenty-four seven, three sixty-five",
    "24x7": "twenty-four seven",
    "24/7": "twenty-four seven",
    "24-7": "twenty-four seven",
    "50/50": "fifty fifty",
    "50-50": "fifty fifty",
    "20/20": "twenty twenty",
    "9-1-1": "nine one one",
    "911": "nine one one",
    "411": "four one one",
    "401k": "four oh one K",
    "401K": "four oh one K",
    "401(k)": "four oh one K",
    "457(b)": "four fifty-seven B",
    "403b": "four oh three B",
    "403(b)": "four oh three B",
    "COVID-19": "Covid nineteen",
    "WD-40": "W D forty",
    "ICD-10": "I C D ten",
    "SSA-1099": "S S A ten ninety-nine",
    "1080p": "ten eighty P",
}
_COUNTED = {
    **{"no": "number", "nos": "numbers", "p": "page", "pp": "pages", "pg": "page", "ch": "chapter"},
    **{"fig": "figure", "sec": "section", "vol": "volume"},
}
"""What stands with a full stop before a number."""
_FORMS = {"1040": "ten forty", "1095": "ten ninety-five", "1098": "ten ninety-eight", "1099": "ten ninety-nine"}
_TOLL_FREE = {"800": "eight hundred"}


def _digit_groups(match: re.Match[str]) -> list[Part]:
    """Each group of digits stands for itself, so a caller can cut in between two of them."""
    runs = list(re.finditer(r"\d+", match[0]))
    toll_free = len(runs) > 1 and runs[0][0] == "1" and runs[1][0] in _TOLL_FREE
    parts = [Part("plus ", match.start(), match.start() + 1)] if match[0].startswith("+") else []
    for index, run in enumerate(runs):
        said = _TOLL_FREE[run[0]] if toll_free and index == 1 else numbers.digits(run[0])
        pause = "" if index == len(runs) - 1 else " " if toll_free and index == 0 else ", "
        parts.append(Part(said + pause, match.start() + run.start(), match.start() + run.end()))
    return parts


def _vanity(match: re.Match[str]) -> str:
    exchange = f"{numbers.digits(match['exchange'])}, " if match["exchange"] else ""
    area = _TOLL_FREE.get(match["area"]) or numbers.digits(match["area"])
    return f"one {area}, {exchange}{match['word'].lower().replace('-', ' ')}"


def _code(match: re.Match[str]) -> str | list[Part]:
    runs = list(re.finditer(r"\d+", match["code"]))
    some = len(match["code"]) < 4 and _THINGS.match(match.string, match.end()) is not None
    if some and _LEADS_ALONE.fullmatch(match["lead"]):
        return match[0]  # "I want to order 12 boxes": a number of things
    start = match.start("code")
    parts = [part(match, "lead")]
    for index, run in enumerate(runs):
        said = numbers.digits(run[0]) + (", " if index < len(runs) - 1 else "")
        parts.append(Part(said, start + run.start(), start + run.end()))
    return parts


def _masked(match: re.Match[str]) -> list[Part]:
    """What is hidden in front of the last digits of a card is not said."""
    lead = part(match, "lead") if match["lead"] else Part("ending in ", match.end("mask") - 2, match.end("mask"))
    return [lead, part(match, "last")]


def _pressed(match: re.Match[str]) -> list[Part]:
    return [part(match, "lead"), part(match, "key", "star" if match["key"] == "*" else "pound")]


_OF_A_CARD = r"(?:(?<=\bcard )|(?<=\baccount )|(?<=\bchecking )|(?<=\bsavings ))"
KEYS = (
    # To be said before markup is taken out.
    rule(
        r"(?P<lead>\b(?:press|hit|dial|enter|the|or|and|then|by) )(?P<open>\[)?(?P<key>[*#])(?(open)\]|(?![\w*#]))",
        _pressed,
        re.IGNORECASE,
    ),
    rule(
        r"(?P<lead>\b(?:ending|ends) (?:in|with) )?(?<!\S)"
        r"(?P<mask>(?=[*•]{2}|[xX]{3})[xX*•]+(?:[- ][xX*•]{2,}){0,4}[- ]?|"
        rf"(?(lead)[xX*•]|{_OF_A_CARD}[xX*•]))(?P<last>\d{{4}})\b",
        _masked,
    ),
    rule(r"(?<!\S)\*(?=\d{1,3}\b)(?![^*\s]*\*)", "star "),
    rule(r"(?<!\S)\*#(?=\d)", "star pound "),
    # 0#; of a bag it is its weight
    rule(r"(?<=\d) ?#(?![\w#]| ?\d| of\b)", " pound"),
    rule(r"(?<=\d) ?\* ?(?=\d)(?![^*\s]*\*)", " times "),
)
PHONES = (
    rule(r"\b[Ee]xt\b[.:]? ?(?=\d)|(?<!\S)x(?=\d{3,5}\b)", "extension "),
    rule(r"(?:(?<=\d[-.]\d{4} )|(?<=\d[-.]\d{4}, ))x ?(?=\d{2,5}\b)", "extension "),
    rule(
        rf"(?<![\w/$€£-])(?<!\d[.,])({'|'.join(re.escape(text) for text in _EXCEPTIONS)})('?s)?(?![\w/-]|[.,]\d)",
        lambda match: _EXCEPTIONS[match[1]] + ("'s" if match[2] else ""),
    ),
    rule(r"(?<![\w/.,-])529(?= plan)", "five twenty-nine"),
    rule(
        rf"(?<![\w/.,-])(?:(?<=[Ff]orm )|(?<=\b[Tt]he )|(?<=\ba )|(?=1099)|(?=\d+-[A-Z]))({'|'.join(_FORMS)})"
        r"(?:-([A-Z]+))?(s?)(?![\w/-]|[.,]\d)",
        lambda match: _FORMS[match[1]] + (f" {' '.join(match[2])}" if match[2] else "") + match[3],
    ),
    # 1-800-CONTACT, 1-800-GO-ACME, 1-800-555-HELP
    rule(
        r"(?<![\w-])1-(?P<area>8\d\d)-(?:(?P<exchange>\d{3})-(?=[A-Z]{4}\b))?(?P<word>[A-Z]{2,}(?:-[A-Z]+)*)\b(?!-)",
        _vanity,
    ),
    # 4111 1111 1111 1234
    rule(r"(?<![\w-])\d{4}(?:([ -])\d{4})(?:\1\d{4}){2}(?![\w-])", _digit_groups),
    # +44 20 7946 0958
    rule(r"(?<![\w+])(?:\+(?!1[-. ])|011[ -])\d{1,3}(?:[ -](?:\(0\) ?)?\d{2,5}){2,4}(?![\w-])", _digit_groups),
    rule(r"(?<![\w+])\+1(\d{10})(?![\w-])", lambda match: f"plus one, {numbers.digits(match[1])}"),
    # 555-0142, (312) 555-0142, 312.555.0142, 1-800-555-0142, +1 312 555 0142; 123-45-6789
    rule(
        r"(?<![\w-])(?:\+?1(?:[-. ]|(?=\()))?(?:\(\d{3}\)\s?|\d{3}[-. /])?\d{3}[-. ]\d{4}(?![\w-])"
        r"|(?<![\w-])(?:\+?1[-. ])?\(?\d{3}\)?[-. ]\d{3}[-. ]\d{4}(?![\w-])"
        r"|(?<![\w-])\d{3}-\d{2}-\d{4}(?![\w-])",
        _digit_groups,
    ),
    rule(r"(?<=(?:one|two|six|ten) )x(?=\d{2,5}\b)|(?<=(?:four|five|nine|zero) )x(?=\d{2,5}\b)", "extension "),
    rule(r"(?<=(?:three|seven|eight) )x(?=\d{2,5}\b)", "extension "),
    rule(
        r"(?P<lead>\b(?:call|dial|text|star) )(?P<code>[2-9]\d\d|\d{5,6})"
        r"(?=\s*[.,;:!?]|\s*$|\s+(?:and|or|if|now|for|to|at|any|first|right|with|from)\b)(?![.,]\d)",
        _code,
        re.IGNORECASE,
    ),
)
CODES = (
    # model no. WF45-K6200
    rule(
        r"(?P<lead>\b(?:model|part|serial|item|case|policy|claim|order|flight|member|ticket|tracking|account|acct\.?) )"
        r"(?P<number>no(?:\.(?= [A-Z]+-?\d)|\.?(?=:)))",
        lambda match: [part(match, "lead"), part(match, "number", "number")],
        re.IGNORECASE,
    ),
    rule(
        r"\bF-?([1-6])50(s?)\b",
        lambda match: f"F {numbers.cardinal(int(match[1]))} {'fifties' if match[2] else 'fifty'}",
    ),
    rule(rf"\b({'|'.join(_COUNTED)})\. ?(?=\d)", lambda match: f"{_COUNTED[match[1].lower()]} ", re.IGNORECASE),
    rule(
        r"(?<![\w.])(\d{1,3}(?:,\d{3})+|\d+)(?:st|nd|rd|th)\b",
        lambda match: numbers.ordinal(int(match[1].replace(",", ""))),
    ),
    rule(
        rf"(?P<lead>\b(?:{_CODE_WORDS})\b(?:'s)?[.:#]?"
        r"(?: (?:number|no\.|id|in|with|is|it's|digits|are|code|of)){0,5}[,:]? ?#? ?(?:\.\.\. ?)?)"
        r"(?P<code>\d{2,}(?:[- ]\d{2,})*)(?![\w-]|[.,]\d)",
        _code,
        re.IGNORECASE,
    ),
)
MIXED = (
    # DR-4827315, AB12, 4B, 60614-2201
    rule(
        r"(?<!\w)(?<!\d\.)(?!(?:[A-Za-z]+-)?\d+s\b)(?=[\w-]*\d)(?=[\w-]*[A-Za-z-])[A-Za-z\d]+(?:-[A-Za-z\d]+)*"
        r"(?!\w|(?<=\d)\.\d)",
        lambda match: numbers.mixed_code(match[0]),
    ),
    rule(r"(?<!\w)#\s?(?=\d)", "number "),
)
