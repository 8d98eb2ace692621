"""Where each turn of a call lies: one behind the other with pauses between, and callers over the agent's last words."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from factory.calls.overlap import caller_starts_s
from factory.calls.pauses import draw_pause_s
from factory.calls.takes import Take
from factory.corpus.seeds import rng_for
from factory.records.conversation import Round
from factory.records.enums import Speaker
from factory.speech import SAMPLE_RATE, SpeechError

_LEAD_S, _TAIL_S = 0.4, 0.6


@dataclass(frozen=True, slots=True)
class VoicedRound:
    """A round and its sound; `caller` is None where the agent has the last word."""

    round: Round
    agent: Take
    caller: Take | None


@dataclass(frozen=True, slots=True)
class Placed:
    """A turn in its place.

    Attributes:
        message_index: Over all messages of the call, from 0.
        take: Its sound.
        first_sample: Where the clip begins, in samples of the call.
        pause_s: The pause before it, as drawn; None where there is none.
    """

    message_index: int
    speaker: Speaker
    take: Take
    first_sample: int
    pause_s: float | None

    @property
    def clip_s(self) -> float:
        """Where the clip begins, in seconds of the call."""
        return self.first_sample / SAMPLE_RATE

    @property
    def starts_s(self) -> float:
        """Where its sound begins in the call."""
        return self.clip_s + self.take.starts_s

    @property
    def ends_s(self) -> float:
        """Where it is over: at the cut, if there is one, or where its sound ends."""
        return self.clip_s + self.take.cut.cut_s if self.take.cut else self.stops_s

    @property
    def stops_s(self) -> float:
        """Where its sound ends in the call."""
        return self.clip_s + self.take.stops_s


@dataclass(frozen=True, slots=True)
class Layout:
    """All turns of a call, in order of their messages.

    Attributes:
        samples: Length of the call.
    """

    turns: tuple[Placed, ...]
    samples: int


def lay_out(rounds: Sequence[VoicedRound], seed: int) -> Layout:
    """Gives every turn its place; what is drawn for a turn depends on no other.

    Behind a turn comes a pause that is drawn (`factory.calls.pauses`). A caller who cuts in, if only with a
    backchannel, comes without one.

    Args:
        rounds: The call's rounds; each agent's turn that is cut has an instant for the caller's start.
        seed: The conversation's.

    Raises:
        SpeechError: A turn that is cut gives the caller no instant to start at.
    """
    turns: list[Placed] = []
    for voiced in rounds:
        index, agent_index = voiced.round.index, 2 * voiced.round.index
        agent = _behind(turns, agent_index, Speaker.AGENT, voiced.agent, seed)
        turns.append(agent)
        if voiced.caller is None:
            continue
        kind = voiced.round.caller.type if voiced.round.caller is not None else None
        if kind is None:
            turns.append(_behind(turns, agent_index + 1, Speaker.CALLER, voiced.caller, seed))
        else:
            instants = None if voiced.agent.cut is None else caller_starts_s(voiced.agent.cut, kind)
            if instants is None:
                raise SpeechError(f"turn {index + 1}: the agent's words give a {kind} no instant to start at")
            first, last = (agent.first_sample + time_s * SAMPLE_RATE for time_s in instants)
            start = rng_for(seed, "start", index).randint(math.ceil(first), math.floor(last))
            turns.append(_at(agent_index + 1, Speaker.CALLER, voiced.caller, start / SAMPLE_RATE, None))
    last = max(turn.stops_s for turn in turns) + _TAIL_S
    return Layout(tuple(turns), round(last * SAMPLE_RATE))


def _behind(turns: Sequence[Placed], index: int, speaker: Speaker, take: Take, seed: int) -> Placed:
    if not turns:
        return _at(index, speaker, take, _LEAD_S, None)
    pause_s = draw_pause_s(rng_for(seed, "pause", index))
    over_s = max(turn.stops_s for turn in turns[-2:])  # a backchannel may be over before the agent stops
    return _at(index, speaker, take, over_s + pause_s, pause_s)


def _at(index: int, speaker: Speaker, take: Take, starts_s: float, pause_s: float | None) -> Placed:
    return Placed(index, speaker, take, round((starts_s - take.starts_s) * SAMPLE_RATE), pause_s)
