"""Counts over the sound of a whole run, taken one time-line at a time: what card and report tell of it."""

import heapq
import math
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import accumulate

from factory.calls.recorded import RecordedCondition, condition
from factory.records.call import CallTimeline, HeardByEar, TimedTurn
from factory.records.enums import InterruptionType, Speaker

MOST_LISTED = 50
"""Turns that are listed as misheard, those with the most errors a word."""


@dataclass
class ByEar:
    """What a recogniser made of some of the callers' turns.

    Attributes:
        words: Words that were said.
        errors: How many of them it has otherwise.
    """

    words: int = 0
    errors: int = 0

    def add(self, heard: HeardByEar) -> None:
        """Counts one more turn."""
        self.words += heard.words
        self.errors += heard.errors

    @property
    def rate(self) -> float | None:
        """Errors for each word; None where no word was listened to."""
        return self.errors / self.words if self.words else None


@dataclass
class Spread:
    """Some times, counted by whole milliseconds, so that it stays small however many they are."""

    counts: Counter[int] = field(default_factory=Counter)

    def add(self, time_s: float) -> None:
        """Counts one more time."""
        self.counts[round(1000 * time_s)] += 1

    @property
    def number(self) -> int:
        """How many there are."""
        return self.counts.total()

    def tenths_s(self, tenths: int) -> float:
        """The time up to which so many tenths of all lie: 0 for the least, 5 for the median, in between if need be."""
        values = sorted(self.counts)
        ranks = list(accumulate(self.counts[value] for value in values))
        place = (ranks[-1] - 1) * tenths / 10
        before, after = (values[bisect_right(ranks, rank)] for rank in (math.floor(place), math.ceil(place)))
        return (before + (after - before) * (place % 1)) / 1000


@dataclass(frozen=True, slots=True)
class Misheard:
    """A caller's turn in which more was misheard than the spec allows.

    Attributes:
        turn: Its number, from 1.
        type: How the caller cut in with it; None if they did not.
    """

    conversation_id: str
    turn: int
    type: InterruptionType | None
    said: str
    heard: HeardByEar


@dataclass
class SoundTally:
    """What a run sounds like.

    Attributes:
        most_misheard: Errors a word that a caller's turn may have.
        calls: Calls with a time-line.
        duration_s: Length of them together.
        engines: Calls by the engine that spoke and the one that was asked for.
        conditions: Calls by condition and its figures.
        voices: Calls by engine, voice, and the side that speaks with it.
        overlaps: Overlaps as measured, by type.
        outside: Overlaps outside their type's range, by type.
        pauses: Pauses between turns, as drawn.
        turns: Turns by side.
        retaken: Turns of which a take before was not usable, by side.
        failed_attempts: Attempts of an engine that gave no speech that can be used, and were repeated.
        paces: Agent's turns with another pace than the voice's own, by pace in thousandths.
        recognisers: Calls by the recogniser that listened.
        by_ear: All that it listened to.
        by_ear_of: The same by engine and caller's voice.
        by_ear_under: By condition.
        by_ear_in: By interruption type, None for turns that interrupt nobody.
        misheard: Turns in which more was misheard than the spec allows.
    """

    most_misheard: float
    calls: int = 0
    duration_s: float = 0.0
    engines: Counter[tuple[str, str]] = field(default_factory=Counter)
    conditions: Counter[RecordedCondition] = field(default_factory=Counter)
    voices: Counter[tuple[str, str, Speaker]] = field(default_factory=Counter)
    overlaps: defaultdict[InterruptionType, Spread] = field(default_factory=lambda: defaultdict(Spread))
    outside: Counter[InterruptionType] = field(default_factory=Counter)
    pauses: Spread = field(default_factory=Spread)
    turns: Counter[Speaker] = field(default_factory=Counter)
    retaken: Counter[Speaker] = field(default_factory=Counter)
    failed_attempts: int = 0
    paces: Counter[int] = field(default_factory=Counter)
    recognisers: Counter[str] = field(default_factory=Counter)
    by_ear: ByEar = field(default_factory=ByEar)
    by_ear_of: defaultdict[tuple[str, str], ByEar] = field(default_factory=lambda: defaultdict(ByEar))
    by_ear_under: defaultdict[RecordedCondition, ByEar] = field(default_factory=lambda: defaultdict(ByEar))
    by_ear_in: defaultdict[InterruptionType | None, ByEar] = field(default_factory=lambda: defaultdict(ByEar))
    misheard: int = 0
    _worst: list[tuple[float, int, Misheard]] = field(default_factory=list)

    def add(self, call: CallTimeline) -> None:
        """Counts one more call."""
        self.calls += 1
        self.duration_s += call.duration_s
        self.engines[call.engine, call.asked_engine] += 1
        self.conditions[condition(call)] += 1
        self.voices[call.engine, call.agent_voice, Speaker.AGENT] += 1
        self.voices[call.engine, call.caller_voice, Speaker.CALLER] += 1
        if call.recogniser is not None:
            self.recognisers[call.recogniser] += 1
        for one in call.interruptions:
            self.overlaps[one.type].add(one.measured_overlap_s)
            self.outside[one.type] += not one.in_range
        types = {one.message_index: one.type for one in call.interruptions}
        for turn in call.turns:
            self._add_turn(turn)
            if turn.heard_by_ear is not None:
                self._add_heard(call, turn, turn.heard_by_ear, types.get(turn.message_index))

    def _add_turn(self, turn: TimedTurn) -> None:
        self.turns[turn.speaker] += 1
        self.retaken[turn.speaker] += turn.take > 1
        self.failed_attempts += turn.failed_attempts
        if turn.pause_s is not None:
            self.pauses.add(turn.pause_s)
        if turn.speaker is Speaker.AGENT and turn.pace != 1.0:
            self.paces[round(1000 * turn.pace)] += 1

    def _add_heard(self, call: CallTimeline, turn: TimedTurn, heard: HeardByEar, kind: InterruptionType | None) -> None:
        for part in (
            self.by_ear,
            self.by_ear_of[call.engine, call.caller_voice],
            self.by_ear_under[condition(call)],
            self.by_ear_in[kind],
        ):
            part.add(heard)
        if heard.misheard(self.most_misheard):
            self.misheard += 1
            said = " ".join(word.text for word in turn.words)
            one = Misheard(call.conversation_id, turn.message_index // 2 + 1, kind, said, heard)
            # Of equal ones the first is kept; the count tells any two apart before they are compared themselves.
            entry = (heard.errors / max(heard.words, 1), -self.misheard, one)
            (heapq.heappush if len(self._worst) < MOST_LISTED else heapq.heappushpop)(self._worst, entry)

    @property
    def worst(self) -> Iterator[Misheard]:
        """The turns that were misheard most, the worst first."""
        return (one for *_, one in sorted(self._worst, key=lambda entry: entry[:2], reverse=True))
