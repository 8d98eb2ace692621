"""Rules for words that are not written as they are said: addresses, abbreviations, acronyms, pauses."""

from __future__ import annotations

import re
import unicodedata

from factory.speech import spoken_lexicon as lexicon
from factory.speech import spoken_numbers as numbers

_DOMAINS = "com|org|net|gov|edu|io|co|us|ca|uk|info|biz|app"
_EMAIL = re.compile(r"(?<![\w.])([\w.+-]+)@([A-Za-z\d-]+(?:\.[A-Za-z\d-]+)+)")
_WEB = re.compile(rf"\b(?:https?://)?((?:[A-Za-z\d-]+\.)+(?:{_DOMAINS}))\b((?:/[\w~-]+(?:\.[\w~-]+)*)*)/?(?!\w)")
_MARKUP = re.compile(r"<[^<>]*>|\[[^\[\]]*\]|\*[^*\n]*\*")
_ELLIPSIS = re.compile(r"\s*(?:…|\.(?:\s?\.){1,})\s*")
_DASH = re.compile(r"\s*(?:—|–|―|--+|(?<=\s)-(?=\s))\s*")
_STUTTER = re.compile(r"\b(i|th|wh|sh|ch|[b-df-hj-np-tv-z])-(?=\1)", re.IGNORECASE)
_STUTTERED_AS = {"i": "I, ", "th": "thuh, ", "wh": "wuh, ", "sh": "shuh, ", "ch": "chuh, "}
# "Oak St." but not "St. Louis": a name or an ordinal before, no name after.
_STREET = re.compile(
    rf"(\b(?:[A-Z][a-z]+|first|second|third|[a-z]+th)) ({'|'.join(lexicon.STREETS)})\b"
    r"(?:\.(?!$)(?=\s*[a-z,\d])|(?=\s*[,.;!?]|\s*$|\s+(?:[a-z]|Apt|Unit|Suite|Ste)))"
)
_CAPITALS = re.compile(r"\b[A-Z]{2,}(?:'?s)?\b")
_DOTTED_LETTERS = re.compile(r"\b(?:[A-Za-z]\.){2,}")
_NOT_SPOKEN = re.compile(r"[^A-Za-zÀ-ÖØ-öø-ÿ\d\s.,;:!?'\"()$£€%°/&+=@#_—–\-]")


def plain_characters(text: str) -> str:
    """Return `text` in plain characters: straight quotes, no markup, no stage directions, no emoji."""
    text = unicodedata.normalize("NFKC", text.replace("…", "...").replace("½", " and 1/2"))
    text = text.translate({0x2018: "'", 0x2019: "'", 0x201C: '"', 0x201D: '"', 0x2011: "-", 0x2012: "-"})
    text = _NOT_SPOKEN.sub(" ", _MARKUP.sub(" ", text.replace("―", "—").replace("−", "-")))
    return re.sub(r"\s+", " ", text).strip()


def say_addresses(text: str) -> str:
    """Return `text` with e-mail and web addresses in words: "jo at example dot com"."""
    text = _EMAIL.sub(lambda match: f"{_address(match[1])} at {_address(match[2])}", text)
    return _WEB.sub(lambda match: _address(match[1] + match[2]), text)


def _address(text: str) -> str:
    names = {".": "dot", "-": "dash", "_": "underscore", "+": "plus", "/": "slash"}
    said = []
    for part in re.findall(r"[A-Za-z]+|\d+|[._+/-]", text):
        if part == "www":
            said.append("W W W")
        elif part.isdecimal():
            said.append(numbers.digits(part) if len(part) > 2 else numbers.plain_number(part))
        else:
            said.append(names.get(part, part))
    return " ".join(said)


def say_abbreviations(text: str) -> str:
    """Return `text` with titles, streets and short forms in full: "Doctor Ames on Oak Drive"."""
    text = re.sub(r"\be\.g\.,?", "for example,", text)
    text = re.sub(r"\bi\.e\.,?", "that is,", text)
    text = _STREET.sub(lambda match: f"{match[1]} {lexicon.STREETS[match[2]]}", text)
    text = re.sub(rf"\b({'|'.join(lexicon.TITLES)})\b\.?(?= [A-Z])", lambda match: lexicon.TITLES[match[1]], text)
    text = re.sub(
        rf"\b({'|'.join(lexicon.DOTTED)})\.(?=(\s+[A-Z\"]|\s*$)?)",
        lambda match: lexicon.DOTTED[match[1]] + ("." if _ends_sentence(match) else ""),
        text,
    )
    text = re.sub(rf"\b({'|'.join(lexicon.UNDOTTED)})\b", lambda match: lexicon.UNDOTTED[match[1]], text)
    for symbol, word in lexicon.SYMBOLS.items():
        text = text.replace(symbol, word)
    text = re.sub(r"(?<=[A-Za-z])/(?=[A-Za-z])", " ", text)
    return text


def _ends_sentence(match: re.Match[str]) -> bool:
    return match.end() == len(match.string.rstrip())


def say_acronyms(text: str) -> str:
    """Return `text` with acronyms spelled ("S S N") or kept as words ("FEMA"); shouting is lowered."""
    text = _DOTTED_LETTERS.sub(_dotted, text)
    shouted = sum(word.isupper() and len(word) > 1 for word in text.split()) > max(3, len(text.split()) // 2)
    return _CAPITALS.sub(lambda match: _capitals(match[0], shouted), text)


def _dotted(match: re.Match[str]) -> str:
    end = "." if match.end() == len(match.string.rstrip()) else ""
    return " ".join(match[0].replace(".", "").upper()) + end


def _capitals(token: str, shouted: bool) -> str:
    word = re.sub(r"'?s$", "", token)
    plural = "'s" if word != token else ""
    if word in lexicon.SPELLED and not (shouted and word in {"IT", "US", "AM", "OK"}):
        return " ".join(word) + plural
    if word in lexicon.SAID:
        return (word if word in {"FEMA", "NASA", "HIPAA"} else word.capitalize()) + plural.lstrip("'")
    if shouted or word in lexicon.SHOUTED:
        return token.lower()
    if len(word) <= 3 or not re.search("[AEIOUY]", word):
        return " ".join(word) + plural
    return token.lower()


def keep_pauses(text: str) -> str:
    """Return `text` with hesitation marks in the forms that engines turn into pauses.

    Any ellipsis becomes "...", any dash between words "—", a stuttered onset
    ("b-but") a syllable and a comma ("buh, but"), "uh huh" one word, parentheses commas. A lone "mm" is
    drawn out: engines break the short one off in full voice.
    """
    text = _ELLIPSIS.sub("... ", text)
    text = _DASH.sub("—", text)
    text = _STUTTER.sub(lambda match: _STUTTERED_AS.get(match[1].lower(), f"{match[1]}uh, "), text)
    text = re.sub(r"\b(uh|mm) (huh|hmm?)\b", r"\1-\2", text, flags=re.IGNORECASE)
    text = re.sub(r"\b(m)m\b(?![-'])", r"\1mm", text, flags=re.IGNORECASE)
    text = re.sub(r"\s*\(([^()]*)\)", r", \1,", text)
    text = re.sub(r"[()\"/$£€%°_*]", " ", text)
    return _tidy(text)


def _tidy(text: str) -> str:
    text = re.sub(r"\s+", " ", text)
    text = re.sub(r"\s+([,.;:!?])", r"\1", text)
    text = re.sub(r",+(?=[.!?;:])|,(?=,)|(?<=[.!?—]),(?= |$)", "", text)
    return re.sub(r"^[\s,;:]+", "", text).strip()
