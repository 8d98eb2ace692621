"""A call of a real conversation, measured: who is heard when, on which channel, how loud."""

import io
import wave

import numpy as np
import pytest
from numpy.typing import NDArray

from factory.calls.labels import audacity_labels, praat_textgrid
from factory.calls.sound import sound_edges_s
from factory.records.base import sha256
from factory.records.enums import Speaker
from factory.simulate.cut import OVERLAP_S
from factory.speech import SAMPLE_RATE
from factory.speech.loudness import loudness_lufs, true_peak_dbtp
from tests.calls.conftest import RealCall

AUDIBLE = 10 ** (-45 / 20)
"""Of full scale; voices are at about -26 dB."""
A_CLIPS_LEAD_S = 0.1
"""A breath before a turn belongs to its clip, though it is not heard yet."""


def between(real: RealCall, side: int, start_s: float, end_s: float) -> NDArray[np.float32]:
    """A stretch of one channel of the call."""
    return real.clean[round(start_s * SAMPLE_RATE) : round(end_s * SAMPLE_RATE), side]


def level(samples: NDArray[np.float32]) -> float:
    return float(np.sqrt(np.mean(np.square(samples, dtype=np.float64))))


def edge_s(samples: NDArray[np.float32], first: bool) -> float:
    """Where in a stretch of sound something is first, or last, heard: its first or last sample of some size."""
    heard = np.flatnonzero(np.abs(samples) > AUDIBLE)
    return float(heard[0 if first else -1]) / SAMPLE_RATE


def test_the_overlap_of_every_interruption_lies_in_its_types_range_as_planned_and_as_measured(real: RealCall) -> None:
    for cut in real.timeline.interruptions:
        least, most = OVERLAP_S[cut.type]
        assert (cut.least_overlap_s, cut.most_overlap_s) == (least, most)
        assert least <= cut.planned_overlap_s <= most
        assert least <= cut.measured_overlap_s <= most


def test_the_overlap_is_there_in_the_file_by_a_measure_of_its_own(real: RealCall) -> None:
    """By single samples against a fixed level, where the build goes by the energy of frames beside the loudest."""
    for cut in real.timeline.interruptions:
        agent, caller = (real.timeline.turns[index] for index in (cut.message_index - 1, cut.message_index))
        starts_s = caller.start_s - 0.04 + edge_s(between(real, 1, caller.start_s - 0.04, caller.end_s), first=True)
        stops_s = agent.start_s + edge_s(between(real, 0, agent.start_s, agent.end_s + 0.04), first=False)
        least, most = OVERLAP_S[cut.type]
        assert least <= stops_s - starts_s <= most
        assert stops_s - starts_s == pytest.approx(cut.measured_overlap_s, abs=0.05)


def test_what_a_caller_reacts_to_was_said_before_they_start(real: RealCall) -> None:
    for cut in real.timeline.interruptions:
        done, agent = real.rounds[cut.message_index // 2], real.timeline.turns[cut.message_index - 1]
        assert done.agent.cut is not None
        heard = [word for word in agent.words if word.end_s <= cut.caller_start_s + 1e-6]
        assert len(heard) >= done.agent.cut.onset_word + 1
        assert " ".join(word.text for word in heard)[: len(done.agent.heard)] == done.agent.heard
        assert cut.onset_end_s <= cut.caller_start_s <= cut.next_end_s


def test_an_agent_who_is_cut_off_is_silent_from_the_cut_on(real: RealCall) -> None:
    for cut in real.timeline.interruptions:
        following = real.timeline.turns[cut.message_index + 1]
        assert level(between(real, 0, cut.cut_s - 0.2, cut.cut_s)) > AUDIBLE
        assert not between(real, 0, cut.cut_s + 0.001, following.start_s - A_CLIPS_LEAD_S).any()


def test_each_side_is_heard_on_its_channel_and_never_on_the_others(real: RealCall) -> None:
    turns = real.timeline.turns
    for turn in turns:
        mine, other = (0, 1) if turn.speaker is Speaker.AGENT else (1, 0)
        alone_from = max([turn.start_s, *(t.end_s for t in turns if t.message_index < turn.message_index)])
        alone_to = min([turn.end_s, *(t.start_s for t in turns if t.message_index > turn.message_index)])
        if alone_to - alone_from > 0.1:
            assert level(between(real, mine, alone_from, alone_to)) > AUDIBLE
            assert level(between(real, other, alone_from + 0.06, alone_to - 0.06)) < AUDIBLE / 10


def test_the_call_has_the_common_loudness_clean_and_as_recorded(real: RealCall) -> None:
    assert loudness_lufs(real.clean) == pytest.approx(-26.0, abs=0.05)
    assert loudness_lufs(real.recorded) == pytest.approx(-26.0, abs=0.05)
    assert real.timeline.loudness_lufs == pytest.approx(-26.0, abs=0.01)


def test_no_sample_is_at_full_scale_and_no_peak_between_samples_above_its_limit(real: RealCall) -> None:
    assert np.abs(real.clean).max() < 0.9
    assert np.abs(real.recorded).max() < 0.9
    assert true_peak_dbtp(real.recorded) == pytest.approx(real.timeline.peak_dbtp, abs=0.05)
    assert real.timeline.peak_dbtp <= -1.0


def test_both_files_are_as_long_as_the_time_line_says(real: RealCall) -> None:
    samples = round(real.timeline.duration_s * SAMPLE_RATE)
    assert real.clean.shape == real.recorded.shape == (samples, 2)


def test_each_clip_is_what_is_heard_of_the_turn_in_the_call(real: RealCall) -> None:
    for turn in real.timeline.turns:
        if turn.speaker is Speaker.CALLER:
            path = real.folder.audio_file(real.blueprint.conversation_id, turn.message_index // 2 + 1)
            with wave.open(io.BytesIO(path.read_bytes())) as file:
                assert (file.getframerate(), file.getnchannels()) == (SAMPLE_RATE, 1)
                clip = np.frombuffer(file.readframes(file.getnframes()), "<i2").astype(np.float32)
            first = round((turn.start_s - sound_edges_s(clip, SAMPLE_RATE)[0]) * SAMPLE_RATE)
            assert np.corrcoef(real.clean[first : first + len(clip), 1], clip)[0, 1] > 0.999


def test_the_time_line_has_the_digest_of_every_sound_file(real: RealCall) -> None:
    found = [*real.folder.path.glob("audio/*/*"), *real.folder.path.glob("calls/*.flac")]
    assert len(found) > 19
    digests = {path.relative_to(real.folder.path).as_posix(): sha256(path.read_bytes()) for path in found}
    assert real.timeline.files == digests


def test_the_label_files_are_those_of_the_time_line(real: RealCall) -> None:
    name = real.blueprint.conversation_id
    assert real.folder.call_file(name, "txt").read_bytes() == audacity_labels(real.timeline).encode()
    assert real.folder.call_file(name, "TextGrid").read_bytes() == praat_textgrid(real.timeline).encode()


def test_hardly_any_agent_has_to_change_their_pace_and_none_by_much(real: RealCall) -> None:
    paces = [turn.pace for turn in real.timeline.turns if turn.speaker is Speaker.AGENT]
    assert all(0.75 <= pace <= 1.35 for pace in paces)
    assert sum(pace == 1.0 for pace in paces) > len(paces) / 2
