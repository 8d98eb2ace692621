"""What engines over a network share, as far as no engine is needed to see it."""

from collections.abc import Mapping

import pytest

from factory.speech.network import Service, Terms


@pytest.mark.parametrize(
    ("headers", "asked_s"),
    [
        ({"retry-after": "Thu, 01 Jan 1970 00:20:00 GMT"}, 200.0),
        ({"retry-after": "1.5"}, 1.5),
        ({"retry-after": "3", "retry-after-ms": "2750"}, 2.75),
        ({"retry-after": "soon"}, 0.0),
        ({}, 0.0),
    ],
)
def test_a_service_may_say_in_any_form_how_long_to_wait(headers: Mapping[str, str], asked_s: float) -> None:
    assert Service("It", Terms(), day_s=lambda: 1_000.0).refused(429, headers).asked_s == asked_s
