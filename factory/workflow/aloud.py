"""What can be said aloud: the marks that nobody can say, what no voice says, and how long a turn may be.

Checks of workflows, of finished calls and of single replies go by the same limits.
"""

import re
import unicodedata

from factory.speech.spoken_unsaid import unsaid

MARKUP = re.compile(r"[*_#`|<>{}\[\]()—–;]")
"""Marks of written text: none stands in a spoken one."""
_UNSEEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
"""Unicode categories of what is no sign: controls, marks of direction, private and unassigned places, line ends."""
LONGEST_CALLER_TURN = 60
"""Words of a caller turn beyond which nobody speaks on the phone without a pause."""
LONGEST_AGENT_TURN = 140
"""Words of an agent turn as meant; most are far shorter, and long ones are cut."""


_MOST_SHOWN = 40
"""Characters of a word that a fault names, at the most: a reply may hold one of any length."""


def unsaid_fault(text: str) -> str:
    """Why a text would not be heard whole, and what to do; empty where a voice says all of it."""
    if not any(c.isalnum() for c in text):
        return "says nothing; write at least one word"
    words = unsaid(text)
    if not words:
        return ""
    word = "".join(c for c in words[0] if c.isprintable())[:_MOST_SHOWN]
    return f'holds "{word}", which an English voice cannot say; write what is said, in Latin letters'


def is_unseen(character: str) -> bool:
    """Whether a character is obeyed, or is nothing, and is not seen; a line break and a tab are among them."""
    return unicodedata.category(character) in _UNSEEN
