"""Rules for what forms and statements write in capitals: "42ND ST" and "5 JAN" are put as elsewhere, "42nd St"."""

from __future__ import annotations

import re

from factory.speech import spoken_lexicon as lexicon
from factory.speech.spoken_trace import Part, Traced, rule
from factory.speech.spoken_units import UNITS

_MONTHS = (
    r"JAN(?:UARY)?|FEB(?:RUARY)?|MAR(?:CH)?|APR(?:IL)?|MAY|JUNE?|JULY?|AUG(?:UST)?|SEPT?(?:EMBER)?|OCT(?:OBER)?|"
    r"NOV(?:EMBER)?|DEC(?:EMBER)?"
)
_STREETS = "|".join((*lexicon.STREETS, *lexicon.STREETS.values(), "Way")).upper()
_WITHIN = "|".join(("Apt", "Unit", "Ste", "Suite", "Bldg", "Rm", "Fl")).upper()
# Not those that are a state, or a word, too.
_UNITS = "MCG|MG|ML|KG|LBS?|OZ|FT|MINS?|SECS?|HRS?|WKS?|YRS?|MOS|GAL"
_NO_NAMES = lexicon.SHOUTED | lexicon.SPELLED | {unit.upper() for unit in UNITS}
_NUMBERED = r"\d+(?:ST|ND|RD|TH)"


def lower_capitals(text: Traced) -> Traced:
    """Return `text` with ordinals, units, months and streets in the letters in which the other rules know them."""
    return text.rewrite(_RULES) if _CAPITALS.search(text.text) else text


def _address(match: re.Match[str]) -> str | list[Part]:
    """Each word keeps its place; the side of a street keeps its capitals."""
    if not _NO_NAMES.isdisjoint(match[0].split()):
        return match[0]  # "I HAVE 3 KIDS BY THE WAY", "5 PM CT"
    parts, done = [], match.start()
    for word in re.finditer(r"[\w']+", match[0]):
        start, stop = match.start() + word.start(), match.start() + word.end()
        said = word[0] if word[0] in lexicon.DIRECTIONS else word[0].capitalize()
        parts += [Part(match.string[done:start], done, start), Part(said, start, stop)]
        done = stop
    return [*parts, Part(match.string[done : match.end()], done, match.end())]


_CAPITALS = re.compile(r"[A-Z]{2}")
_RULES = (
    # 123 N MAIN ST APT 4B
    rule(
        rf"\b\d+ (?:(?:[A-Z]+\.?|{_NUMBERED}) ){{1,4}}(?:{_STREETS})\b\.?(?:,? (?:{_WITHIN})\b)?"
        rf"|\b{_NUMBERED} (?:{_STREETS})\b",
        _address,
    ),
    rule(rf"\b{_NUMBERED}\b", lambda match: match[0].lower()),
    rule(rf"(?:(?<=\d)|(?<=\d ))(?:{_UNITS})\b", lambda match: match[0].lower()),
    rule(
        rf"\b(?:{_MONTHS})\b(?=\.? \d)|(?<=\d[ -])(?:{_MONTHS})\b(?=[ -]\d)|(?<=\d[ -])(?!MA)(?:{_MONTHS})\b",
        lambda match: match[0].capitalize(),
    ),
)
