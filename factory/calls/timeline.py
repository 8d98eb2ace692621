"""A made call → its time-line, as planned and as measured."""

from collections.abc import Iterator, Mapping

import numpy as np
from numpy.typing import NDArray

from factory.calls.layout import Placed
from factory.calls.listen import Heard
from factory.calls.make import CallOrder, MadeCall
from factory.calls.mix import CHANNELS
from factory.calls.sound import heard_s
from factory.records.call import CallTimeline, HeardByEar, TimedInterruption, TimedTurn, TimedWord
from factory.records.conversation import Round
from factory.records.enums import Speaker
from factory.simulate.cut import OVERLAP_S
from factory.speech import SAMPLE_RATE

_DIGITS = 6
"""Decimals of a second that are kept: finer than a sample."""


def timeline_of(
    conversation_id: str,
    order: CallOrder,
    made: MadeCall,
    engines: tuple[str, str],
    stand_in_because: str | None,
    recogniser: str | None,
    files: Mapping[str, str],
) -> CallTimeline:
    """The time-line of a call.

    Args:
        conversation_id: The call's id.
        order: What it was made of.
        made: The call.
        engines: Name of the engine that spoke, and of the one that was asked for.
        stand_in_because: Why that one did not; None where it did.
        recogniser: Name of the speech recogniser that listened.
        files: Digest of each of its sound files, by name.
    """
    return CallTimeline(
        conversation_id=conversation_id,
        duration_s=_rounded(made.layout.samples / SAMPLE_RATE),
        engine=engines[0],
        asked_engine=engines[1],
        stand_in_because=stand_in_because,
        agent_voice=order.cast.agent.id,
        caller_voice=order.cast.caller.id,
        condition=order.condition.name,
        snr_db=order.condition.snr_db,
        packet_loss=order.condition.loss.rate if order.condition.loss else 0.0,
        caller_level_db=order.condition.caller_level_db,
        loudness_lufs=round(made.recorded.lufs, 2),
        peak_dbtp=round(made.recorded.true_peak_dbtp, 2),
        recogniser=recogniser,
        turns=tuple(_turn(turn, order.rounds, made.heard) for turn in made.layout.turns),
        interruptions=tuple(_interruptions(order.rounds, made)),
        files=dict(files),
    )


def _turn(turn: Placed, rounds: tuple[Round, ...], heard: Mapping[int, Heard]) -> TimedTurn:
    done = rounds[turn.message_index // 2]
    text = done.agent.delivered if turn.speaker is Speaker.AGENT else done.caller.text if done.caller else ""
    understood = heard.get(turn.message_index)
    return TimedTurn(
        message_index=turn.message_index,
        speaker=turn.speaker,
        start_s=_rounded(turn.starts_s),
        end_s=_rounded(turn.ends_s),
        pause_s=None if turn.pause_s is None else _rounded(turn.pause_s),
        pace=round(turn.take.tried.pace, 4),
        take=turn.take.tried.number,
        failed_attempts=turn.take.tried.failed,
        words=tuple(
            TimedWord(text=word, start_s=_rounded(turn.clip_s + start), end_s=_rounded(turn.clip_s + end))
            for word, (start, end) in zip(text.split(" "), turn.take.words, strict=True)
        ),
        undelivered=done.agent.undelivered if turn.speaker is Speaker.AGENT else "",
        heard_by_ear=None
        if understood is None
        else HeardByEar(text=understood.text, words=understood.errors.words, errors=understood.errors.errors),
    )


def _interruptions(rounds: tuple[Round, ...], made: MadeCall) -> Iterator[TimedInterruption]:
    turns, call = {turn.message_index: turn for turn in made.layout.turns}, made.clean.samples
    for done in rounds:
        if done.caller is None or done.caller.type is None:
            continue
        agent, caller = turns[2 * done.index], turns[2 * done.index + 1]
        cut, times = done.agent.cut, agent.take.cut
        assert cut is not None and times is not None
        least_s, most_s = OVERLAP_S[done.caller.type]
        cut_s = agent.clip_s + times.cut_s
        yield TimedInterruption(
            message_index=caller.message_index,
            type=done.caller.type,
            onset_word=cut.onset_word,
            cut_word=cut.cut_word,
            least_overlap_s=least_s,
            most_overlap_s=most_s,
            onset_end_s=_rounded(agent.clip_s + times.onset_end_s),
            next_end_s=_rounded(agent.clip_s + times.next_end_s),
            caller_start_s=_rounded(caller.starts_s),
            cut_s=_rounded(cut_s),
            planned_overlap_s=_rounded(cut_s - caller.starts_s),
            measured_overlap_s=_rounded(_heard(call, agent)[1] - _heard(call, caller)[0]),
        )


def _heard(call: NDArray[np.float32], turn: Placed) -> tuple[float, float]:
    return heard_s(call[:, CHANNELS[turn.speaker]], (turn.starts_s, turn.ends_s), SAMPLE_RATE)


def _rounded(seconds: float) -> float:
    return round(seconds, _DIGITS)
