"""Closed sets of the field's words."""

from enum import StrEnum


class Direction(StrEnum):
    """Who placed the call."""

    INBOUND = "inbound"
    OUTBOUND = "outbound"


class Speaker(StrEnum):
    """The two sides of a call."""

    AGENT = "agent"
    CALLER = "caller"


class InterruptionType(StrEnum):
    """The six types of the reference (IHBench, section 4 of its taxonomy)."""

    PUSHBACK = "pushback"
    IMPATIENT = "impatient"
    NORMAL = "normal"
    TOPIC_SWITCH = "topic_switch"
    FILLER = "filler"
    CORRECTION = "correction"


class Profile(StrEnum):
    """How a caller reacts; authored lines may be given per profile, with a default."""

    COOPERATIVE = "cooperative"
    RUSHED = "rushed"
    WARY = "wary"
    FRUSTRATED = "frustrated"
    CHATTY = "chatty"
    UNSURE = "unsure"


class Speech(StrEnum):
    """How a caller talks, whatever they say: `workflows/shared.yaml` has the small words for each."""

    PLAIN = "plain"
    HESITANT = "hesitant"
    BRISK = "brisk"
    POLITE = "polite"
    FOLKSY = "folksy"


class Way(StrEnum):
    """How a call goes: straight to success, with a question that fails first, or to a hard stop."""

    STRAIGHT = "straight"
    RETRY = "retry"
    STOP = "stop"


class Form(StrEnum):
    """How an act is worded in one utterance.

    `say` the first time; `resume` as a fresh start after it was cut or went unanswered; `brief` for a
    caller in a hurry.
    """

    SAY = "say"
    RESUME = "resume"
    BRIEF = "brief"


class SoundFormat(StrEnum):
    """How sound is kept; the value is the suffix of the file."""

    WAV = "wav"
    """16 bit, as it is."""
    FLAC = "flac"
    """16 bit, no sample lost; a quarter of the size, with a background under half."""
    OPUS = "opus"
    """For listening: what is hardly heard is lost, a tenth of the size; in Ogg."""


DEPTH_BANDS: tuple[tuple[int, int], ...] = ((0, 4), (5, 9), (10, 14), (15, 19))
"""Bands of the user turn index (from 0, both ends included) in which depth is counted."""


def depth_band(user_turn: int) -> int:
    """Index into `DEPTH_BANDS` of a user turn; turns beyond the last band count in the last."""
    within = (band for band, (_, high) in enumerate(DEPTH_BANDS) if user_turn <= high)
    return next(within, len(DEPTH_BANDS) - 1)


def band_name(band: int) -> str:
    """A band as people write it, such as `0-4`."""
    low, high = DEPTH_BANDS[band]
    return f"{low}-{high}"
