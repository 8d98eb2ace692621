"""Money: a build stops before its budget, goes on with a larger one, and what all its runs spent adds up."""

from pathlib import Path

import pytest

from factory.errors import Unfinished
from factory.models.budget import BudgetReached
from factory.models.cost import CostReport
from factory.models.prices import PriceError
from factory.records.models import Models, Price
from factory.workflow.library import Library
from tests.build.builds import difference

from .engine_builds import QUICK, build, kept_replies, models_of
from .servers import RunningServer, running_server

PRICE = Price(input=2.0, cached=0.5, output=10.0)


def priced(models: Models, price: Price | None = PRICE) -> Models:
    """The same models, at a server that takes money."""
    providers = {name: provider.model_copy(update={"free": False}) for name, provider in models.providers.items()}
    roles = {
        role: choice.model_copy(update={"price": price, "max_output_tokens": 2_000})
        for role, choice in models.roles.items()
    }
    return models.model_copy(update={"providers": providers, "roles": roles})


def spent(folder: Path) -> CostReport:
    """What a run says that it has spent."""
    return CostReport.from_json((folder / "reports" / "cost.json").read_bytes())


def bill(server: RunningServer, first: int = 0) -> float:
    """What the server would send a bill for, in US dollars."""
    calls = server.log()[first:]
    cached = sum(call["cached_tokens"] for call in calls)
    dollars: float = PRICE.input * (sum(call["input_tokens"] for call in calls) - cached)
    dollars += PRICE.cached * cached + PRICE.output * sum(call["output_tokens"] for call in calls)
    return dollars / 1_000_000


def test_every_budget_is_kept_and_the_sum_is_that_of_one_run(small: Library, tmp_path: Path) -> None:
    with running_server() as server:
        models = priced(models_of(tmp_path, server, "player-money"))
        calm = build(tmp_path / "calm", small, models)
        calls, whole = server.stats()["requests"], bill(server)
        assert spent(calm.path).usd == pytest.approx(whole) and whole > 0.05

        before = 0.0
        for share in (0.3, 0.6, 0.9):
            budget = share * whole
            with pytest.raises(BudgetReached, match="the budget is reached"):
                build(tmp_path / "run", small, models, budget_usd=budget)
            so_far = spent(tmp_path / "run").usd
            assert so_far == pytest.approx(bill(server, calls))  # as reported, so billed
            assert before < so_far <= budget and budget - so_far < 0.05
            before = so_far
        ended = build(tmp_path / "run", small, models, budget_usd=whole + 0.1)
        assert server.stats()["requests"] == 2 * calls == 2 * kept_replies(ended)
    assert spent(ended.path) == spent(calm.path)
    assert difference(calm.path, ended.path) == []


def test_a_budget_of_nothing_asks_nobody(small: Library, up: RunningServer, tmp_path: Path) -> None:
    before = up.stats()["requests"]
    with pytest.raises(BudgetReached):
        build(tmp_path / "run", small, priced(models_of(tmp_path, up, "player")), budget_usd=0.0)
    assert up.stats()["requests"] == before


def test_replies_that_could_not_be_used_are_paid_for_too(small: Library, tmp_path: Path) -> None:
    with running_server() as server, pytest.raises(Unfinished):
        try:
            models = priced(models_of(tmp_path, server, "player;refusal=0.5;wrong-schema=0.5"))
            build(tmp_path / "run", small, models, limit=1, patience=QUICK)
        finally:
            assert spent(tmp_path / "run").usd == pytest.approx(bill(server)) and bill(server) > 0


@pytest.mark.parametrize("fault", ["no-usage", "reset"])
def test_calls_of_which_nobody_says_what_they_cost_count_at_their_most_in_every_later_run(
    fault: str, small: Library, tmp_path: Path
) -> None:
    out = tmp_path / "run"
    with running_server(seed=3) as server:
        models = priced(models_of(tmp_path, server, f"player;{fault}=0.1"))
        budget, before = 0.4, 0
        for _ in range(2):  # the first run's lost calls are the second one's too
            with pytest.raises(Unfinished):
                build(out, small, models, limit=None, patience=QUICK, budget_usd=budget)
            report, lost = spent(out), server.stats()["outcomes"][fault]
            assert report.lost == lost > before
            assert bill(server) < report.usd <= budget and report.lost_usd > lost * 0.02
            budget, before = 2 * budget, lost


def test_an_unknown_price_is_refused_unless_it_is_said_to_be_unknown(
    small: Library, up: RunningServer, tmp_path: Path
) -> None:
    models = priced(models_of(tmp_path, up, "player"), price=None)
    before = up.stats()["requests"]
    with pytest.raises(PriceError, match="--no-price"):
        build(tmp_path / "refused", small, models)
    assert up.stats()["requests"] == before
    taken = build(tmp_path / "run", small, models, limit=1, no_price=True)
    report = spent(taken.path)
    assert (report.usd, report.unpriced) == (0.0, ("player",)) and report.usage.output > 100
