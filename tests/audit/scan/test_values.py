"""Values are one, however they are spelled."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from num2words import num2words

from factory.audit.scan.values import Sort, Value, values_in, values_of

DIGITS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("4827", "four eight two seven"),
        ("4827", "forty-eight twenty-seven"),
        ("555-0177", "triple five, oh one double seven"),
        ("$35", "thirty-five bucks"),
        ("$412.60", "four twelve sixty"),
        ("$412.60", "four hundred and twelve dollars and sixty cents"),
        ("February 2nd", "the second of February"),
        ("February 2nd", "2/2"),
        ("February 2nd", "the second of next month"),
        ("2:30 pm", "half past two"),
        ("8 am", "eight in the morning"),
        ("JN-40716", "four zero seven one six"),
        ("$12,500", "twelve thousand five hundred dollars"),
        ("90 minutes", "ninety minutes"),
        ("rosa.whitfield@example.com", "rosa dot whitfield at example dot com"),
        ("Thursday", "Thursdays"),
    ],
)
def test_two_spellings_share_a_value(one: str, other: str) -> None:
    assert values_of(f"It is {one}.") & values_in(f"It is {other}.")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("4827", "four eight seven two"),
        ("$35", "thirty-five minutes"),
        ("$35", "fifty-three dollars"),
        ("February 2nd", "the second of March"),
        ("2:30 pm", "half past three"),
        ("Wednesday", "Friday"),
        ("it may rain", "in May"),
        ("one more second", "the second of May"),
    ],
)
def test_other_values_are_others(one: str, other: str) -> None:
    assert not values_of(f"It is {one}.") & values_in(f"It is {other}.")


@given(st.text(alphabet="0123456789", min_size=4, max_size=9))
def test_a_code_is_known_by_its_digits_said_one_by_one(code: str) -> None:
    said = " ".join(DIGITS[int(digit)] for digit in code)
    assert Value(Sort.DIGITS, code) in values_in(f"It's {said}, I think.")


@given(st.integers(min_value=10, max_value=999_999))
def test_an_amount_is_known_in_figures_and_in_words(dollars: int) -> None:
    words = num2words(dollars).replace(",", "")
    assert Value(Sort.AMOUNT, f"{dollars} dollar") in values_in(f"about {words} dollars")
    assert Value(Sort.AMOUNT, f"{dollars} dollar") in values_of(f"about ${dollars:,}")


@given(st.integers(min_value=1, max_value=12), st.integers(min_value=1, max_value=28))
def test_a_date_is_known_in_figures_and_in_words(month: int, day: int) -> None:
    assume(f"{month}/{day}" not in ("1/2", "1/3", "1/4", "2/3", "3/4"))  # said as fractions
    name = (
        *("January", "February", "March", "April", "May", "June", "July"),
        *("August", "September", "October", "November", "December"),
    )[month - 1]
    wanted = Value(Sort.DATE, f"{month}-{day}")
    assert wanted in values_in(f"on {month}/{day} then")
    assert wanted in values_in(f"on the {num2words(day, to='ordinal')} of {name} then")
