"""The page on the flow report: its tables are the catalogue's, its kinds those that an audit finds."""

import re

from factory.audit.findings import Kind
from factory.simulate.canary import canary_word
from factory.simulate.disguise import Writing, canary_in
from tests.audit.attacks.attack import Who
from tests.docs.attacks import GROUPS, groups_of, with_attacks
from tests.docs.pages import UPDATE, page

PAGE = page("flow-report.md")


def test_the_tables_are_those_of_the_catalogue() -> None:
    assert groups_of(PAGE) == list(GROUPS)
    assert with_attacks(PAGE) == PAGE, UPDATE


def test_a_table_that_lacks_an_attack_is_noticed() -> None:
    lacking = re.sub(r"^\| builder \|.*\n", "", PAGE, count=1, flags=re.MULTILINE)
    assert lacking != PAGE
    assert with_attacks(lacking) == PAGE


def test_every_kind_of_finding_stands_behind_what_it_proves() -> None:
    proofs = PAGE.partition("## What is proved, and by what")[2].partition("\n## ")[0]
    named = set(re.findall(r"`([a-z_]+)`", proofs))
    assert {kind.value for kind in Kind} - named == set()
    assert named <= {kind.value for kind in Kind}


def test_who_cheats_is_said() -> None:
    assert {row[0] for row in re.findall(r"^\| ([a-z' ]+) \| [a-z][^|]* \|( .* \|)?$", PAGE, re.MULTILINE)} >= set(Who)


def test_the_example_of_a_planted_word_is_one() -> None:
    planted = PAGE.partition("## Planted words")[2].partition("\n## ")[0]
    words = [word for word in re.findall(r"`([a-z]+)`", planted) if len(word) == len(canary_word(0, "any"))]
    assert words and all(canary_in(word, canary_word(0, "any")) is Writing.PLAIN for word in words)
