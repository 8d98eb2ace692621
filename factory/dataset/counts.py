"""What a dataset comes to, in numbers: counted while it is written."""

from collections import Counter
from dataclasses import dataclass, field

from factory.dataset.calls import FinishedCall
from factory.dataset.clips import WavClip
from factory.dataset.schema import SAMPLE_RATE_HZ
from factory.records.base import Record
from factory.records.call import CallTimeline
from factory.records.enums import DEPTH_BANDS, InterruptionType, band_name, depth_band


class DatasetCounts(Record):
    """The dataset in numbers.

    Attributes:
        messages: Messages of both sides over all conversations.
        shortest: Messages of the shortest conversation; 0 where there is none.
        longest: Messages of the longest conversation; 0 where there is none.
        agent_turns: Agent turns of the longest conversation; so many numbered columns there are.
        by_type: Interruptions of each type.
        by_depth: Interruptions by band of the user turn index, from 0.
        by_workflow: Conversations of each workflow.
        clips: Caller turns with audio.
        speech_s: Length of all clips together, in seconds.
        calls_s: Length of all calls together, in seconds; 0 without audio.
        by_condition: Calls by the condition that they are recorded under.
        stood_in: Calls that an engine spoke in place of the one that was asked for, by engine.
        failed_attempts: Attempts of an engine that gave no speech that can be used, and were repeated.
        asr_words: Words in caller turns that a speech recogniser listened to.
        asr_errors: Words of them that it misheard.
        misheard: Caller turns in which it misheard more than the spec allows, whatever was tried.
    """

    conversations: int
    messages: int
    shortest: int
    longest: int
    agent_turns: int
    interruptions: int
    by_type: dict[InterruptionType, int]
    by_depth: dict[str, int]
    by_workflow: dict[str, int]
    clips: int
    speech_s: float
    calls_s: float
    by_condition: dict[str, int]
    stood_in: dict[str, int]
    failed_attempts: int
    asr_words: int
    asr_errors: int
    misheard: int


@dataclass
class Tally:
    """Counts calls as they go by.

    Attributes:
        most_misheard: Errors a word that a caller's turn may have.
    """

    most_misheard: float
    lengths: Counter[int] = field(default_factory=Counter)
    types: Counter[InterruptionType] = field(default_factory=Counter)
    bands: Counter[int] = field(default_factory=Counter)
    workflows: Counter[str] = field(default_factory=Counter)
    clips: int = 0
    samples: int = 0
    calls_s: float = 0.0
    conditions: Counter[str] = field(default_factory=Counter)
    stood_in: Counter[str] = field(default_factory=Counter)
    failed_attempts: int = 0
    asr_words: int = 0
    asr_errors: int = 0
    misheard: int = 0

    def add(self, call: FinishedCall, clips: dict[int, WavClip], timeline: CallTimeline | None) -> None:
        """Takes one more call into account; it has a time-line where there is audio."""
        self.lengths[sum(2 if done.caller else 1 for done in call.rounds)] += 1
        self.workflows[call.workflow.id] += 1
        for turn, kind in call.interruptions:
            self.types[kind] += 1
            self.bands[depth_band(turn - 1)] += 1
        self.clips += len(clips)
        self.samples += sum(clip.samples for clip in clips.values())
        if timeline is not None:
            self._add_sound(timeline)

    def _add_sound(self, timeline: CallTimeline) -> None:
        self.calls_s += timeline.duration_s
        self.conditions[timeline.condition] += 1
        if timeline.engine != timeline.asked_engine:
            self.stood_in[timeline.engine] += 1
        self.failed_attempts += sum(turn.failed_attempts for turn in timeline.turns)
        for heard in (turn.heard_by_ear for turn in timeline.turns if turn.heard_by_ear is not None):
            self.asr_words += heard.words
            self.asr_errors += heard.errors
            self.misheard += heard.misheard(self.most_misheard)

    def counts(self) -> DatasetCounts:
        """What it came to."""
        longest = max(self.lengths, default=0)
        return DatasetCounts(
            conversations=self.lengths.total(),
            messages=sum(length * calls for length, calls in self.lengths.items()),
            shortest=min(self.lengths, default=0),
            longest=longest,
            agent_turns=(longest + 1) // 2,
            interruptions=self.types.total(),
            by_type={kind: self.types[kind] for kind in InterruptionType},
            by_depth={band_name(band): self.bands[band] for band in range(len(DEPTH_BANDS))},
            by_workflow={name: self.workflows[name] for name in sorted(self.workflows)},
            clips=self.clips,
            speech_s=round(self.samples / SAMPLE_RATE_HZ, 3),
            calls_s=round(self.calls_s, 3),
            by_condition={name: self.conditions[name] for name in sorted(self.conditions)},
            stood_in={name: self.stood_in[name] for name in sorted(self.stood_in)},
            failed_attempts=self.failed_attempts,
            asr_words=self.asr_words,
            asr_errors=self.asr_errors,
            misheard=self.misheard,
        )
