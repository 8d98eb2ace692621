"""A call to be heard: its words with their times, and the picture of who speaks when."""

from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import quote

from factory.calls.recorded import RecordedCondition, condition
from factory.errors import RunError
from factory.records.call import CallTimeline, TimedInterruption, TimedTurn, TimedWord
from factory.records.enums import InterruptionType, Speaker

PIXELS_A_SECOND = 32
"""Scale of the time-line: the shortest overlap (0.15 s) is still seen, and a screen holds half a minute."""
_LEAD_S = 2.0  # a jump to an interruption begins this long before the caller does
_TICK_S = 5
_LANES_Y = {Speaker.AGENT: 24, Speaker.CALLER: 52}
_LANE_HEIGHT = 24


@dataclass(frozen=True, slots=True)
class Sounded:
    """One side's turn with its times.

    Attributes:
        timed: The turn.
        heard: Its words up to the onset (all of them, where nobody cut in).
        talked_over: The words between onset and cut.
        interruption: How the caller cut in with this turn, if they did.
    """

    timed: TimedTurn
    heard: tuple[TimedWord, ...]
    talked_over: tuple[TimedWord, ...] = ()
    interruption: TimedInterruption | None = None


@dataclass(frozen=True, slots=True)
class Block:
    """A turn in the time-line; lengths in pixels of it.

    Attributes:
        number: The turn's, from 1.
        type: How the caller cut in with it, if they did.
        words: Its words as an SVG path, a box for each.
        rest: Width of what was never said, as long as it would have been, but not beyond the agent's next turn.
    """

    turn: TimedTurn
    number: int
    type: InterruptionType | None
    x: float
    y: int
    width: float
    height: int
    words: str
    rest: float


@dataclass(frozen=True, slots=True)
class Mark:
    """An interruption in the time-line; lengths in pixels of it.

    Attributes:
        number: The turn's, from 1.
        jump_s: From where to listen to it.
        x: Where the caller starts.
        width: The overlap.
    """

    interruption: TimedInterruption
    number: int
    jump_s: float
    x: float
    width: float


@dataclass(frozen=True, slots=True)
class Player:
    """What the page of a call plays, and the picture of it.

    Attributes:
        address: Of the sound, relative to the page.
        timeline: The call's.
        width: Of the whole picture, in pixels.
        ticks: Seconds that are written under it.
        blocks: The turns, in order.
        marks: The interruptions, by number of their turn.
    """

    address: str
    timeline: CallTimeline
    width: float
    ticks: tuple[int, ...]
    blocks: tuple[Block, ...]
    marks: dict[int, Mark]

    @property
    def within(self) -> int:
        """How many interruptions have a measured overlap within their type's range."""
        return sum(mark.interruption.in_range for mark in self.marks.values())

    @property
    def condition(self) -> RecordedCondition:
        """What the call is recorded under."""
        return condition(self.timeline)

    @property
    def by_ear(self) -> tuple[int, int]:
        """Words that a recogniser listened to, and how many of them it has otherwise."""
        heard = [turn.heard_by_ear for turn in self.timeline.turns if turn.heard_by_ear is not None]
        return sum(one.words for one in heard), sum(one.errors for one in heard)


def player(timeline: CallTimeline, file: str) -> Player:
    """The player of a call.

    Args:
        timeline: The call's.
        file: Name of the sound file to play, in the run's folder of calls.
    """
    types = {interruption.message_index: interruption.type for interruption in timeline.interruptions}
    return Player(
        address=f"../../calls/{quote(file, safe='')}",
        timeline=timeline,
        width=_pixels(timeline.duration_s),
        ticks=tuple(range(0, int(timeline.duration_s) + 1, _TICK_S)),
        blocks=tuple(_blocks(timeline, types)),
        marks={mark.number: mark for mark in map(_mark, timeline.interruptions)},
    )


def sounded(timeline: CallTimeline, message: int, text: str, heard: str) -> Sounded:
    """The times of one message's words.

    Args:
        timeline: The call's.
        message: Index over all messages of the call, from 0.
        text: What was said, as the conversation has it.
        heard: The part of it, from its beginning, that was said before the other side started.

    Raises:
        RunError: if the time-line has no such message, or other words in it.
    """
    turn = timeline.turns[message] if message < len(timeline.turns) else None
    if turn is None or [word.text for word in turn.words] != text.split(" "):
        raise RunError(
            f"{timeline.conversation_id}: the time-line has other words than the conversation in message {message}; "
            "remove the call's sound and build again"
        )
    until = len(heard.split(" "))
    found = (one for one in timeline.interruptions if one.message_index == message)
    return Sounded(turn, turn.words[:until], turn.words[until:], next(found, None))


def clock(seconds: float) -> str:
    """A time in a call as minutes and seconds: `2:07`."""
    return f"{int(seconds) // 60}:{int(seconds) % 60:02d}"


def signed(decibels: float) -> str:
    """A level as people write it, with a minus sign in place of the hyphen."""
    return f"{decibels:.1f}".replace("-", "\u2212")


def _blocks(timeline: CallTimeline, types: dict[int, InterruptionType]) -> Iterator[Block]:
    for turn in timeline.turns:
        y = _LANES_Y[turn.speaker]
        yield Block(
            turn=turn,
            number=_number(turn.message_index),
            type=types.get(turn.message_index),
            x=_pixels(turn.start_s),
            y=y,
            width=_pixels(turn.end_s - turn.start_s),
            height=_LANE_HEIGHT,
            words="".join(_box(word, y) for word in turn.words),
            rest=_pixels(_rest_s(timeline, turn)),
        )


def _box(word: TimedWord, y: int) -> str:
    """A word in the time-line, with a hair's breadth to the next."""
    width = max(_pixels(word.end_s - word.start_s) - 1, 0.5)
    return f"M{_pixels(word.start_s)} {y}h{width}v{_LANE_HEIGHT}h-{width}z"


def _rest_s(timeline: CallTimeline, turn: TimedTurn) -> float:
    """How long the undelivered words would have taken at the turn's own pace, up to what the agent says next."""
    unsaid = len(turn.undelivered.split())
    after = (t.start_s for t in timeline.turns[turn.message_index + 1 :] if t.speaker is turn.speaker)
    room = next(after, timeline.duration_s) - turn.end_s
    return max(min(unsaid * (turn.end_s - turn.start_s) / len(turn.words), room), 0.0)


def _mark(interruption: TimedInterruption) -> Mark:
    return Mark(
        interruption=interruption,
        number=_number(interruption.message_index),
        jump_s=max(interruption.caller_start_s - _LEAD_S, 0.0),
        x=_pixels(interruption.caller_start_s),
        width=_pixels(max(interruption.cut_s - interruption.caller_start_s, 0.0)),
    )


def _number(message: int) -> int:
    """Turns count from 1 and have two messages, the agent's and the caller's."""
    return message // 2 + 1


def _pixels(seconds: float) -> float:
    return round(seconds * PIXELS_A_SECOND, 1)
