"""The telephone line and the network, by themselves."""

import numpy as np
import pytest

from factory.speech.conditions.packet_loss import Loss, lost_packets, without_packets
from factory.speech.conditions.telephone import TELEPHONE_RATE_HZ, band_limited, companded

PACKET = 160
SECOND = TELEPHONE_RATE_HZ


def sine(hz: float, count: int, amplitude: float = 0.3) -> np.ndarray:
    return (amplitude * np.sin(2 * np.pi * hz * np.arange(count) / TELEPHONE_RATE_HZ)).astype(np.float32)


def gain_db(hz: float) -> float:
    tone = sine(hz, 2 * SECOND)
    middle = slice(SECOND // 2, -SECOND // 2)
    return float(20 * np.log10(np.std(band_limited(tone)[middle]) / np.std(tone[middle])))


def test_the_band_is_300_to_3400_hz() -> None:
    for hz in (400, 1000, 2000, 3300):
        assert gain_db(hz) == pytest.approx(0, abs=0.1)
    for hz in (300, 3400):
        assert gain_db(hz) == pytest.approx(-6, abs=0.3)
    for hz in (60, 200, 3500, 3900):
        assert gain_db(hz) < -45


def test_the_band_is_that_of_each_channel_and_of_any_length() -> None:
    tone = sine(1000, 3000)
    both = band_limited(np.stack([tone, sine(100, 3000)], axis=1))
    assert np.allclose(both[:, 0], band_limited(tone), atol=1e-6)
    assert np.abs(both[500:-500, 1]).max() < 0.003
    assert len(band_limited(tone[:5])) == 5


def test_a_sample_becomes_one_of_the_values_of_g_711() -> None:
    ramp = np.linspace(-1, 1, 65_537).astype(np.float32)
    values = np.unique(np.rint(companded(ramp) * 32_767).astype(int))
    assert len(values) == 255  # +0 and -0 are one
    assert values.max() == 32_124
    assert values[values > 0][:3].tolist() == [8, 16, 24]  # the finest segment
    assert values[values > 0][-2] == 31_100  # the coarsest: steps of 1,024
    assert values.tolist() == (-values[::-1]).tolist()


@pytest.mark.parametrize("level_db", [-3, -10, -20, -30])
def test_companding_costs_the_same_at_every_level_of_speech(level_db: float) -> None:
    noise = np.random.default_rng(1).standard_normal(4 * SECOND).astype(np.float32)
    tone = sine(1004, 4 * SECOND, 10 ** (level_db / 20)) + noise * np.float32(1e-4)
    error = companded(tone) - tone
    ratio_db = 10 * np.log10(np.mean(tone**2) / np.mean(error**2))
    assert 34 < ratio_db < 39  # ITU-T G.712 asks for 33 at the least


def bursts(lost: np.ndarray) -> np.ndarray:
    edges = np.flatnonzero(np.diff(lost, prepend=False, append=False))
    return np.diff(edges.reshape(-1, 2), axis=1)[:, 0]


@pytest.mark.parametrize(("rate", "burst"), [(0.01, 1.0), (0.03, 2.0), (0.1, 5.0), (0.5, 2.0)])
def test_as_many_packets_are_lost_as_it_says_and_as_many_in_a_row(rate: float, burst: float) -> None:
    lost = lost_packets(200_000, Loss(rate, burst), np.random.default_rng(5))
    assert np.mean(lost) == pytest.approx(rate, rel=0.1)
    assert np.mean(bursts(lost)) == pytest.approx(burst, rel=0.05)


def test_the_first_packets_are_lost_as_often_as_others() -> None:
    first = [lost_packets(1, Loss(0.3, 8.0), np.random.default_rng(seed))[0] for seed in range(2000)]
    assert np.mean(first) == pytest.approx(0.3, abs=0.04)


def lose(waveform: np.ndarray, *packets: int) -> np.ndarray:
    lost = np.zeros(-(-len(waveform) // PACKET), np.bool_)
    lost[list(packets)] = True
    return without_packets(waveform, lost, TELEPHONE_RATE_HZ)


@pytest.mark.parametrize("hz", [70, 120, 190])
def test_a_voice_goes_on_over_a_lost_packet(hz: float) -> None:
    voice = sine(hz, SECOND) + sine(3 * hz, SECOND, 0.1)
    played = lose(voice, 20)
    at = slice(20 * PACKET, 20 * PACKET + PACKET // 2)  # at full level for 10 ms
    assert np.corrcoef(played[at], voice[at])[0, 1] > 0.97
    assert np.abs(np.diff(played)).max() < 2 * np.abs(np.diff(voice)).max()  # no click


def test_it_fades_and_is_silent_after_60_ms() -> None:
    played = lose(sine(120, SECOND), *range(20, 28))
    levels = [float(np.abs(played[start : start + 80]).max()) for start in range(20 * PACKET, 28 * PACKET, 80)]
    assert levels[0] > 0.25
    assert levels[:6] == sorted(levels[:6], reverse=True)
    assert levels[6:] == [0.0] * 10


def test_what_arrives_is_played_as_it_was_sent_and_when_it_was() -> None:
    voice = sine(120, SECOND)
    played = lose(voice, 20, 21, 40)
    differs = np.flatnonzero(played != voice)
    blend = 32
    assert all(20 * PACKET <= at < 22 * PACKET + blend or 40 * PACKET <= at < 41 * PACKET + blend for at in differs)
    assert np.array_equal(lose(voice), voice)


def test_before_anything_has_come_there_is_silence() -> None:
    played = lose(sine(120, SECOND), 0, 1)
    assert not played[: 2 * PACKET].any()
    assert played[3 * PACKET :].any()


def test_the_end_may_be_lost_and_the_last_packet_may_be_short() -> None:
    voice = sine(120, 10 * PACKET + 50)
    played = lose(voice, 10)
    assert len(played) == len(voice)
    assert np.array_equal(played[: 10 * PACKET], voice[: 10 * PACKET])
    assert np.array_equal(lose(voice, 9)[10 * PACKET + 32 :], voice[10 * PACKET + 32 :])
