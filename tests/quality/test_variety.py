import pytest

from factory.quality import variety
from factory.quality.variety import distinct, distinct_whole
from factory.records.enums import Speaker
from tests.quality.hand import spoken, turns


def test_distinct_n_is_the_share_of_runs_that_differ() -> None:
    calls = turns(*spoken(["go on, go on"]))  # go on, on go, go on
    assert distinct_whole(calls, Speaker.CALLER, 2).value == pytest.approx(2 / 3)
    assert distinct_whole(calls, Speaker.CALLER, 3).value == 1


def test_words_count_without_regard_to_case_and_punctuation() -> None:
    assert distinct_whole(turns(*spoken(["Go on! Go on.", "go ON"])), Speaker.CALLER, 2).value == pytest.approx(2 / 4)


def test_a_run_never_reaches_from_one_turn_into_the_next() -> None:
    assert distinct_whole(turns(*spoken(["yes", "please"])), Speaker.CALLER, 2) is None


def test_the_agents_words_are_not_counted_among_the_callers() -> None:
    assert distinct_whole(turns(*spoken(["go on"])), Speaker.AGENT, 2) is None


class TestOnWindows:
    @pytest.fixture(autouse=True)
    def small(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(variety, "WINDOW", 20)

    def test_a_corpus_of_many_calls_compares_with_one_of_few(self) -> None:
        lines = ["now and then and now and again"] * 200
        few, many = (turns(*spoken(lines[:count])) for count in (20, 200))
        assert distinct_whole(many, Speaker.CALLER, 2).value < distinct_whole(few, Speaker.CALLER, 2).value / 5
        assert distinct(many, Speaker.CALLER, 2).value == pytest.approx(
            distinct(few, Speaker.CALLER, 2).value, abs=0.03
        )

    def test_repetition_lowers_it(self) -> None:
        same, different = (
            turns(*spoken(["one two three four"] * 10)),
            turns(*spoken([f"a{i} b{i} c{i}" for i in range(20)])),
        )
        assert distinct(different, Speaker.CALLER, 2).value == 1
        assert distinct(same, Speaker.CALLER, 2).value == pytest.approx(3 / 15)

    def test_the_place_is_the_run_that_stands_most_often(self) -> None:
        found = distinct(turns(*spoken(["well then"] * 30 + ["all good"] * 5)), Speaker.CALLER, 2)
        assert found.place.about.startswith("“well then” stands")
        assert found.place.text == "well then"

    def test_less_than_a_window_is_too_little(self) -> None:
        assert distinct(turns(*spoken(["a b"] * 10)), Speaker.CALLER, 2).enough
        assert not distinct(turns(*spoken(["a b"] * 9)), Speaker.CALLER, 2).enough
