"""Rules for street addresses, towns, and the titles that are written as streets are: "Dr. Lee", "Oak Dr"."""

from __future__ import annotations

import re

from factory.speech import spoken_lexicon as lexicon
from factory.speech import spoken_numbers as numbers
from factory.speech.spoken_trace import Part, Traced, between, part, rule

_LONG_STREETS = (*lexicon.STREETS.values(), "Way", "Alley", "Row")
_SHORT_STREET = "|".join(lexicon.STREETS)
_ANY_STREET = "|".join((*lexicon.STREETS, *_LONG_STREETS))
_DIRECTION = r"(?P<direction>NE|NW|SE|SW|N|S|E|W)\b"
_NAME = r"(?:[A-Z][a-z]+(?:'s)?\.? |\d+(?:st|nd|rd|th) )"
_SURE_STATE = "|".join(sorted(set(lexicon.STATES) - lexicon.STATES_OR_WORDS))
_STARTER = "|".join(sorted(lexicon.STARTERS, key=len, reverse=True))
_NUMBERED = (
    r"[Rr]oom|[Rr]m\.?|[Ss]uite|Ste\.?|[Aa]partment|[Aa]pt\.?|[Uu]nit|[Bb]uilding|Bldg\.?|[Ff]light|[Rr]oute|"
    r"[Hh]ighway|Hwy\.?|[Ii]nterstate|[Gg]ate|[Bb]us|[Ee]xit|[Bb]oulevard"
)
_LETTERED = (
    "Plan|Part|Vitamin|Hepatitis|Type|Option|Unit|Apartment|Gate|Terminal|Building|Class|Group|Section|Grade|Schedule|"
    "Form|Line|Zone|Seat|Row|Suite|Door|Platform|Concourse|Medicare|Team|Shift|Table|Exhibit|Appendix"
)
_TITLE = "|".join(sorted(lexicon.TITLES, key=len, reverse=True))


def say_places(text: Traced) -> Traced:
    """Return `text` with states, sides of streets, and numbers of houses, rooms, flights and roads in words."""
    return text.rewrite(_BEFORE_NUMBERS)


def say_titles_and_streets(text: Traced) -> Traced:
    """Return `text`, in which numbers are words, with types of streets and titles in full."""
    return text.rewrite(_AFTER_NUMBERS)


def _state_and_zip(match: re.Match[str]) -> list[Part]:
    digits = ", ".join(numbers.digits(run) for run in re.findall(r"\d+", match["zip"]))
    return [part(match, "state", f"{lexicon.STATES[match['state']]} "), part(match, "zip", digits)]


def _direction(match: re.Match[str]) -> str:
    return lexicon.DIRECTIONS[match["direction"]]


def _street(match: re.Match[str]) -> list[Part]:
    return [part(match, 1), Part(" ", match.end(1), match.start(2)), part(match, 2, lexicon.STREETS[match[2]])]


