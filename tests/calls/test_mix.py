"""A call has the agent on the first channel and the caller on the second, each clip where it was placed."""

import numpy as np
import pytest

from factory.calls.layout import Layout
from factory.calls.mix import CHANNELS, mix
from factory.records.enums import Speaker
from factory.speech import SAMPLE_RATE
from tests.calls.made import clip, placed, take

SAMPLES = 2 * SAMPLE_RATE


def test_each_side_is_on_its_own_channel_and_the_other_is_silent_there() -> None:
    layout = Layout((placed(Speaker.AGENT, 0, take(0.5)), placed(Speaker.CALLER, SAMPLE_RATE, take(0.5))), SAMPLES)
    call = mix(layout, 0.0)
    assert CHANNELS == {Speaker.AGENT: 0, Speaker.CALLER: 1}
    agent, caller = call.T
    assert np.abs(agent[: SAMPLE_RATE // 2]).max() > 0.1
    assert not agent[SAMPLE_RATE // 2 :].any()
    assert np.abs(caller[SAMPLE_RATE:]).max() > 0.1
    assert not caller[:SAMPLE_RATE].any()


def test_a_clip_is_in_the_call_sample_for_sample_where_it_was_placed() -> None:
    call = mix(Layout((placed(Speaker.AGENT, 1234, take(0.5)),), SAMPLES), 0.0)
    samples = clip(0.5).samples
    assert call.shape == (SAMPLES, 2)
    assert call.dtype == np.float32
    assert np.array_equal(np.rint(call[1234 : 1234 + len(samples), 0] * 32_768), samples)
    assert not call[:1234].any()


@pytest.mark.parametrize("level_db", [-2.0, 0.0, 3.0])
def test_the_callers_level_is_over_the_agents_and_moves_nothing_else(level_db: float) -> None:
    layout = Layout((placed(Speaker.AGENT, 0, take(1.0)), placed(Speaker.CALLER, 0, take(1.0))), SAMPLES)
    agent, caller = np.sqrt(np.mean(np.square(mix(layout, level_db).astype(np.float64)), axis=0))
    assert 20 * np.log10(caller / agent) == pytest.approx(level_db, abs=0.01)
    assert np.array_equal(mix(layout, level_db)[:, 0], mix(layout, 0.0)[:, 0])


def test_both_are_heard_at_once_where_they_overlap() -> None:
    layout = Layout((placed(Speaker.AGENT, 0, take(1.0)), placed(Speaker.CALLER, SAMPLE_RATE // 2, take(1.0))), SAMPLES)
    both = mix(layout, 0.0)[SAMPLE_RATE // 2 : SAMPLE_RATE]
    assert (np.abs(both).max(axis=0) > 0.1).all()


def test_silence_behind_the_last_sound_ends_with_the_call() -> None:
    layout = Layout((placed(Speaker.CALLER, 0, take(0.5, tail_s=1.0)),), SAMPLE_RATE)
    assert mix(layout, 0.0).shape == (SAMPLE_RATE, 2)
