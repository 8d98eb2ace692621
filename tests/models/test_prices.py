"""Prices: from the file where the maker sells, from the roles file where it says so, and never guessed."""

from pathlib import Path

import pytest

from factory.models.prices import (
    FREE,
    PRICE_FILE,
    PriceError,
    cost_usd,
    load_prices,
    most_usd,
    price_of,
    price_table,
    require_price_for_budget,
)
from factory.records.models import LongPrompt, ModelChoice, ModelRole, Models, Price, Provider, ProviderKind, Usage

PLANNER, USER = ModelRole.PLANNER, ModelRole.USER


def roles(model: str, price: Price | None = None, **provider: object) -> Models:
    return Models(
        providers={"makers": Provider.model_validate({"kind": "anthropic", **provider})},
        roles={PLANNER: ModelChoice(provider="makers", model=model, price=price)},
    )


def test_every_block_names_a_source_and_the_price_of_input_is_the_least_that_output_costs() -> None:
    blocks = load_prices().blocks
    assert {block.maker for block in blocks} == set(ProviderKind)
    for block in blocks:
        for name, price in block.models.items():
            assert price.input < price.output, name
            assert price.cached is None or price.cached < price.input, name
            assert price.written is None or price.written > price.input, name


def test_no_model_stands_in_the_file_twice_or_under_the_name_of_a_snapshot() -> None:
    names = [name for block in load_prices().blocks for name in block.models]
    assert len(names) == len(set(names))
    assert all(load_prices().find(kind, f"{name}-20260101") for kind in ProviderKind for name in names
               if load_prices().find(kind, name))  # fmt: skip


@pytest.mark.parametrize("name", ["claude-sonnet-4-5", "claude-sonnet-4-5-20250929", "claude-sonnet-4-5-2025-09-29"])
def test_a_dated_snapshot_costs_what_its_model_costs(name: str) -> None:
    price = price_of(roles(name), PLANNER, load_prices())
    assert price is not None and (price.input, price.output) == (3.0, 15.0)


@pytest.mark.parametrize("name", ["claude-sonnet-4-5-mini", "claude-sonnet-4", "claude-sonnet-4-5-2025", "sonnet"])
def test_a_name_that_only_resembles_one_in_the_file_has_no_price(name: str) -> None:
    assert price_of(roles(name), PLANNER, load_prices()) is None


def test_a_maker_is_not_charged_with_another_makers_price() -> None:
    assert price_of(roles("claude-sonnet-4-5", kind="openai"), PLANNER, load_prices()) is None


def test_another_server_may_take_another_price_for_the_same_model() -> None:
    elsewhere = roles("claude-sonnet-4-5", base_url="https://models.example.com/v1")
    own = roles("claude-sonnet-4-5", base_url="https://api.anthropic.com")
    assert price_of(elsewhere, PLANNER, load_prices()) is None
    assert price_of(own, PLANNER, load_prices()) is not None


def test_a_price_in_the_roles_file_comes_first_and_a_free_provider_takes_nothing() -> None:
    stated = Price(input=1, output=2)
    assert price_of(roles("claude-sonnet-4-5", stated), PLANNER, load_prices()) == stated
    assert price_of(roles("anything", free=True), PLANNER, load_prices()) == FREE


def test_a_price_given_once_holds_for_every_role_of_the_model() -> None:
    choice = ModelChoice(provider="makers", model="new-model")
    models = Models(
        providers={"makers": Provider(kind=ProviderKind.OPENAI)},
        roles={PLANNER: choice, USER: choice.model_copy(update={"price": Price(input=1, output=2)})},
    )
    assert price_of(models, PLANNER, load_prices()) == Price(input=1, output=2)


def test_two_prices_for_one_model_are_refused() -> None:
    models = Models(
        providers={"makers": Provider(kind=ProviderKind.OPENAI)},
        roles={
            role: ModelChoice(provider="makers", model="m", price=Price(input=number, output=9))
            for number, role in enumerate((PLANNER, USER))
        },
    )
    with pytest.raises(PriceError, match="`m` at `makers` two prices"):
        price_table(models)


def test_an_unknown_price_is_an_error_that_names_role_model_file_and_the_ways_out() -> None:
    with pytest.raises(PriceError) as told:
        price_table(roles("new-model"))
    for word in ("planner", "new-model", "makers", "prices.yaml", "price: {input: …", "free: true", "--no-price"):
        assert word in str(told.value)
    assert "\n" not in str(told.value)


def test_no_price_lets_it_pass_but_then_no_budget_can_be_kept() -> None:
    table = price_table(roles("new-model"), no_price=True)
    assert table.price("makers", "new-model") is None
    require_price_for_budget(table, None)
    with pytest.raises(PriceError, match=r"--budget cannot be kept .*`new-model`"):
        require_price_for_budget(table, 5.0)


def test_a_broken_price_file_is_told_with_line_and_field(tmp_path: Path) -> None:
    broken = tmp_path / "prices.yaml"
    broken.write_text(PRICE_FILE.read_text("utf-8").replace("input: 5.00", "input: five", 1), encoding="utf-8")
    with pytest.raises(PriceError, match=r"prices\.yaml:\d+: .*input"):
        load_prices(broken)


PRICE = Price(input=2, cached=0.5, written=2.5, output=10)


@pytest.mark.parametrize(
    ("usage", "usd"),
    [
        (Usage(input=1_000_000), 2.0),
        (Usage(input=1_000_000, cached=400_000), 1.2 + 0.2),
        (Usage(input=1_000_000, cached=400_000, written=100_000), 1.0 + 0.2 + 0.25),
        (Usage(output=100_000), 1.0),
        (Usage(input=10, cached=20), 10e-6),
    ],
)
def test_a_reply_costs_its_tokens_each_at_its_price(usage: Usage, usd: float) -> None:
    assert cost_usd(PRICE, usage) == pytest.approx(usd)


def test_without_a_price_of_their_own_cached_tokens_cost_what_input_costs() -> None:
    assert cost_usd(Price(input=2, output=1), Usage(input=1_000_000, cached=500_000, written=500_000)) == 2.0


def test_above_its_limit_a_long_prompt_is_dearer_as_a_whole() -> None:
    price = Price(input=1, output=10, long=LongPrompt(above=100, input=5, output=2))
    assert cost_usd(price, Usage(input=100, output=10)) == pytest.approx(200e-6)
    assert cost_usd(price, Usage(input=101, output=10)) == pytest.approx((505 + 200) / 1e6)


def test_nothing_that_a_reply_reports_within_its_bounds_costs_more_than_the_most() -> None:
    for cached, written in ((0, 0), (700, 0), (0, 700), (300, 400)):
        usage = Usage(input=700, cached=cached, written=written, output=50)
        assert cost_usd(PRICE, usage) <= most_usd(PRICE, 700, 50)
    assert most_usd(PRICE, 700, 50) == pytest.approx((700 * 2.5 + 500) / 1e6)
