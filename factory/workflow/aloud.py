"""What can be said aloud: the marks that nobody can say, and how long a turn may be.

Checks of finished calls and checks of single replies go by the same limits.
"""

import re

MARKUP = re.compile(r"[*_#`|<>{}\[\]()—–;]")
"""Marks of written text: none stands in a spoken one."""
LONGEST_CALLER_TURN = 60
"""Words of a caller turn beyond which nobody speaks on the phone without a pause."""
LONGEST_AGENT_TURN = 140
"""Words of an agent turn as meant; most are far shorter, and long ones are cut."""
