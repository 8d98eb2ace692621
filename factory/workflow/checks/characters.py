"""No character that nobody can see or say, and nothing that no voice says."""

import re
from collections.abc import Iterable, Iterator

from factory.workflow.aloud import is_unseen, unsaid_fault
from factory.workflow.findings import Check, Finding, error

_SPOKEN = (
    r"subject|agent\.\w+|known_user_information\..+|caller_facts\..+|intents\.\w+\.facts\..+"
    r"|stages\.\w+\.acts\.\w+\.called"
)
_SPOKEN_VALUE = re.compile(_SPOKEN)
"""Places of names and values that are put into what is said."""
_VALUE = re.compile(rf"title|stages\.\w+\.name|{_SPOKEN}")
"""Places of names and values, which are put into sentences, tables and pictures just as they stand."""

_MARKUP = {"<": "a bracket", ">": "a bracket", "&": 'an ampersand (write "and")', "{": "a brace", "}": "a brace"}


def check_characters(texts: Iterable[tuple[str, str]]) -> Iterator[Finding]:
    """Texts hold no control characters, names and values no markup and no placeholders; values can be said.

    Args:
        texts: Those of a workflow, each behind its place.
    """
    for place, text in texts:
        fault = unsaid_fault(text) if _SPOKEN_VALUE.fullmatch(place) else ""
        if text.isprintable() and _MARKUP.keys().isdisjoint(text) and not fault:
            continue
        value = _VALUE.fullmatch(place) is not None
        odd = next((c for c in text if is_unseen(c) and (value or c not in "\n\t")), None)
        if odd is not None:
            message = f"the character U+{ord(odd):04X} stands in this text, where nobody can see or say it; take it out"
            yield error(Check.CONTROL_CHARACTER, place, message)
        sign = next((c for c in text if c in _MARKUP), None) if value else None
        if sign is not None:
            message = f"{_MARKUP[sign]} stands in this name or value, which is spoken as it is; write it in words"
            yield error(Check.MARKUP, place, message)
        elif fault:
            yield error(Check.UNSAID, place, f"this value {fault}")
