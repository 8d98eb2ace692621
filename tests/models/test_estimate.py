"""The estimate: calls exactly as a build makes them, prompts as it renders them, and money as a range around both."""

from collections import Counter
from pathlib import Path

import pytest

from factory.build.estimate import estimate_build
from factory.corpus.plan import CorpusPlan, plan_corpus
from factory.corpus.specs import load_spec
from factory.models.cost import CostReport, cost_report
from factory.models.estimate import CallSize, Range, count_calls, estimate
from factory.models.prices import PriceError, PriceTable, price_table
from factory.models.roles_file import BUILD_ROLES
from factory.models.table import show_estimate
from factory.records.models import LongPrompt, ModelChoice, ModelRole, Models, Price, Provider, ProviderKind
from factory.workflow.library import standard_library
from tests.build.builds import factory
from tests.models.servers import running_server

PRICE = Price(input=2, cached=0.5, written=2.5, output=10)
ROLES_FILE = """\
providers:
  fake: {{kind: openai, base_url: "{url}"}}
defaults:
  provider: fake
  model: player
  max_output_tokens: 32000
  price: {{input: 2, cached: 0.5, written: 2.5, output: 10}}
"""


def models(price: Price | None = PRICE, most: int = 6_000) -> Models:
    choice = ModelChoice(provider="p", model="m", max_output_tokens=most, price=price)
    return Models(providers={"p": Provider(kind=ProviderKind.OPENAI)}, roles=dict.fromkeys(BUILD_ROLES, choice))


@pytest.fixture(scope="module")
def demo() -> CorpusPlan:
    return plan_corpus(load_spec("demo"), standard_library(), 0)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> CostReport:
    """What a real build of the demo asked the fake server for."""
    folder = tmp_path_factory.mktemp("built")
    with running_server() as server:
        (folder / "roles.yaml").write_text(ROLES_FILE.format(url=server.openai_url), encoding="utf-8")
        done = factory("build", "demo", "--models", "roles.yaml", "--out", "run", "--engine", "inline", "--no-audio",
                       cwd=folder)  # fmt: skip
        assert done.code == 0, done.err
    return cost_report(folder / "run" / "replies", PriceTable({("fake", "player"): PRICE}))


def test_the_low_end_is_every_call_that_a_build_makes_in_which_all_goes_well(
    demo: CorpusPlan, built: CostReport
) -> None:
    asked = Counter({line.role: line.calls for line in built.lines})
    assert asked == +count_calls(demo)


def test_prompts_are_as_long_as_those_that_the_build_sent(demo: CorpusPlan, built: CostReport) -> None:
    told = estimate_build(demo, standard_library(), models())
    ranges = {role.role: role.input for role in told.roles}
    for line in built.lines:  # the fake server takes four characters for a token, between the two ends
        assert ranges[line.role].low * 4.5 / 4 == pytest.approx(line.usage.input, rel=0.12), line.role


def test_what_a_build_cost_lies_within_the_range_or_hardly_below(demo: CorpusPlan, built: CostReport) -> None:
    usd = estimate_build(demo, standard_library(), models()).usd
    assert usd.low * 0.75 <= built.usd <= usd.high


def test_every_end_is_ordered_and_the_sum_is_that_of_the_roles(demo: CorpusPlan) -> None:
    told = estimate_build(demo, standard_library(), models())
    assert {role.role for role in told.roles} == set(BUILD_ROLES)
    for role in told.roles:
        assert role.usd is not None
        for ends in (role.calls, role.input, role.output, role.usd):
            assert ends.low < ends.high
    assert told.usd.high == pytest.approx(sum(role.usd.high for role in told.roles if role.usd))


def test_an_unknown_price_stops_the_plan_unless_it_may_be_unknown(demo: CorpusPlan) -> None:
    with pytest.raises(PriceError, match="`m` at `p`"):
        estimate_build(demo, standard_library(), models(price=None))
    shown = show_estimate(estimate_build(demo, standard_library(), models(price=None), no_price=True))
    assert shown.count("not known") == len(BUILD_ROLES)
    assert "nobody says what they cost: m" in shown


SIZES = {ModelRole.USER: CallSize(stable=450, varying=900, reply=90)}
CALLS = {ModelRole.USER: 10, ModelRole.VERIFIER: 2}


def test_the_low_end_is_the_sum_of_its_tokens_with_what_stays_the_same_from_the_cache() -> None:
    (user,) = estimate(CALLS, SIZES, models(), price_table(models())).roles
    assert (user.calls.low, user.input.low, user.output.low) == (10, 10 * 300, 10 * 20)
    assert user.usd is not None
    assert user.usd.low == pytest.approx(((3_000 - 800) * 2 + 800 * 0.5 + 200 * 10) / 1e6)


def test_no_reply_is_estimated_longer_than_it_may_be() -> None:
    (user,) = estimate(CALLS, SIZES, models(most=16), price_table(models())).roles
    assert user.output == Range(10 * 16, round(user.calls.high * 16))


def test_a_model_is_not_taken_for_dearer_because_many_prompts_are_long_together() -> None:
    long = PRICE.model_copy(update={"long": LongPrompt(above=1_000, input=5, output=5)})
    plain, dear = (estimate(CALLS, SIZES, models(p), price_table(models(p))).usd for p in (PRICE, long))
    assert plain == dear


def test_the_table_has_a_line_for_each_role_and_the_sum(demo: CorpusPlan) -> None:
    lines = show_estimate(estimate_build(demo, standard_library(), models())).splitlines()
    assert [line.split()[0] for line in lines[1:-1]] == [role.value for role in BUILD_ROLES] + ["all"]
    assert all(len(line) <= 120 for line in lines)


def test_plan_with_models_asks_nobody_and_writes_nothing(tmp_path: Path) -> None:
    (tmp_path / "roles.yaml").write_text(ROLES_FILE.format(url="http://127.0.0.1:9/v1"), encoding="utf-8")
    done = factory("plan", "demo", "--models", "roles.yaml", cwd=tmp_path)
    assert done.code == 0, done.err
    assert "6 conversations, 186 messages" in done.out and "US dollars" in done.out
    assert [path.name for path in tmp_path.iterdir()] == ["roles.yaml"]
