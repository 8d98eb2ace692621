"""What a model costs: the price file, the roles file's own prices, and the cost of one reply."""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import date
from functools import cache
from pathlib import Path
from typing import Annotated

from pydantic import Field

from factory.errors import FactoryError
from factory.records.base import SCHEMA_VERSION, Record
from factory.records.models import ModelName, ModelRole, Models, Price, Provider, ProviderKind, Usage
from factory.workflow.reader import read_yaml

PRICE_FILE = Path(__file__).with_name("prices.yaml")
"""The price file that comes with the project."""

FREE = Price(input=0, output=0)
"""The price at a provider that takes nothing."""

SELLING_HOSTS = {ProviderKind.OPENAI: "api.openai.com", ProviderKind.ANTHROPIC: "api.anthropic.com"}
"""Where makers sell their models themselves; what another server takes for them, the price file does not know."""

_SNAPSHOT = re.compile(r"-(?:\d{4}-\d{2}-\d{2}|\d{8})$")
_MILLION = 1_000_000

ModelKey = tuple[str, str]
"""A provider's name in the roles file, and a model's name there."""


class PriceError(FactoryError):
    """A price that is not known, or is not clear: names role, model and file, and what to do."""


class PriceBlock(Record):
    """Prices of one maker from one source.

    Attributes:
        maker: Whose prices they are.
        source: Address of the page that they stand on.
        as_of: The day of which they are.
        models: By the model's name, without the date of a snapshot.
    """

    maker: ProviderKind
    source: Annotated[str, Field(pattern=r"^https://")]
    as_of: date
    models: dict[ModelName, Price]


class Prices(Record):
    """A price file."""

    schema_version: Annotated[int, Field(ge=1, le=1)] = SCHEMA_VERSION
    blocks: tuple[PriceBlock, ...]

    def find(self, maker: ProviderKind, model: str) -> Price | None:
        """What a maker takes for a model; a dated snapshot costs what the model costs unless it has its own entry."""
        listed = {name: price for b in self.blocks if b.maker is maker for name, price in b.models.items()}
        return listed.get(model) or listed.get(_SNAPSHOT.sub("", model))


@cache
def load_prices(path: Path = PRICE_FILE) -> Prices:
    """Reads a price file.

    Raises:
        PriceError: if it cannot be read; names file, line and field.
    """
    return read_yaml(path, Prices, PriceError)


def price_of(models: Models, role: ModelRole, prices: Prices) -> Price | None:
    """What the model of a role costs; None if nobody says so.

    A price in the roles file comes first, on this role or on another with the same model; a free provider takes
    nothing; the price file counts only at the maker's own address.

    Raises:
        PriceError: if the roles file gives the same model two prices.
    """
    choice, provider = models.roles[role], models.provider_of(role)
    stated = _stated(models, (choice.provider, choice.model))
    if stated is not None:
        return stated
    if provider.free:
        return FREE
    return prices.find(provider.kind, choice.model) if _is_makers_own(provider) else None


def _stated(models: Models, key: ModelKey) -> Price | None:
    found: Price | None = None
    for role, choice in models.roles.items():
        if choice.price is None or (choice.provider, choice.model) != key:
            continue
        if found is not None and found != choice.price:
            raise PriceError(
                f"the roles file gives `{key[1]}` at `{key[0]}` two prices (the second for the role `{role}`); "
                "give it one"
            )
        found = choice.price
    return found


def _is_makers_own(provider: Provider) -> bool:
    return provider.base_url is None or provider.base_url.host == SELLING_HOSTS[provider.kind]


@dataclass(frozen=True)
class PriceTable:
    """What every model of a roles file costs.

    Attributes:
        prices: By provider and model; None where it is not known.
    """

    prices: Mapping[ModelKey, Price | None]

    def price(self, provider: str, model: str) -> Price | None:
        """What a model costs; None if it is not known."""
        return self.prices.get((provider, model))

    @property
    def unknown(self) -> tuple[str, ...]:
        """Names of the models whose price is not known."""
        return tuple(sorted({model for (_, model), price in self.prices.items() if price is None}))


def price_table(
    models: Models,
    no_price: bool = False,
    prices: Prices | None = None,
    roles: Collection[ModelRole] = tuple(ModelRole),
) -> PriceTable:
    """The prices of the models of a roles file.

    Args:
        models: The roles file.
        no_price: Whether models may be used whose price is not known.
        prices: The price file; the project's own unless given.
        roles: Whose models count, where the file names them; what the others cost need not be known.

    Raises:
        PriceError: if a price is not known, unless `no_price`; names role, model, file and the ways out.
    """
    listed = prices or load_prices()
    table: dict[ModelKey, Price | None] = {}
    for role, choice in models.roles.items():
        if role not in roles:
            continue
        price = price_of(models, role, listed)
        if price is None and not no_price:
            raise PriceError(_unknown(role, choice.provider, choice.model))
        table[choice.provider, choice.model] = price
    return PriceTable(table)


def require_price_for_budget(table: PriceTable, budget_usd: float | None) -> None:
    """Refuses a budget that could not be kept.

    Raises:
        PriceError: if there is a budget and a model whose price is not known.
    """
    if budget_usd is not None and table.unknown:
        raise PriceError(
            f"--budget cannot be kept while the price of {', '.join(f'`{m}`' for m in table.unknown)} is not known; "
            "give it as `price: {input: …, output: …}` in the roles file, or leave --budget out"
        )


def _unknown(role: ModelRole, provider: str, model: str) -> str:
    return (
        f"role `{role}`: what `{model}` at `{provider}` costs is not known ({PRICE_FILE.name} does not hold it for "
        "that address); write `price: {input: …, output: …}` (US dollars for a million tokens) beside it in the roles "
        "file, `free: true` at a provider that takes nothing, or go on without with --no-price"
    )


def cost_usd(price: Price, usage: Usage) -> float:
    """What one reply costs, in US dollars."""
    longer = price.long if price.long and usage.input > price.long.above else None
    plain = max(0, usage.input - usage.cached - usage.written)
    prompt = (
        plain * price.input
        + usage.cached * (price.input if price.cached is None else price.cached)
        + usage.written * (price.input if price.written is None else price.written)
    )
    reply = usage.output * price.output
    if longer:
        prompt, reply = prompt * longer.input, reply * longer.output
    return (prompt + reply) / _MILLION


def most_usd(price: Price, most_input: int, most_output: int) -> float:
    """The most that a call can cost, in US dollars, however much of its prompt is read from a cache or written to it.

    Args:
        price: The model's price.
        most_input: Tokens that the prompt has at the most.
        most_output: Tokens that the reply has at the most.
    """
    dearest = max(price.input, price.cached or 0.0, price.written or 0.0)
    worst = price.model_copy(update={"input": dearest, "cached": dearest, "written": dearest})
    return cost_usd(worst, Usage(input=most_input, output=most_output))
