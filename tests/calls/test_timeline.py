"""The time-line of a real call tells what was said, in the order in which it sounds."""

from itertools import pairwise

import pytest

from factory.calls.condition import condition_of
from factory.records.call import TimedTurn
from factory.records.enums import Speaker
from tests.calls.conftest import RealCall
from tests.calls.test_labels import tiers


def test_it_has_the_words_of_the_log_turn_by_turn(real: RealCall) -> None:
    said = []
    for done in real.rounds:
        said.append((2 * done.index, Speaker.AGENT, done.agent.delivered, done.agent.undelivered))
        if done.caller is not None:
            said.append((2 * done.index + 1, Speaker.CALLER, done.caller.text, ""))
    told = [(t.message_index, t.speaker, " ".join(w.text for w in t.words), t.undelivered) for t in real.timeline.turns]
    assert told == said


def test_words_lie_within_their_turn_one_behind_the_other(real: RealCall) -> None:
    for turn in real.timeline.turns:
        times_s = [time_s for word in turn.words for time_s in (word.start_s, word.end_s)]
        assert times_s == sorted(times_s)
        assert turn.start_s <= times_s[0]
        assert times_s[-1] <= turn.end_s <= real.timeline.duration_s


def test_turns_of_one_side_never_overlap(real: RealCall) -> None:
    for speaker in Speaker:
        turns = [turn for turn in real.timeline.turns if turn.speaker is speaker]
        assert all(before.end_s < after.start_s for before, after in pairwise(turns))


def test_the_two_sides_overlap_in_interruptions_and_nowhere_else(real: RealCall) -> None:
    cutting_in = {cut.message_index for cut in real.timeline.interruptions}
    assert len(cutting_in) == 9
    for before, after in pairwise(real.timeline.turns):
        assert (after.start_s < before.end_s) == (after.message_index in cutting_in)


def test_a_turn_begins_with_its_first_word_and_ends_with_its_last(real: RealCall) -> None:
    for turn in real.timeline.turns:
        assert turn.words[0].start_s - turn.start_s < 0.1
        assert turn.end_s - turn.words[-1].end_s < 0.15


def test_the_silence_before_a_turn_is_the_pause_that_it_tells(real: RealCall) -> None:
    turns = real.timeline.turns
    for number, turn in enumerate(turns[1:], 1):
        if turn.pause_s is not None:
            over_s = max(_sounding_until_s(before) for before in turns[:number])
            assert turn.start_s - over_s == pytest.approx(turn.pause_s, abs=0.001)


def _sounding_until_s(turn: TimedTurn) -> float:
    """Where a turn's sound ends: an agent's last word may die away before the cut."""
    return turn.words[-1].end_s if turn.undelivered else turn.end_s


def test_voices_engine_and_condition_are_told(real: RealCall) -> None:
    timeline, identity = real.timeline, real.folder.identity()
    assert (timeline.engine, timeline.asked_engine) == ("hibari", "hibari")
    assert timeline.condition == condition_of(identity.spec.sound.conditions, 0, identity.seed).name
    assert timeline.agent_voice != timeline.caller_voice
    assert timeline.recogniser is None
    assert all(turn.heard_by_ear is None for turn in timeline.turns)


def test_the_files_for_praat_and_audacity_have_the_words_and_times_of_the_time_line(real: RealCall) -> None:
    name, timeline = real.blueprint.conversation_id, real.timeline
    read = tiers(real.folder.call_file(name, "TextGrid").read_text(encoding="utf-8"))
    labels = [line.split("\t") for line in real.folder.call_file(name, "txt").read_text(encoding="utf-8").splitlines()]
    for speaker in Speaker:
        words = [word for turn in timeline.turns if turn.speaker is speaker for word in turn.words]
        spoken = [(start, end, text) for start, end, text in read[f"{speaker} words"].intervals if text]
        assert [text for _, _, text in spoken] == [word.text for word in words]
        for (start_s, end_s, _), word in zip(spoken, words, strict=True):
            assert (start_s, end_s) == pytest.approx((word.start_s, word.end_s), abs=0.005)
        marked = [(float(start), float(end)) for start, end, text in labels if text.startswith(f"{speaker}: ")]
        assert marked == sorted((word.start_s, word.end_s) for word in words)
    points = dict((mark, at) for at, mark in read["interruptions"].points)
    for cut in timeline.interruptions:
        assert points[f"{cut.message_index} {cut.type}: onset"] == cut.onset_end_s
        assert points[f"{cut.message_index} {cut.type}: cut"] == cut.cut_s
