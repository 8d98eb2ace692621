"""The shape that calls have in the end: how long they are, and how often they are cut into, as what and how deep."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from factory.records.conversation import Round
from factory.records.enums import InterruptionType, depth_band


@dataclass
class Shape:
    """Counts over calls, taken one at a time.

    Attributes:
        lengths: Calls by number of messages of both sides.
        types: Interruptions by type.
        bands: Interruptions by depth band (index into `DEPTH_BANDS`).
    """

    lengths: Counter[int] = field(default_factory=Counter)
    types: Counter[InterruptionType] = field(default_factory=Counter)
    bands: Counter[int] = field(default_factory=Counter)

    def add_rounds(self, rounds: Sequence[Round]) -> None:
        """Counts one more call, which consists of these rounds."""
        messages = 0
        for done in rounds:
            messages += 1 if done.caller is None else 2
            if done.caller is not None and done.caller.type is not None:
                self.types[done.caller.type] += 1
                self.bands[depth_band(done.index)] += 1
        self.lengths[messages] += 1

    @property
    def conversations(self) -> int:
        """How many calls there are."""
        return self.lengths.total()

    @property
    def interruptions(self) -> int:
        """Interruptions of all types."""
        return self.types.total()

    @property
    def messages(self) -> int:
        """Messages of both sides in all calls."""
        return sum(length * calls for length, calls in self.lengths.items())

    @property
    def mean_messages(self) -> float:
        """Mean number of messages of a call; 0 where there is none."""
        return self.messages / max(1, self.conversations)
