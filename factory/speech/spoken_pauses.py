"""Rules for hesitations: they stay, in the forms that engines turn into pauses."""

from __future__ import annotations

import re

from factory.speech.spoken_trace import Part, Traced, part, rule


def keep_pauses(text: Traced) -> Traced:
    """Return `text` with hesitation marks in the forms that engines turn into pauses.

    Any ellipsis becomes "...", any dash between words "—", a stuttered onset
    ("b-but") a syllable and a comma ("buh, but"), "uh huh" one word, parentheses commas. A lone "mm" is
    drawn out: engines break the short one off in full voice.
    """
    return text.rewrite(_RULES)


_STUTTERED_AS = {"i": "I, ", "th": "thuh, ", "wh": "wuh, ", "sh": "shuh, ", "ch": "chuh, "}


def _stutter(match: re.Match[str]) -> str:
    return _STUTTERED_AS.get(match[1].lower(), f"{match[1]}uh, ")


def _in_parentheses(match: re.Match[str]) -> list[Part]:
    """Only the brackets change; each word inside keeps its place."""
    before, after = match.start(1), match.end(1)
    return [Part(", ", match.start(), before), part(match, 1), Part(",", after, match.end())]


_RULES = (
    rule(r"\s*(?:…|\.(?:\s?\.){1,})\s*", "... "),
    rule(r"\s*(?:—|–|―|--+|(?<=\s)-(?=\s))\s*", "—"),
    rule(r"\b(i|th|wh|sh|ch|[b-df-hj-np-tv-z])-(?=\1)", _stutter, re.IGNORECASE),
    rule(r"(?<=\b(?:uh|mm)) (?=(?:huh|hmm?)\b)", "-", re.IGNORECASE),
    rule(r"\bmm\b(?![-'])", lambda match: f"{match[0][0]}mm", re.IGNORECASE),
    rule(r"\s*\(([^()]*)\)", _in_parentheses),
    rule(r"[()\[\]<>\"/$£€¥₹¢%°§×~_*]", " "),
    rule(r"[^\S ]\s*| \s+", " "),
    rule(r"\s+(?=[,.;:!?])", ""),
    rule(r",+(?=[.!?;:])|,(?=,)|(?<=[.!?—]),(?= |$)", ""),
    rule(r"^[\s,;:]+|\s+$", ""),
)
