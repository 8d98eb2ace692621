"""What a dataset comes to, in numbers: counted while it is written."""

from collections import Counter
from dataclasses import dataclass, field

from factory.dataset.calls import FinishedCall
from factory.dataset.clips import WavClip
from factory.dataset.schema import SAMPLE_RATE_HZ
from factory.records.base import Record
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


@dataclass
class Tally:
    """Counts calls as they go by."""

    lengths: Counter[int] = field(default_factory=Counter)
    types: Counter[InterruptionType] = field(default_factory=Counter)
    bands: Counter[int] = field(default_factory=Counter)
    workflows: Counter[str] = field(default_factory=Counter)
    clips: int = 0
    samples: int = 0

    def add(self, call: FinishedCall, clips: dict[int, WavClip]) -> None:
        """Takes one more call into account."""
        self.lengths[sum(2 if done.caller else 1 for done in call.rounds)] += 1
        self.workflows[call.workflow.id] += 1
        for turn, kind in call.interruptions:
            self.types[kind] += 1
            self.bands[depth_band(turn - 1)] += 1
        self.clips += len(clips)
        self.samples += sum(clip.samples for clip in clips.values())

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
        )
