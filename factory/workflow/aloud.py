"""What can be said aloud: the marks that nobody can say, characters that nobody sees, and how long a turn may be.

Checks of finished calls and checks of single replies go by the same limits.
"""

import re
import unicodedata

MARKUP = re.compile(r"[*_#`|<>{}\[\]()—–;]")
"""Marks of written text: none stands in a spoken one."""
_UNSEEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
"""Unicode categories of what is no sign: controls, marks of direction, private and unassigned places, line ends."""
LONGEST_CALLER_TURN = 60
"""Words of a caller turn beyond which nobody speaks on the phone without a pause."""
LONGEST_AGENT_TURN = 140
"""Words of an agent turn as meant; most are far shorter, and long ones are cut."""


def is_unseen(character: str) -> bool:
    """Whether a character is obeyed, or is nothing, and is not seen; a line break and a tab are among them."""
    return unicodedata.category(character) in _UNSEEN
