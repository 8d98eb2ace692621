"""Rules for characters that are not said, abbreviations and acronyms."""

from __future__ import annotations

import re
import unicodedata

from factory.speech import spoken_codes
from factory.speech import spoken_lexicon as lexicon
from factory.speech.spoken_trace import Part, Traced, part, rule

SILENT = "™®©℠ʻ"
"""Signs that stand beside a name, or in one ("Hawaiʻi"), and that nobody says."""


def plain_characters(text: Traced) -> Traced:
    """Return `text` in plain characters: straight quotes, no markup, no stage directions, no emoji."""
    return text.rewrite(_CHARACTERS)


def say_abbreviations(text: Traced) -> Traced:
    """Return `text` with short forms, symbols and Roman numerals in full."""
    return text.rewrite(_ABBREVIATIONS)


def say_acronyms(text: Traced) -> Traced:
    """Return `text` with acronyms spelled ("S S N") or kept as words ("FEMA"); shouting is lowered."""
    text = text.rewrite(_ACRONYMS)
    words = text.text.split()
    shouted = sum(word.isupper() and len(word) > 1 for word in words) > max(3, len(words) // 2)
    return text.sub(_CAPITALS, lambda match: _capitals(match[0], shouted))


def _fraction(match: re.Match[str]) -> str:
    """A fraction in one character, apart from the number before it."""
    space = " " if match.string[match.start() - 1 : match.start()].isdecimal() else ""
    return space + unicodedata.normalize("NFKC", match[0]).replace("⁄", "/")


def _markup(match: re.Match[str]) -> str | list[Part]:
    """A stage direction is words; a number in brackets ("press [5]") is said."""
    inside = 1 if match[1] else 2
    if not re.search(r"\d", match[inside] or "") or _LETTER.search(match[inside]):
        return " "
    return [
        Part(" ", match.start(), match.start(inside)),
        part(match, inside),
        Part(" ", match.end(inside), match.end()),
    ]


def _in_latin_letters(match: re.Match[str]) -> str:
    """Letters beyond Latin-1 lose their marks ("Zażółć" is "Zazólc"): engines know no others."""
    characters = unicodedata.normalize("NFKC", match[0]).translate(_LETTERS)
    return "".join(_bare(each) if each > "ÿ" else each for each in characters)


def _bare(letter: str) -> str:
    """A letter without its mark, whether that is a sign of its own or a stroke, a hook or a bar through it."""
    plain = "".join(each for each in unicodedata.normalize("NFKD", letter) if not unicodedata.combining(each))
    named = _MARKED.fullmatch(unicodedata.name(plain, "")) if len(plain) == 1 else None
    if named is None:
        return plain
    return named["letter"] if named["case"] == "CAPITAL" else named["letter"].lower()


def _lone(match: re.Match[str]) -> str:
    """A letter that is spelled; of some that have a mark engines say nothing."""
    return _bare(match[0].translate(_LONE))


_LONGEST_WORD = 200
_TAG = r"/?(?!https?:)[A-Za-z][^<>@]*>"
_LETTER = re.compile(f"[{lexicon.LETTERS}]")
_MARKS = {
    **{"…": "...", "―": "—", "−": "-", "‑": "-", "‒": "-", "№": "No. ", "º": "°", "⁄": "/"},
    **{"‘": "'", "’": "'", "′": "'", "´": "'", "ʼ": "'", "“": '"', "”": '"', "″": '"'},
}
_PLAIN = str.maketrans(_MARKS)
_MARKED = re.compile(r"LATIN (?P<case>CAPITAL|SMALL) LETTER (?P<letter>[A-Z]) WITH .+")
# The diaeresis in "Zoë" and "Noël" only parts two vowels; engines know these names without it.
_LETTERS = str.maketrans(
    {"ı": "i", "Œ": "Oe", "œ": "oe", "Ə": "E", "ə": "e", "Ŋ": "Ng", "ŋ": "ng", "ẞ": "SS", "Ë": "E", "ë": "e"}
)
_LONE = str.maketrans({"Æ": "AE", "æ": "ae", "Þ": "Th", "þ": "th", "Ð": "D", "ð": "d", "ß": "ss"})
_COMPARED = {
    **{"~": "about ", "±": "plus or minus ", "<": "less than ", ">": "more than "},
    **{"≤": "at most ", "<=": "at most ", "=<": "at most ", "≥": "at least ", ">=": "at least ", "=>": "at least "},
    "≈": "about ",
}
_CHARACTERS = (
    # Nobody writes so long a word, and without an end to them the rules would take more than linear time.
    rule(rf"\S{{{_LONGEST_WORD}}}", lambda match: f"{match[0]} "),
    # Signs that are not said, and characters that are not seen.
    rule(f"[{SILENT}\u00ad\u200b-\u200f\u2060\ufe0f\ufeff]", ""),
    rule(f"[{''.join(_MARKS)}]", lambda match: match[0].translate(_PLAIN)),
    rule(r"[¼-¾⅐-⅞]", _fraction),
    rule(r"\S*[^\x00-\x7f]\S*", _in_latin_letters),
    rule(rf"(?<![{lexicon.LETTERS}])[À-ÖØ-öø-ÿ](?![{lexicon.LETTERS}])", _lone),
    rule(r"(?<!\S)#(?=[A-Za-z]{3})", "hashtag "),
    rule(r"^[ \t]*[-*•]\s+", "", re.MULTILINE),
    rule(r"(?<!\S)\+/- ?(?=\d)", "plus or minus "),
    rule(r"(?<=\d)''", '"'),
    *spoken_codes.KEYS,
    rule(
        rf"(?<!\S)(?P<sign><=|>=|=<|=>|[~±≈>≤≥]|<(?!{_TAG}))\s?(?=[$£€¥₹]?\.?\d)",
        lambda match: _COMPARED[match["sign"]],
    ),
    rule("÷", " divided by "),
    rule(rf"<{_TAG}|\[([^\[\]]*)\]|\*([^*\n]*)\*", _markup),
    rule(rf"[^{lexicon.LETTERS}\d\s.,;:!?'\"()$£€¥₹¢%°/&+=@#§×_—–\-]", " "),
    rule(r"[^\S ]\s*| \s+", " "),
    rule(r"^ | $", ""),
)

_STARTER = "|".join(sorted(lexicon.STARTERS, key=len, reverse=True))
_SENTENCE_END = re.compile(rf"\s*$|\s+(?:{_STARTER})(?![\w'.])")
_DOTTED_LETTERS = re.compile(r"\b(?:[A-Za-z]\.){2,}")
_CAPITALS = re.compile(r"\b[A-Z]{2,}(?:'?s)?\b")
_ROMAN = {
    "I": "one",
    "II": "two",
    "III": "three",
    "IV": "four",
    "V": "five",
    "VI": "six",
    "VII": "seven",
    "VIII": "eight",
    "IX": "nine",
    **{"XI": "eleven", "XII": "twelve", "XIII": "thirteen", "XIV": "fourteen", "XV": "fifteen", "XVI": "sixteen"},
    **{"XVII": "seventeen", "XVIII": "eighteen", "XIX": "nineteen", "XX": "twenty", "XXI": "twenty-one"},
}
_ROMAN_AFTER_NAME = {
    "II": "the Second",
    "III": "the Third",
    "IV": "the Fourth",
    "VI": "the Sixth",
    "VIII": "the Eighth",
}
_NAME = f"[{lexicon.CAPITALS}][{lexicon.SMALL}]+"
_ROMAN_LED = (
    r"[Pp]art|[Pp]hase|[Tt]ype|[Tt]itle|[Cc]lass|[Ss]tage|[Cc]hapter|[Ll]evel|[Vv]olume|[Ss]chedule|[Tt]ier|[Gg]rade|"
    r"[Cc]ategory|[Ss]ection|[Aa]rticle|War|Act|Mark|Apollo|Annex|Exhibit|"
    r"[Aa]lgebra|[Cc]alculus|[Cc]hemistry|[Pp]hysics|[Ss]panish|[Ff]rench"
)


def _keeps_stop(match: re.Match[str]) -> bool:
    """Tell whether the full stop of an abbreviation ends its sentence, too."""
    return _SENTENCE_END.match(match.string, match.end()) is not None


def _with_capitals(forms: dict[str, str]) -> dict[str, str]:
    """Return short forms and, of small ones, those with a capital as well."""
    capitals = {
        short.capitalize(): full.capitalize() for short, full in forms.items() if short.islower() and full[0].islower()
    }
    return {**capitals, **forms}


def _whole(short: str) -> str:
    """Return a pattern for a short form that is not a part of a word."""
    before = r"(?<!\w)" if short[0].isalpha() else ""
    return before + re.escape(short) + (r"(?!\w)" if short[-1].isalpha() else "")


_DOTTED = _with_capitals(lexicon.DOTTED)
_UNDOTTED = _with_capitals(lexicon.UNDOTTED)


def _roman(match: re.Match[str]) -> list[Part]:
    return [part(match, "lead"), part(match, "numeral", f" {_ROMAN[match['numeral']]}")]


def _roman_after_name(match: re.Match[str]) -> list[Part]:
    return [part(match, "lead"), part(match, "numeral", f" {_ROMAN_AFTER_NAME[match['numeral']]}")]


_ABBREVIATIONS = (
    rule(r"\be\.g\.,?", "for example,"),
    rule(r"\bi\.e\.,?", "that is,"),
    rule(r"\bPh\.?D\b\.?(?=[,;)]|\s+[a-z]|$)", "P H D"),
    rule(r"\ba\.k\.a\.", "A K A"),
    rule(r"\bWWI(I?)\b", lambda match: f"World War {'two' if match[1] else 'one'}"),
    rule(r"\b[Nn]o\.(?= of\b)", "number"),
    rule(
        rf"\b({'|'.join(_DOTTED)})\.",
        lambda match: _DOTTED[match[1]] + ("." if _keeps_stop(match) else ""),
    ),
    rule(rf"\b({'|'.join(_UNDOTTED)})\b", lambda match: _UNDOTTED[match[1]]),
    *(rule(_whole(short), said) for short, said in lexicon.SYMBOLS.items()),
    # a/c, n/a, d/b/a
    rule(r"(?<![\w/])[a-z](?:/[a-z])+(?![\w/])", lambda match: match[0].upper().replace("/", " ")),
    rule(rf"(?<=[{lexicon.LETTERS}])/(?=[{lexicon.LETTERS}])", " "),
    # a name that is spelled: J-O-E-S
    rule(r"\b[A-Z](?:-[A-Z]){2,}\b", lambda match: match[0].replace("-", " ")),
    # "Part I": but not "the part I mean".
    rule(
        rf"\b(?P<lead>{_ROMAN_LED}) "
        rf"(?P<numeral>(?![IV]\b)(?:{'|'.join(_ROMAN)})\b|[IV]\b(?=\s*[.,;:!?)]|\s*$))",
        _roman,
    ),
    rule(r"(?<=\bWorld War )I\b", "one"),
    rule(
        rf"\b(?P<lead>{_NAME} {_NAME}|Henry|Paul|Elizabeth),? (?P<numeral>{'|'.join(_ROMAN_AFTER_NAME)})\b",
        _roman_after_name,
    ),
)


def _dotted(match: re.Match[str]) -> str:
    return " ".join(match[0].replace(".", "").upper()) + ("." if _keeps_stop(match) else "")


_ACRONYMS = (
    (_DOTTED_LETTERS, _dotted),
    rule(r"(?<=\bI )AM\b|\bAM(?= I\b)", "am"),
)


def _capitals(token: str, shouted: bool) -> str:
    word = re.sub(r"'?s$", "", token)
    plural = "'s" if word != token else ""
    if word in lexicon.SPELLED and not (shouted and word in {"IT", "US", "AM", "OK"}):
        return " ".join(word) + plural
    if word in lexicon.SAID:
        return (word if word in {"FEMA", "NASA", "HIPAA", "FAFSA", "LASIK"} else word.capitalize()) + plural.lstrip("'")
    if shouted or word in lexicon.SHOUTED:
        return token.lower()
    if len(word) <= 3 or not re.search("[AEIOUY]", word):
        return " ".join(word) + plural
    return token.lower()
