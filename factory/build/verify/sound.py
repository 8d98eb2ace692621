"""The time-line of one call: against its log, against what a call has to be, and against its own sound."""

import io
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from factory.build.kept import wanted_digests
from factory.build.verify.voices import ear_faults, voice_faults
from factory.calls.condition import condition_of
from factory.calls.files import original_files, sound_files
from factory.calls.mix import CHANNELS
from factory.calls.sound import heard_s
from factory.dataset.sound import read_sound
from factory.records.call import CallTimeline, TimedInterruption, TimedTurn
from factory.records.conversation import CallerTurn, Round
from factory.records.enums import Speaker
from factory.records.run import RunIdentity
from factory.run.folder import RunFolder, file_digest
from factory.simulate.cut import OVERLAP_S
from factory.speech import SAMPLE_RATE
from factory.speech.loudness import loudness_lufs, true_peak_dbtp

_TOLERANCE_S = 0.002
_LOSSY_TOLERANCE_S = 0.03
_EDGE_TOLERANCE_S = 0.02  # measured in the clip and then in the call, at 16 bits: 0.004 at the most, in 4,000 turns
_MOST_UNWORDED_S = 1.0  # an aligner takes half a second of a drawn-out word for silence, now and then
_LOUDNESS_TOLERANCE_LU = 0.2
_PEAK_TOLERANCE_DB = 0.05
_LOSSY_PEAK_TOLERANCE_DB = 1.5
_LOSSY = ".opus"
_SILENT_RMS = 0.0003  # of full scale: no speech at -26 LUFS is so soft


def timeline_faults(
    folder: RunFolder, identity: RunIdentity, timeline: CallTimeline, rounds: tuple[Round, ...], place: int
) -> Iterator[str]:
    """Where a call's time-line is not what was planned and said, or its sound not what the time-line tells.

    Args:
        folder: The run.
        identity: What it is.
        timeline: The time-line.
        rounds: What the log has, without canaries.
        place: The conversation's place in the corpus, from 0.
    """
    at = f"calls/{timeline.conversation_id}.json"
    condition = condition_of(identity.spec.sound.conditions, place, identity.seed)
    loss = condition.loss.rate if condition.loss else 0.0
    ordered = (condition.name, condition.snr_db, loss, condition.caller_level_db)
    if ordered != (timeline.condition, timeline.snr_db, timeline.packet_loss, timeline.caller_level_db):
        yield f"{at}: the condition is not {condition.name} with its figures, as the spec and the seed have it"
    found = (*voice_faults(identity, timeline, place), *ear_faults(identity, timeline, rounds))
    yield from (f"{at}: {fault}" for fault in found)
    yield from _kept(folder, identity, timeline, condition.is_clean)
    turns = {turn.message_index: turn for turn in timeline.turns}
    yield from (f"{at}: {fault}" for fault in _spoken(timeline.turns, rounds))
    yield from (f"{at}: {fault}" for fault in _ordered(timeline))
    cuts = {interruption.message_index: interruption for interruption in timeline.interruptions}
    wanted = {2 * done.index + 1: done for done in rounds if done.caller is not None and done.caller.type is not None}
    if [interruption.message_index for interruption in timeline.interruptions] != list(wanted):
        yield f"{at}: its interruptions are not those of the log"
        return
    recorded = sound_files(folder, timeline.conversation_id, identity.formats)[0]
    call = _decoded(read_sound(folder, timeline, recorded), timeline.duration_s)
    yield from (f"{at}: {fault}" for fault in _heard_as_told(timeline, call, recorded.suffix != _LOSSY))
    if not condition.is_clean:
        original = original_files(folder, timeline.conversation_id, identity.formats)[0]
        call = _decoded(read_sound(folder, timeline, original), timeline.duration_s)
    lossless = recorded.suffix != _LOSSY
    yield from (f"{at}: {fault}" for fault in _placed(timeline, call, lossless))
    for index, cut in cuts.items():
        if index - 1 in turns and index in turns:
            agent, caller = turns[index - 1], turns[index]
            found = (*_planned(cut, wanted[index], agent, caller), *_measured(cut, agent, caller, call, lossless))
            yield from (f"{at}: message {index}: {fault}" for fault in found)


def _kept(folder: RunFolder, identity: RunIdentity, timeline: CallTimeline, clean: bool) -> Iterator[str]:
    """Sounds and labels that are others than the time-line's: digests of a later build may have been taken of them."""
    for path, digest in wanted_digests(folder, timeline, identity.formats, clean).items():
        if path.is_file() and file_digest(path) != digest:  # one that is missing is told with the checksums
            yield f"{folder.name_of(path)}: is not what the time-line has"


def _spoken(spoken: Sequence[TimedTurn], rounds: tuple[Round, ...]) -> Iterator[str]:
    said = {2 * done.index: (done.agent.delivered, done.agent.undelivered) for done in rounds}
    said |= {2 * done.index + 1: (done.caller.text, "") for done in rounds if done.caller is not None}
    if [turn.message_index for turn in spoken] != sorted(said):
        yield "its turns are not those of the log"
    turns = {turn.message_index: turn for turn in spoken}
    for index, (text, undelivered) in said.items():
        turn = turns.get(index)
        if turn is None:
            continue
        if (" ".join(word.text for word in turn.words), turn.undelivered) != (text, undelivered):
            yield f"message {index}: its words are not those of the log"
        if turn.speaker is not (Speaker.CALLER if index % 2 else Speaker.AGENT):
            yield f"message {index}: the {turn.speaker} does not speak here"


