from hypothesis import given
from hypothesis import strategies as st

from factory.quality.measured import Measured
from factory.quality.phrases import CORPUS_SHARE, longest_repeat
from factory.quality.turns import Turn, Turns
from factory.records.enums import Speaker
from tests.quality.hand import FIXED, TELL, Said, call, spoken, turns


def longest(calls: tuple[Turns, ...]) -> Measured:
    found = longest_repeat(calls, CORPUS_SHARE)
    assert found is not None
    return found


def lines(repeated: str, times: int, of: int) -> list[str]:
    return [f"x{i} {repeated} y{i}" if i < times else f"z{i}" for i in range(of)]


def test_the_longest_phrase_that_over_a_fifth_of_the_calls_say_is_found() -> None:
    found = longest(turns(*spoken(lines("nobody told me that", 3, 10))))
    assert found.value == 4
    assert found.place.about == "“nobody told me that” is said in 3 of 10 calls"
    assert found.place.text == "x0 nobody told me that y0"


def test_a_fifth_is_not_over_a_fifth() -> None:
    assert longest(turns(*spoken(lines("nobody told me that", 2, 10)))).value == 0


def test_what_one_call_says_again_and_again_is_no_repeat() -> None:
    often = call("often", *(Said(f"w{i}", "again and again") for i in range(9)))
    assert longest(turns(often, *spoken([f"z{i}" for i in range(9)]))).value == 0


def test_a_fixed_disclosure_may_recur_and_parts_what_stands_around_it() -> None:
    calls = [
        call(f"c{i}", Said({TELL: "good day", FIXED: "this call may be recorded", "lead": "thank you"}))
        for i in range(10)
    ]
    found = longest(turns(*calls))
    assert found.value == 2
    assert "recorded" not in found.place.about


def test_few_calls_are_too_few() -> None:
    assert not longest(turns(*spoken(["a"] * 19))).enough
    assert longest(turns(*spoken(["a"] * 20))).enough


@given(st.lists(st.text("abc ", max_size=14), min_size=1, max_size=8))
def test_it_is_the_longest_of_all_phrases(said: list[str]) -> None:
    spoken_words = [tuple(line.split()) for line in said]
    every = {
        words[i : i + n] for words in spoken_words for n in range(1, len(words) + 1) for i in range(len(words) - n + 1)
    }

    def calls_with(phrase: tuple[str, ...]) -> int:
        n = len(phrase)
        return sum(any(w[i : i + n] == phrase for i in range(len(w) - n + 1)) for w in spoken_words)

    repeated = [len(phrase) for phrase in every if calls_with(phrase) > 0.2 * len(said)]
    only_callers = tuple((Turn(str(i), 1, Speaker.CALLER, "", w, (w,)),) for i, w in enumerate(spoken_words))
    assert longest(only_callers).value == max(repeated, default=0)
