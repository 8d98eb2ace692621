"""docs/cost.md: every number in it is the code's."""

import re

import pytest

from factory.build.estimate import SAMPLED, estimate_build
from factory.corpus.plan import CorpusPlan, plan_corpus
from factory.corpus.specs import load_spec
from factory.models import estimate
from factory.models.budget import FRAME_TOKENS
from factory.models.estimate import count_calls
from factory.models.prices import PRICE_FILE, load_prices
from factory.models.roles_file import BUILD_ROLES, load_models
from factory.workflow.library import standard_library
from tests.docs.pages import page

PAGE = page("cost.md")


@pytest.fixture(scope="module")
def corpus() -> CorpusPlan:
    return plan_corpus(load_spec("ihbench-45"), standard_library(), 0)


def rows(head: str) -> list[list[str]]:
    """The cells of the table with that head."""
    table = PAGE.partition(head)[2].partition("\n\n")[0].strip().splitlines()[1:]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in table]


def test_the_calls_are_those_of_the_plans(corpus: CorpusPlan) -> None:
    demo = count_calls(plan_corpus(load_spec("demo"), standard_library(), 0))
    whole = count_calls(corpus)
    shown = {row[0].strip("`"): (int(row[2]), int(row[3])) for row in rows("| ihbench-45 |\n")}
    assert shown == {role.value: (demo[role], whole[role]) for role in BUILD_ROLES}
    assert f"has {whole.total():,} of them" in PAGE


def test_the_cost_of_the_reference_corpus_is_about_what_the_plan_says(corpus: CorpusPlan) -> None:
    said = [float(n) for n in re.findall(r"costs between \$(\d+) and \$(\d+)", PAGE)[0]]
    usd = estimate_build(corpus, standard_library(), load_models("openai")).usd
    assert said == pytest.approx([usd.low, usd.high], rel=0.25)


def test_what_makes_the_two_ends_is_what_the_code_takes() -> None:
    table = {row[0]: row[1:] for row in rows("| | low | high |\n")}
    assert table["characters for a token"] == [
        str(estimate.CHARACTERS_PER_TOKEN_LOW),
        str(estimate.CHARACTERS_PER_TOKEN_HIGH),
    ]
    assert table["replies that are asked for again"][1] == f"{estimate.REPAIRED:.0%}".replace("%", " %")
    assert table["edits of each conversation"][1] == f"{estimate.EDITS:g}"
    assert table["rounds that an edit plays anew"][1] == f"{100 * estimate.PLAYED_ANEW:g} % of them"
    assert table["conversations that are dropped and drawn anew"][1] == f"{100 * estimate.DROPPED:g} %"
    assert table["length of replies, against the composer's"][1] == f"{estimate.LONGER:g} times"
    assert table["thoughts before each reply, which count as output"][1] == f"{estimate.THOUGHTS} tokens"
    assert f"along {SAMPLED} conversations" in PAGE
    assert f"and {FRAME_TOKENS:,} for what the" in PAGE


def test_the_files_and_models_that_it_names_are_there() -> None:
    assert PRICE_FILE.as_posix().endswith("factory/models/prices.yaml") and "`factory/models/prices.yaml`" in PAGE
    snapshot = re.search(r"`(claude-[\w-]+-\d{8})`", PAGE)
    assert snapshot
    assert any(load_prices().find(block.maker, snapshot[1]) for block in load_prices().blocks)
