"""Models ready to be asked: with prices that are known, a budget that knows what was spent, and their providers."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from factory.models.budget import Budget
from factory.models.cost import spent_usd
from factory.models.outage import Tell
from factory.models.pool import Pool
from factory.models.prices import PriceTable, price_table, require_price_for_budget
from factory.models.retry import Patience
from factory.models.store import Books
from factory.records.models import ModelRole, Models


@dataclass(frozen=True)
class Terms:
    """On what terms models are asked; it decides how far they get, and nothing of what they write.

    Attributes:
        budget_usd: What they may cost, in US dollars; None where there is no limit.
        no_price: Whether models are asked whose price is not known.
        patience: How long a call that fails is tried again.
    """

    budget_usd: float | None = None
    no_price: bool = False
    patience: Patience | None = None


@dataclass(frozen=True)
class Service:
    """What sends requests, and what it costs.

    Attributes:
        pool: Sends them; a context manager, for one event loop.
    """

    prices: PriceTable
    budget: Budget
    pool: Pool


def known_prices(models: Models, roles: Collection[ModelRole], terms: Terms) -> PriceTable:
    """What the models of some roles cost.

    Raises:
        PriceError: if a price is not known and has to be, for itself or for the budget.
    """
    prices = price_table(models, terms.no_price, roles=roles)
    require_price_for_budget(prices, terms.budget_usd)
    return prices


def service(
    models: Models,
    roles: Collection[ModelRole],
    environ: Mapping[str, str],
    books: Books,
    terms: Terms,
    tell: Tell | None = None,
) -> Service:
    """Models ready to be asked.

    Args:
        models: The roles file.
        roles: Whose models are asked.
        environ: Where the keys are.
        books: What earlier runs paid for; lost calls are added to them.
        terms: On what terms.
        tell: Told when a provider does not answer, and when it does again.

    Raises:
        PriceError: as `known_prices`.
        RunError: if the books are damaged.
    """
    prices = known_prices(models, roles, terms)
    budget = Budget(terms.budget_usd, prices, spent_usd(books, prices), books.lost)
    pool = Pool(models, environ, budget, roles=roles, patience=terms.patience, tell=tell)
    return Service(prices, budget, pool)
