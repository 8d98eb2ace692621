"""Ways to cheat: each is caught by name, and by nothing where nobody cheats."""

from collections import Counter
from typing import Any

import pytest

from .attack import Attack, Stage, Way, Who
from .catalogue import CATALOGUE, PASSES

WAYS: tuple[Way[Any], ...] = tuple(dict.fromkeys(attack.way for attack in CATALOGUE))


@pytest.mark.parametrize("attack", CATALOGUE, ids=lambda attack: attack.name.replace(" ", "-"))
def test_an_attack_is_caught_by_name(attack: Attack[Any], stage: Stage) -> None:
    assert attack.by
    assert attack.go(stage) == attack.by


@pytest.mark.parametrize("way", WAYS, ids=lambda way: type(way).__name__)
def test_nothing_is_caught_where_nobody_cheats(way: Way[Any], stage: Stage) -> None:
    assert way.go(stage, None) == set()


@pytest.mark.parametrize("attack", PASSES, ids=lambda attack: attack.name.replace(" ", "-"))
def test_what_the_page_says_that_nothing_catches_is_not_caught(attack: Attack[Any], stage: Stage) -> None:
    """Should one of these fail, the page is too modest: move it among the attacks."""
    assert attack.by == attack.go(stage) == set()


def test_the_catalogue_has_every_kind_of_cheat_and_names_each_attack_once() -> None:
    assert len(CATALOGUE) >= 30
    assert {attack.who for attack in CATALOGUE} == set(Who)
    assert Counter((attack.who, attack.name) for attack in CATALOGUE).most_common(1)[0][1] == 1
