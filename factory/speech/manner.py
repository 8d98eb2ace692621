"""How a caller's reaction profile sounds: a little faster or slower, a little louder or softer."""

from __future__ import annotations

from dataclasses import dataclass

from factory.speech.errors import SpeechError


@dataclass(frozen=True, slots=True)
class Manner:
    """How somebody speaks, against their own voice.

    Attributes:
        pace: Factor on the voice's pace (`paced`); above 1 is faster.
        level_db: Added to the level when the call is mixed; clips themselves are all at one level.
    """

    pace: float
    level_db: float


# All a good step apart from 1, or not at all: listeners notice a difference in pace from about 5 % on (Quené, "On the
# just noticeable difference for tempo in speech", Journal of Phonetics 35, 2007), and one in level from about 1 dB on.
_MANNERS = {
    "cooperative": Manner(1.00, 0.0),
    "rushed": Manner(1.12, 1.0),
    "wary": Manner(0.94, -1.5),
    "frustrated": Manner(1.06, 3.0),
    "chatty": Manner(1.06, 0.0),
    "unsure": Manner(0.92, -2.0),
}


def manner_of(profile: str) -> Manner:
    """Return how a caller of that reaction profile (a value of `factory.records.enums.Profile`) speaks.

    Raises:
        SpeechError: There is no such profile; the message lists those there are.
    """
    if profile not in _MANNERS:
        raise SpeechError(f"There is no manner of speaking for the profile {profile!r}; one of: {', '.join(_MANNERS)}.")
    return _MANNERS[profile]
