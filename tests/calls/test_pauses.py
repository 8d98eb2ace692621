"""Pauses between turns are as long as in measured telephone calls."""

import random
import statistics

import pytest

from factory.calls.pauses import LEAST_S, MEAN_S, MEDIAN_S, MOST_S, draw_pause_s


@pytest.fixture(scope="module")
def pauses() -> list[float]:
    rng = random.Random(6)
    return [draw_pause_s(rng) for _ in range(10_000)]


def test_median_and_mean_are_those_of_the_calls_that_were_measured(pauses: list[float]) -> None:
    assert statistics.median(pauses) == pytest.approx(0.320, abs=0.008)
    assert statistics.fmean(pauses) == pytest.approx(0.410, abs=0.010)
    assert (MEDIAN_S, MEAN_S) == (0.320, 0.410)


def test_they_lie_where_a_second_study_of_calls_has_them(pauses: list[float]) -> None:
    assert 0.264 <= statistics.median(pauses) <= 0.347
    assert 0.345 <= statistics.fmean(pauses) <= 0.456


@pytest.mark.parametrize(
    ("share", "quantile_s"),
    [(0.05, 0.100), (0.25, 0.199), (0.75, 0.515), (0.95, 1.019)],
    ids=lambda value: f"{value:g}",
)
def test_they_spread_as_a_log_normal_law_of_that_median_and_mean_does(
    pauses: list[float], share: float, quantile_s: float
) -> None:
    assert sorted(pauses)[round(share * len(pauses))] == pytest.approx(quantile_s, rel=0.05)


def test_none_is_shorter_or_longer_than_the_limits_and_nine_in_a_thousand_are_set_to_them(pauses: list[float]) -> None:
    assert min(pauses) == LEAST_S == 0.05
    assert max(pauses) == MOST_S == 2.0
    assert pauses.count(LEAST_S) / len(pauses) == pytest.approx(0.0042, abs=0.0020)
    assert pauses.count(MOST_S) / len(pauses) == pytest.approx(0.0046, abs=0.0020)


def test_the_same_seed_gives_the_same_pauses_and_another_others(pauses: list[float]) -> None:
    again, other = random.Random(6), random.Random(7)
    assert [draw_pause_s(again) for _ in range(100)] == pauses[:100]
    assert [draw_pause_s(other) for _ in range(100)] != pauses[:100]


def test_a_pause_is_a_whole_number_of_milliseconds(pauses: list[float]) -> None:
    assert all(pause_s == round(pause_s, 3) for pause_s in pauses)