_BEFORE_NUMBERS = (
    rule(
        # a doctor of medicine, not Maryland
        r"(?P<name>\bDr\.? [A-Z][\w.' -]{1,40}, )(?P<degree>MD)\b",
        lambda match: [part(match, "name"), part(match, "degree", "M D")],
    ),
    rule(r"\bRte?\.? (?=\d)", "Route "),
    rule(r"\b([NSEW])\.? (?=\d+(?:st|nd|rd|th)\b)", lambda match: f"{lexicon.DIRECTIONS[match[1]]} "),
    rule(rf"\b(?P<lead>(?:{_NUMBERED}) )#(?=\w)", lambda match: [part(match, "lead")]),
    rule(rf"\b(?P<state>{'|'.join(lexicon.STATES)})\.?,? (?P<zip>\d{{5}}(?:-\d{{4}})?)\b(?!-)", _state_and_zip),
    rule(
        # VA is an office, too.
        rf"(?<=[a-z], )(?!VA,? (?:or|and|FHA|loan|benefit|hospital|clinic|health))(?:{_SURE_STATE})\b"
        r"(?=\s*[,.;!?]|\s*$|\s+[a-z])",
        lambda match: lexicon.STATES[match[0]],
    ),
    rule(rf"(?<=\d ){_DIRECTION}\.?(?= {_NAME}{{1,3}}(?:{_ANY_STREET})\b)", _direction),
    rule(
        r"\b(?P<road>(?:I-|US-|(?:Hwy\.?|[Hh]ighway|[Rr]oute|[Ii]nterstate) )\d{1,3}) (?P<direction>[NSEW])\b(?!['.])",
        lambda match: [part(match, "road"), Part(f" {_direction(match)}", match.end("road"), match.end())],
    ),
    rule(
        r"\b(?P<road>I|US)-(?P<number>\d{1,3})\b(?!-)",
        lambda match: f"{' '.join(match['road'])} {numbers.house_number(match['number'])}",
    ),
    rule(
        rf"(?<![\w./-])(\d+)(?= (?:[A-Z][a-z]+(?:'s)?\.? |\d+(?:st|nd|rd|th) ){{1,4}}(?:{_ANY_STREET})\b)",
        lambda match: numbers.house_number(match[1]),
    ),
    rule(
        rf"\b(?P<lead>(?:{_NUMBERED}) )#?(?P<number>\d{{3,4}})\b(?![\w-]|[.,:]\d)",
        lambda match: [
            part(match, "lead"),
            Part(numbers.house_number(match["number"]), match.end("lead"), match.end()),
        ],
    ),
)
_AFTER_NUMBERS = (
    # "Main St. We": the street ends the sentence.
    rule(rf"\b([A-Z][a-z]+|Jr\.|first|second|third|[a-z]+th) ({_SHORT_STREET})(?=\. (?:{_STARTER})\b(?!\.))", _street),
    # Behind the name of a street, and no name follows: "Oak Dr", but not "Hello Dr. Lee".
    rule(
        rf"\b([A-Z][a-z]+(?:'s)?|Jr\.|first|second|third|[a-z]+th) ({_SHORT_STREET})\b"
        r"(?:\.(?!$)(?=,|\s*[a-z\d]|\s(?:Apt|Unit|Suite|Ste|[NS][EW]?\b|[EW]\b))|(?=\s*[,;!?]|\s*\.?$|\.[.)\"]|\s+(?:[a-z]|Apt|Unit|Suite|Ste|[NS][EW]?\b|[EW]\b)))",
        _street,
    ),
    rule(
        rf"\b(?P<street>{'|'.join(_LONG_STREETS)}) {_DIRECTION}(?:\.(?=,|\s+[a-z]))?(?=\W|$)",
        lambda match: [part(match, "street"), Part(f" {_direction(match)}", match.start("direction"), match.end())],
    ),
    rule(rf"\b({_TITLE})\b\.?(?= [A-Z])", lambda match: lexicon.TITLES[match[1]]),
    # initials: "J. R. Lind", "Mister J. Lind", "Ana J. Lind"; but not "Plan B. Maria"
    rule(
        r"\b(?P<first>[A-Z])\. (?P<second>[A-Z])\.(?= [A-Z][a-z])",
        lambda match: [part(match, "first"), between(match, "first", "second", " "), part(match, "second")],
    ),
    rule(
        rf"(?P<name>\b(?!(?:{_LETTERED})\b)[A-Z][a-z]+ )(?P<initial>[A-Z])\."
        rf"(?= (?!(?:{_STARTER})\b)[A-Z][a-z])",
        lambda match: [part(match, "name"), Part(match["initial"], match.start("initial"), match.end())],
    ),
    # "a Mrs. or a Mr., I forget"
    rule(r"\b(Drs|Mr|Mrs|Ms)\.(?=,| (?:and|or) )", lambda match: lexicon.TITLES[match[1]]),
    rule(
        r"\b(Drs|Dr|Mr|Mrs|Ms)\b\.?(?= and (?:Dr|Doctor|Mrs|Missus|Mr|Mister|Ms|Miz)\b)",
        lambda match: lexicon.TITLES[match[1]],
    ),
    rule(
        r"(?P<whose>\b(?:[Mm]y|[Tt]he|[Yy]our|[Hh]is|[Hh]er|[Tt]heir|[Oo]ur|[Aa]) )[Dd]r(?:\.(?!\s*$|\s+[A-Z])|\b)",
        lambda match: [part(match, "whose"), Part("doctor", match.end("whose"), match.end())],
    ),
)
