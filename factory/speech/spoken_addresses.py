"""Rules for e-mail and web addresses and for names of files: "jo at example dot com"."""

from __future__ import annotations

import re

from factory.speech import spoken_lexicon as lexicon
from factory.speech import spoken_numbers as numbers
from factory.speech.spoken_trace import Traced, rule

_DOMAINS = "com|org|net|gov|edu|io|co|us|ca|uk|info|biz|app"
_LABEL = rf"[{lexicon.LETTERS}\d-]+"
_FILES = "pdf|docx?|xlsx?|csv|txt|jpe?g|png|zip"
_NAMES = {
    **{".": "dot", "-": "dash", "_": "underscore", "+": "plus", "/": "slash", "'": "apostrophe"},
    **{"?": "question mark", "=": "equals", "&": "and", "#": "hash", ":": "colon"},
}


def say_addresses(text: Traced) -> Traced:
    """Return `text` with e-mail addresses, web addresses, names of files and addresses of machines in words."""
    return text.rewrite(_RULES)


def _address(text: str) -> str:
    said = []
    for run in re.findall(rf"[{lexicon.LETTERS}]+|\d+|[._+/'?=&#:-]", text):
        if run.isdecimal():
            said.append(numbers.digits(run) if len(run) > 2 or run[0] == "0" else numbers.plain_number(run))
        elif run in {"www", "uk", "xls", "xlsx", "csv", "txt", "jpg", "png"} or (
            len(run) > 2 and run.upper() in lexicon.SPELLED
        ):
            said.append(" ".join(run.upper()))
        else:
            said.append(_NAMES.get(run, run))
    return " ".join(said)


def _singly(text: str) -> str:
    return " ".join(numbers.digits(each) if each.isdecimal() else each.upper() for each in text)


_RULES = (
    rule(
        rf"(?<![\w.])([\w.+'-]+)@({_LABEL}(?:\.{_LABEL})+)",
        lambda match: f"{_address(match[1])} at {_address(match[2].lower())}",
    ),
    rule(
        rf"\b(?:https?://)?((?:{_LABEL}\.)+(?:{_DOMAINS}))\b"
        r"((?::\d{2,5}\b)?(?:/[\w~-]+(?:\.[\w~-]+)*)*(?:\?\w+[\w=&-]*)?(?:#[\w-]+)?)/?(?!\w)",
        lambda match: _address(match[1].lower() + match[2]),
        re.IGNORECASE,
    ),
    rule(rf"\b[\w-]+\.(?:{_FILES})\b", lambda match: _address(match[0])),
    rule(
        r"(?<![\w.])(\d{1,3}(?:\.\d{1,3}){3})(?::(\d{2,5}))?(?![\w]|\.\d)",
        lambda match: (
            " dot ".join(numbers.digits(run) for run in match[1].split("."))
            + (f" colon {numbers.digits(match[2])}" if match[2] else "")
        ),
    ),
    # 00:1A:2B:3C:4D:5E
    rule(
        r"(?<![\w:])[\dA-Fa-f]{2}(?:[:-][\dA-Fa-f]{2}){5}(?![\w:-])",
        lambda match: ", ".join(_singly(pair) for pair in re.split("[:-]", match[0])),
    ),
)