def _ordered(timeline: CallTimeline) -> Iterator[str]:
    for turn in timeline.turns:
        words = (time for word in turn.words for time in (word.start_s, word.end_s))
        times = [turn.start_s, *words, turn.end_s]
        if times != sorted(times) or not turn.start_s < turn.end_s <= timeline.duration_s:
            yield f"message {turn.message_index}: its times are not in order"


def _planned(cut: TimedInterruption, done: Round, agent: TimedTurn, caller: TimedTurn) -> Iterator[str]:
    assert isinstance(done.caller, CallerTurn) and done.caller.type is not None and done.agent.cut is not None
    least_s, most_s = OVERLAP_S[done.caller.type]
    onset, word = done.agent.cut.onset_word, done.agent.cut.cut_word
    if (cut.type, cut.onset_word, cut.cut_word) != (done.caller.type, onset, word):
        yield "type, onset and cut are not those of the log"
        return
    if len(agent.words) != word + 1:
        return  # told already: the words are others
    if (cut.onset_end_s, cut.next_end_s) != (agent.words[onset].end_s, agent.words[onset + 1].end_s):
        yield "the onset word, or the one behind it, ends elsewhere"
    if not cut.onset_end_s <= cut.caller_start_s <= cut.next_end_s:
        yield "the caller does not start between the end of the onset word and the end of the next"
    if cut.caller_start_s != caller.start_s or cut.cut_s != agent.end_s:
        yield "the caller starts, or the agent stops, elsewhere"
    if (cut.least_overlap_s, cut.most_overlap_s) != (least_s, most_s):
        yield f"the overlap of a {cut.type} lies between {least_s} and {most_s} s"
    for how, overlap_s in (("planned", cut.planned_overlap_s), ("measured", cut.measured_overlap_s)):
        if not least_s <= overlap_s <= most_s:
            yield f"the overlap as {how} is {overlap_s:.3f} s, and that of a {cut.type} {least_s} to {most_s} s"


def _measured(
    cut: TimedInterruption, agent: TimedTurn, caller: TimedTurn, call: NDArray[np.float32], lossless: bool
) -> Iterator[str]:
    """The overlap, measured once more in the file."""
    overlap_s = _heard(call, agent)[1] - _heard(call, caller)[0]
    if abs(overlap_s - cut.measured_overlap_s) > (_TOLERANCE_S if lossless else _LOSSY_TOLERANCE_S):
        yield f"the overlap is {overlap_s:.3f} s in the sound, {cut.measured_overlap_s:.3f} s in the time-line"


def _heard(call: NDArray[np.float32], turn: TimedTurn) -> tuple[float, float]:
    channel = call[:, CHANNELS[turn.speaker]]
    return heard_s(channel, (turn.start_s, turn.end_s), SAMPLE_RATE)


def _placed(timeline: CallTimeline, call: NDArray[np.float32], lossless: bool) -> Iterator[str]:
    """Every turn, and its first and last word, against where it is heard in the clean call.

    An Opus file rings before and behind each sound, for about as long as is looked around a turn.
    """
    cut = {interruption.message_index - 1 for interruption in timeline.interruptions}
    for turn in timeline.turns:
        starts_s, stops_s = _heard(call, turn)
        over_s = stops_s - turn.end_s  # below 0 where a word dies away before its cut
        off_s = max(abs(turn.start_s - starts_s), over_s if turn.message_index in cut else abs(over_s))
        if lossless and off_s > _EDGE_TOLERANCE_S:
            yield f"message {turn.message_index}: is heard from {starts_s:.3f} to {stops_s:.3f} s, and not as told"
        elif max(turn.words[0].start_s - starts_s, stops_s - turn.words[-1].end_s) > _MOST_UNWORDED_S:
            yield f"message {turn.message_index}: its first or last word is not where its sound begins or ends"


def _heard_as_told(timeline: CallTimeline, call: NDArray[np.float32], lossless: bool) -> Iterator[str]:
    """Loudness, true peak, and a sound in every turn, of the call as it is recorded."""
    lufs = loudness_lufs(call)
    if abs(lufs - timeline.loudness_lufs) > _LOUDNESS_TOLERANCE_LU:
        yield f"its loudness is {lufs:.1f} LUFS in the sound, {timeline.loudness_lufs:.1f} in the time-line"
    peak_dbtp = true_peak_dbtp(call)
    if abs(peak_dbtp - timeline.peak_dbtp) > (_PEAK_TOLERANCE_DB if lossless else _LOSSY_PEAK_TOLERANCE_DB):
        yield f"its true peak is {peak_dbtp:.2f} dBTP in the sound, {timeline.peak_dbtp:.2f} in the time-line"
    for turn in timeline.turns:
        first, last = round(turn.start_s * SAMPLE_RATE), round(turn.end_s * SAMPLE_RATE)
        sound = call[first:last, CHANNELS[turn.speaker]]
        if not len(sound) or np.sqrt(np.mean(np.square(sound, dtype=np.float64))) < _SILENT_RMS:
            yield f"message {turn.message_index}: is not to be heard"


def _decoded(content: bytes, duration_s: float) -> NDArray[np.float32]:
    """A call's samples at 24 kHz, shape (n, 2); raises `ValueError` if it is something else, or longer or shorter."""
    import soundfile  # type: ignore[import-untyped]

    try:
        with soundfile.SoundFile(io.BytesIO(content)) as file:
            found = (file.channels, file.samplerate, file.frames)
            if found != (len(CHANNELS), SAMPLE_RATE, round(duration_s * SAMPLE_RATE)):
                raise ValueError(f"the sound has {found[0]} channels of {found[2]} samples at {found[1]} Hz")
            return np.asarray(file.read(dtype="float32"))
    except soundfile.SoundFileError:
        raise ValueError("the sound file of the call cannot be read") from None
