"""What a call is recorded under, as people read it."""

from dataclasses import dataclass

from factory.records.call import CallTimeline


@dataclass(frozen=True, slots=True)
class RecordedCondition:
    """A condition with its figures; each as in a call's time-line."""

    name: str
    snr_db: float | None
    packet_loss: float
    caller_level_db: float

    @property
    def figures(self) -> tuple[str, ...]:
        """Those that say anything, in words: `15 dB SNR`, `caller 3 dB softer`."""
        level_db = self.caller_level_db
        found = (
            "" if self.snr_db is None else f"{self.snr_db:g} dB SNR".replace("-", "\u2212"),
            f"{100 * self.packet_loss:g}% of packets lost" if self.packet_loss else "",
            f"caller {abs(level_db):g} dB {'softer' if level_db < 0 else 'louder'}" if level_db else "",
        )
        return tuple(figure for figure in found if figure)


def condition(call: CallTimeline) -> RecordedCondition:
    """What a call is recorded under."""
    return RecordedCondition(call.condition, call.snr_db, call.packet_loss, call.caller_level_db)
