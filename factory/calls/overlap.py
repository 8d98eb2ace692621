"""When a caller starts, so that the overlap is of the type's range and what they react to has been said."""

from dataclasses import dataclass

from factory.records.enums import InterruptionType
from factory.simulate.cut import OVERLAP_S

MARGIN_S = 0.04
"""How far an overlap stays inside its range, so that it lies there too when it is measured by its sound."""
LEAST_MARGIN_S = 0.01
"""How far it stays inside where no pace gives more."""
_ROOM_S = 0.01
"""The least choice of instants that counts as one."""
_BEHIND_ONSET_S = 0.03


@dataclass(frozen=True, slots=True)
class CutTimes:
    """What matters of an agent's turn that is cut, in seconds from any common beginning.

    Attributes:
        onset_end_s: Where the onset word ends.
        next_end_s: Where the word behind it ends.
        cut_s: Where the cut word ends, and the agent stops.
        last_sound_s: Where the agent is last heard; before the cut where the word dies away in silence.
        margin_s: How far the overlap has to stay inside its range.
    """

    onset_end_s: float
    next_end_s: float
    cut_s: float
    last_sound_s: float
    margin_s: float = MARGIN_S


def caller_starts_s(times: CutTimes, kind: InterruptionType) -> tuple[float, float] | None:
    """The first and the last instant at which the caller may start; None if there is none at this pace.

    Where there is room, the first lies a little behind the end of the onset word, which an aligner knows only so well.
    """
    least, most = OVERLAP_S[kind]
    first = max(times.onset_end_s, times.cut_s - (most - times.margin_s))
    last = min(times.next_end_s, times.last_sound_s - (least + times.margin_s))
    if first + _ROOM_S > last:
        return None
    return max(first, min(times.onset_end_s + _BEHIND_ONSET_S, (first + last) / 2)), last


def pace_needed(times: CutTimes, kind: InterruptionType) -> float:
    """How many times as fast the agent has to speak so that there is an instant: 1 if there is one already.

    A change of pace makes all times longer or shorter alike, so the nearest pace that is enough is known at once.
    """
    if caller_starts_s(times, kind) is not None:
        return 1.0
    least, most = OVERLAP_S[kind]
    too_early = (times.cut_s - times.next_end_s) / (most - times.margin_s - 2 * _ROOM_S)
    dies_away = (times.cut_s - times.last_sound_s) / (most - least - 2 * times.margin_s - 2 * _ROOM_S)
    too_late = (times.last_sound_s - times.onset_end_s) / (least + times.margin_s + 2 * _ROOM_S)
    too_quick = (times.next_end_s - times.onset_end_s) / (2 * _ROOM_S)
    return max(too_early, dies_away, min(1.0, too_late, too_quick))
