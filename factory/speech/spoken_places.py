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
_CAPITALISED = f"[{lexicon.CAPITALS}][{lexicon.SMALL}]"
_NAME = rf"(?:{_CAPITALISED}+(?:'s)?\.? |\d+(?:st|nd|rd|th) )"
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
_ORDINAL = "first|second|third|[a-z]*(?:four|fif|six|seven|eigh|nin|ten|eleven|twelf|teen|tie|hundred)th"
_STREET_NAMED = rf"{_CAPITALISED}+(?:'s)?|Jr\.|(?:[a-z]+-)?(?:{_ORDINAL})"
# No name: of a doctor, "Thanks, Dr. We are set" is no Doctor We.
_SURE_STARTER = "|".join(
    sorted(each for each in lexicon.STARTERS - {"Will", "Well", "Let"} if len(each) > 3 or each in {"I", "We", "The"})
)
# Before "Salem, OR": without any of them it may be a name and a word, as in "told Greg, ME".
_TO_TOWN = rf"\b(?:[Ii]n|[Ff]rom|[Tt]o|[Oo]f|[Nn]ear|[Aa]t) |\b(?:{_ANY_STREET})\b\.?, "
_TOWN_STATE = "|".join(sorted(lexicon.STATES_BEHIND_TOWNS))
_NO_TOWN = "Who|Wait|Yes|Yeah|No|Oh|Well|Okay|Ok|Sure|Hi|Hello|Hey|Great|Right|Alright|Thanks|Sorry|Please|So|And|But"
_PERSON = "Drs|Dr|Mr|Mrs|Ms|Mx|Prof|Rev|Capt|Sgt|Lt"
_BEFORE_DOCTORS = "|".join(sorted(lexicon.STARTERS - {"May"})) + (
    "|Hello|Hi|Hey|Yeah|Okay|Ok|Oh|Sure|Sorry|Dear|Good|Great|Right|Maybe|Ask|Call|See|Saw|Tell|Told|Get|Find|Meet|Met|"
    "Visit|Contact|Email|Text|From|About|Until|Before|After|Because|Since|Like|Also|Both|Was|Has|Should"
)
_TITLE = "|".join(sorted(lexicon.TITLES, key=len, reverse=True))

_DIGIT = re.compile(r"\d")
_SHORT_FORM = re.compile(rf"\b(?:{'|'.join(sorted({*lexicon.STREETS, *lexicon.TITLES}))}|dr)\b")


def say_places(text: Traced) -> Traced:
    """Return `text` with states, sides of streets, and numbers of houses, rooms, flights and roads in words."""
    return (text.rewrite(_NUMBERS) if _DIGIT.search(text.text) else text).rewrite(_TOWNS)


def say_titles_and_streets(text: Traced) -> Traced:
    """Return `text`, in which numbers are words, with types of streets and titles in full."""
    return (text.rewrite(_SHORT_FORMS) if _SHORT_FORM.search(text.text) else text).rewrite(_SIDES_AND_INITIALS)


def _state_and_zip(match: re.Match[str]) -> list[Part]:
    digits = ", ".join(numbers.digits(run) for run in re.findall(r"\d+", match["zip"]))
    return [part(match, "state", f"{lexicon.STATES[match['state']]} "), part(match, "zip", digits)]


def _direction(match: re.Match[str]) -> str:
    return lexicon.DIRECTIONS[match["direction"]]


def _street(match: re.Match[str]) -> list[Part]:
    return [part(match, 1), Part(" ", match.end(1), match.start(2)), part(match, 2, lexicon.STREETS[match[2]])]


