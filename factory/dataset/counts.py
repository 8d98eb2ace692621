"""What a dataset comes to, in numbers: counted while it is written."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from factory.calls.tally import SoundTally
from factory.corpus.shape import Shape
from factory.dataset.calls import FinishedCall
from factory.dataset.clips import WavClip
from factory.dataset.schema import SAMPLE_RATE_HZ
from factory.records.base import Record
from factory.records.call import CallTimeline
from factory.records.enums import DEPTH_BANDS, InterruptionType, band_name


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
class Tally(Shape):
    """Counts calls as they go by.

    Attributes:
        sound: What those with audio sound like.
        workflows: Calls by workflow.
        clips: Caller turns with audio.
        samples: Length of them together.
    """

    sound: SoundTally = field(kw_only=True)
    workflows: Counter[str] = field(default_factory=Counter)
    clips: int = 0
    samples: int = 0

    def add(self, call: FinishedCall, clips: dict[int, WavClip], timeline: CallTimeline | None) -> None:
        """Takes one more call into account; it has a time-line where there is audio."""
        self.add_rounds(call.rounds)
        self.workflows[call.workflow.id] += 1
        self.clips += len(clips)
        self.samples += sum(clip.samples for clip in clips.values())
        if timeline is not None:
            self.sound.add(timeline)

    def counts(self) -> DatasetCounts:
        """What it came to."""
        longest, sound = max(self.lengths, default=0), self.sound
        return DatasetCounts(
            conversations=self.conversations,
            messages=self.messages,
            shortest=min(self.lengths, default=0),
            longest=longest,
            agent_turns=(longest + 1) // 2,
            interruptions=self.interruptions,
            by_type={kind: self.types[kind] for kind in InterruptionType},
            by_depth={band_name(band): self.bands[band] for band in range(len(DEPTH_BANDS))},
            by_workflow=dict(sorted(self.workflows.items())),
            clips=self.clips,
            speech_s=round(self.samples / SAMPLE_RATE_HZ, 3),
            calls_s=round(sound.duration_s, 3),
            by_condition=_sums((condition.name, calls) for condition, calls in sound.conditions.items()),
            stood_in=_sums((engine, calls) for (engine, asked), calls in sound.engines.items() if engine != asked),
            failed_attempts=sound.failed_attempts,
            asr_words=sound.by_ear.words,
            asr_errors=sound.by_ear.errors,
            misheard=sound.misheard,
        )


def _sums(parts: Iterable[tuple[str, int]]) -> dict[str, int]:
    """How many there are of each name, by name."""
    sums: Counter[str] = Counter()
    for name, number in parts:
        sums[name] += number
    return dict(sorted(sums.items()))
