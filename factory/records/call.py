"""A call as sound: who speaks when, word by word, and how each interruption came out."""

from typing import Annotated

from pydantic import Field

from factory.records.base import SCHEMA_VERSION, Record
from factory.records.enums import InterruptionType, Speaker
from factory.records.run import Digest

Seconds = Annotated[float, Field(ge=0, le=86_400, allow_inf_nan=False)]
Decibels = Annotated[float, Field(ge=-200, le=200, allow_inf_nan=False)]
Share = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]
Index = Annotated[int, Field(ge=0, le=1_000_000)]
Name = Annotated[str, Field(pattern=r"^[A-Za-z0-9._+/ -]{1,120}$")]
"""Of an engine, a voice, a condition or a recogniser."""
Place = Annotated[str, Field(pattern=r"^(audio|calls)/[A-Za-z0-9_-]+[A-Za-z0-9_./-]*$", max_length=300)]
"""Of a file, in a run folder."""


class TimedWord(Record):
    """A word as written, and when it sounds.

    Attributes:
        text: The word, as it stands in the transcript.
        start_s: Where its sound begins, in seconds from the call's beginning.
        end_s: Where its sound ends.
    """

    text: str
    start_s: Seconds
    end_s: Seconds


class HeardByEar(Record):
    """What a speech recogniser understood of a caller's turn, in the call as it is recorded.

    Attributes:
        text: What it understood.
        words: Words that were said, normalised.
        errors: Words that it has otherwise, left out or put in.
    """

    text: str
    words: Index
    errors: Index

    def misheard(self, most: float) -> bool:
        """Whether it has more than so many errors a word."""
        return self.errors > most * self.words


class TimedTurn(Record):
    """One side's turn.

    Attributes:
        message_index: Over all messages of the call, from 0; as in `turns.parquet`.
        start_s: Where its sound begins.
        end_s: Where it ends; for an agent who was cut off, the cut.
        pause_s: Silence before it, as drawn; None for the first turn, and for a caller who cuts in.
        pace: Against the voice's own; below 1 is slower.
        take: Which take it is, from 1; those before it had another pace, or were not understood.
        failed_attempts: Attempts of the engine at it that gave no speech that can be used.
        words: The words that were spoken.
        undelivered: What the agent had still meant to say, with the space before it; empty where nothing was cut.
        heard_by_ear: None for the agent's turns, and where no recogniser listened.
    """

    message_index: Index
    speaker: Speaker
    start_s: Seconds
    end_s: Seconds
    pause_s: Seconds | None
    pace: Annotated[float, Field(gt=0.01, le=100, allow_inf_nan=False)]
    take: Annotated[int, Field(ge=1, le=1_000)]
    failed_attempts: Index = 0
    words: Annotated[tuple[TimedWord, ...], Field(min_length=1)]
    undelivered: str = ""
    heard_by_ear: HeardByEar | None = None


class TimedInterruption(Record):
    """How a caller cut in: as it was planned, and as it came out.

    Attributes:
        message_index: Of the caller's turn; the agent's, which is cut, comes just before it.
        onset_word: Index of the agent's last word that ended before the caller started.
        cut_word: Index of the last word that the agent says.
        least_overlap_s: The type's least overlap.
        most_overlap_s: The type's most overlap.
        onset_end_s: Where the onset word ends: the caller may start from here on.
        next_end_s: Where the word behind it ends: the caller has to have started by then.
        caller_start_s: Where the caller's sound was placed.
        cut_s: Where the agent stops.
        planned_overlap_s: From the one to the other.
        measured_overlap_s: From where the caller is heard on their channel to where the agent is last heard on theirs.
    """

    message_index: Index
    type: InterruptionType
    onset_word: Index
    cut_word: Index
    least_overlap_s: Seconds
    most_overlap_s: Seconds
    onset_end_s: Seconds
    next_end_s: Seconds
    caller_start_s: Seconds
    cut_s: Seconds
    planned_overlap_s: Seconds
    measured_overlap_s: Seconds

    @property
    def in_range(self) -> bool:
        """Whether the overlap as measured is the type's."""
        return self.least_overlap_s <= self.measured_overlap_s <= self.most_overlap_s


class CallTimeline(Record):
    """`calls/<id>.json`: the time-line of one call, and what its sound is made of.

    Attributes:
        duration_s: Length of the call.
        engine: The speech engine that spoke.
        asked_engine: The one that was asked for; another where it failed and the spec allows a stand-in.
        agent_voice: The agent's voice, by its name in the engine.
        caller_voice: The caller's.
        stand_in_because: Why that one failed; None where it spoke.
        condition: The condition under which the call is recorded.
        snr_db: Level of the caller's speech over that of the background; None without a background.
        packet_loss: Share of the caller's packets that are lost.
        caller_level_db: Level of the caller's channel over the agent's, beside what the voices bring with them.
        loudness_lufs: Integrated loudness (ITU-R BS.1770) of both channels together.
        peak_dbtp: Highest true peak.
        recogniser: Which speech recogniser listened; None where none did.
        turns: Of both sides, in order of their messages.
        interruptions: In order.
        files: Digest of each of its sound files, the clips of the caller's turns among them, by their place in the run
            folder.
    """

    schema_version: int = SCHEMA_VERSION
    conversation_id: str
    duration_s: Annotated[Seconds, Field(gt=0)]
    engine: Name
    asked_engine: Name
    stand_in_because: str | None = None
    agent_voice: Name
    caller_voice: Name
    condition: Name
    snr_db: Decibels | None = None
    packet_loss: Share = 0.0
    caller_level_db: Decibels = 0.0
    loudness_lufs: Decibels
    peak_dbtp: Decibels
    recogniser: Name | None
    turns: Annotated[tuple[TimedTurn, ...], Field(min_length=1)]
    interruptions: tuple[TimedInterruption, ...]
    files: dict[Place, Digest]
