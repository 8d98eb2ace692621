"""Time-lines of calls that nobody spoke, and the tones that stand for their sound."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from factory.calls.files import label_files, sound_files
from factory.calls.mix import CHANNELS
from factory.calls.tally import SoundTally
from factory.records.base import sha256
from factory.records.call import CallTimeline, HeardByEar, TimedInterruption, TimedTurn
from factory.records.conversation import Round
from factory.records.enums import InterruptionType, SoundFormat, Speaker
from factory.run.files import replacing, write_text
from factory.run.folder import RunFolder
from factory.simulate.cut import OVERLAP_S
from factory.speech.clip import SAMPLE_RATE
from factory.speech.sound_file import encode_sound

WORD_S = 0.3
"""Every word takes so long."""
PAUSE_S = 0.4
"""Silence before a turn, and behind the last."""
_LATE_S = 0.15  # how long after the onset word a caller starts
_HEARD_LATE_S = 0.01  # how much longer than planned an overlap measures


def turn(message: int, text: str = "word", start_s: float = 0.0, **changed: object) -> TimedTurn:
    """A turn; messages with odd numbers are the caller's. `changed` are fields that are to be others."""
    words = text.split(" ")
    edges = [round(start_s + i * WORD_S, 3) for i in range(len(words) + 1)]
    fields = {
        "message_index": message,
        "speaker": Speaker.CALLER if message % 2 else Speaker.AGENT,
        "start_s": edges[0],
        "end_s": edges[-1],
        "pause_s": None,
        "pace": 1.0,
        "take": 1,
        "words": [
            {"text": word, "start_s": a, "end_s": b} for word, (a, b) in zip(words, pairwise(edges), strict=True)
        ],
    }
    return TimedTurn.model_validate(fields | changed)


def overlap(kind: InterruptionType, measured_s: float, message: int = 1, **changed: object) -> TimedInterruption:
    """An interruption in which both are heard for so long; `changed` as for a turn."""
    least_s, most_s = OVERLAP_S[kind]
    fields = {
        "message_index": message,
        "type": kind,
        "onset_word": 1,
        "cut_word": 2,
        "least_overlap_s": least_s,
        "most_overlap_s": most_s,
        "onset_end_s": 1.0,
        "next_end_s": 2.0,
        "caller_start_s": 1.0,
        "cut_s": 2.0,
        "planned_overlap_s": 1.0,
        "measured_overlap_s": measured_s,
    }
    return TimedInterruption.model_validate(fields | changed)


def timeline(*turns: TimedTurn, **changed: object) -> CallTimeline:
    """A call of these turns, or of one word; `changed` as for a turn."""
    fields = {
        "conversation_id": "a",
        "duration_s": 60.0,
        "engine": "hibari",
        "asked_engine": "hibari",
        "stand_in_because": None,
        "agent_voice": "alder",
        "caller_voice": "fir",
        "condition": "clean",
        "snr_db": None,
        "packet_loss": 0.0,
        "caller_level_db": 0.0,
        "loudness_lufs": -26.0,
        "peak_dbtp": -6.0,
        "recogniser": None,
        "turns": turns or (turn(0),),
        "interruptions": (),
        "files": {},
    }
    return CallTimeline.model_validate(fields | changed)


def heard(words: int, errors: int) -> HeardByEar:
    """What a recogniser made of so many words."""
    return HeardByEar(text="something", words=words, errors=errors)


def tallied(*calls: CallTimeline) -> SoundTally:
    """The counts over calls, in whose turns up to a quarter of the words may be misheard."""
    tally = SoundTally(most_misheard=0.25)
    for call in calls:
        tally.add(call)
    return tally


def timeline_of(conversation_id: str, rounds: Sequence[Round]) -> CallTimeline:
    """The time-line of rounds, each caller's turn in its second take and with one word that was misheard."""
    turns: list[TimedTurn] = []
    cuts: list[TimedInterruption] = []
    end_s = 0.0
    for done in rounds:
        message, pause_s = 2 * done.index, PAUSE_S if turns else None
        agent = turn(
            message, done.agent.delivered, end_s + PAUSE_S, pause_s=pause_s, undelivered=done.agent.undelivered
        )
        turns.append(agent)
        end_s = agent.end_s
        if done.caller is not None:
            start_s: float = end_s + PAUSE_S
            if done.caller.type is not None:
                cuts.append(_cut(done, agent))
                start_s = cuts[-1].caller_start_s
            turns.append(_caller(message + 1, done.caller.text, start_s, done.caller.type is not None))
            end_s = max(end_s, turns[-1].end_s)
    return timeline(
        *turns,
        conversation_id=conversation_id,
        duration_s=round(end_s + PAUSE_S, 3),
        recogniser="ear",
        interruptions=cuts,
    )


def tones(call: CallTimeline) -> NDArray[np.float32]:
    """A tone on a side's channel while it speaks, another for either; shape (n, 2), at 24 kHz."""
    samples = np.zeros((round(call.duration_s * SAMPLE_RATE), 2), dtype=np.float32)
    for spoken in call.turns:
        first, end = (round(at_s * SAMPLE_RATE) for at_s in (spoken.start_s, spoken.end_s))
        channel = CHANNELS[spoken.speaker]
        samples[first:end, channel] = 0.3 * np.sin(np.arange(end - first) * (0.05 + 0.05 * channel))
    return samples


def write_tone_call(folder: RunFolder, conversation_id: str, rounds: Sequence[Round]) -> None:
    """Writes a call of tones, and its time-line over the caller's clips, which are there."""
    made = timeline_of(conversation_id, rounds)
    sounds = sound_files(folder, conversation_id, folder.identity().formats)
    for path in sounds:
        with replacing(path) as file:
            file.write(encode_sound(tones(made), SoundFormat(path.suffix[1:])))
    for path in label_files(folder, conversation_id):
        write_text(path, "")
    clips = [folder.audio_file(conversation_id, done.index + 1) for done in rounds if done.caller is not None]
    files = {path.relative_to(folder.path).as_posix(): sha256(path.read_bytes()) for path in (*clips, *sounds)}
    write_text(folder.timeline_file(conversation_id), made.model_copy(update={"files": files}).model_dump_json())


def _caller(message: int, text: str, start_s: float, cuts_in: bool) -> TimedTurn:
    ear = HeardByEar(text=f"{text} too", words=len(text.split(" ")), errors=1)
    return turn(message, text, start_s, pause_s=None if cuts_in else PAUSE_S, take=2, heard_by_ear=ear)


def _cut(done: Round, agent: TimedTurn) -> TimedInterruption:
    assert done.caller is not None and done.caller.type is not None and done.agent.cut is not None
    onset = done.agent.cut.onset_word
    start_s = round(agent.words[onset].end_s + _LATE_S, 3)
    planned_s = round(agent.end_s - start_s, 3)
    return overlap(
        done.caller.type,
        round(planned_s + _HEARD_LATE_S, 3),
        agent.message_index + 1,
        onset_word=onset,
        cut_word=done.agent.cut.cut_word,
        onset_end_s=agent.words[onset].end_s,
        next_end_s=agent.words[onset + 1].end_s,
        caller_start_s=start_s,
        cut_s=agent.end_s,
        planned_overlap_s=planned_s,
    )