_TOWNS = (
    rule(rf"\b(?P<lead>(?:{_NUMBERED}) )#(?=\w)", lambda match: [part(match, "lead")]),
    rule(
        # a doctor of medicine, not Maryland
        rf"(?P<name>\bDr\.? [{lexicon.CAPITALS}][\w.' -]{{1,40}}, )(?P<degree>MD)\b",
        lambda match: [part(match, "name"), part(match, "degree", "M D")],
    ),
    rule(
        # VA is an office, too.
        rf"(?<=[{lexicon.SMALL}], )(?!VA,? (?:or|and|FHA|loan|benefit|hospital|clinic|health))(?:{_SURE_STATE})\b"
        r"(?=\s*[,.;!?]|\s*$|\s+[a-z])",
        lambda match: lexicon.STATES[match[0]],
    ),
    rule(
        # a town alone is an answer
        rf"(?P<town>(?:{_TO_TOWN}|(?P<alone>^(?!(?:{_NO_TOWN})\b)))"
        rf"(?:[FMS]t\. |{_CAPITALISED}+ ){{0,2}}{_CAPITALISED}+, )(?P<state>{_TOWN_STATE})"
        r"(?(alone)(?=\.?$)|(?=\s*[.;!?]|\s*$))",
        lambda match: [part(match, "town"), part(match, "state", lexicon.STATES[match["state"]])],
    ),
)
_NUMBERS = (
    rule(r"\bRte?\.? (?=\d)", "Route "),
    rule(r"\bFl\.? (?=\d)", "Floor "),
    rule(
        r"(?P<which>\b\d+(?:st|nd|rd|th) )(?P<floor>fl|flr)\b(?:\.(?=,|\s+[a-z]))?",
        lambda match: [part(match, "which"), part(match, "floor", "floor")],
    ),
    rule(r"\b([NS][EW]|[NSEW])\.? (?=\d+(?:st|nd|rd|th)\b)", lambda match: f"{lexicon.DIRECTIONS[match[1]]} "),
    rule(rf"\b(?P<state>{'|'.join(lexicon.STATES)})\.?,? (?P<zip>\d{{5}}(?:-\d{{4}})?)\b(?!-)", _state_and_zip),
    rule(rf"(?<=\d ){_DIRECTION}\.?(?= {_NAME}{{1,3}}(?:{_ANY_STREET})\b)", _direction),
    rule(
        r"\b(?P<road>(?:I-|US-|(?:Hwy\.?|[Hh]ighway|[Rr]oute|[Ii]nterstate) )\d{1,3}) (?P<direction>[NSEW])\b"
        r"(?:\.(?=,|\s+[a-z])|(?!'|\.\w))",
        lambda match: [part(match, "road"), Part(f" {_direction(match)}", match.end("road"), match.end())],
    ),
    rule(
        r"\b(?P<road>I|US)-(?P<number>\d{1,3})\b(?!-)",
        lambda match: f"{' '.join(match['road'])} {numbers.house_number(match['number'])}",
    ),
    rule(
        rf"(?<![\w./-])(\d+)(?= {_NAME}{{1,4}}(?:{_ANY_STREET})\b)",
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
_SHORT_FORMS = (
    # "Main St. We": the street ends the sentence.
    rule(
        rf"\b(?!(?:{_BEFORE_DOCTORS}) Dr\b)({_STREET_NAMED}) ({_SHORT_STREET})"
        rf"(?=\. (?:(?:{_STARTER})\b(?!\.)|(?:{_PERSON})\.? [{lexicon.CAPITALS}]))",
        _street,
    ),
    # "5th Ave. New York": what is no title is a street.
    rule(rf"\b({_STREET_NAMED}) (?!St|Dr)({_SHORT_STREET})(?=\. {_CAPITALISED})", _street),
    # Behind the name of a street, and no name follows: "Oak Dr", but not "Hello Dr. Lee".
    rule(
        rf"\b(?!(?:{_BEFORE_DOCTORS}) Dr\b)({_CAPITALISED}+(?:'s)?|Jr\.|{_ORDINAL}) "
        rf"({_SHORT_STREET})\b"
        r"(?:\.(?!$)(?=,|\s*[a-z\d]|\s(?:[&@#]|Apt|Unit|Suite|Ste|[NS][EW]?\b|[EW]\b))|(?=\s*[,;!?&@#]|\.?/|\s*\.?$|\.[.)\"]|\s+(?:[a-z]|Apt|Unit|Suite|Ste|[NS][EW]?\b|[EW]\b)))",
        _street,
    ),
    rule(
        rf"\b({_TITLE})\b(?:\.(?= (?!(?:{_SURE_STARTER})\b(?!\.))[{lexicon.CAPITALS}])|(?=\.? [{lexicon.CAPITALS}]))",
        lambda match: lexicon.TITLES[match[1]],
    ),
    # "a Mrs. or a Mr., I forget"
    rule(r"\b(Drs|Mr|Mrs|Ms)\.(?=,| (?:and|or) )", lambda match: lexicon.TITLES[match[1]]),
    rule(
        r"\b(Drs|Dr|Mr|Mrs|Ms)\b\.?(?= (?:and|&) (?:Dr|Doctor|Mrs|Missus|Mr|Mister|Ms|Miz)\b)",
        lambda match: lexicon.TITLES[match[1]],
    ),
    rule(
        r"(?P<whose>\b(?:[Mm]y|[Tt]he|[Yy]our|[Hh]is|[Hh]er|[Tt]heir|[Oo]ur|[Aa]) )[Dd]r(?:\.(?!\s*$|\s+[A-Z])|\b)",
        lambda match: [part(match, "whose"), Part("doctor", match.end("whose"), match.end())],
    ),
    rule(r"\b(Drs?)\b(?:\.(?!\s*$|\s+[A-Z])|)", lambda match: lexicon.TITLES[match[1]]),
)
_SIDES_AND_INITIALS = (
    rule(
        rf"\b(?P<street>{'|'.join(_LONG_STREETS)}) {_DIRECTION}(?:\.(?=,|\s+[a-z]))?(?=\W|$)",
        lambda match: [part(match, "street"), Part(f" {_direction(match)}", match.start("direction"), match.end())],
    ),
    # initials: "J. R. Lind", "Mister J. Lind", "Ana J. Lind"; but not "Plan B. Maria"
    rule(
        rf"\b(?P<first>[A-Z])\. (?P<second>[A-Z])\.(?= {_CAPITALISED})",
        lambda match: [part(match, "first"), between(match, "first", "second", " "), part(match, "second")],
    ),
    rule(
        rf"(?P<name>\b(?!(?:{_LETTERED})\b){_CAPITALISED}+ )(?P<initial>[A-Z])\."
        rf"(?= (?!(?:{_STARTER})\b){_CAPITALISED})",
        lambda match: [part(match, "name"), Part(match["initial"], match.start("initial"), match.end())],
    ),
)
