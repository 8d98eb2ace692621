"""The backgrounds sound like what they are called, by measurement."""

import time
import tracemalloc

import numpy as np
import pytest

from factory.speech.conditions.backgrounds import Background, make_background
from factory.speech.conditions.texture import shaped_noise

RATE = 24_000


def made(background: Background, seconds: float, seed: int = 1, rate_hz: int = RATE) -> np.ndarray:
    return make_background(background, round(seconds * rate_hz), rate_hz, np.random.default_rng(seed))


def spread_db(noise: np.ndarray) -> float:
    """How far the louder seconds (95 %) lie over the softer ones (5 %)."""
    levels = 10 * np.log10(np.mean(np.square(noise.reshape(-1, RATE)), axis=1))
    return float(np.percentile(levels, 95) - np.percentile(levels, 5))


def band_power(noise: np.ndarray, low_hz: float, high_hz: float) -> float:
    power = np.square(np.abs(np.fft.rfft(noise)))
    hz = np.fft.rfftfreq(len(noise), 1 / RATE)
    return float(power[(hz >= low_hz) & (hz < high_hz)].sum() / power.sum())


def kurtosis(noise: np.ndarray, low_hz: float) -> float:
    """3 for noise as such, more for what happens now and then."""
    spectrum = np.fft.rfft(noise)
    spectrum[np.fft.rfftfreq(len(noise), 1 / RATE) < low_hz] = 0
    high = np.fft.irfft(spectrum)
    return float(np.mean(high**4) / np.mean(high**2) ** 2)


@pytest.mark.parametrize("background", Background)
@pytest.mark.parametrize("rate_hz", [8_000, 24_000])
def test_every_background_is_finite_about_as_loud_and_of_any_length(background: Background, rate_hz: int) -> None:
    for count in (1, 100, 7_777, 20 * rate_hz + 1):
        noise = make_background(background, count, rate_hz, np.random.default_rng(2))
        assert noise.shape == (count,)
        assert noise.dtype == np.float32
        assert np.isfinite(noise).all()
    assert 0.5 < np.std(noise) < 3
    assert abs(np.mean(noise)) < 0.02


def test_noise_is_normal_has_the_spectrum_it_should_and_no_seams() -> None:
    noise = shaped_noise(20 * RATE, RATE, ((100, 0), (200, 0), (400, -20), (6_000, -50)), np.random.default_rng(3))
    assert np.std(noise) == pytest.approx(1, abs=0.03)
    assert kurtosis(noise, 0) == pytest.approx(3, abs=0.2)
    density_db = 10 * np.log10(band_power(noise, 380, 420) / band_power(noise, 130, 170))
    assert density_db == pytest.approx(-20, abs=2)
    steps = np.diff(noise)
    assert np.abs(steps).max() < 6 * np.std(steps)


@pytest.mark.parametrize("background", Background)
def test_the_seed_decides_and_nothing_comes_twice(background: Background) -> None:
    noise = made(background, 20)
    assert noise.tobytes() == made(background, 20).tobytes()
    other = made(background, 20, seed=2)
    assert abs(np.corrcoef(noise, other)[0, 1]) < 0.2
    likeness = np.fft.irfft(np.square(np.abs(np.fft.rfft(noise, 2 * len(noise)))))
    assert likeness[RATE : 19 * RATE].max() < 0.25 * likeness[0]


def test_a_car_is_a_low_steady_noise_with_an_engine() -> None:
    noise = made(Background.CAR, 60)
    assert band_power(noise, 0, 300) > 0.6
    assert band_power(noise, 2_000, 12_000) < 0.05
    assert band_power(noise, 800, 3_000) > 0.033  # wind; without it 0.029
    assert spread_db(noise) < 5
    assert engine(noise) > 40 > 3 * engine(made(Background.STREET, 60))


def engine(noise: np.ndarray) -> float:
    """How far the strongest line of a second stands out between 40 and 220 Hz."""
    power = np.square(np.abs(np.fft.rfft(noise.reshape(-1, RATE) * np.hanning(RATE))))[:, 40:220]
    return float(np.median(power.max(axis=1) / np.median(power, axis=1)))


def test_on_a_street_cars_pass() -> None:
    noise = made(Background.STREET, 120)
    assert spread_db(noise) > 5
    levels = np.mean(np.square(noise.reshape(-1, RATE)), axis=1)
    loud, soft = (noise.reshape(-1, RATE)[np.argsort(levels)[part]].ravel() for part in (slice(-10, None), slice(10)))
    assert band_power(loud, 600, 3_000) > 2 * band_power(soft, 600, 3_000)  # tyres
    assert np.abs(np.diff(10 * np.log10(levels))).max() < 8  # they come and go, and do not start at once


def test_in_an_office_there_are_ventilation_lamps_a_keyboard_and_people() -> None:
    noise = made(Background.OFFICE, 60)
    assert spread_db(noise) < 5
    assert kurtosis(noise, 4_000) > 10  # keys
    assert kurtosis(made(Background.CAR, 60), 4_000) < 5
    around = np.square(np.abs(np.fft.rfft(noise * np.hanning(len(noise)))))[110 * 60 : 130 * 60 + 1]
    assert around[8 * 60 : 12 * 60].max() == around.max() > 40 * np.median(around)  # 120 Hz
    # Syllables: the voices' band swells and ebbs some four or five times a second.
    assert syllables(noise) > 1.5 * syllables(made(Background.CAR, 60))


def syllables(noise: np.ndarray) -> float:
    """Share of 3 to 7 Hz in how the level from 400 to 1,000 Hz changes, against an even share."""
    spectrum = np.fft.rfft(noise)
    hz = np.fft.rfftfreq(len(noise), 1 / RATE)
    spectrum[(hz < 400) | (hz > 1_000)] = 0
    envelope = np.sqrt(np.mean(np.square(np.fft.irfft(spectrum).reshape(-1, RATE // 100)), axis=1))
    changes = np.square(np.abs(np.fft.rfft(envelope - envelope.mean())))
    hz = np.fft.rfftfreq(len(envelope), 1 / 100)
    return float(changes[(hz > 3) & (hz < 7)].mean() / changes[(hz > 8) & (hz < 40)].mean())


@pytest.mark.parametrize("background", Background)
def test_time_and_memory_are_in_proportion_to_length(background: Background) -> None:
    start = time.process_time()
    made(background, 300)
    assert time.process_time() - start < 3  # measured: 0.2 to 0.4 s
    peaks = []
    for seconds in (40, 80):
        tracemalloc.start()
        made(background, seconds)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < 2.3 * peaks[0]
    assert peaks[1] < 16 * 80 * RATE  # bytes a sample; the noise itself has 4
