"""A condition under which a call is recorded, and those that have a name."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from factory.speech.conditions.backgrounds import Background
from factory.speech.conditions.packet_loss import Loss
from factory.speech.errors import SpeechError

_SNR_DB = (-5.0, 60.0)
_LEVEL_DB = (-30.0, 30.0)


class Band(StrEnum):
    """How much of the spectrum the line lets through."""

    FULL = "full"
    """All there is at 24 kHz."""
    TELEPHONE = "telephone"
    """300 to 3,400 Hz at 8 kHz, G.711 μ-law."""


@dataclass(frozen=True, slots=True)
class Condition:
    """What a call goes through before it is recorded on the agent's side.

    Attributes:
        name: What specs, tables and cards call it.
        band: The line; the same for both channels.
        background: Where the caller is; the agent is in a quiet place. None is silence.
        snr_db: Level of the caller's speech over that of the background, both as the line lets them through
            (see `factory.speech.conditions.level`); None where there is no background.
        loss: Packets lost on the caller's way to the recording. What the agent says is recorded before it is sent,
            and a caller in this corpus has always heard what was delivered.
        caller_level_db: Level of the caller's channel, background and all, over the agent's, beside what the voices
            bring with them.

    Raises:
        SpeechError: A figure is out of range, or a background comes without an SNR or an SNR without a background.
    """

    name: str
    band: Band = Band.FULL
    background: Background | None = None
    snr_db: float | None = None
    loss: Loss | None = None
    caller_level_db: float = 0.0

    @property
    def is_clean(self) -> bool:
        """Whether a call comes through as it was mixed."""
        return self == Condition(self.name)

    def __post_init__(self) -> None:
        if (self.background is None) != (self.snr_db is None):
            raise SpeechError(f"Condition {self.name!r}: a background needs an SNR, and an SNR a background.")
        for what, value, (least, most) in (
            ("SNR", self.snr_db, _SNR_DB),
            ("caller's level", self.caller_level_db, _LEVEL_DB),
        ):
            if value is not None and not least <= value <= most:
                raise SpeechError(
                    f"Condition {self.name!r}: the {what} is {value:g} dB; it can be {least:g} to {most:g} dB."
                )


# Our choice: audible to everybody, and no word lost to a listener.
CONDITIONS: tuple[Condition, ...] = (
    Condition("clean"),
    Condition("telephone", band=Band.TELEPHONE, caller_level_db=-3.0),
    Condition("office", background=Background.OFFICE, snr_db=20.0),
    Condition("street", background=Background.STREET, snr_db=15.0),
    Condition("car", background=Background.CAR, snr_db=10.0),
    Condition("lossy", band=Band.TELEPHONE, loss=Loss(rate=0.03, burst_frames=2.0), caller_level_db=-6.0),
)
"""The conditions that have a name.

Others are made of them, as `dataclasses.replace(find_condition("street"), snr_db=8.0)`.
"""


def find_condition(name: str) -> Condition:
    """Return the condition of that name.

    Raises:
        SpeechError: There is none; the message lists those there are.
    """
    for condition in CONDITIONS:
        if condition.name == name:
            return condition
    known = ", ".join(condition.name for condition in CONDITIONS)
    raise SpeechError(f"There is no condition {name!r}; use one of: {known}.")
