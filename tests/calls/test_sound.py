"""Where sound begins and ends is measured, not taken from what was planned."""

import numpy as np
import pytest
from numpy.typing import NDArray

from factory.calls.sound import heard_s, sound_edges_s

RATE_HZ = 24_000
FRAME_S = 0.005


def tone(duration_s: float, level: float = 0.3) -> NDArray[np.float32]:
    at_s = np.arange(round(duration_s * RATE_HZ)) / RATE_HZ
    return (level * np.sin(2 * np.pi * 400 * at_s)).astype(np.float32)


def silence(duration_s: float) -> NDArray[np.float32]:
    return np.zeros(round(duration_s * RATE_HZ), np.float32)


def joined(*parts: NDArray[np.float32]) -> NDArray[np.float32]:
    return np.concatenate(parts)


@pytest.mark.parametrize("before_s", [0.0, 0.05, 0.4137])
@pytest.mark.parametrize("behind_s", [0.0, 0.15, 0.7])
def test_the_edges_are_found_within_a_frame(before_s: float, behind_s: float) -> None:
    sound = joined(silence(before_s), tone(0.5), silence(behind_s))
    assert sound_edges_s(sound, RATE_HZ) == pytest.approx((before_s, before_s + 0.5), abs=FRAME_S)


@pytest.mark.parametrize("scale", [1e-4, 1.0, 32_767.0])
def test_the_scale_of_the_samples_makes_no_difference(scale: float) -> None:
    sound = joined(silence(0.1), tone(0.3), silence(0.1))
    assert sound_edges_s(sound * np.float32(scale), RATE_HZ) == sound_edges_s(sound, RATE_HZ)


def test_hiss_beside_speech_is_not_heard_and_a_soft_sound_is() -> None:
    hiss, soft = tone(0.2, level=0.3 * 10 ** (-50 / 20)), tone(0.2, level=0.3 * 10 ** (-30 / 20))
    assert sound_edges_s(joined(hiss, tone(0.3), hiss), RATE_HZ) == pytest.approx((0.2, 0.5), abs=FRAME_S)
    assert sound_edges_s(joined(soft, tone(0.3), soft), RATE_HZ) == pytest.approx((0.0, 0.7), abs=FRAME_S)


@pytest.mark.parametrize("samples", [silence(0.3), silence(0.0)], ids=["silence", "nothing"])
def test_where_there_is_no_sound_there_are_no_edges(samples: NDArray[np.float32]) -> None:
    assert sound_edges_s(samples, RATE_HZ) == (0.0, 0.0)


def test_a_sound_shorter_than_a_frame_is_found() -> None:
    assert sound_edges_s(tone(0.002), RATE_HZ) == pytest.approx((0.0, 0.002))


def test_a_turn_is_heard_where_it_is_and_its_neighbours_a_pause_away_are_not() -> None:
    channel = joined(tone(1.0, 0.9), silence(0.05), tone(0.5), silence(0.05), tone(1.0, 0.9))
    assert heard_s(channel, (1.05, 1.55), RATE_HZ) == pytest.approx((1.05, 1.55), abs=FRAME_S)


@pytest.mark.parametrize("turn_s", [(0.0, 0.3), (0.02, 0.29)])
def test_a_turn_at_the_beginning_and_the_end_of_a_channel_is_heard(turn_s: tuple[float, float]) -> None:
    assert heard_s(tone(0.3), turn_s, RATE_HZ) == pytest.approx((0.0, 0.3), abs=FRAME_S)


def test_a_turn_is_heard_where_it_sounds_not_where_it_is_said_to_be() -> None:
    channel = joined(silence(1.0), tone(0.5), silence(1.0))
    assert heard_s(channel, (0.98, 1.53), RATE_HZ) == pytest.approx((1.0, 1.5), abs=FRAME_S)
